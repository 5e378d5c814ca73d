import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import type { Place } from '../../client/queries.js';
import { useList, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useActorName } from '../../parts/actor.js';
import { LinkButton } from '../../parts/button.js';
import { wholeCode } from '../../parts/lot-code.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { rowsOf, rowsOfList, Table } from '../../parts/table.js';
import { day, moment, money, quantity, unitCost } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { useLocations } from './locations.js';
import { words } from './words.js';

type Receipt = components['schemas']['Receipt'];
type Adjustment = components['schemas']['Adjustment'];
type Transfer = components['schemas']['Transfer'];

const LIMIT = 100;
const pageOf = (at: Place) => ({ query: { limit: LIMIT, ...at } });

/** What was received, the newest first. */
export function Receipts() {
  const t = useWords(words);
  const actor = useActorName();
  const list = useList<Receipt>({
    key: ['receipts'],
    kinds: ['lot'],
    read: (at, signal) => body(api.GET('/stock/receipts', { params: pageOf(at), signal })),
  });
  return (
    <Table
      label={t('receipts')}
      rows={rowsOfList(list)}
      rowKey={({ id }) => id}
      href={({ id }) => `/estoque/entradas/${id}`}
      empty={t('none')}
      columns={[
        { id: 'when', title: t('when'), cell: ({ createdAt }) => moment(createdAt) },
        { id: 'supplier', title: t('supplier'), cell: ({ supplier }) => supplier ?? '–' },
        { id: 'document', title: t('document'), wide: true, cell: ({ document }) => document ?? '–' },
        { id: 'items', title: t('lines'), figure: true, cell: ({ items }) => t('items', { count: items.length }) },
        { id: 'by', title: t('by'), wide: true, cell: ({ createdBy }) => actor(createdBy) },
      ]}
    />
  );
}

export function Adjustments() {
  const t = useWords(words);
  const actor = useActorName();
  const list = useList<Adjustment>({
    key: ['adjustments'],
    kinds: ['lot'],
    read: (at, signal) => body(api.GET('/stock/adjustments', { params: pageOf(at), signal })),
  });
  const names = useNames(list.items.map(({ items }) => items[0]?.variantId));
  return (
    <Table
      label={t('adjustments')}
      rows={rowsOfList(list)}
      rowKey={({ id }) => id}
      empty={t('none')}
      columns={[
        { id: 'when', title: t('when'), cell: ({ createdAt }) => moment(createdAt) },
        { id: 'reason', title: t('reason'), cell: ({ reason }) => reason },
        {
          id: 'product',
          title: t('product'),
          below: 'plain',
          cell: ({ items }) => names(items[0]?.variantId)?.description ?? '–',
        },
        {
          id: 'quantity',
          title: t('quantity'),
          figure: true,
          cell: ({ items }) =>
            items.length === 1
              ? quantity(items[0]?.quantity, names(items[0]?.variantId)?.saleUnit)
              : t('items', { count: items.length }),
        },
        { id: 'by', title: t('by'), wide: true, cell: ({ createdBy }) => actor(createdBy) },
      ]}
    />
  );
}

export function Transfers() {
  const t = useWords(words);
  const actor = useActorName();
  const locations = useLocations();
  const list = useList<Transfer>({
    key: ['transfers'],
    kinds: ['lot'],
    read: (at, signal) => body(api.GET('/stock/transfers', { params: pageOf(at), signal })),
  });
  return (
    <Table
      label={t('transfers')}
      rows={rowsOfList(list)}
      rowKey={({ id }) => id}
      empty={t('none')}
      columns={[
        { id: 'when', title: t('when'), cell: ({ createdAt }) => moment(createdAt) },
        { id: 'from', title: t('fromLocation'), cell: ({ fromLocationId }) => locations.nameOf(fromLocationId) },
        { id: 'to', title: t('toLocation'), cell: ({ toLocationId }) => locations.nameOf(toLocationId) },
        {
          id: 'items',
          title: t('lines'),
          figure: true,
          wide: true,
          cell: ({ items }) => t('items', { count: items.length }),
        },
        { id: 'by', title: t('by'), wide: true, cell: ({ createdBy }) => actor(createdBy) },
      ]}
    />
  );
}

export function ReceiptPage({ id }: { readonly id: string }) {
  const receipt = useRead({
    key: ['receipt', id],
    kinds: ['lot'],
    read: (signal) => body(api.GET('/stock/receipts/{id}', { params: { path: { id } }, signal })),
  });
  return <Shown reading={receipt}>{(record) => <OneReceipt receipt={record} />}</Shown>;
}

function OneReceipt({ receipt }: { readonly receipt: Receipt }) {
  const t = useWords(words);
  const actor = useActorName();
  const may = useMay();
  const locations = useLocations();
  const names = useNames(receipt.items.map(({ variantId }) => variantId));
  return (
    <Page
      title={t('receiptOf', { when: moment(receipt.createdAt) })}
      back={{ href: '/estoque/entradas', label: t('receipts') }}
      actions={
        <>
          <LinkButton href={`/rotulos?${receipt.items.map(({ lotId }) => `lot=${lotId}`).join('&')}`} icon="labels">
            {t('label')}
          </LinkButton>
          {may('stock.manage') && (
            <LinkButton href={`/estoque/entradas/nova?like=${receipt.id}`}>{t('repeatLast')}</LinkButton>
          )}
        </>
      }
    >
      <Facts
        facts={[
          [t('supplier'), receipt.supplier ?? '–'],
          [t('document'), receipt.document ?? '–'],
          [t('location'), locations.nameOf(receipt.locationId)],
          [t('by'), actor(receipt.createdBy)],
        ]}
      />
      <Section title={t('lines')}>
        <Table
          label={t('lines')}
          rows={rowsOf(receipt.items)}
          rowKey={({ lotId }) => lotId}
          href={({ lotId }) => `/estoque/lote/${lotId}`}
          empty=""
          columns={[
            { id: 'product', title: t('product'), cell: ({ variantId }) => names(variantId)?.description ?? '…' },
            { id: 'lot', title: t('lot'), cell: (item) => wholeCode(item.lotCode, t('noCode')) },
            { id: 'expires', title: t('expires'), wide: true, cell: ({ expiresOn }) => day(expiresOn) },
            {
              id: 'quantity',
              title: t('quantity'),
              figure: true,
              cell: (item) => quantity(item.quantity, names(item.variantId)?.saleUnit),
            },
            { id: 'cost', title: t('unitCost'), figure: true, wide: true, cell: (item) => unitCost(item.unitCost) },
            { id: 'value', title: t('value'), figure: true, wide: true, cell: ({ value }) => money(value) },
          ]}
        />
      </Section>
    </Page>
  );
}
