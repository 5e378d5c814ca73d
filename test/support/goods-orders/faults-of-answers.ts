import type { TracingOracle as Oracle } from '../tracing-oracle.js';
import { TracingOracle } from '../tracing-oracle.js';
import type { Asking } from './asking.js';
import { Books } from './books.js';
import type { Shop } from './shop.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { differs, matchedBy, recallFaults, soldBy, soldIn, traceFaults } from './tracing-faults.js';

/** What must not be said, as far as an answer alone tells. */
export function faultsOfAnswer(shop: Shop, asking: Asking, asked: readonly Asking[]): readonly string[] {
  const { told, wish } = asking;
  if (!told) return [];
  const isStrange = told.status === 500 || told.status === 400;
  return [
    ...(isStrange ? [`${wish.what} is answered ${String(told.status)} ${JSON.stringify(told.body)}`] : []),
    ...(asking.isDry || isGone(shop, asking) ? [] : faultsOfRepeat(asking, asked)),
    ...(wish.isStale === true && told.status === 200 && !asking.isDry && !isRepeat(asking, asked)
      ? [`${wish.what} is done on what was seen before it changed`]
      : []),
    ...(told.status === 200 && !asking.isDry && !isRepeat(asking, asked) ? faultsOfTruth(shop, asking) : []),
  ];
}

/** Where the answer got lost that was to be kept, who repeats hears of what has been deleted since. */
const isGone = ({ lossy }: Shop, { wish, told }: Asking): boolean =>
  lossy > 0 && told?.status === 404 && wish.path.startsWith('/products/');

const WHOLE = /^(receive|adjust|count|transfer|sell|plan|register)/;

/** What was answered before may be older by now. */
const isRepeat = (asking: Asking, asked: readonly Asking[]): boolean =>
  asking.key !== undefined && asked.some((other) => other !== asking && other.key === asking.key);

function faultsOfRepeat(asking: Asking, asked: readonly Asking[]): readonly string[] {
  const { key, told, wish } = asking;
  if (key === undefined || !told) return [];
  const first = asked.find((other) => other.key === key && other !== asking && isDecided(other));
  if (!first?.told) return [];
  // Two runs at once, as after a standstill, may refuse for different reasons what neither has done.
  if (first.told.status >= 300 && told.status >= 400) return [];
  if (!isDecided(asking)) {
    const isOpen = told.status === 503 || told.code === 'IDEMPOTENCY_IN_PROGRESS';
    return isOpen ? [] : [`${wish.what} was done and is refused: ${JSON.stringify(told)}`];
  }
  const isSame = !WHOLE.test(wish.what) || JSON.stringify(first.told.body) === JSON.stringify(told.body);
  if (first.told.status === told.status && isSame) return [];
  return [`${wish.what} hears ${JSON.stringify(first.told)} and then ${JSON.stringify(told)}`];
}

const isDecided = ({ told }: Asking): boolean =>
  told !== undefined && (told.status < 300 || (told.status === 409 && told.code !== 'IDEMPOTENCY_IN_PROGRESS'));

const factsAt = (shop: Shop, position: string) =>
  shop.facts.filter((event) => event.position <= position).map((event) => ({ event, at: event.meta.at }));

export const oracleAt = (shop: Shop, position: string): Oracle => new TracingOracle(factsAt(shop, position));

/** No answer is older than what had been answered for before its question. */
function faultsOfTruth(shop: Shop, asking: Asking): readonly string[] {
  const { wish, since, until = '' } = asking;
  const query = (wish.query ?? {}) as Readonly<Record<string, string>>;
  const body = (wish.body ?? {}) as { readonly lotCode?: string };
  if (wish.path === '/stock/balances' && wish.what.startsWith('ask'))
    return balanceFaults(shop, asking, query['variantId'] ?? '');
  if (wish.path === '/stock/lots/block' && body.lotCode !== undefined) return blockFaults(shop, asking, body.lotCode);
  const isQuiet = shop.log.events.every(({ position }) => position <= since || position > until);
  if (isQuiet && wish.what.startsWith('ask')) {
    const books = new Books(factsAt(shop, until));
    const said = faultsOfQuiet(shop, books, wish.path, query, asking.told?.body);
    if (said.length > 0) return said;
  }
  const { lotCode } = query;
  if (lotCode === undefined) return [];
  const [before, after] = [oracleAt(shop, since), oracleAt(shop, until)];
  const isStill = shop.facts.every(({ position }) => position <= since || position > until);
  if (wish.path.endsWith('/traceability'))
    return isStill ? traceFaults(after, lotCode, query['direction'] as 'forward', asking.told?.body) : [];
  if (!wish.path.endsWith('/recall')) return [];
  if (isStill) return recallFaults(after, lotCode, query['variantId'], asking.told?.body);
  const [was, is] = [before, after].map((oracle) => soldBy(oracle, matchedBy(oracle, lotCode, query['variantId'])));
  const told = new Set(soldIn(asking.told?.body));
  return (was ?? [])
    .filter((line) => is?.includes(line) && !told.has(line))
    .map((line) => `the recall of ${lotCode} says nothing of ${line}`);
}

