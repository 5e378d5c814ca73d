import type { Entry, InventoryEvent, Issue } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';

/** What traces, recalls and plans must say, counted from the recorded facts with plain loops over all of them. */

/** A recorded fact and when it was recorded. */
export interface Fact {
  readonly event: InventoryEvent;
  readonly at: string;
}

/** Goods of a lot that went to an order or a sale, came back, or were made; negative for what was undone. */
interface Flow {
  readonly what: 'USED' | 'MADE' | 'SOLD' | 'RETURNED';
  readonly lotId: string;
  readonly variantId: string;
  /** The id of the order or sale. */
  readonly id: string;
  readonly line: number;
  readonly quantity: Decimal;
  readonly settledLater: boolean;
  readonly customerId: string | null;
  readonly soldAt: string;
}

interface OracleLot {
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly variantId: string;
  readonly expiresAt: string | null;
}

type Direction = 'backward' | 'forward';

const sum = (values: readonly Decimal[]): Decimal => Decimal.sum(values);

export class TracingOracle {
  readonly lots = new Map<string, OracleLot>();
  private readonly flows: Flow[] = [];
  private readonly cancelled = new Set<string>();
  private readonly blocked = new Set<string>();
  /** Everything that ever entered or left a lot, by its fate. */
  private readonly fates: { readonly lotId: string; readonly fate: string; readonly quantity: Decimal }[] = [];
  private readonly moves: { readonly lotId: string; readonly locationId: string; readonly quantity: Decimal }[] = [];
  private readonly uses: { readonly variantId: string; readonly day: string; readonly quantity: Decimal }[] = [];
  private readonly seen: { readonly variantId: string; readonly at: string }[] = [];
  /** The day of the store on which each sale happened and each order was completed. */
  private readonly days = new Map<string, string>();
  private readonly clock: Intl.DateTimeFormat;

  constructor(
    private readonly facts: readonly Fact[],
    readonly timeZone = 'UTC',
  ) {
    this.clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    for (const fact of facts) this.read(fact);
  }

  /** As a calendar in the store shows it. */
  dayAt = (moment: string | number): string => this.clock.format(new Date(moment));

  private read({ event, at }: Fact): void {
    switch (event.type) {
      case 'StockOpened':
      case 'StockReceived':
        for (const entry of event.data.entries) this.enter(entry, 'entered', at);
        break;
      case 'StockAdjusted':
        for (const issue of event.data.issues) this.leave(issue, 'lost', at);
        for (const entry of event.data.entries) this.enter(entry, 'entered', at);
        break;
      case 'StockTransferred':
        for (const issue of event.data.issues) this.leave(issue, 'moved', undefined);
        for (const entry of event.data.arrivals) this.enter(entry, 'moved', undefined);
        break;
      case 'LotBlocked':
        this.blocked.add(event.data.lotId);
        break;
      case 'LotReleased':
        this.blocked.delete(event.data.lotId);
        break;
      case 'LotsBlocked':
        for (const { lotId } of event.data.lots) this.blocked.add(lotId);
        break;
      case 'LotsReleased':
        for (const { lotId } of event.data.lots) this.blocked.delete(lotId);
        break;
      case 'SaleCompleted': {
        const { saleId, customerId, occurredAt: soldAt } = event.data;
        this.days.set(saleId, this.dayAt(soldAt));
        event.data.lines.forEach(({ issues }, line) => {
          for (const issue of issues) {
            this.leave(issue, 'sold', soldAt);
            this.use(issue.variantId, saleId, issue.quantity);
            for (const { lotId, quantity } of issue.takes) {
              this.flow('SOLD', lotId, saleId, quantity, { line, customerId, soldAt, variantId: issue.variantId });
            }
          }
        });
        break;
      }
      case 'SaleReturned':
      case 'SaleCancelled': {
        const { saleId, lines } = event.data;
        if (event.type === 'SaleCancelled') this.cancelled.add(saleId);
        for (const { line, entries, forgiven } of lines) {
          for (const { variantId, quantity } of [...entries, ...forgiven]) {
            this.use(variantId, saleId, quantity.negated());
          }
          for (const entry of entries) {
            this.flow('RETURNED', entry.lotId, saleId, entry.quantity, { line, variantId: entry.variantId });
            this.enter(entry, 'unsold', undefined);
          }
        }
        break;
      }
      case 'OrderCompleted': {
        const { orderId, consumptions, output, byproducts } = event.data;
        this.days.set(orderId, this.dayAt(at));
        for (const issue of consumptions) {
          this.leave(issue, 'consumed', at);
          this.use(issue.variantId, orderId, issue.quantity);
          for (const { lotId, quantity } of issue.takes) {
            this.flow('USED', lotId, orderId, quantity, { variantId: issue.variantId });
          }
        }
        for (const entry of [output, ...byproducts]) {
          if (!entry) continue;
          this.flow('MADE', entry.lotId, orderId, entry.quantity, { variantId: entry.variantId });
          this.enter(entry, 'entered', at);
        }
        break;
      }
      case 'OrderReversed': {
        const { orderId, output, byproducts, inputs } = event.data;
        for (const { issues } of [output, ...byproducts]) {
          for (const issue of issues) {
            this.leave(issue, 'reversed', undefined);
            for (const { lotId, quantity } of issue.takes) {
              this.flow('MADE', lotId, orderId, quantity.negated(), { variantId: issue.variantId });
            }
          }
        }
        for (const { takes } of output.issues) for (const { lotId } of takes) this.blocked.add(lotId);
        for (const { entries, forgiven } of inputs) {
          for (const { variantId, quantity } of [...entries, ...forgiven]) {
            this.use(variantId, orderId, quantity.negated());
          }
          for (const entry of entries) {
            this.flow('USED', entry.lotId, orderId, entry.quantity.negated(), { variantId: entry.variantId });
            this.enter(entry, 'unconsumed', undefined);
          }
        }
        break;
      }
      default:
        break;
    }
  }

