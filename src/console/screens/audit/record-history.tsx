import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import type { Kind } from '../../client/queries.js';
import { isRefused, useList, useRead } from '../../client/queries.js';
import { LinkButton } from '../../parts/button.js';
import { Page, Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { isoDay, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { Comparison } from './comparison.js';
import { Happenings } from './happening.js';
import { kinds, words } from './words.js';

type Item = components['schemas']['HistoryItem'];

/** Screens that show a record as it is now. */
const PLACES: Readonly<Partial<Record<string, string>>> = {
  product: '/produtos/',
  lot: '/estoque/lote/',
  sale: '/vendas/',
  order: '/producao/',
  recipe: '/receitas/',
  customer: '/clientes/',
  document: '/documentos/',
  destination: '/webhooks/',
};

const NAMES = ['description', 'name', 'lotCode', 'number', 'month', 'url'];

interface Present {
  /** Where it has one; it may be on its way. */
  readonly name: string | undefined;
  readonly isComing: boolean;
  readonly isGone: boolean;
}

/** What a record is called now, and whether it is still there. */
function usePresent(kind: Kind, id: string): Present {
  const { data, error, isPending } = useRead({
    key: ['audit', kind, id, 'name'],
    kinds: [kind],
    read: async (signal) => {
      const params = { path: { kind, id }, query: { at: isoDay() } };
      const { state } = await body(api.GET('/audit/entities/{kind}/{id}/state', { params, signal }));
      return state;
    },
  });
  const name = NAMES.map((field) => data?.[field]).find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return {
    name: typeof name === 'number' ? whole(name) : name,
    isComing: isPending,
    isGone: isRefused(error, 'NOT_FOUND'),
  };
}

/** Everything that became of one record. */
export function RecordHistory({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const t = useWords(words);
  const called = useWords(kinds);
  const place = PLACES[kind];
  const { name, isComing, isGone } = usePresent(kind, id);
  const list = useList<Item>({
    key: ['audit', kind, id],
    kinds: [kind],
    read: (at, signal) =>
      body(
        api.GET('/audit/entities/{kind}/{id}', {
          params: { path: { kind, id }, query: { order: 'desc', limit: 50, ...at } },
          signal,
        }),
      ),
  });
  return (
    <Page
      title={[called(kind), name].filter(Boolean).join(' · ')}
      back={{ href: '/auditoria', label: t('title') }}
      actions={place && !isComing && !isGone && <LinkButton href={`${place}${id}`}>{t('openRecord')}</LinkButton>}
    >
      <Shown reading={{ ...list, data: list.data && !isComing ? list.items : undefined }}>
        {(items) => (
          <>
            <Comparison {...{ kind, id, items }} />
            <Section title={t('timeLine')}>
              <Happenings list={list} label={t('timeLine')} />
            </Section>
          </>
        )}
      </Shown>
    </Page>
  );
}