function balanceFaults(shop: Shop, { since, until = '', told }: Asking, variantId: string): readonly string[] {
  const { items } = told?.body as {
    readonly items: readonly { readonly locationId: string; readonly quantity: number }[];
  };
  const found = new Map(items.map(({ locationId, quantity }) => [locationId, quantity]));
  const later = shop.facts.filter(({ position }) => position > since && position <= until);
  const states = [since, ...later.map(({ position }) => position)].map((moment) => balancesAt(shop, moment, variantId));
  const places = new Set([...found.keys(), ...states.flatMap((state) => [...state.keys()])]);
  return [...places].flatMap((place) => {
    const [shown, possible] = [found.get(place) ?? 0, states.map((state) => state.get(place) ?? 0)];
    return possible.includes(shown) ? [] : [`the balance ${String(shown)} is shown, not ${possible.join(' or ')}`];
  });
}

function balancesAt(shop: Shop, moment: string, variantId: string): ReadonlyMap<string, number> {
  const { balances } = new Books(factsAt(shop, moment));
  const own = [...balances].filter(([key]) => key.startsWith(variantId));
  return new Map(own.map(([key, { quantity }]) => [key.split('/')[1] ?? '', quantity.toNumber()]));
}

/** Every lot that had the code when the blocking was asked for has been blocked since. */
function blockFaults(shop: Shop, { since, from, until = '', wish }: Asking, lotCode: string): readonly string[] {
  const moments = shop.facts.map(({ position }) => position).filter((position) => position > from && position <= until);
  const blocked = [from, ...moments].map((moment) => new Books(factsAt(shop, moment)).blocked);
  return matchedBy(oracleAt(shop, since), lotCode)
    .filter((lotId) => !blocked.some((ids) => ids.has(lotId)))
    .map((lotId) => `${wish.what} leaves ${lotId} alone`);
}

/** What is shown while nothing happens is what the facts add up to. */
function faultsOfQuiet(
  shop: Shop,
  books: Books,
  path: string,
  query: Readonly<Record<string, string>>,
  body: unknown,
): readonly string[] {
  const { items = [] } = body as { readonly items?: readonly Shown[] };
  switch (path) {
    case '/stock/valuation':
      return differs(
        'the worth of the stock',
        [String((body as { readonly totals: { readonly value: number } }).totals.value)],
        [String(Decimal.sum([...books.lots.values()].map(({ value }) => value)).toNumber())],
      );
    case '/stock/lots':
      return differs(
        'the lots',
        items.map(({ lotId, locationId, quantity, status }) => `${lotId}/${locationId} ${String(quantity)} ${status}`),
        [...books.lots]
          .filter(([key]) => books.homes.get(key)?.startsWith(query['variantId'] ?? '') === true)
          .map(
            ([key, { quantity }]) =>
              `${key} ${String(quantity.toNumber())} ${books.blocked.has(key.split('/')[0] ?? '') ? 'BLOCKED' : 'AVAILABLE'}`,
          ),
      );
    case '/products':
      return items.flatMap(({ description, stockQty, isComposite, variants = [] }) => {
        const own = variants.flatMap(({ id }) =>
          [...books.balances].filter(([key]) => key.startsWith(id)).map(([, { quantity }]) => quantity),
        );
        return isComposite === true
          ? []
          : differs(`the stock of ${description}`, [String(stockQty ?? 0)], [String(Decimal.sum(own).toNumber())]);
      });
    case '/bakery-production/planning/suggestions':
      return (
        body as readonly {
          readonly finishedVariantId: string;
          readonly stockQty: number;
          readonly plannedQty: number;
        }[]
      ).flatMap((row) => {
        const at = new Date(shop.schedule.now).toISOString();
        const oracle = oracleAt(shop, shop.log.head);
        return differs(
          `the plan of ${row.finishedVariantId}`,
          [`${String(row.stockQty)} ${String(row.plannedQty)}`],
          [
            `${String(oracle.free(row.finishedVariantId, at).toNumber())} ${String(oracle.planned(row.finishedVariantId).toNumber())}`,
          ],
        );
      });
    default:
      return [];
  }
}

interface Shown {
  readonly lotId: string;
  readonly locationId: string;
  readonly quantity: number;
  readonly status: string;
  readonly description: string;
  readonly isComposite?: boolean;
  readonly stockQty?: number;
  readonly variants?: readonly { readonly id: string }[];
}