  private flow(what: Flow['what'], lotId: string, id: string, quantity: Decimal, more: Partial<Flow>): void {
    const usual = { variantId: '', line: 0, settledLater: false, customerId: null, soldAt: '' };
    this.flows.push({ ...usual, ...more, what, lotId, id, quantity });
  }

  private enter(entry: Entry, fate: string, at: string | undefined): void {
    const { lotId, lotCode, variantId, locationId, expiresAt, quantity } = entry;
    if (!this.lots.has(lotId)) this.lots.set(lotId, { lotId, lotCode, variantId, expiresAt });
    if (at !== undefined) this.seen.push({ variantId, at });
    this.fates.push({ lotId, fate, quantity });
    this.moves.push({ lotId, locationId, quantity });
    for (const { originKind, originId, line, customerId, occurredAt, quantity: owed } of entry.settlements) {
      this.moves.push({ lotId, locationId, quantity: owed.negated() });
      const forSale = originKind === 'SALE';
      this.fates.push({ lotId, fate: forSale ? 'sold' : 'consumed', quantity: owed });
      const more = { variantId, line, customerId, soldAt: occurredAt, settledLater: true };
      this.flow(forSale ? 'SOLD' : 'USED', lotId, originId, owed, more);
    }
  }

  private leave({ variantId, locationId, takes }: Issue, fate: string, at: string | undefined): void {
    if (at !== undefined) this.seen.push({ variantId, at });
    for (const { lotId, quantity } of takes) {
      this.fates.push({ lotId, fate, quantity });
      this.moves.push({ lotId, locationId, quantity: quantity.negated() });
    }
  }

  /** What comes back counts on the day on which it left. */
  private use(variantId: string, originId: string, quantity: Decimal): void {
    this.uses.push({ variantId, day: this.days.get(originId) ?? '', quantity });
  }

  matching(lotCode: string, variantId?: string): string[] {
    const found = [...this.lots.values()].filter((lot) => lot.lotCode === lotCode);
    return found.filter((lot) => variantId === undefined || lot.variantId === variantId).map(({ lotId }) => lotId);
  }

  /** Lots and orders with the number of orders on the shortest way to them, and the quantities between them. */
  trace(start: readonly string[], direction: Direction, depth = Infinity) {
    const lots = new Map<string, number>(start.map((lotId) => [lotId, 0]));
    const orders = new Map<string, number>();
    const [toOrder, toLot] = direction === 'forward' ? (['USED', 'MADE'] as const) : (['MADE', 'USED'] as const);
    for (let level = 1; level <= depth; level++) {
      const before = lots.size + orders.size;
      for (const { what, lotId, id } of this.flows) {
        if (what === toOrder && lots.get(lotId) === level - 1 && !orders.has(id)) orders.set(id, level);
      }
      for (const { what, lotId, id } of this.flows) {
        if (what === toLot && orders.get(id) === level && !lots.has(lotId)) lots.set(lotId, level);
      }
      if (lots.size + orders.size === before) break;
    }
    const edges = new Map<string, { quantity: Decimal; settledLater: boolean }>();
    for (const { what, lotId, id, quantity, settledLater } of this.flows) {
      if (what !== 'USED' && what !== 'MADE') continue;
      const walked = what === toOrder ? (lots.get(lotId) ?? Infinity) < depth : true;
      if (!lots.has(lotId) || !orders.has(id) || !walked) continue;
      const key = what === 'USED' ? `${lotId} > ${id}` : `${id} > ${lotId}`;
      const known = edges.get(key) ?? { quantity: Decimal.zero, settledLater: false };
      edges.set(key, {
        quantity: known.quantity.plus(quantity),
        settledLater: known.settledLater || settledLater,
      });
    }
    return { lots, orders, edges };
  }

