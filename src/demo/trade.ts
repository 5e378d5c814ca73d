import type { SoldLine } from '../features/inventory/sales/domain/sale-decisions.js';
import type { InventoryCommand } from '../features/inventory/decider.js';
import type { Payment } from '../features/inventory/events.js';
import { toIso } from '../kernel/values/clock.js';
import { dayOf, startOfDay } from '../kernel/values/days.js';
import { Decimal } from '../kernel/values/decimal.js';
import { uuidV5 } from '../kernel/values/ids.js';
import { Chance } from './chance.js';
import { DAY, MINUTE, expiryOf } from './days.js';
import type { Happening, Trader } from './happening.js';
import type { Baker } from './production.js';
import { Bakery, MADE_SKUS } from './production.js';
import type { Ware } from './shelves.js';
import { BAKED_WARES, KITS, RESOLD_WARES } from './shelves.js';

/**
 * Sixty days of a bakery: what comes in, what is sold, and what comes back. The same for the same store. It has become known of late: before
 * that it sold less, and baked every other day.
 */

export const DAYS = 60;
/** Since so many days ago it bakes every day, and more people come from day to day. */
const KNOWN_SINCE = 20;
const AT_FIRST = 0.3;
/** So many more or fewer come than on such a day otherwise. */
const SWAY = 6;
const OPENS = 390;
const CLOSES = 1_190;
const BAKES = 290;
const DELIVERED = 60;
const SUNDAY = 0;
const MONDAY = 1;

/** What the lots of one morning share. */
interface DemoBatch {
  readonly day: string;
  readonly letter: string;
  readonly expiresAt: string;
}

type Sale = Extract<InventoryCommand, { readonly type: 'completeSale' }>;

export function* trade(trader: Baker): Generator<Happening> {
  const chance = new Chance(20_261_121);
  const shop = new Shop(trader, chance);
  const today = dayOf(trader.until, trader.timeZone);
  const noon = startOfDay(today, trader.timeZone) + DAY / 2;
  for (let back = DAYS; back >= 0; back--) {
    const day = dayOf(noon - back * DAY, trader.timeZone);
    const happenings = shop.day(day, back);
    // Whoever comes first is served first; what is later than now has not happened.
    for (const one of happenings.sort((a, b) => a.at - b.at)) if (one.at <= trader.until) yield one;
  }
}

const CENT = 2;
/** What others bake for the bakery. */
const BOUGHT_WARES = BAKED_WARES.filter(({ sku }) => !MADE_SKUS.has(sku));
const d = (value: number): Decimal => Decimal.from(value);

class Shop {
  private readonly left = new Map<string, number>();
  private readonly bakery: Bakery;
  private sold = 0;

  constructor(
    private readonly trader: Baker,
    private readonly chance: Chance,
  ) {
    this.bakery = new Bakery(trader, chance, (sku, quantity) => this.left.set(sku, quantity));
  }

  /** `back` counts the days before today. */
  day(day: string, back: number): Happening[] {
    const start = startOfDay(day, this.trader.timeZone);
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    const happenings: Happening[] = [];
    const bakes = back <= KNOWN_SINCE || (DAYS - back) % 2 === 0;
    if (bakes) happenings.push(this.baking(day, start));
    if (back === DAYS || weekday === MONDAY) {
      happenings.push(this.delivery(day, start), this.bakery.delivery(day, start + DELIVERED * MINUTE));
    }
    if (bakes) happenings.push(...this.bakery.morning(day, start, back));
    if (back === 0) happenings.push(...this.bakery.board(day, start));
    const known = Math.max(AT_FIRST, 1 - back / KNOWN_SINCE);
    const busy = Math.round((weekday === SUNDAY || weekday === 6 ? 40 : 28) * known);
    const minutes = Array.from({ length: this.chance.between(busy - SWAY, busy + SWAY) }, () =>
      this.chance.between(OPENS * 60, CLOSES * 60),
    );
    for (const second of minutes.sort((a, b) => a - b)) {
      happenings.push(...this.visit(day, start + second * 1_000));
    }
    return happenings;
  }

  private id(name: string): string {
    return uuidV5(this.trader.storeId, name);
  }

  private baking(day: string, start: number): Happening {
    const batch = { day, letter: 'F', expiresAt: expiryOf(day, 2, this.trader.timeZone) };
    const items = BOUGHT_WARES.map((ware) => this.lotOf(ware, ware.unit === 'KG' ? 14 : 18, batch));
    return { at: start + BAKES * MINUTE, command: this.receipt(`fornada ${day}`, null, items) };
  }

  private delivery(day: string, start: number): Happening {
    const batch = { day, letter: 'R', expiresAt: expiryOf(day, 40, this.trader.timeZone) };
    const items = RESOLD_WARES.map((ware) => this.lotOf(ware, ware.unit === 'KG' ? 12 : 48, batch));
    return {
      at: start + (BAKES + 30) * MINUTE,
      command: this.receipt(`entrega ${day}`, 'Distribuidora Paulista', items),
    };
  }

