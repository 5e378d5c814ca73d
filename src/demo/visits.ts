import type { SoldLine } from '../features/inventory/sales/domain/sale-decisions.js';
import type { InventoryCommand } from '../features/inventory/decider.js';
import type { Payment, SoldKit } from '../features/inventory/events.js';
import { toIso } from '../kernel/values/clock.js';
import { Decimal } from '../kernel/values/decimal.js';
import type { Agenda } from './agenda.js';
import { MINUTE } from './days.js';
import type { Business, Happening, Trader } from './happening.js';
import type { Ware } from './shelves.js';
import { BOUGHT_WARES, KITS, MADE_WARES, PRICES, RESOLD_WARES } from './shelves.js';
import type { Taken } from './storeroom.js';

/** Who comes to the counter, and what they take, pay and bring back. */

type Sale = Extract<InventoryCommand, { readonly type: 'completeSale' }>;

const CENT = 2;
const d = (value: number): Decimal => Decimal.from(value);

/** One line of a sale, and the lots that it took from. */
interface Line {
  readonly sold: SoldLine;
  readonly taken: readonly Taken[];
}

export class Counter {
  private sales = 0;

  constructor(private readonly business: Business) {}

  /** A sale, and now and then what comes of it. */
  visit(agenda: Agenda, day: string, at: number): Happening | undefined {
    const { chance, room } = this.business;
    const lines = this.basket(at);
    if (lines.length === 0) return undefined;
    const command = this.sale(day, at, lines);
    const { saleId } = command;
    if (chance.happens(0.015)) {
      agenda.add(at + 4 * MINUTE, (then) => {
        for (const { taken } of lines) room.putBack(taken);
        return { at: then, cancels: saleId };
      });
    } else if (chance.happens(0.025)) {
      const line = chance.of(lines);
      agenda.add(at + chance.between(20, 90) * MINUTE, (then) => this.bringsBack(then, saleId, line));
    }
    return { at, command };
  }

  /** One of what was bought, or all of it where it was weighed. */
  private bringsBack(at: number, saleId: string, { sold, taken }: Line): Happening {
    const { variantId, quantity } = sold;
    const one = quantity.greaterThan(Decimal.one) && quantity.decimals === 0;
    // One goes back to the lot that it left last.
    const last = taken.slice(-1).map((part) => ({ ...part, quantity: Decimal.one }));
    this.business.room.putBack(one ? last : taken);
    const returnId = this.business.idOf(`devolução ${saleId}`);
    return { at, returns: saleId, returnId, variantId, quantity: one ? Decimal.one : quantity };
  }

  private basket(at: number): Line[] {
    const wares = new Set<Ware>();
    for (let count = this.business.chance.between(1, 4); count > 0; count--) wares.add(this.ware());
    return [...wares].flatMap((ware) => this.line(ware, at));
  }

  private ware(): Ware {
    const { chance } = this.business;
    if (chance.happens(0.01)) return chance.of(KITS);
    const shelf = chance.next();
    // Most come for what it makes itself.
    const wares = shelf < 0.5 ? MADE_WARES : shelf < 0.75 ? BOUGHT_WARES : RESOLD_WARES;
    // What stands first on its shelf sells best.
    return wares[Math.floor(chance.next() ** 2 * wares.length)] ?? chance.of(wares);
  }

  private line(ware: Ware, at: number): Line[] {
    const { chance, demand, room, trader } = this.business;
    const { sku, description, unit, price, parts } = ware;
    const quantity = this.quantityOf(ware);
    const goods = (parts.length > 0 ? parts : [[sku, 1] as const]).map(([part, each]) => ({
      sku: part,
      quantity: d(each).times(quantity).round(6),
    }));
    for (const one of goods) demand.ask(one.sku, one.quantity.toNumber());
    const taken = room.take(goods, at);
    if (!taken) return [];
    const gross = d(price).times(quantity);
    const discount = chance.happens(0.03) ? gross.times(d(0.05)).round(CENT) : Decimal.zero;
    const { variantIdOf, productIdOf } = trader;
    const sold = {
      variantId: variantIdOf(sku),
      productId: productIdOf(sku),
      description,
      unit,
      lotCode: null,
      quantity,
      unitPrice: d(price),
      discount,
      total: gross.minus(discount).round(CENT),
      goods: goods.map((one) => ({ variantId: variantIdOf(one.sku), quantity: one.quantity })),
    };
    return [{ sold, taken }];
  }

  /** Rolls by the dozen, one cake. */
  private quantityOf({ unit, price, parts }: Ware): Decimal {
    const { chance } = this.business;
    if (unit === 'KG') return d(chance.between(3, 16) / 20);
    if (parts.length > 0 || price >= 20) return Decimal.one;
    if (price >= 10) return d(chance.between(1, 2));
    return price > 3 ? d(chance.between(1, 4)) : d(chance.between(4, 12));
  }

  private sale(day: string, at: number, lines: readonly Line[]): Sale {
    const { chance, trader } = this.business;
    const { customerIds, locationId } = trader;
    const sold = lines.map((line) => line.sold);
    const named = new Set(sold.map(({ variantId }) => variantId));
    const kits = KITS.filter(({ sku }) => named.has(trader.variantIdOf(sku)));
    const total = Decimal.sum(sold.map((line) => line.total));
    const customerId = chance.happens(0.3) ? chance.of(customerIds) : null;
    const when = { occurredAt: toIso(at), occurredOn: day };
    return {
      type: 'completeSale',
      saleId: this.business.idOf(`venda ${++this.sales}`),
      customerId,
      locationId,
      ...when,
      lines: sold,
      kits: kits.map((kit) => this.kitOf(kit)),
      total,
      payments: this.payments(total),
      allowNegativeStock: false,
      knownCodes: undefined,
    };
  }

  private kitOf({ sku, parts }: Ware): SoldKit {
    const { variantIdOf } = this.business.trader;
    const partOf = ([part, quantity]: Ware['parts'][number]) => ({
      variantId: variantIdOf(part),
      quantity: d(quantity),
      priceCash: d(PRICES.get(part) ?? 0),
    });
    return { variantId: variantIdOf(sku), parts: parts.map(partOf) };
  }

  private payments(total: Decimal): Payment[] {
    const { chance, trader } = this.business;
    const means = chance.next();
    if (means < 0.35) return [paid(trader, 'PIX', total)];
    if (means < 0.53) return [paid(trader, 'CASH', total)];
    if (means < 0.73) return [paid(trader, 'DEBIT', total)];
    const installments = total.greaterThan(d(120)) ? chance.between(1, 3) : 1;
    if (means < 0.97) return [paid(trader, 'CREDIT', total, installments)];
    const cash = total.dividedBy(d(2)).floor();
    return cash.isPositive
      ? [paid(trader, 'CASH', cash), paid(trader, 'PIX', total.minus(cash))]
      : [paid(trader, 'PIX', total)];
  }
}

const NO_FEE = { cardBrandId: null, feePercent: null, fee: Decimal.zero, feePending: false, feeTerms: null };

function paid(
  { priceCard }: Pick<Trader, 'priceCard'>,
  method: Payment['method'],
  amount: Decimal,
  installments: number | null = null,
): Payment {
  const isCard = method === 'DEBIT' || method === 'CREDIT';
  const fee = isCard ? priceCard({ method, amount, installments }) : NO_FEE;
  const rest = { tendered: null, authorizationCode: null, endToEndId: null, description: null };
  return { method, amount, installments, ...fee, ...rest };
}
