import assert from 'node:assert/strict';
import { locations } from '../../../src/features/inventory/locations/decider.js';
import type { Inventory } from '../../../src/features/inventory/ledger/state.js';
import { stockOf } from '../../../src/features/inventory/ledger/state.js';
import { metaOf, momentOf } from '../../../src/kernel/events/recorded.js';
import type { Asking } from './asking.js';
import { Books } from './books.js';
import { oracleAt } from './faults-of-answers.js';
import { faultsOfFigures } from './faults-of-figures.js';
import { faultsOfCatalogue } from './faults-of-catalogue.js';
import { recallFaults, traceFaults } from './tracing-faults.js';
import type { Told } from './process.js';
import { Shop } from './shop.js';
import type { Things } from './drawn.js';
import type { Wish } from './wishes.js';

type Ask = (wish: Wish) => Promise<Told>;

/** A store, what people know of it, and what they asked. */
interface AtEnd {
  readonly shop: Shop;
  readonly asked: readonly Asking[];
  readonly tried: readonly Asking[];
  readonly things: Things;
}

/** What must not be once everything has come to rest. */
export async function faultsAtEnd(
  { shop, asked, tried, things }: AtEnd,
  ask: Ask,
  stocksOf: () => Promise<readonly Inventory[]>,
): Promise<readonly string[]> {
  const states = [shop.state, ...(await stocksOf())];
  const books = new Books(shop.facts.map((event) => ({ event, at: event.meta.at })));
  return [
    ...books.faults,
    ...books.overdrawn,
    ...states.flatMap((state) => faultsOfState(state, books)),
    ...states.slice(1).flatMap((state) => faultsOfProcess(shop.state, state)),
    ...faultsOfPlaces(shop, books, things.places.slice(2)),
    ...faultsOfMarks(shop, asked),
    ...faultsOfTrials(shop, tried),
    ...faultsOfKeys(shop, asked),
    ...faultsOfCatalogue(shop, asked, things),
    ...(await faultsOfQuestions(shop, books, ask)),
    ...(await faultsOfFigures(shop, books, ask)),
  ];
}

export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 5).join(' | ') : String(error);

/** What commands are decided on is what the facts come to. */
function faultsOfState(state: Inventory, books: Books): readonly string[] {
  const told = (entries: Iterable<readonly [string, string]>) => [...entries].sort().join(' ');
  const balances = [...state.variants].flatMap(([variantId, stock]) =>
    stock.balances.map(({ locationId, quantity }) => [`${variantId}/${locationId}`, quantity.toString()] as const),
  );
  const lots = [...state.variants.keys()].flatMap((variantId) =>
    [...stockOf(state, variantId).lots].flatMap(({ lotId, holdings }) =>
      holdings.map(
        ({ locationId, quantity, value }) =>
          [`${lotId}/${locationId}`, `${quantity.toString()} ${value.toString()}`] as const,
      ),
    ),
  );
  const blocked = [...state.variants.values()].flatMap(({ lots: some }) =>
    [...some].filter((lot) => lot.blocked).map(({ lotId }) => lotId),
  );
  const bookLots = [...books.lots].filter(([, { quantity }]) => !quantity.isZero);
  const same = [
    [
      told(balances),
      told([...books.balances].map(([key, { quantity }]) => [key, quantity.toString()] as const)),
      'balances',
    ],
    [
      told(lots),
      told(bookLots.map(([key, { quantity, value }]) => [key, `${quantity.toString()} ${value.toString()}`] as const)),
      'lots',
    ],
    [blocked.sort().join(' '), [...books.blocked].sort().join(' '), 'blocked lots'],
  ];
  return same.flatMap(([one, other, what]) =>
    one === other ? [] : [`${String(what)} are ${String(one)}, not ${String(other)}`],
  );
}

/** What a process knows, perhaps from a state that was kept, is what the facts come to. */
function faultsOfProcess(wanted: Inventory, found: Inventory): readonly string[] {
  const [one, other] = [canonical(found), canonical(wanted)];
  return one === other ? [] : [`a process knows ${one}, not ${other}`];
}

