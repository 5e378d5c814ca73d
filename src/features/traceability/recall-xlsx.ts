import type { CustomerFacts } from '../contracts/customer-directory.js';
import type { Sheet, SheetCell } from '../../kernel/files/xlsx.js';
import { workbook } from '../../kernel/files/xlsx.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { batchesOf } from '../../kernel/values/batches.js';
import { localTime } from '../../kernel/values/days.js';
import { readDetails } from './lot-details.js';
import { lotsById } from './lots.js';
import type { SummedUp } from './recall-overview.js';
import { shown } from './recall-parts.js';
import type { RecallServices, Scope } from './recall-scope.js';
import { documentsOf, chosenOf, hasDocuments } from './sale-documents.js';
import { numbersOf } from './recall.js';
import { allSold, quantitiesOf } from './sold-rows.js';

/** A recall as one workbook: what it comes to, its lots, every sale, whom to call and what is left, each read when its sheet is written. */

interface RecallBook {
  readonly context: RequestContext;
  readonly services: RecallServices;
  readonly scope: Scope;
  readonly summary: SummedUp;
  readonly timeZone: string;
}

type Rows = AsyncGenerator<readonly (readonly SheetCell[])[]>;

const AT_ONCE = 500;

const text = (title: string, width = 16) => ({ title, kind: 'text', width }) as const;
const number = (title: string) => ({ title, kind: 'number', width: 12 }) as const;
const day = (title: string) => ({ title, kind: 'day', width: 12 }) as const;
const moment = (title: string) => ({ title, kind: 'moment', width: 18 }) as const;

/** A customer of the recalled sales, gathered while those are written. */
interface Called {
  lines: number;
  lastSoldAt: string;
}

export function recallXlsx(book: RecallBook): AsyncGenerator<Uint8Array> {
  const called = new Map<string, Called>();
  const sheets: readonly Sheet[] = [
    { name: 'Resumo', columns: [text(ENTRY, 44), text(book.scope.lotCode, 60)], rows: summaryRows(book) },
    { name: 'Lotes', columns: LOT_COLUMNS, rows: lotRows(book) },
    { name: 'Vendas', columns: SALE_COLUMNS, rows: saleRows(book, called) },
    { name: 'Clientes', columns: CUSTOMER_COLUMNS, rows: customerRows(book, called) },
    { name: 'O que resta', columns: REMAINING_COLUMNS, rows: remainingRows(book) },
  ];
  return workbook(sheets, { localTime: (at) => localTime(Date.parse(at), book.timeZone) });
}

const ENTRY = 'Lote procurado';

/** `20/11/2026 10:15` for `2026-11-20T10:15:30-03:00`. */
const brazilian = (local: string): string =>
  `${local.slice(0, 10).split('-').reverse().join('/')} ${local.slice(11, 16)}`;

const momentCell = (moment: string | null): SheetCell => (moment === null ? null : { moment });

async function* summaryRows({ context, summary, timeZone }: RecallBook): Rows {
  const written = (at: string) => brazilian(localTime(Date.parse(at), timeZone));
  const { sales, customers, salesWithoutCustomer, invoices, quantities, firstSaleAt, lastSaleAt } = summary.summary;
  yield await Promise.resolve([
    ['Emitido em', momentCell(context.at)],
    ['Lotes alcançados', summary.lotCount],
    ['Vendas', sales],
    ['Clientes a avisar', customers],
    ['Vendas sem cliente', salesWithoutCustomer],
    ['Notas fiscais', invoices],
    ['Primeira venda', momentCell(firstSaleAt)],
    ['Última venda', momentCell(lastSaleAt)],
    ...quantities.flatMap(({ unit, sold, returned, net }) => [
      [`Vendido (${unit})`, sold],
      [`Devolvido (${unit})`, returned],
      [`Líquido (${unit})`, net],
    ]),
    ...summary.suppliers.map(({ supplier, document, receivedAt, lotCodes }) => [
      'Fornecedor',
      [supplier, document, written(receivedAt), lotCodes.join(', ')].filter((part) => part !== null).join(' · '),
    ]),
    ...summary.massBalances.flatMap(balanceRows),
  ]);
}

function balanceRows(balance: SummedUp['massBalances'][number]): readonly (readonly SheetCell[])[] {
  const { description, unit, produced, soldNet, inStock, consumed, lost, reversed, accountedPercent } = balance;
  const of = (what: string) => `${description ?? ''} (${unit ?? ''}): ${what}`;
  return [
    [of('entrou'), produced],
    [of('vendido'), soldNet],
    [of('em estoque'), inStock],
    [of('usado na produção'), consumed],
    [of('perdido'), lost],
    [of('estornado'), reversed],
    [of('explicado, em %'), accountedPercent],
  ];
}

const LOT_COLUMNS = [
  text('Lote'),
  text('Produto', 36),
  text('Unidade', 9),
  text('Como', 18),
  number('Passos'),
  text('Situação', 12),
  day('Validade'),
  moment('Entrada'),
  text('Fornecedor', 24),
  text('Documento'),
];

const STATUS = { AVAILABLE: 'Liberado', BLOCKED: 'Bloqueado' } as const;
const statusOf = (status: keyof typeof STATUS | null) => (status === null ? null : STATUS[status]);

