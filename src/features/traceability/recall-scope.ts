import { codeSubject } from '../../../projections/inventory/lots.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Known } from '../../ports/read-models.js';
import type { Catalogue } from '../contracts/catalogue.js';
import type { LocationDirectory } from '../contracts/location-directory.js';
import type { StoreDirectory } from '../contracts/feature.js';
import type { CustomerDirectory } from '../contracts/customer-directory.js';
import type { Found, KnownLot, KnownLots, KnownProducts } from './found-lots.js';
import { knownOfDocuments } from './known-lots.js';
import { lotsWithCode } from './lots.js';
import type { RecallSums } from './recall-sums.js';
import { together, totalsOf } from './recall-sums.js';
import { countStanding, soldOf } from './sale-documents.js';
import { salesOf } from './sales-of-lots.js';
import type { Supplier } from './suppliers.js';
import { suppliersOf } from './suppliers.js';
import type { Made } from './what-became.js';
import { bytesOf, once, RESTS_ON, whatBecame } from './what-became.js';

export interface RecallServices {
  readonly catalogue: Catalogue;
  readonly customers: CustomerDirectory;
  readonly locations: LocationDirectory;
  readonly stores: StoreDirectory;
}

/** What was worked out of the lots and orders that a recall reaches, and of nothing else: kept until something is written about one of them. */
interface Reach extends Found, KnownLots {
  /** The subjects that it rests on. */
  readonly restsOn: readonly (readonly (string | Known)[])[];
  /** Tells it from every other one, those of the same lots at another time included. */
  readonly number: number;
  readonly variantIds: readonly string[];
  readonly suppliers: readonly Supplier[];
  /** What all of them add up to, worked out once. */
  sums(context: RequestContext): Promise<RecallSums>;
  /** How many fiscal documents of the sales stand. */
  standing(context: RequestContext): Promise<number>;
}

export type Scope = Reach & KnownProducts;

export interface RecallRequest {
  readonly lotCode: string;
  readonly variantId: string | undefined;
}

export const keyOf = ({ lotCode, variantId = '' }: RecallRequest): string => `${variantId} ${lotCode}`;

let reaches = 0;

export const reachOf = (context: RequestContext, request: RecallRequest, isSummedUp: boolean): Promise<Reach> =>
  context.reads.kept({ about: RESTS_ON }, `reach ${keyOf(request)}`, async ({ about, takes }) => {
    const reach = await makeReach(context, request, isSummedUp);
    takes(bytesOf(reach.walked));
    for (const subjects of reach.restsOn) about(subjects);
    return reach;
  });

async function makeReach(
  context: RequestContext,
  { lotCode, variantId }: RecallRequest,
  isSummedUp: boolean,
): Promise<Reach> {
  const matched = await lotsWithCode(context, lotCode, variantId);
  const wasSold = matched.some(({ totalsByCause }) => totalsByCause.sold !== undefined);
  const [{ walked, made }, withCode, { suppliers, inputs }] = await Promise.all([
    whatBecame(
      context,
      matched.map(({ lotId }) => lotId),
      // Where lots with the code were sold as well, sales are counted of all together.
      isSummedUp && !wasSold,
    ),
    knownOfDocuments(context, matched),
    suppliersOf(context, { matched }),
  ]);
  const lots = [...withCode, ...made.lots];
  const variantIds = new Set([...withCode, ...made.totals().sold].map(({ variantId }) => variantId));
  return {
    lotCode: matched[0]?.lotCode ?? lotCode,
    matched,
    walked,
    lots,
    restsOn: [[codeSubject(lotCode)], ...walked.parts, inputs.lots, inputs.orders],
    number: ++reaches,
    variantIds: [...variantIds],
    suppliers,
    sums: once((asker: RequestContext) => sumsOf(asker, withCode, made)),
    standing: (asker) => standingOf(asker, withCode, made),
  };
}

/** Those with the code were mostly not sold; else sales and documents are counted of all together. */
const soldWith = (withCode: readonly KnownLot[], made: Made): readonly KnownLot[] | undefined => {
  const sold = withCode.filter(({ sales }) => sales > 0);
  return sold.length === 0 ? undefined : [...sold, ...made.lots];
};

async function sumsOf(context: RequestContext, withCode: readonly KnownLot[], made: Made): Promise<RecallSums> {
  const ids = soldWith(withCode, made)?.map(({ lotId }) => lotId);
  const sales = ids ? await salesOf(context, ids) : await (await made.soldTogether(context)).sales;
  return { sales, ...together(totalsOf('MATCHED', withCode), made.totals()) };
}

async function standingOf(context: RequestContext, withCode: readonly KnownLot[], made: Made): Promise<number> {
  const lots = soldWith(withCode, made);
  return lots ? countStanding(context, soldOf(lots)) : (await made.soldTogether(context)).standing(context);
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