  /** Every line of a living sale that a lot of these went to, by sale, line and lot. */
  sold(lotIds: ReadonlySet<string>) {
    const lines = new Map<string, { flow: Flow; quantity: Decimal; returned: Decimal }>();
    for (const flow of this.flows) {
      const isSold = flow.what === 'SOLD';
      if ((!isSold && flow.what !== 'RETURNED') || !lotIds.has(flow.lotId) || this.cancelled.has(flow.id)) continue;
      const key = `${flow.id}/${String(flow.line)}/${flow.lotId}`;
      const known = lines.get(key) ?? { flow, quantity: Decimal.zero, returned: Decimal.zero };
      lines.set(key, {
        flow: known.flow,
        quantity: isSold ? known.quantity.plus(flow.quantity) : known.quantity,
        returned: isSold ? known.returned : known.returned.plus(flow.quantity),
      });
    }
    return lines;
  }

  /** What lies where of these lots. */
  remaining(lotIds: ReadonlySet<string>): Map<string, Decimal> {
    const left = new Map<string, Decimal>();
    for (const { lotId, locationId, quantity } of this.moves) {
      if (!lotIds.has(lotId)) continue;
      const key = `${lotId}/${locationId}`;
      left.set(key, (left.get(key) ?? Decimal.zero).plus(quantity));
    }
    return new Map([...left].filter(([, quantity]) => !quantity.isZero));
  }

  balance(lotIds: ReadonlySet<string>) {
    const of = (...names: readonly string[]) =>
      sum(this.fates.filter(({ lotId, fate }) => lotIds.has(lotId) && names.includes(fate)).map((one) => one.quantity));
    return {
      produced: of('entered').toNumber(),
      soldNet: of('sold').minus(of('unsold')).toNumber(),
      inStock: sum([...this.remaining(lotIds).values()]).toNumber(),
      consumed: of('consumed').minus(of('unconsumed')).toNumber(),
      lost: of('lost').toNumber(),
      reversed: of('reversed').toNumber(),
      accountedPercent: 100,
    };
  }

  /** The last day on which a lot may be used. */
  expiryDay(lotId: string): string | null {
    const expiresAt = this.lots.get(lotId)?.expiresAt ?? null;
    return expiresAt === null ? null : this.dayAt(Date.parse(expiresAt) - 1);
  }

  isBlocked = (lotId: string): boolean => this.blocked.has(lotId);

  /** In lots that are neither blocked nor expired. */
  free(variantId: string, at: string): Decimal {
    const usable = [...this.lots.values()].filter(
      (lot) =>
        lot.variantId === variantId &&
        !this.isBlocked(lot.lotId) &&
        (lot.expiresAt === null || Date.parse(lot.expiresAt) > Date.parse(at)),
    );
    return sum([...this.remaining(new Set(usable.map(({ lotId }) => lotId))).values()]);
  }

  /** Expected of orders that are neither completed nor cancelled. */
  planned(variantId: string): Decimal {
    const open = new Map<string, Decimal>();
    for (const { event } of this.facts) {
      if (event.type === 'OrderPlanned' && event.data.recipe.finishedVariantId === variantId) {
        open.set(event.data.orderId, event.data.expectedQty);
      }
      if (event.type === 'OrderCompleted' || event.type === 'OrderCancelled') open.delete(event.data.orderId);
    }
    return sum([...open.values()]);
  }

  /** Sold and used since a day, and when the variant moved first. */
  usage(variantId: string, firstDay: string) {
    const used = this.uses.filter((use) => use.variantId === variantId && use.day >= firstDay);
    const moments = this.seen.filter((one) => one.variantId === variantId).map(({ at }) => at);
    return { used: sum(used.map(({ quantity }) => quantity)), firstAt: moments.sort()[0] };
  }
}
