import type { components } from 'openapi-client';
import { api, plainPage } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useList } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { LinkButton } from '../../parts/button.js';
import { Page } from '../../parts/page.js';
import { Status } from '../../parts/status.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { quantity, unitCost, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

type Summary = components['schemas']['RecipeSummary'];

export function RecipeList() {
  const t = useWords(words);
  const may = useMay();
  const list = useList<Summary>({
    key: ['recipes'],
    kinds: ['recipe'],
    read: (at, signal) =>
      plainPage(
        api.GET('/bakery-production/recipes', {
          params: { query: { limit: 100, ...at } },
          signal,
        }),
      ),
  });
  const names = useNames(list.items.map(({ finishedVariantId }) => finishedVariantId));
  return (
    <Page
      title={t('title')}
      actions={
        may('production.manage') && (
          <LinkButton href="/receitas/nova" look="main" icon="plus">
            {t('create')}
          </LinkButton>
        )
      }
    >
      <Table
        label={t('title')}
        rows={rowsOfList(list)}
        rowKey={({ id }) => id}
        href={({ id }) => `/receitas/${id}`}
        empty={t('empty')}
        columns={[
          { id: 'name', title: t('name'), cell: ({ name }) => name },
          {
            id: 'yield',
            title: t('yield'),
            figure: true,
            cell: ({ yieldQty, finishedVariantId }) => quantity(yieldQty, names(finishedVariantId)?.saleUnit),
          },
          {
            id: 'items',
            title: t('items'),
            figure: true,
            wide: true,
            cell: ({ itemCount }) => whole(itemCount),
          },
          {
            id: 'version',
            title: t('version', { version: '' }),
            figure: true,
            wide: true,
            cell: ({ currentVersion }) => String(currentVersion),
          },
          {
            id: 'cost',
            title: t('standardCost'),
            figure: true,
            wide: true,
            cell: ({ standardUnitCost }) => unitCost(standardUnitCost),
          },
          {
            id: 'status',
            title: t('status'),
            cell: ({ active, drafts }) => (
              <Status tone={drafts.length > 0 ? 'warn' : active ? 'good' : 'calm'}>
                {drafts.length > 0 ? t('DRAFT') : t(active ? 'active' : 'inactive')}
              </Status>
            ),
          },
        ]}
      />
    </Page>
  );
}
