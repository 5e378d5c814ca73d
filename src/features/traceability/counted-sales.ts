import type { SoldLotsDocument } from '../../../projections/traceability/sold-lots.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import { fiscalDocuments } from '../../../projections/fiscal/documents.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { readTogether } from '../../kernel/values/json-texts.js';
import type { KnownLot } from './found-lots.js';
import { countStanding, countStandingOf, soldOf } from './sale-documents.js';
import type { SalesOfLots } from './sales-of-lots.js';
import { salesOf } from './sales-of-lots.js';

type Count = (context: RequestContext) => Promise<number>;

/** What was sold of many lots. */
export interface Sold {
  /** On its way while documents may be counted already. */
  readonly sales: Promise<SalesOfLots>;
  /** How many fiscal documents of the sales stand, which changes without any change of the lots. */
  readonly standing: Count;
}

/** To read more sales than these takes longer than to count all of them anew. */
const MOST_READ = 1_500;
const PAGE = 500;
const MOST_CUSTOMERS = 20_000;

/** Sales of lots that are sold out, each once. */
interface Settled {
  /** Tell by lot whether it is still known as it was when its sales were counted. */
  readonly versions: Set<number>;
  readonly lotIds: Set<string>;
  readonly customers: Set<string>;
  sales: SalesOfLots;
  /** Counts the documents of the sales that were counted at first; the ids of later sales are in `later`. */
  readonly standing: Count;
  readonly later: string[];
}

/**
 * What was sold of lots that are asked for again and again while more of them are made and sold: the sales of lots that are sold out are counted
 * once, the others are read.
 */
export class CountedSales {
  private settled: Settled | undefined;
  private wasAsked = false;
  /** Customers: they are counted anew each time. */
  private hasTooMany = false;
  private turn: Promise<unknown> = Promise.resolve();

  /** Who asks first may be the only one, so that all of it is counted, before anything is known of the lots. */
  of(context: RequestContext, lotIds: readonly string[], lots: Promise<readonly KnownLot[]>): Promise<Sold> {
    if (!this.wasAsked) {
      this.wasAsked = true;
      return Promise.resolve(all(context, lotIds, lots));
    }
    // One after the other: each goes on where the one before it ended.
    const sold = this.turn.then(async () => this.count(context, await lots));
    this.turn = sold.catch(() => undefined);
    return sold;
  }

  private async count(context: RequestContext, lots: readonly KnownLot[]): Promise<Sold> {
    const sold = lots.filter(({ sales }) => sales > 0);
    const open = sold.filter((lot) => !isSoldOut(lot));
    if (this.hasTooMany || salesIn(open) > MOST_READ) return all(context, idsOf(sold), Promise.resolve(sold));
    const closed = sold.filter(isSoldOut);
    const { settled } = this;
    if (settled) {
      const added = closed.filter(({ version }) => !settled.versions.has(version));
      // Else something was written about a lot whose sales it holds.
      const isWhole = closed.length - added.length === settled.versions.size;
      const read = [...added, ...open];
      if (isWhole && settled.later.length + salesIn(read) <= MOST_READ) {
        return soldBeside(settled, read, await salesOfEach(context, read));
      }
    }
    this.settled = await settledOf(context, closed);
    this.hasTooMany = !this.settled;
    if (!this.settled) return all(context, idsOf(sold), Promise.resolve(sold));
    return soldBeside(this.settled, open, await salesOfEach(context, open));
  }
}

const isSoldOut = ({ held }: KnownLot): boolean => held.length === 0;

const salesIn = (lots: readonly KnownLot[]): number => lots.reduce((sum, { sales }) => sum + sales, 0);

/** What is remembered of it holds nothing of who asked: a request keeps its answer and its connection with it. */
function all(context: RequestContext, lotIds: readonly string[], lots: Promise<readonly KnownLot[]>): Sold {
  const sales = salesOf(context, lotIds);
  // Who needs it hears how it went.
  sales.catch(() => undefined);
  return { sales, standing: kept(async (asker) => countStanding(asker, soldOf(await lots))) };
}

