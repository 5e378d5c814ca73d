import { isDeepStrictEqual } from 'node:util';
import { metaOf } from '../../../src/kernel/events/recorded.js';
import type { Asking } from './asking.js';
import type { Told } from './process.js';
import type { Shop } from './shop.js';
import type { Wish } from './wishes.js';

/** What was read while nothing happened, against what is said later of that moment. */

const KINDS: Readonly<Record<string, string>> = {
  '/bakery-production/orders/{id}': 'order',
  '/sales/{id}': 'sale',
  '/products/{id}': 'product',
  '/bakery-production/recipes/{id}': 'recipe',
  '/recall-drills/{id}': 'recallDrill',
  '/stock/lots/{lotId}': 'lot',
};

const AT_MOMENTS = ['/stock/balances', '/stock/valuation', '/explain/variants/{id}/average-cost'];

/** What the stock makes of a product, what a person is called, and the moment of the question. */
const APART = ['at', 'customerName', 'stockQty', 'averageCost', 'componentsComplete', 'variants'];

/** The same question about a moment; undefined where it has no past. */
function questionAt({ path, params, query }: Wish, at: string): Wish | undefined {
  const kind = KINDS[path];
  if (kind !== undefined)
    return {
      what: `${kind} at ${at}`,
      method: 'get',
      path: '/audit/entities/{kind}/{id}/state',
      params: { kind, id: Object.values(params ?? {})[0] as string },
      query: { at },
    };
  if (!AT_MOMENTS.includes(path)) return undefined;
  return { what: `${path} at ${at}`, method: 'get', path, params, query: { ...query, at } };
}

/** The moment of which an answer speaks; undefined where something else happened while it was made, or has been put before that moment since. */
function momentOf({ log }: Shop, { since, until = '', told }: Asking): string | undefined {
  if (told?.status !== 200) return undefined;
  const count = log.events.filter(({ position }) => position <= until).length;
  const read = log.events[count - 1];
  if (!read || read.position > since) return undefined;
  const times = log.events.map((event) => metaOf(event).at);
  const at = times.slice(0, count).reduce((latest, one) => (one > latest ? one : latest), '');
  return times.slice(count).every((later) => later > at) ? at : undefined;
}

/** Goods and places are called and measured as they are now, whenever their worth is asked for. */
const LABELS = ['unit', 'description', 'location'];

function shown({ path }: Wish, told: Told): Readonly<Record<string, unknown>> {
  const isLabel = (name: string) => AT_MOMENTS.includes(path) && LABELS.includes(name);
  const text = JSON.stringify(told.body, (name, value: unknown) => (isLabel(name) ? undefined : value));
  const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return (body['state'] ?? body) as Readonly<Record<string, unknown>>;
}

export async function faultsOfPasts(
  shop: Shop,
  asked: readonly Asking[],
  ask: (wish: Wish) => Promise<Told>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const asking of asked) {
    const at = momentOf(shop, asking);
    const question = at === undefined ? undefined : questionAt(asking.wish, at);
    if (!question || !asking.told || !asking.wish.what.startsWith('ask')) continue;
    const told = await ask(question);
    // Of what was deleted since, nothing is explained.
    if (told.status === 404 && question.path.startsWith('/explain')) continue;
    if (told.status !== 200) {
      faults.push(`${question.what} is answered ${String(told.status)} ${JSON.stringify(told.body)}`);
      continue;
    }
    const [then, now] = [shown(asking.wish, asking.told), shown(question, told)];
    for (const name of Object.keys(then).filter((one) => !APART.includes(one)))
      if (!isDeepStrictEqual(then[name], now[name]))
        faults.push(
          `${question.what}: ${name} was ${JSON.stringify(then[name])} and is said to have been ${JSON.stringify(now[name])}`,
        );
  }
  return faults;
}

interface History {
  readonly items: readonly object[];
}

/** What was told of a record once is told of it ever after. */
export async function faultsOfHistories(
  asked: readonly Asking[],
  ask: (wish: Wish) => Promise<Told>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { wish, told } of asked) {
    if (wish.path !== '/audit/entities/{kind}/{id}' || told?.status !== 200) continue;
    const again = await ask({ ...wish, what: 'the same history at the end' });
    const then = (told.body as History).items.map((item) => JSON.stringify(item));
    const now = new Set((again.body as History).items.map((item) => JSON.stringify(item)));
    for (const item of then) if (!now.has(item)) faults.push(`a history says no more: ${item}, but ${[...now].join()}`);
  }
  return faults;
}
