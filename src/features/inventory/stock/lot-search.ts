import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots } from '../../../../projections/inventory/lots.js';
import { products } from '../../../../projections/products/products.js';
import { defined } from '../../../kernel/values/defined.js';
import { foldText, wordsOf } from '../../../kernel/values/words.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { PagedQuery } from '../../../ports/read-models.js';
import { comparableCode } from '../events.js';
import { lotDocument } from './lot-answers.js';

/** What lots are looked for by that their holdings do not know. */
interface LotSearch {
  /** The beginning of a code, or of the product's words. */
  readonly q: string | undefined;
  readonly supplier: string | undefined;
  readonly expiresBefore: string | undefined;
  readonly status: LotDocument['status'] | undefined;
  readonly variantId: string | undefined;
  readonly lotCode: string | undefined;
  readonly onlyLeft: boolean;
}

const PAGE = 200;
/** Of so many products whose words match the lots are found. */
export const MOST_PRODUCTS = 500;

type Filter = Pick<PagedQuery, 'equal' | 'oneOf' | 'words'>;

/** The lots that are found, in the order of their entry, some at a time; from the one that entered as `from` on. */
export async function* lotsFound(
  context: RequestContext,
  search: LotSearch,
  from: number,
): AsyncGenerator<readonly LotDocument[]> {
  const filters = await filtersOf(context, search);
  let next = from;
  while (filters.length > 0) {
    const pages = await Promise.all(filters.map((filter) => lotsFrom(context, filter, next)));
    const full = pages.filter((page) => page.length === PAGE).map((page) => page.at(-1)?.entered ?? next);
    const end = full.length === 0 ? Infinity : Math.min(...full);
    const byEntry = new Map(pages.flat().map((lot) => [lot.entered, lot]));
    const found = [...byEntry.values()].filter(({ entered }) => entered <= end);
    yield found.filter((lot) => matches(lot, search)).sort((a, b) => a.entered - b.entered);
    if (end === Infinity) return;
    next = end + 1;
  }
}

async function lotsFrom(context: RequestContext, filter: Filter, from: number): Promise<readonly LotDocument[]> {
  const page = await context.reads.find(lots, {
    ...filter,
    range: { column: 'entered', from },
    sort: { column: 'entered', direction: 'asc' },
    limit: PAGE,
  });
  return page.items.map(lotDocument);
}

/** Each of them finds some: what any of them finds is found. */
async function filtersOf(context: RequestContext, search: LotSearch): Promise<readonly Filter[]> {
  const { q, supplier, variantId, lotCode, onlyLeft } = search;
  const equal = defined({
    supplier: supplier === undefined ? undefined : foldText(supplier),
    code: lotCode === undefined ? undefined : comparableCode(lotCode),
    variantId,
    left: onlyLeft ? 1 : undefined,
  });
  if (q === undefined || q === '') return [{ equal }];
  if (wordsOf(q).length === 0) return [];
  const variantIds = await variantsNamed(context, q);
  return [
    { equal, words: q },
    ...(variantIds.length === 0 ? [] : [{ equal, oneOf: { column: 'variantId', values: variantIds } }]),
  ];
}

async function variantsNamed(context: RequestContext, q: string): Promise<readonly string[]> {
  const { bodies } = await context.reads.slice(products, {
    words: q,
    sort: { column: 'description', direction: 'asc' },
    offset: 0,
    limit: MOST_PRODUCTS,
  });
  return bodies.flatMap((body) =>
    (JSON.parse(body) as { readonly variants: readonly { readonly id: string }[] }).variants.map(({ id }) => id),
  );
}

const matches = ({ status, expiresAt }: LotDocument, search: LotSearch): boolean =>
  (search.status === undefined || status === search.status) &&
  (search.expiresBefore === undefined || (expiresAt !== null && expiresAt <= search.expiresBefore));
