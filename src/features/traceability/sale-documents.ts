import type { FiscalRecord } from '../../../projections/fiscal/documents.js';
import { fiscalDocuments } from '../../../projections/fiscal/documents.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { inBatches } from '../../kernel/values/batches.js';
import type { CountedLot } from './sold-rows.js';

/** The fiscal documents of recalled sales. */

export interface SaleDocument {
  readonly id: string;
  readonly model: number;
  readonly series: number;
  readonly number: number;
  readonly accessKey: string;
  readonly status: FiscalRecord['status'];
}

type DocumentsBySale = ReadonlyMap<string, readonly SaleDocument[]>;

const SALES_AT_ONCE = 1_000;
const PAGE = 1_000;

/** Those with a number, of each sale the oldest first. */
export async function documentsOf(context: RequestContext, saleIds: readonly string[]): Promise<DocumentsBySale> {
  const bySale = new Map<string, SaleDocument[]>();
  for (const record of await inBatches([...new Set(saleIds)], SALES_AT_ONCE, (some) => recordsOf(context, some))) {
    const { id, saleId, model, series, number, accessKey, status } = record;
    if (number === null || accessKey === null) continue;
    const own = bySale.get(saleId) ?? [];
    bySale.set(saleId, own);
    own.push({ id, model, series, number, accessKey, status });
  }
  return bySale;
}

async function recordsOf(context: RequestContext, saleIds: readonly string[]): Promise<readonly FiscalRecord[]> {
  const records: FiscalRecord[] = [];
  const oneOf = { column: 'saleId', values: saleIds };
  const sort = { column: 'saleId', direction: 'asc' } as const;
  const pages = pagesOf((at) => context.reads.findBodies(fiscalDocuments, { oneOf, sort, limit: PAGE, ...at }));
  for await (const page of pages) for (const body of page) records.push(JSON.parse(body) as FiscalRecord);
  return records.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

export async function hasDocuments(context: RequestContext): Promise<boolean> {
  const sort = { column: 'createdAt', direction: 'asc' } as const;
  return (await context.reads.findBodies(fiscalDocuments, { sort, limit: 1 })).items.length > 0;
}

/** Goods left under these. */
const STANDING: readonly FiscalRecord['status'][] = ['AUTHORIZED', 'CONTINGENCY'];

const isStanding = ({ status }: SaleDocument): boolean => STANDING.includes(status);

export const soldOf = (lots: readonly CountedLot[]): readonly string[] =>
  lots.flatMap(({ lotId, sales }) => (sales > 0 ? lotId : []));

/** Counts those that stand of all sales of these lots, however many. */
export async function countStanding(context: RequestContext, lotIds: readonly string[]): Promise<number> {
  if (lotIds.length === 0 || !(await hasDocuments(context))) return 0;
  const among = { column: 'lotId', values: lotIds };
  const standing = { oneOf: { column: 'status', values: STANDING } };
  return context.reads.countLinked(fiscalDocuments, standing, {
    column: 'saleId',
    to: soldLots,
    toColumn: 'saleId',
    among,
  });
}

/** The same of some sales. */
export async function countStandingOf(context: RequestContext, saleIds: readonly string[]): Promise<number> {
  if (saleIds.length === 0 || !(await hasDocuments(context))) return 0;
  return [...(await documentsOf(context, saleIds)).values()].flat().filter(isStanding).length;
}

/** The one that counts where a line has room for one: the newest that stands, else the newest. */
export const chosenOf = (documents: readonly SaleDocument[] = []): SaleDocument | undefined =>
  documents.findLast(isStanding) ?? documents.at(-1);
