import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, tagged } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useActorName } from '../../parts/actor.js';
import { Button } from '../../parts/button.js';
import { HistoryButton } from '../../parts/last-change.js';
import { Link } from '../../parts/link.js';
import { wholeCode } from '../../parts/lot-code.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { PrintButton } from '../../parts/print-button.js';
import { Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { Why } from '../../parts/why.js';
import { NONE, moment, money, percent, quantity, unitCost, whole } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { paymentMethods } from '../../words/payments.js';
import { useWords } from '../../words/words.js';
import { CancelDialog } from './cancel-dialog.js';
import { FeeWhy } from './fee-why.js';
import { usePartNames } from './part-names.js';
import { ReturnDialog } from './return-dialog.js';
import { SaleDocuments } from './sale-documents.js';
import type { Sale } from './sale-state.js';
import { useIsReceipt } from './receipt.js';
import { cameBack, SaleState } from './sale-state.js';
import { words } from './words.js';

export function SalePage({ id }: { readonly id: string }) {
  const reading = useRead({
    key: ['sale', id],
    kinds: ['sale', 'customer'],
    read: (signal) => tagged(api.GET('/sales/{id}', { params: { path: { id } }, signal })),
  });
  return <Shown reading={reading}>{(sale) => <OneSale sale={sale} />}</Shown>;
}

function OneSale({ sale: { record, etag } }: { readonly sale: Tagged<Sale> }) {
  const t = useWords(words);
  const may = useMay();
  const [open, setOpen] = useState<'return' | 'cancel'>();
  const close = () => {
    setOpen(undefined);
  };
  const isUndoable = may('sales.manage') && record.status === 'COMPLETED' && cameBack(record) !== 'all';
  return (
    <Page
      title={t('sale', { number: whole(record.number) })}
      back={{ href: '/vendas', label: t('title') }}
      actions={
        <>
          <PrintButton />
          <HistoryButton kind="sale" id={record.id} />
          {isUndoable && (
            <Button
              onClick={() => {
                setOpen('return');
              }}
            >
              {t('takeBack')}
            </Button>
          )}
          {isUndoable && (
            <Button
              look="danger"
              onClick={() => {
                setOpen('cancel');
              }}
            >
              {t('cancelSale')}
            </Button>
          )}
        </>
      }
    >
      <p class="print-only">{t('receipt')}</p>
      <SaleFacts sale={record} />
      {record.cancelledAt && (
        <p class="note bad">
          {t('cancelledOn', { when: moment(record.cancelledAt), reason: record.cancelReason ?? '' })}
        </p>
      )}
      <Items sale={record} />
      <Payments sale={record} />
      {record.returns.length > 0 && <Returns sale={record} />}
      {may('fiscal.view') && <SaleDocuments sale={record} />}
      {open === 'return' && <ReturnDialog sale={record} onClose={close} />}
      {open === 'cancel' && <CancelDialog sale={{ record, etag }} onClose={close} />}
    </Page>
  );
}

function SaleFacts({ sale }: { readonly sale: Sale }) {
  const t = useWords(words);
  const actor = useActorName();
  const shared = useWords(frame);
  const may = useMay();
  const isReceipt = useIsReceipt();
  const name = sale.customerName ?? (sale.customerId ? shared('noName') : t('noCustomer'));
  return (
    <Facts
      facts={[
        [t('when'), moment(sale.occurredAt)],
        [
          t('customer'),
          sale.customerId && may('customers.view') ? (
            <Link key="customer" href={`/clientes/${sale.customerId}`}>
              {name}
            </Link>
          ) : (
            name
          ),
        ],
        [t('status'), <SaleState key="status" sale={sale} />],
        [shared('total'), money(sale.total)],
        sale.returnedTotal > 0 && [t('returnedQuantity'), money(sale.returnedTotal)],
        !isReceipt && sale.cost !== undefined && [t('cost'), money(sale.cost)],
        !isReceipt &&
          sale.margin !== undefined && [
            t('margin'),
            <span key="margin" class="with-why">
              {`${money(sale.margin)} (${percent(shareOf(sale.margin, sale.total - sale.returnedTotal))})`}{' '}
              <Why what="sale" id={sale.id} label={t('margin')} />
            </span>,
          ],
        [t('soldBy'), actor(sale.createdBy)],
      ]}
    />
  );
}

const shareOf = (part: number, all: number): number | undefined => (all === 0 ? undefined : (part / all) * 100);

type Item = Sale['items'][number];

function LotsOf({ item, isReceipt }: { readonly item: Item; readonly isReceipt: boolean }) {
  const t = useWords(words);
  const { variantId: sold, lots, owed } = item;
  const partName = usePartNames([...lots, ...owed].map(({ variantId }) => ({ variantId, sold })));
  return (
    <ul class="bare">
      {lots.map(({ variantId, lotId, lotCode: code, quantity: taken, settledLater }) => (
        <li key={lotId}>
          {partName({ variantId, sold })}
          {code ? <Link href={`/estoque/lote/${lotId}`}>{wholeCode(code)}</Link> : t('noLot')}: {quantity(taken)}
          {settledLater && !isReceipt && <span class="fine"> ({t('settledLater')})</span>}
        </li>
      ))}
      {(isReceipt ? [] : owed).map(({ variantId, quantity: missing }) => (
        <li key={variantId} class="warn-text">
          {partName({ variantId, sold })}
          {t('owed', { quantity: quantity(missing) })}
        </li>
      ))}
    </ul>
  );
}

function Items({ sale }: { readonly sale: Sale }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const isReceipt = useIsReceipt();
  const hasMargin = !isReceipt && sale.items.some(({ margin }) => margin !== undefined);
  const rows = sale.items.map((item, line) => ({ ...item, line }));
  return (
    <Section title={t('items')}>
      <Table
        label={t('items')}
        rows={rowsOf(rows)}
        rowKey={({ line }) => String(line)}
        empty=""
        columns={[
          {
            id: 'product',
            title: shared('product_'),
            cell: ({ productId, description }) => <Link href={`/produtos/${productId}`}>{description}</Link>,
          },
          {
            id: 'quantity',
            title: shared('quantity'),
            figure: true,
            cell: ({ quantity: sold, unit, returnedQuantity }) => (
              <>
                {quantity(sold, unit)}
                {returnedQuantity > 0 && (
                  <span class="fine block">{t('returnedTotal', { total: quantity(returnedQuantity) })}</span>
                )}
              </>
            ),
          },
          {
            id: 'price',
            title: t('unitPrice'),
            figure: true,
            below: 'titled',
            cell: ({ unitPrice, discount }) => (
              <>
                {unitCost(unitPrice)}
                {discount > 0 && <span class="fine block">{`${t('discount')} ${money(discount)}`}</span>}
              </>
            ),
          },
          { id: 'lots', title: t('lots'), below: 'titled', cell: (item) => <LotsOf {...{ item, isReceipt }} /> },
          ...(hasMargin
            ? [
                {
                  id: 'margin',
                  title: t('margin'),
                  figure: true,
                  wide: true,
                  cell: ({ margin }: Item) => money(margin),
                },
              ]
            : []),
          { id: 'total', title: shared('total'), figure: true, cell: ({ total }) => money(total) },
        ]}
      />
    </Section>
  );
}

type Payment = Sale['payments'][number];

function FeeOf({ payment }: { readonly payment: Payment }) {
  const t = useWords(words);
  if (payment.feePending) return <span class="warn-text">{t('feePending')}</span>;
  return (
    <span class="with-why">
      {money(payment.fee)}
      {payment.feePercent !== null && <span class="fine"> ({percent(payment.feePercent, 2)})</span>}
      {payment.accountId !== null && <FeeWhy payment={payment} />}
    </span>
  );
}

function Payments({ sale }: { readonly sale: Sale }) {
  const shared = useWords(frame);
  const t = useWords(words);
  const method = useWords(paymentMethods);
  const isReceipt = useIsReceipt();
  const rows = sale.payments.map((payment, place) => ({ ...payment, place }));
  return (
    <Section title={t('payments')}>
      <Table
        label={t('payments')}
        rows={rowsOf(rows)}
        rowKey={({ place }) => String(place)}
        empty={t('noPayments')}
        columns={[
          {
            id: 'method',
            title: t('payment'),
            cell: (payment) => (
              <>
                {method(payment.method)}
                <span class="fine block">
                  {[
                    payment.installments && payment.installments > 1 && t('installments', { n: payment.installments }),
                    payment.description,
                    payment.authorizationCode,
                    payment.change && `${t('change')} ${money(payment.change)}`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </>
            ),
          },
          { id: 'machine', title: t('machine'), below: 'plain', cell: ({ accountName }) => accountName ?? '–' },
          ...(isReceipt
            ? []
            : [
                {
                  id: 'fee',
                  title: t('fee'),
                  figure: true,
                  below: 'titled' as const,
                  cell: (payment: Payment) => (payment.fee || payment.feePending ? <FeeOf payment={payment} /> : NONE),
                },
              ]),
          { id: 'amount', title: shared('value'), figure: true, cell: ({ amount }) => money(amount) },
        ]}
      />
    </Section>
  );
}

function Returns({ sale }: { readonly sale: Sale }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const nameOf = (line: number) => sale.items[line]?.description ?? '';
  return (
    <Section title={t('returns')}>
      <Table
        label={t('returns')}
        rows={rowsOf(sale.returns)}
        rowKey={({ id }) => id}
        empty=""
        columns={[
          { id: 'when', title: t('when'), cell: ({ at }) => moment(at) },
          {
            id: 'items',
            title: t('items'),
            below: 'plain',
            cell: ({ items }) =>
              items.map(({ line, quantity: back }) => `${quantity(back)} ${nameOf(line)}`).join(', '),
          },
          { id: 'reason', title: shared('reason'), below: 'plain', cell: ({ reason }) => reason ?? NONE },
          { id: 'total', title: shared('total'), figure: true, cell: ({ total }) => money(total) },
        ]}
      />
    </Section>
  );
}
