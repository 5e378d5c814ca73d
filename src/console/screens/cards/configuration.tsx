import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { Tabs } from '../../parts/page.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export type Configuration = components['schemas']['CardFeeConfiguration'];
export type Machine = Configuration['accounts'][number];

export const KINDS = ['cardAccount', 'cardBrand', 'feeJob'] as const;

export const useConfiguration = () =>
  useRead<Configuration>({
    key: ['card-fees'],
    kinds: KINDS,
    read: (signal) => body(api.GET('/card-fees', { signal })),
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