async function* lotRows({ context, scope, timeZone }: RecallBook): Rows {
  for (const some of batchesOf(scope.walked.lotsFrom(0, scope.walked.lots.length), AT_ONCE)) {
    const ids = some.map(({ lotId }) => lotId);
    const [details, records] = await Promise.all([
      readDetails(context, ids, scope.facts, timeZone),
      lotsById(context, ids),
    ]);
    yield some.map(({ lotId, depth }) => {
      const lot = details(lotId);
      const how = depth === 0 ? ENTRY : 'Feito com ele';
      const status = statusOf(lot.status);
      const when = [lot.expiresOn, records.get(lotId)?.receivedAt];
      return [lot.lotCode, lot.description, lot.unit, how, depth, status, ...when, lot.supplier, lot.document];
    });
  }
}

const DOCUMENT_STATES = {
  PENDING: 'Em processamento',
  AUTHORIZED: 'Autorizado',
  REJECTED: 'Rejeitado',
  CANCELLED: 'Cancelado',
  CONTINGENCY: 'Em contingência',
  FAILED: 'Falhou',
  VOIDED: 'Numeração inutilizada',
} as const;

const SALE_COLUMNS = [
  number('Venda'),
  moment('Quando'),
  text('Produto', 36),
  text('Lote'),
  number('Quantidade'),
  number('Devolvida'),
  number('Líquida'),
  text('Unidade', 9),
  text('Cliente', 30),
  text('CPF/CNPJ', 20),
  text('Telefone', 20),
  text('E-mail', 30),
  number('Modelo'),
  number('Série'),
  number('Número'),
  text('Chave de acesso', 48),
  text('Situação da nota', 18),
  text('Local', 20),
  text('Id da venda', 38),
];

async function* saleRows({ context, services, scope, timeZone }: RecallBook, called: Map<string, Called>): Rows {
  const [documented, places] = await Promise.all([hasDocuments(context), services.locations.names(context)]);
  for await (const rows of allSold(context.reads, scope.lots)) {
    const saleIds = [...new Set(rows.map(({ saleId }) => saleId))];
    const people = [...new Set(rows.flatMap(({ customerId }) => customerId ?? []))];
    const [details, numbers, documents, customers] = await Promise.all([
      readDetails(
        context,
        rows.map(({ lotId }) => lotId),
        scope.facts,
        timeZone,
      ),
      numbersOf(context, saleIds),
      documented ? documentsOf(context, saleIds) : undefined,
      people.length === 0 ? undefined : services.customers.byIds(context, people),
    ]);
    yield rows.map((row) => {
      note(called, row.customerId, row.soldAt);
      const lot = details(row.lotId);
      const { quantity, returnedQuantity, netQuantity } = quantitiesOf(row);
      const { model, series, number: noteNumber, accessKey, status } = chosenOf(documents?.get(row.saleId)) ?? NO_NOTE;
      return [
        numbers.get(row.saleId),
        row.soldAt,
        lot.description,
        lot.lotCode,
        quantity,
        returnedQuantity,
        netQuantity,
        lot.unit,
        ...contactCells(customers?.get(row.customerId ?? '')),
        model,
        series,
        noteNumber,
        accessKey,
        status === null ? null : DOCUMENT_STATES[status],
        places.get(row.locationId),
        row.saleId,
      ];
    });
  }
}

const NO_NOTE = { model: null, series: null, number: null, accessKey: null, status: null };

const contactCells = (customer: CustomerFacts | undefined): readonly SheetCell[] =>
  customer ? [customer.name, customer.document, customer.phone, customer.email] : [null, null, null, null];

function note(called: Map<string, Called>, customerId: string | null, soldAt: string): void {
  if (customerId === null) return;
  const known = called.get(customerId);
  if (!known) called.set(customerId, { lines: 1, lastSoldAt: soldAt });
  else {
    known.lines += 1;
    if (soldAt > known.lastSoldAt) known.lastSoldAt = soldAt;
  }
}

const CUSTOMER_COLUMNS = [
  text('Cliente', 30),
  text('CPF/CNPJ', 20),
  text('Telefone', 20),
  text('E-mail', 30),
  number('Itens comprados'),
  moment('Última compra'),
  text('Avisado em', 18),
];

/** Written after the sales, which have gathered whom to call. */
async function* customerRows({ context, services }: RecallBook, called: ReadonlyMap<string, Called>): Rows {
  for (const some of batchesOf([...called], AT_ONCE)) {
    const people = await services.customers.byIds(
      context,
      some.map(([id]) => id),
    );
    yield some.map(([id, { lines, lastSoldAt }]) => [...contactCells(people.get(id)), lines, lastSoldAt, null]);
  }
}

const REMAINING_COLUMNS = [
  text('Lote'),
  text('Produto', 36),
  text('Local', 20),
  number('Quantidade'),
  text('Unidade', 9),
  day('Validade'),
  text('Situação', 12),
  text('Fornecedor', 24),
  text('Documento'),
];

async function* remainingRows({ context, services, scope, timeZone }: RecallBook): Rows {
  const [{ remaining }, locationNames] = await Promise.all([scope.sums(context), services.locations.names(context)]);
  for (const some of batchesOf(remaining, AT_ONCE)) {
    const rows = await shown(context, scope, { remaining: some, locationNames, timeZone });
    yield rows.remaining.map((row) => [
      row.lotCode,
      row.description,
      row.location,
      row.quantity,
      row.unit,
      row.expiresOn,
      statusOf(row.status),
      row.supplier,
      row.document,
    ]);
  }
}
