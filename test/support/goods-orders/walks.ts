import type { Told } from './process.js';
import type { Wish } from './wishes.js';

/** Somebody who reads a list page by page while others write. */

type List = readonly [string, Readonly<Record<string, string>>];

const LISTS: readonly List[] = [
  ['/stock/movements', {}],
  ['/stock/lots', { includeEmpty: 'true' }],
  ['/stock/balances', {}],
  ['/stock/receipts', {}],
  ['/stock/adjustments', {}],
  ['/stock/transfers', {}],
  ['/sales', {}],
  ['/recall-drills', {}],
  ['/bakery-production/orders', {}],
  ['/audit/events', { order: 'asc' }],
  ['/audit/events', { order: 'desc' }],
  ['/audit/events', { order: 'asc', entityKind: 'lot' }],
];

const RECALL = ['/bakery-production/recall/lots', '/bakery-production/recall/remaining'];
const MOST_PAGES = 200;
const WHOLE = '200';

interface Page {
  readonly keys: readonly string[];
  readonly next: string | null;
}

/** What makes an item itself. */
const keyOf = (item: Readonly<Record<string, unknown>>): string =>
  [item['id'] ?? item['lotId'] ?? item['variantId'], item['id'] === undefined ? item['locationId'] : ''].join(' ');

function pageOf({ body, next }: Told): Page {
  if (Array.isArray(body)) return { keys: body.map(keyOf), next: next ?? null };
  const { items, nextCursor } = body as { readonly items: readonly object[]; readonly nextCursor: string | null };
  return { keys: items.map((item) => keyOf(item as never)), next: nextCursor };
}

export const listsOf = (lotCode: string | undefined): readonly List[] => [
  ...LISTS,
  ...(lotCode === undefined ? [] : RECALL.map((path) => [path, { lotCode }] as const)),
];

/** What the pages repeat, and what they skip that was there from the beginning to the end. */
export async function faultsOfWalk(
  [path, query]: List,
  limit: number,
  ask: (wish: Wish) => Promise<Told | undefined>,
): Promise<readonly string[]> {
  const read = async (more: object): Promise<Page | undefined> => {
    const told = await ask({ what: `read ${path}`, method: 'get', path, query: { ...query, ...more } });
    return told?.status === 200 ? pageOf(told) : undefined;
  };
  const before = await read({ limit: WHOLE });
  if (!before || before.next !== null) return [];
  const walked: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages === 0 || cursor !== null; pages++) {
    if (pages > MOST_PAGES) return [`${path} has no end`];
    const page: Page | undefined = await read({ limit: String(limit), ...(cursor === null ? {} : { cursor }) });
    if (!page) return [];
    walked.push(...page.keys);
    cursor = page.next;
  }
  const after = await read({ limit: WHOLE });
  if (!after || after.next !== null) return [];
  const twice = walked.filter((key, index) => walked.indexOf(key) !== index);
  const skipped = before.keys.filter((key) => after.keys.includes(key) && !walked.includes(key));
  const name = `${path} ${JSON.stringify(query)} by ${String(limit)}`;
  return [...twice.map((key) => `${name} gives twice: ${key}`), ...skipped.map((key) => `${name} skips: ${key}`)];
}
