import { holdings } from '../../../projections/inventory/holdings.js';
import { codeSubject, lots as lotRecords } from '../../../projections/inventory/lots.js';
import { lotGraph } from '../../../projections/traceability/lot-graph.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Known } from '../../ports/read-models.js';
import type { Catalogue } from '../contracts/catalogue.js';
import type { LocationDirectory } from '../contracts/location-directory.js';
import type { StoreDirectory } from '../contracts/feature.js';
import type { CustomerDirectory } from '../contracts/customer-directory.js';
import type { Found, KnownLots, KnownProducts } from './found-lots.js';
import { MAX_DEPTH } from './graph-walk.js';
import { walkKnown } from './edges.js';
import { knownLots } from './known-lots.js';
import { lotsWithCode } from './lots.js';
import type { RecallSums } from './recall-sums.js';
import { sumsOf } from './recall-sums.js';
import type { Supplier } from './suppliers.js';
import { suppliersOf } from './suppliers.js';

export interface RecallServices {
  readonly catalogue: Catalogue;
  readonly customers: CustomerDirectory;
  readonly locations: LocationDirectory;
  readonly stores: StoreDirectory;
}

/** What was worked out of the lots and orders that a recall reaches, and of nothing else: kept until something is written about one of them. */
export interface Reach extends Found, KnownLots {
  /** The subjects that it rests on. */
  readonly restsOn: readonly (readonly (string | Known)[])[];
  /** Tells it from every other one, those of the same lots at another time included. */
  readonly number: number;
  readonly variantIds: readonly string[];
  readonly suppliers: readonly Supplier[];
  /** What all of them add up to, worked out once. */
  sums(context: RequestContext): Promise<RecallSums>;
}

export type Scope = Reach & KnownProducts;

export interface RecallRequest {
  readonly lotCode: string;
  readonly variantId: string | undefined;
}

export const keyOf = ({ lotCode, variantId = '' }: RecallRequest): string => `${variantId} ${lotCode}`;

export const RESTS_ON = [lotRecords, lotGraph, soldLots, holdings];

/** About what they take in memory with what is known of each, which nobody else may hold any more. */
const BYTES_OF_A_LOT = 900;
const BYTES_OF_AN_ORDER = 400;

let reaches = 0;

export const reachOf = (context: RequestContext, request: RecallRequest, isSummedUp: boolean): Promise<Reach> =>
  context.reads.kept({ about: RESTS_ON }, `reach ${keyOf(request)}`, async ({ about, takes }) => {
    const found = await foundBy(context, request);
    const { lots, orders } = found.walked;
    takes(lots.length * BYTES_OF_A_LOT + orders.length * BYTES_OF_AN_ORDER);
    const reach = await makeReach(context, found, isSummedUp);
    for (const subjects of reach.restsOn) about(subjects);
    return reach;
  });

async function makeReach(context: RequestContext, found: Found, isSummedUp: boolean): Promise<Reach> {
  const knowing = once(() => knownLots(context, found.walked.lots));
  const sums = once((asker: RequestContext) => sumsOf(asker, found, () => knowing(context)));
  // What takes longest begins at once; who needs it hears how it went.
  if (isSummedUp) sums(context).catch(() => undefined);
  const [lots, { suppliers, inputs }] = await Promise.all([knowing(context), suppliersOf(context, found)]);
  const variantIds = new Set(lots.map(({ variantId }) => variantId));
  const restsOn = [
    [codeSubject(found.lotCode)],
    ...[found.walked, inputs].flatMap(({ lots: all, orders }) => [all, orders]),
  ];
  return { ...found, lots, restsOn, number: ++reaches, variantIds: [...variantIds], suppliers, sums };
}

export async function foundBy(context: RequestContext, { lotCode, variantId }: RecallRequest): Promise<Found> {
  const matched = await lotsWithCode(context, lotCode, variantId);
  const start = matched.map(({ lotId }) => lotId);
  const walked = await walkKnown(context, 'forward', start, MAX_DEPTH);
  return { lotCode: matched[0]?.lotCode ?? lotCode, matched, walked };
}

/** What `make` gave first; a failure is not remembered. */
function once<A, T>(make: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let made: Promise<T> | undefined;
  return (argument) =>
    (made ??= make(argument).catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

export const scopeOf = async (
  context: RequestContext,
  services: Pick<RecallServices, 'catalogue'>,
  request: RecallRequest,
  isSummedUp = false,
): Promise<Scope> => withProducts(context, services, await reachOf(context, request, isSummedUp));

export const withProducts = async (
  context: RequestContext,
  { catalogue }: Pick<RecallServices, 'catalogue'>,
  reach: Reach,
): Promise<Scope> => ({ ...reach, facts: await catalogue.labels(context, reach.variantIds) });