/** Undefined where they have more customers than are held. */
async function settledOf(context: RequestContext, lots: readonly KnownLot[]): Promise<Settled | undefined> {
  const lotIds = idsOf(lots);
  const sales = await salesOf(context, lotIds);
  if (sales.customers > MOST_CUSTOMERS) return undefined;
  const among = { oneOf: { column: 'lotId', values: lotIds } };
  const customers = lots.length === 0 ? [] : await context.reads.distinct(soldLots, among, 'customerId');
  return {
    versions: new Set(lots.map(({ version }) => version)),
    lotIds: new Set(lotIds),
    customers: new Set(customers.map(String)),
    sales,
    standing: kept((asker) => countStanding(asker, lotIds)),
    later: [],
  };
}

/** With the sales of other lots: those of lots that are sold out by now stay in it, of the others more may be sold. */
function soldBeside(settled: Settled, lots: readonly KnownLot[], read: readonly SoldLotsDocument[]): Sold {
  const isSettled = ({ lines }: SoldLotsDocument) => lines.some(([, lotId]) => settled.lotIds.has(lotId));
  const others = read.filter((sale) => !isSettled(sale));
  for (const lot of lots.filter(isSoldOut)) {
    settled.versions.add(lot.version);
    settled.lotIds.add(lot.lotId);
  }
  const staying = others.filter(isSettled);
  const passing = others.filter((sale) => !isSettled(sale));
  settled.sales = plus(settled, staying);
  for (const { saleId, customerId } of staying) {
    settled.later.push(saleId);
    if (customerId !== null) settled.customers.add(customerId);
  }
  const saleIds = [...settled.later, ...passing.map(({ saleId }) => saleId)];
  const { standing: before } = settled;
  const standing = kept(async (asker) => (await before(asker)) + (await countStandingOf(asker, saleIds)));
  return { sales: Promise.resolve(plus(settled, passing)), standing };
}

/** With sales that are not among them. */
function plus({ sales: counted, customers }: Settled, sales: readonly SoldLotsDocument[]): SalesOfLots {
  const named = sales.flatMap(({ customerId }) => customerId ?? []);
  const newcomers = new Set(named.filter((id) => !customers.has(id)));
  const times = [counted.firstSaleAt, counted.lastSaleAt, ...sales.map(({ soldAt }) => soldAt)];
  const [first = null, ...later] = times.filter((time) => time !== null).sort();
  return {
    sales: counted.sales + sales.length,
    customers: counted.customers + newcomers.size,
    salesWithoutCustomer: counted.salesWithoutCustomer + sales.length - named.length,
    firstSaleAt: first,
    lastSaleAt: later.at(-1) ?? first,
  };
}

/** Told apart, so that nothing that was counted of some sales is taken for that of others. */
let numbers = 0;

function kept(count: Count): Count {
  const key = `standing of ${String(++numbers)}`;
  return (asker) => asker.reads.kept({ collections: [fiscalDocuments] }, key, () => count(asker));
}

/** Each once, however many of the lots it took from. */
async function salesOfEach(context: RequestContext, lots: readonly KnownLot[]): Promise<readonly SoldLotsDocument[]> {
  if (lots.length === 0) return [];
  const query = { oneOf: { column: 'lotId', values: idsOf(lots) }, sort: BY_SALE, limit: PAGE };
  const sales: SoldLotsDocument[] = [];
  for await (const page of pagesOf((at) => context.reads.findBodies(soldLots, { ...query, ...at }))) {
    sales.push(...(readTogether(page) as readonly SoldLotsDocument[]));
  }
  return sales;
}

const BY_SALE = { column: 'soldAt', direction: 'asc' } as const;

const idsOf = (lots: readonly KnownLot[]): readonly string[] => lots.map(({ lotId }) => lotId);