/** As a text in which nothing depends on an order, and which leaves out what a state is free to remember. */
const canonical = ({ history: _, ...state }: Inventory): string =>
  JSON.stringify(state, (name, value: unknown) => {
    if (Array.isArray(value))
      return value.every((one) => typeof one === 'string') ? value.toSorted() : (value as unknown);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(([key]) => name !== 'plan' || key !== 'orderId');
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** No location is gone where goods lie, or where an open order takes or brings some. */
function faultsOfPlaces(shop: Shop, books: Books, places: readonly string[]): readonly string[] {
  const known = shop
    .eventsOf(locations)
    .reduce((state, event) => locations.decider.evolve(state, event, momentOf(event)), locations.decider.initial);
  const there = [...books.balances]
    .filter(([, { quantity }]) => !quantity.isZero)
    .map(([key]) => key.split('/')[1] ?? '');
  const wanted = [...shop.state.openOrders.values()].flatMap(({ plan }) => [plan.locationId, plan.outputLocationId]);
  const gone = new Set([...there, ...wanted].filter((id) => places.includes(id) && !known.byId.has(id)));
  return [...gone].map((id) => `the location ${id} is gone and used`);
}

/** Each command was done once if it was answered so, never if it was refused, and never twice. */
function faultsOfMarks({ log }: Shop, asked: readonly Asking[]): readonly string[] {
  const byMark = new Map<string, Asking[]>();
  for (const asking of asked) {
    const { mark } = asking.wish;
    if (mark !== undefined) byMark.set(mark, [...(byMark.get(mark) ?? []), asking]);
  }
  return [...byMark].flatMap(([mark, askings]) => {
    const count = log.events.filter(({ data }) => data.includes(`"${mark}"`)).length;
    const what = askings[0]?.wish.what ?? '';
    const isDone = askings.some(({ told }) => told !== undefined && told.status < 300);
    const isRefused = askings.every(({ told }) => told !== undefined && told.status >= 400 && told.status < 500);
    if (count > 1) return [`done ${String(count)} times: ${what}`];
    if (isDone && count === 0 && !/^(block|release)/.test(what)) return [`answered and not done: ${what}`];
    return isRefused && count > 0 ? [`refused and done: ${what}`] : [];
  });
}

/** What is only tried records nothing. */
const faultsOfTrials = ({ log }: Shop, tried: readonly Asking[]): readonly string[] =>
  tried
    .filter(({ id }) => log.events.some((event) => metaOf(event).requestId === id))
    .map(({ wish }) => `a trial is done: ${wish.what}`);

/** Who repeats with its key what it was not answered for hears that it was done. */
function faultsOfKeys({ log }: Shop, asked: readonly Asking[]): readonly string[] {
  return asked.flatMap(({ key, wish, told, from }) => {
    if (key === undefined || !told || told.status < 400 || told.status === 503) return [];
    // What takes several streams may be taken back.
    if (told.code === 'IDEMPOTENCY_IN_PROGRESS' || /^.(products|locations)/.test(wish.path)) return [];
    const ids = asked.filter((other) => other.key === key).map(({ id }) => id);
    const isDone = log.events.some((event) => event.position <= from && ids.includes(metaOf(event).requestId));
    return isDone ? [`done and refused afterwards: ${wish.what} ${JSON.stringify(told)}`] : [];
  });
}

/** Read models that grew bit by bit are those of one replay. */
export async function faultsOfReads(shop: Shop): Promise<readonly string[]> {
  const replayed = new Shop(shop.seed);
  replayed.log.events.push(...shop.log.events);
  await replayed.project(replayed.names);
  const [found, wanted] = [shop.reads.contents(), replayed.reads.contents()];
  return shop.names.flatMap((name) => {
    const sorted = (all: typeof found) => [...(all.get(name) ?? [])].map((one) => JSON.stringify(one)).sort();
    try {
      assert.deepEqual(sorted(found), sorted(wanted));
      return [];
    } catch (error) {
      return [`${name} is not what a replay gives: ${String(error).slice(0, 600)}`];
    }
  });
}

async function faultsOfQuestions(shop: Shop, books: Books, ask: Ask): Promise<readonly string[]> {
  const faults: string[] = [];
  const { body } = await ask({
    what: 'balances at the end',
    method: 'get',
    path: '/stock/balances',
    query: { limit: '200' },
  });
  const { items } = body as {
    readonly items: readonly { readonly variantId: string; readonly locationId: string; readonly quantity: number }[];
  };
  const shown = items
    .filter(({ quantity }) => quantity !== 0)
    .map(({ variantId, locationId, quantity }) => `${variantId}/${locationId} ${String(quantity)}`);
  const booked = [...books.balances]
    .filter(([, { quantity }]) => !quantity.isZero)
    .map(([key, { quantity }]) => `${key} ${String(quantity.toNumber())}`);
  if (shown.sort().join() !== booked.sort().join()) faults.push(`balances show ${shown.join()}, not ${booked.join()}`);
  const oracle = oracleAt(shop, shop.log.head);
  const codes = new Set([...oracle.lots.values()].flatMap(({ lotCode }) => lotCode ?? []));
  for (const lotCode of codes) {
    const recalled = await ask({
      what: `recall ${lotCode} at the end`,
      method: 'get',
      path: '/bakery-production/recall',
      query: { lotCode, pageSize: '500' },
    });
    faults.push(...recallFaults(oracle, lotCode, undefined, recalled.body));
    for (const direction of ['forward', 'backward'] as const) {
      const traced = await ask({
        what: `trace ${lotCode} at the end`,
        method: 'get',
        path: '/bakery-production/traceability',
        query: { lotCode, direction, pageSize: '200' },
      });
      faults.push(...traceFaults(oracle, lotCode, direction, traced.body));
    }
  }
  return faults;
}
