import type { components, paths } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { usePagedRows } from '../../client/paged.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { LinkButton } from '../../parts/button.js';
import { useDelayed } from '../../parts/delayed.js';
import { SelectField, TextField } from '../../parts/fields.js';
import { Link } from '../../parts/link.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import type { Column } from '../../parts/table.js';
import { Table } from '../../parts/table.js';
import { money, percent, quantity, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { NamedPath } from './named-choices.js';
import { useNamed } from './named-choices.js';
import { words } from './words.js';

type Product = components['schemas']['Product'];
type List = paths['/products']['get']['responses']['200']['content']['application/json'];

const ACTIVE: Readonly<Record<string, boolean | undefined>> = { active: true, inactive: false };

export function ProductList() {
  const t = useWords(words);
  const may = useMay();
  const [q, setQ] = useFilter('q');
  const [show, setShow] = useFilter('show', 'active');
  const [type, setType] = useFilter('type');
  const [categoryId, setCategoryId] = useFilter('categoryId');
  const [brandId, setBrandId] = useFilter('brandId');
  const [tagId, setTagId] = useFilter('tagId');
  const asked = useDelayed(q.trim(), 150);
  const active = ACTIVE[show];
  const filters = {
    ...(asked === '' ? {} : { q: asked }),
    ...(active === undefined ? {} : { active }),
    ...(type === '' ? {} : { productType: type as Product['productType'] }),
    ...(show === 'credit' ? { needsCreditPrice: true } : {}),
    ...(categoryId === '' ? {} : { categoryId }),
    ...(brandId === '' ? {} : { brandId }),
    ...(tagId === '' ? {} : { tagId }),
  };
  const rows = usePagedRows<Product, List>({
    key: ['products', filters],
    kinds: ['product', 'lot', 'sale', 'order'],
    read: (page, take, signal) => body(api.GET('/products', { params: { query: { ...filters, page, take } }, signal })),
  });
  const isFiltered = show !== 'active' || Object.keys(filters).some((name) => name !== 'active');
  return (
    <Page
      title={t('title')}
      lead={rows.total === undefined ? undefined : <Lead total={rows.total} list={rows.first} />}
      actions={
        may('products.manage') && (
          <LinkButton href="/produtos/novo" look="main" icon="plus">
            {t('create')}
          </LinkButton>
        )
      }
    >
      <div class="filters no-print">
        <div class="grow field">
          <TextField label={t('search')} required value={q} onValue={setQ} autocomplete="off" />
        </div>
        <SelectField
          label={t('show')}
          required
          value={show}
          onValue={setShow}
          choices={[
            { value: 'active', label: t('onlyActive') },
            { value: 'inactive', label: t('onlyInactive') },
            { value: 'all', label: t('everything') },
            { value: 'credit', label: t('withoutCredit') },
          ]}
        />
        <NamedFilter path="/categories" label={t('category')} value={categoryId} onValue={setCategoryId} />
      </div>
      <details class="more-filters no-print" open={type !== '' || brandId !== '' || tagId !== ''}>
        <summary>{t('moreFilters')}</summary>
        <div class="filters">
          <SelectField
            label={t('type')}
            required
            value={type}
            onValue={setType}
            choices={[
              { value: '', label: t('everything') },
              { value: 'MERCHANDISE', label: t('merchandise') },
              { value: 'SERVICE', label: t('services') },
            ]}
          />
          <NamedFilter path="/brands" label={t('brand')} value={brandId} onValue={setBrandId} />
          <NamedFilter path="/product-tags" label={t('tag')} value={tagId} onValue={setTagId} />
        </div>
      </details>
      <Table
        label={t('title')}
        columns={useColumns()}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => `/produtos/${id}`}
        empty={<Empty title={isFiltered ? t('nothingFound') : t('empty')} />}
      />
    </Page>
  );
}

const WAITING = [
  ['inactive', 'inactiveCount'],
  ['credit', 'missingCreditCount'],
] as const;

/** How many are shown, and what of the whole catalogue waits to be looked after. */
function Lead({ total, list }: { readonly total: number; readonly list: List | undefined }) {
  const t = useWords(words);
  const shown = t('lead', { n: total, total: whole(total) });
  if (!list) return <>{shown}</>;
  const { variantCount } = list.summary;
  return (
    <>
      {shown}
      {variantCount > total && ` · ${t('variantCount', { n: variantCount, count: whole(variantCount) })}`}
      {WAITING.filter(([, counted]) => list[counted] > 0).map(([show, counted]) => (
        <span key={show} class="no-print">
          {' · '}
          <Link href={`/produtos?show=${show}`}>{t(counted, { n: list[counted], count: whole(list[counted]) })}</Link>
        </span>
      ))}
    </>
  );
}

/** A store without any of them has nothing to choose. */
function NamedFilter({
  path,
  ...field
}: {
  readonly path: NamedPath;
  readonly label: string;
  readonly value: string;
  readonly onValue: (id: string) => void;
}) {
  const t = useWords(words);
  const choices = useNamed(path);
  if (choices.length === 0 && field.value === '') return null;
  return <SelectField {...field} required choices={[{ value: '', label: t('all') }, ...choices]} />;
}

function useColumns(): readonly Column<Product>[] {
  const t = useWords(words);
  return [
    { id: 'description', title: t('description'), cell: ({ description }) => description },
    { id: 'sku', title: t('sku'), wide: true, cell: ({ sku }) => sku ?? '–' },
    {
      id: 'stock',
      title: t('stock'),
      figure: true,
      cell: ({ stockQty, saleUnit, productType }) =>
        productType === 'SERVICE' ? (
          '–'
        ) : (
          <span class={stockQty < 0 ? 'bad-text' : ''}>{quantity(stockQty, saleUnit)}</span>
        ),
    },
    {
      id: 'margin',
      title: t('profitMargin'),
      figure: true,
      wide: true,
      cell: ({ profitMargin }) => percent(profitMargin),
    },
    { id: 'price', title: t('priceCash'), figure: true, cell: ({ priceCash }) => money(priceCash) },
    {
      id: 'active',
      title: t('active'),
      wide: true,
      cell: ({ active }) => <Status tone={active ? 'good' : 'calm'}>{active ? t('active') : t('inactive')}</Status>,
    },
  ];
}