  private receipt(
    name: string,
    supplier: string | null,
    items: Extract<InventoryCommand, { readonly type: 'receive' }>['items'],
  ): InventoryCommand {
    const { locationId } = this.trader;
    return { type: 'receive', receiptId: this.id(name), locationId, supplier, document: name, items };
  }

  private lotOf({ sku, cost }: Ware, quantity: number, { day, letter, expiresAt }: DemoBatch) {
    this.left.set(sku, quantity);
    return {
      lotId: this.id(`lote ${sku} ${day}`),
      variantId: this.trader.variantIdOf(sku),
      quantity: d(quantity),
      // Prices move a little from one delivery to the next.
      unitCost: d(cost).times(d(this.chance.between(97, 104) / 100)),
      lotCode: `${letter}${day.replaceAll('-', '').slice(2)}-${sku}`,
      expiresAt,
    };
  }

  /** A sale, and now and then what comes of it. */
  private visit(day: string, at: number): Happening[] {
    const lines = this.basket();
    if (lines.length === 0) return [];
    const command = this.sale(day, at, lines);
    const { saleId } = command;
    const happenings: Happening[] = [{ at, command }];
    if (this.chance.happens(0.015)) happenings.push({ at: at + 4 * MINUTE, cancels: saleId });
    else if (this.chance.happens(0.025)) {
      const { variantId, quantity } = this.chance.of(lines);
      const part = quantity.greaterThan(Decimal.one) && quantity.decimals === 0 ? Decimal.one : quantity;
      const returnId = this.id(`devolução ${saleId}`);
      happenings.push({
        at: at + this.chance.between(20, 90) * MINUTE,
        returns: saleId,
        returnId,
        variantId,
        quantity: part,
      });
    }
    return happenings;
  }

  private basket(): SoldLine[] {
    const wares = new Set<Ware>();
    for (let count = this.chance.between(1, 4); count > 0; count--) wares.add(this.ware());
    return [...wares].flatMap((ware) => this.line(ware));
  }

  private ware(): Ware {
    if (this.chance.happens(0.01)) return this.chance.of(KITS);
    // What stands first on its shelf sells best.
    const wares = this.chance.happens(0.7) ? BAKED_WARES : RESOLD_WARES;
    return wares[Math.floor(this.chance.next() ** 1.6 * wares.length)] ?? this.chance.of(wares);
  }

  private line(ware: Ware): SoldLine[] {
    const { sku, description, unit, price, parts } = ware;
    const quantity = unit === 'KG' ? this.chance.between(4, 20) / 20 : parts.length > 0 ? 1 : this.chance.between(1, 4);
    const goods = (parts.length > 0 ? parts : [[sku, 1] as const]).map(([part, each]) => ({
      part,
      needed: each * quantity,
    }));
    if (goods.some(({ part, needed }) => (this.left.get(part) ?? 0) < needed)) return [];
    for (const { part, needed } of goods) this.left.set(part, (this.left.get(part) ?? 0) - needed);
    const gross = d(price).times(d(quantity));
    const discount = this.chance.happens(0.03) ? gross.times(d(0.05)).round(CENT) : Decimal.zero;
    const { variantIdOf, productIdOf } = this.trader;
    return [
      {
        variantId: variantIdOf(sku),
        productId: productIdOf(sku),
        description,
        unit,
        lotCode: null,
        quantity: d(quantity),
        unitPrice: d(price),
        discount,
        total: gross.minus(discount).round(CENT),
        goods: goods.map(({ part, needed }) => ({ variantId: variantIdOf(part), quantity: d(needed).round(6) })),
      },
    ];
  }

  private sale(day: string, at: number, lines: readonly SoldLine[]): Sale {
    const { customerIds, locationId } = this.trader;
    const total = Decimal.sum(lines.map((line) => line.total));
    const customerId = this.chance.happens(0.3) ? this.chance.of(customerIds) : null;
    const when = { occurredAt: toIso(at), occurredOn: day };
    return {
      type: 'completeSale',
      saleId: this.id(`venda ${++this.sold}`),
      customerId,
      locationId,
      ...when,
      lines,
      total,
      payments: this.payments(total),
      allowNegativeStock: false,
      knownCodes: undefined,
    };
  }

  private payments(total: Decimal): Payment[] {
    const means = this.chance.next();
    if (means < 0.35) return [paid(this.trader, 'PIX', total)];
    if (means < 0.53) return [paid(this.trader, 'CASH', total)];
    if (means < 0.73) return [paid(this.trader, 'DEBIT', total)];
    const installments = total.greaterThan(d(120)) ? this.chance.between(1, 3) : 1;
    if (means < 0.97) return [paid(this.trader, 'CREDIT', total, installments)];
    const cash = total.dividedBy(d(2)).floor();
    return cash.isPositive
      ? [paid(this.trader, 'CASH', cash), paid(this.trader, 'PIX', total.minus(cash))]
      : [paid(this.trader, 'PIX', total)];
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
