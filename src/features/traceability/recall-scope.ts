import type { LotDocument } from '../../../projections/inventory/lots.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Catalogue, VariantLabel } from '../contracts/catalogue.js';
import type { LocationDirectory } from '../contracts/location-directory.js';
import type { StoreDirectory } from '../contracts/feature.js';
import type { CustomerDirectory } from '../contracts/customer-directory.js';
import type { Position } from '../../ports/event-store.js';
import type { Reached } from './graph-walk.js';
import { MAX_DEPTH, walk } from './graph-walk.js';
import { endReader } from './edges.js';
import type { LotLabel } from './lots.js';
import { labelsOf, lotsWithCode } from './lots.js';
import type { VersionCache } from './version-cache.js';
import type { CountedLot } from './sold-rows.js';
import { countsOf } from './sold-rows.js';

export interface RecallServices {
  readonly catalogue: Catalogue;
  readonly customers: CustomerDirectory;
  readonly locations: LocationDirectory;
  readonly stores: StoreDirectory;
  readonly cache: VersionCache;
}

/** The lots that a recall is about: those with the code, and those that were made with them through any number of orders. */
export interface Found {
  /** The store's version before anything was read. */
  readonly version: Position | undefined;
  /** As it was first written. */
  readonly lotCode: string;
  readonly matched: readonly LotDocument[];
  readonly walked: Reached;
}

/** What is to be said of each of them. */
export interface Scope extends Found {
  readonly lots: ReadonlyMap<string, LotLabel>;
  readonly counts: readonly CountedLot[];
  readonly facts: ReadonlyMap<string, VariantLabel>;
}

export interface RecallRequest {
  readonly lotCode: string;
  readonly variantId: string | undefined;
}

export const keyOf = ({ lotCode, variantId = '' }: RecallRequest): string => `${variantId} ${lotCode}`;

const sizeOf = ({ walked }: Found): number => walked.lots.size + walked.orders.size;

export const foundBy = (context: RequestContext, { cache }: RecallServices, request: RecallRequest): Promise<Found> =>
  cache.of(context, `found ${keyOf(request)}`, () => find(context, request), sizeOf);

async function find(context: RequestContext, { lotCode, variantId }: RecallRequest): Promise<Found> {
  const { version } = context;
  const matched = await lotsWithCode(context, lotCode, variantId);
  const start = matched.map(({ lotId }) => lotId);
  const { lots, orders } = await walk(endReader(context), start, 'forward', MAX_DEPTH);
  return { version, lotCode: matched[0]?.lotCode ?? lotCode, matched, walked: { lots, orders } };
}

export const scopeIn = (
  context: RequestContext,
  services: RecallServices,
  request: RecallRequest,
  found: Found,
): Promise<Scope> => {
  const asFound = { storeId: context.storeId, version: found.version };
  return services.cache.of(asFound, `scope ${keyOf(request)}`, () => makeScope(context, services, found), sizeOf);
};

export const scopeOf = async (
  context: RequestContext,
  services: RecallServices,
  request: RecallRequest,
): Promise<Scope> => scopeIn(context, services, request, await foundBy(context, services, request));

async function makeScope(context: RequestContext, { catalogue }: RecallServices, found: Found): Promise<Scope> {
  const { walked } = found;
  const lotIds = [...walked.lots.keys()];
  const [labels, counts] = await Promise.all([labelsOf(context, lotIds), countsOf(context.reads, lotIds)]);
  const lots = new Map(labels.map((lot) => [lot.lotId, lot]));
  const variantIds = new Set([...lots.values()].map((lot) => lot.variantId));
  const facts = await catalogue.labels(context, [...variantIds]);
  return { ...found, lots, counts, facts };
}
