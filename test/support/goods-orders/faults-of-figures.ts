import { stockOf } from '../../../src/features/inventory/ledger/state.js';
import type { InventoryFact } from '../../../src/features/inventory/events.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { Books } from './books.js';
import type { Told } from './process.js';
import type { Shop } from './shop.js';
import { differs } from './tracing-faults.js';
import type { Wish } from './wishes.js';

/** Figures that are shown at the end, against those that the facts add up to. */

type Ask = (wish: Wish) => Promise<Told>;
type Members = Readonly<Record<string, unknown>>;

const MOST = '200';

async function asked(ask: Ask, path: string, query: object, params?: object): Promise<Members> {
  const { status, body } = await ask({ what: `${path} at the end`, method: 'get', path, query, params });
  if (status !== 200) throw new Error(`${path} is answered ${String(status)} ${JSON.stringify(body)}`);
  return body as Members;
}

export async function faultsOfFigures(shop: Shop, books: Books, ask: Ask): Promise<readonly string[]> {
  return [
    ...(await faultsOfValue(shop, books, ask, undefined)),
    ...(await faultsOfPast(shop, ask)),
    ...(await faultsOfLedger(shop, books, ask)),
    ...(await faultsOfAverages(shop, ask)),
    ...(await faultsOfOrders(shop, ask)),
    ...(await faultsOfSales(shop, books, ask)),
  ];
}

const there = (books: Books) => [...books.lots].filter(([, { quantity }]) => !quantity.isZero);

async function faultsOfValue(shop: Shop, books: Books, ask: Ask, at: string | undefined): Promise<readonly string[]> {
  const answer = await asked(ask, '/stock/valuation', { by: 'lot', limit: MOST, ...(at === undefined ? {} : { at }) });
  const { items, totals } = answer as unknown as {
    readonly items: readonly {
      readonly lotId: string;
      readonly locationId: string;
      readonly quantity: number;
      readonly value: number;
    }[];
    readonly totals: { readonly value: number };
  };
  const wanted = there(books);
  const name = at === undefined ? 'now' : `at ${at}`;
  const value = Decimal.sum(wanted.map(([, amount]) => amount.value)).toNumber();
  return [
    ...differs(
      `the lots of the valuation ${name}`,
      items.map((row) => `${row.lotId}/${row.locationId} ${String(row.quantity)} ${String(row.value)}`),
      wanted.map(([key, amount]) => `${key} ${String(amount.quantity.toNumber())} ${String(amount.value.toNumber())}`),
    ),
    ...differs(`the total of the valuation ${name}`, [String(totals.value)], [String(value)]),
  ];
}

/** As it was behind one of the facts. */
async function faultsOfPast(shop: Shop, ask: Ask): Promise<readonly string[]> {
  if (shop.facts.length === 0) return [];
  const { at } = shop.draws.of(shop.facts).meta;
  const known = shop.facts.filter(({ meta }) => meta.at <= at).map((event) => ({ event, at: event.meta.at }));
  const books = new Books(known);
  const { items } = (await asked(ask, '/stock/balances', { at, limit: MOST })) as unknown as {
    readonly items: readonly { readonly variantId: string; readonly locationId: string; readonly quantity: number }[];
  };
  return [
    ...(await faultsOfValue(shop, books, ask, at)),
    ...differs(
      `the balances at ${at}`,
      items
        .filter(({ quantity }) => quantity !== 0)
        .map((row) => `${row.variantId}/${row.locationId} ${String(row.quantity)}`),
      [...books.balances]
        .filter(([, { quantity }]) => !quantity.isZero)
        .map(([key, { quantity }]) => `${key} ${String(quantity.toNumber())}`),
    ),
  ];
}

interface Movement {
  readonly variantId: string;
  readonly lotId: string | null;
  readonly locationId: string;
  readonly quantity: number;
  readonly value: number;
  readonly balance: number;
}

async function faultsOfLedger(shop: Shop, books: Books, ask: Ask): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const variantId of shop.state.variants.keys()) {
    const answer = await asked(ask, '/stock/movements', { variantId, limit: MOST });
    const items = answer['items'] as readonly Movement[];
    if (answer['nextCursor'] !== null) continue;
    const held = new Map<string, readonly [Decimal, Decimal]>();
    const last = new Map<string, number>();
    for (const { lotId, locationId, quantity, value, balance } of items) {
      if (!last.has(locationId)) last.set(locationId, balance);
      const key = `${lotId ?? 'owed'}/${locationId}`;
      const [before, worth] = held.get(key) ?? [Decimal.zero, Decimal.zero];
      held.set(key, [before.plus(Decimal.from(String(quantity))), worth.plus(Decimal.from(value.toFixed(10)))]);
    }
    const told = [...held].filter(([key, [quantity]]) => !key.startsWith('owed') && !quantity.isZero);
    const own = there(books).filter(([key]) => books.homes.get(key)?.startsWith(variantId) === true);
    faults.push(
      ...differs(
        'the lots of the ledger',
        told.map(([key, [quantity, value]]) => `${key} ${quantity.toString()} ${value.toString()}`),
        own.map(([key, { quantity, value }]) => `${key} ${quantity.toString()} ${value.toString()}`),
      ),
      ...differs(
        'the last balances of the ledger',
        [...last]
          .filter(([, balance]) => balance !== 0)
          .map(([place, balance]) => `${variantId}/${place} ${String(balance)}`),
        [...books.balances]
          .filter(([key, { quantity }]) => key.startsWith(variantId) && !quantity.isZero)
          .map(([key, { quantity }]) => `${key} ${String(quantity.toNumber())}`),
      ),
    );
  }
  return faults;
}

