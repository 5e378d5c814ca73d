import type { components } from 'openapi-client';
import { api, tagged } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { Tabs } from '../../parts/page.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

/** With the tag of all of it, for `If-Match`. */
export type Configuration = components['schemas']['CardFeeConfiguration'] & { readonly etag: string };
export type Machine = Configuration['accounts'][number];

export const KINDS = ['cardAccount', 'cardBrand', 'feeJob'] as const;

export const useConfiguration = () =>
  useRead<Configuration>({
    key: ['card-fees'],
    kinds: KINDS,
    read: async (signal) => {
      const { record, etag } = await tagged(api.GET('/card-fees', { signal }));
      return { ...record, etag };
    },
  });

export const readMachine = (accountId: string, signal?: AbortSignal) =>
  tagged(api.GET('/card-fees/accounts/{accountId}', { params: { path: { accountId } }, ...(signal && { signal }) }));

/** One machine with the tag that its changes take. */
export const useMachine = (accountId: string) =>
  useRead({
    key: ['card-fees', 'account', accountId],
    kinds: KINDS,
    read: (signal) => readMachine(accountId, signal),
  });

export function CardTabs({ current }: { readonly current: 'rates' | 'brands' | 'month' | 'tiers' }) {
  const t = useWords(words);
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={[
        { id: 'rates', href: '/taxas', label: t('rates') },
        { id: 'brands', href: '/taxas/bandeiras', label: t('brands') },
        { id: 'month', href: '/taxas/mes', label: t('month') },
        { id: 'tiers', href: '/taxas/faixas', label: t('tiers') },
      ]}
    />
  );
}