async function faultsOfAverages(shop: Shop, ask: Ask): Promise<readonly string[]> {
  const { items } = (await asked(ask, '/stock/balances', { limit: MOST })) as unknown as {
    readonly items: readonly { readonly variantId: string; readonly averageCost: number | null }[];
  };
  const own = (variantId: string): string => String(stockOf(shop.state, variantId).pool.last.toNumber());
  return differs(
    'average costs',
    items.map(({ variantId, averageCost }) => `${variantId} ${String(averageCost ?? 0)}`),
    items.map(({ variantId }) => `${variantId} ${own(variantId)}`),
  );
}

async function faultsOfOrders(shop: Shop, ask: Ask): Promise<readonly string[]> {
  const ids = new Set(shop.facts.flatMap(({ data }) => ('orderId' in data ? [data.orderId] : [])));
  const faults: string[] = [];
  for (const id of ids) {
    const { status, totalCost } = await asked(ask, '/bakery-production/orders/{id}', {}, { id });
    const own = shop.facts.filter(({ data }) => 'orderId' in data && data.orderId === id);
    const completed = own.find(({ type }) => type === 'OrderCompleted')?.data as
      InventoryFact<'OrderCompleted'> | undefined;
    const reversals = own.flatMap(({ type, data }) => (type === 'OrderReversed' ? [data] : []));
    const wanted = statusOf(
      own.map(({ type }) => type),
      reversals,
    );
    faults.push(...differs(`the status of ${id}`, [String(status)], [wanted]));
    if (completed)
      faults.push(...differs(`the cost of ${id}`, [String(totalCost)], [String(completed.totalCost.toNumber())]));
    const explained = await asked(ask, '/explain/orders/{id}', { limit: MOST }, { id });
    if (completed) faults.push(...faultsOfSum(`the explanation of order ${id}`, explained, completed.totalCost));
  }
  return faults;
}

function statusOf(types: readonly string[], reversals: readonly InventoryFact<'OrderReversed'>[]): string {
  if (reversals.length > 0) return reversals.some(({ whole }) => whole) ? 'REVERSED' : 'PARTIALLY_REVERSED';
  if (types.includes('OrderCompleted')) return 'COMPLETED';
  if (types.includes('OrderCancelled')) return 'CANCELLED';
  return types.includes('OrderStarted') ? 'IN_PROGRESS' : 'PLANNED';
}

function faultsOfSum(what: string, explained: Members, wanted: Decimal | undefined): readonly string[] {
  const { total, lines } = explained as unknown as {
    readonly total: { readonly value?: number };
    readonly lines: readonly { readonly value?: number }[];
  };
  const sum = Decimal.sum(lines.map(({ value = 0 }) => Decimal.from(value.toFixed(10))));
  return [
    ...differs(`the lines of ${what}`, [String(sum.toNumber())], [String(total.value ?? 0)]),
    ...(wanted ? differs(what, [String(total.value)], [String(wanted.toNumber())]) : []),
  ];
}

async function faultsOfSales(shop: Shop, books: Books, ask: Ask): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { type, data } of shop.facts) {
    if (type !== 'SaleCompleted') continue;
    const { saleId: id } = data;
    const sale = await asked(ask, '/sales/{id}', {}, { id });
    const isCancelled = books.isCancelled(id);
    faults.push(
      ...differs(`the status of sale ${id}`, [String(sale['status'])], [isCancelled ? 'CANCELLED' : 'COMPLETED']),
    );
    const cost = books.costOf(id).round(2).toNumber();
    if (!isCancelled) faults.push(...differs(`the cost of sale ${id}`, [String(sale['cost'])], [String(cost)]));
    faults.push(
      ...faultsOfSum(
        `the explanation of sale ${id}`,
        await asked(ask, '/explain/sales/{id}', { limit: MOST }, { id }),
        undefined,
      ),
    );
  }
  for (const lotId of new Set([...books.lots.keys()].map((key) => key.split('/')[0] ?? ''))) {
    const worth = Decimal.sum([...books.lots].filter(([key]) => key.startsWith(lotId)).map(([, { value }]) => value));
    const explained = await asked(ask, '/explain/lots/{lotId}', { limit: MOST }, { lotId });
    faults.push(...faultsOfSum(`the explanation of lot ${lotId}`, explained, worth));
    faults.push(
      ...faultsOfSum(
        `the explanation of the cost of lot ${lotId}`,
        await asked(ask, '/explain/lots/{lotId}/cost', { limit: MOST }, { lotId }),
        undefined,
      ),
    );
  }
  return faults;
}
