import type { Entry, InventoryEvent, InventoryFact, Issue } from '../../../src/features/inventory/events.js';
import { comparableCode, entriesOf } from '../../../src/features/inventory/events.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { Amount, Sums, forgivenOf, issuesOf, takerOf } from './movements.js';

/** What the facts say of goods and their worth, added up by plain loops, and what of it does not add up. */

interface Fact {
  readonly event: InventoryEvent;
  readonly at: string;
}

interface Debt {
  readonly key: string;
  readonly origin: string;
  left: Decimal;
  /** What is left of it, at what it was owed at. */
  worth: Decimal;
}

export class Books {
  readonly faults: string[] = [];
  /** By variant and location. */
  readonly balances = new Sums();
  /** By lot and location. */
  readonly lots = new Sums();
  readonly blocked = new Set<string>();
  /** What sales and orders still have, by their id and the lot. */
  private readonly outstanding = new Sums();
  private readonly debts = new Map<string, Debt>();
  private readonly codes = new Set<string>();
  private readonly out = new Set<string>();
  private readonly orders = new Map<string, 'open' | 'completed' | 'cancelled' | 'reversed'>();
  private readonly reversed = new Sums();
  private readonly completions = new Map<string, InventoryFact<'OrderCompleted'>>();
  private readonly sales = new Set<string>();
  private lastSale = 0;
  private lastOrder = 0;

  constructor(facts: readonly Fact[]) {
    for (const fact of facts) this.read(fact);
    for (const [key, { quantity, value }] of this.lots) {
      this.expect(
        !quantity.isNegative && !value.isNegative,
        `lot ${key} holds ${quantity.toString()} of ${value.toString()}`,
      );
      this.expect(!quantity.isZero || value.isZero, `lot ${key} is empty and worth ${value.toString()}`);
    }
    for (const [key, { quantity }] of this.balances) {
      const owed = Decimal.sum([...this.debts.values()].filter((debt) => debt.key === key).map(({ left }) => left));
      const held = Decimal.sum(this.lotsAt(key));
      this.expect(
        held.minus(owed).equals(quantity),
        `${key} has ${quantity.toString()}, lots ${held.toString()} less ${owed.toString()}`,
      );
    }
  }

  private lotsAt(key: string): Decimal[] {
    return [...this.lots].filter(([lot]) => this.homes.get(lot) === key).map(([, { quantity }]) => quantity);
  }

  /** The variant and location of each lot there. */
  readonly homes = new Map<string, string>();

  private expect(is: boolean, otherwise: string): void {
    if (!is) this.faults.push(otherwise);
  }

  private read({ event, at }: Fact): void {
    this.expectInOrder(event);
    const own = takerOf(event);
    const isBack = event.type === 'SaleReturned' || event.type === 'SaleCancelled' || event.type === 'OrderReversed';
    for (const issue of issuesOf(event)) this.leave(event, issue, own, at);
    for (const { variantId, locationId, debtId, quantity, value, balance } of forgivenOf(event)) {
      this.balances.add(`${variantId}/${locationId}`, quantity);
      this.lessOwed(debtId, quantity, value);
      this.expectBalance(variantId, locationId, balance, event);
    }
    for (const entry of entriesOf(event)) this.enter(event, entry, isBack ? own : undefined, at);
    this.mark(event);
    if (event.type === 'OrderCompleted') this.expectCosts(event.data);
    if (event.type === 'OrderReversed') this.unmade(event.data);
    if (event.type === 'SaleCancelled') this.expectAllBack(event.data.saleId);
  }

  private leave(
    event: InventoryEvent,
    { variantId, locationId, quantity, takes, debt, balance }: Issue,
    own: string | undefined,
    at: string,
  ): void {
    this.balances.add(`${variantId}/${locationId}`, quantity.negated());
    this.expectBalance(variantId, locationId, balance, event);
    this.expect(!this.out.has(variantId), `${event.type} moves what is no goods`);
    const taken = Decimal.sum(takes.map((one) => one.quantity)).plus(debt?.quantity ?? Decimal.zero);
    this.expect(taken.equals(quantity), `${event.type} takes ${taken.toString()} for ${quantity.toString()}`);
    const isUse = event.type === 'SaleCompleted' || event.type === 'OrderCompleted';
    for (const one of takes) {
      this.lots.add(`${one.lotId}/${locationId}`, one.quantity.negated(), one.value.negated());
      if (isUse) this.expect(!this.blocked.has(one.lotId), `${event.type} takes of a blocked lot`);
      if (isUse) this.expect(one.expiresAt === null || one.expiresAt > at, `${event.type} takes of an expired lot`);
      if (own !== undefined && isUse) this.outstanding.add(`${own} ${one.lotId}`, one.quantity, one.value);
    }
    if (!debt) return;
    this.debts.set(debt.debtId, {
      key: `${variantId}/${locationId}`,
      origin: own ?? '',
      left: debt.quantity,
      worth: debt.value,
    });
  }

  private enter(event: InventoryEvent, entry: Entry, back: string | undefined, at: string): void {
    const { lotId, lotCode, variantId, locationId, quantity, value, settlements, balance, expiresAt } = entry;
    this.homes.set(`${lotId}/${locationId}`, `${variantId}/${locationId}`);
    this.balances.add(`${variantId}/${locationId}`, quantity);
    this.expectBalance(variantId, locationId, balance, event);
    this.expect(!this.out.has(variantId), `${event.type} moves what is no goods`);
    this.lots.add(`${lotId}/${locationId}`, quantity, value);
    if (back !== undefined) this.outstanding.add(`${back} ${lotId}`, quantity.negated(), value.negated());
    const isNewOutput = event.type === 'OrderCompleted' && event.data.output === entry;
    const code = lotCode === null ? undefined : `${variantId} ${comparableCode(lotCode)}`;
    if (isNewOutput && code !== undefined) this.expect(!this.codes.has(code), `the code ${code} is made twice`);
    if (code !== undefined) this.codes.add(code);
    for (const settled of settlements) {
      this.expect(!this.blocked.has(lotId), `${event.type} settles with a blocked lot`);
      this.expect(expiresAt === null || expiresAt > at, `${event.type} settles with an expired lot`);
      this.lots.add(`${lotId}/${locationId}`, settled.quantity.negated(), settled.value.negated());
      const origin = this.lessOwed(settled.debtId, settled.quantity, settled.provisional);
      this.outstanding.add(`${origin} ${lotId}`, settled.quantity, settled.value);
    }
  }

  /** Gives whose debt it is. */
  private lessOwed(debtId: string, quantity: Decimal, value: Decimal): string {
    const debt = this.debts.get(debtId);
    this.expect(debt !== undefined && !debt.left.lessThan(quantity), `more is given than owed: ${debtId}`);
    if (!debt) return '';
    debt.left = debt.left.minus(quantity);
    debt.worth = debt.worth.minus(value);
    return debt.origin;
  }

  private expectBalance(variantId: string, locationId: string, told: Decimal, { type }: InventoryEvent): void {
    const { quantity } = this.balances.get(`${variantId}/${locationId}`) ?? new Amount();
    this.expect(told.equals(quantity), `${type} says that ${told.toString()} are left, not ${quantity.toString()}`);
  }

  private mark(event: InventoryEvent): void {
    switch (event.type) {
      case 'LotBlocked':
        this.blocked.add(event.data.lotId);
        break;
      case 'LotsBlocked':
        for (const { lotId } of event.data.lots) this.blocked.add(lotId);
        break;
      case 'LotReleased':
        this.blocked.delete(event.data.lotId);
        break;
      case 'LotsReleased':
        for (const { lotId } of event.data.lots) this.blocked.delete(lotId);
        break;
      case 'VariantsRetired':
      case 'StockKeepingEnded':
        for (const id of event.data.variantIds) this.out.add(id);
        break;
      case 'VariantsRestored':
      case 'StockKeepingResumed':
        for (const id of event.data.variantIds) this.out.delete(id);
        break;
      default:
        break;
    }
  }

  // ---- orders and sales

  private expectInOrder(event: InventoryEvent): void {
    const { type, data } = event;
    if (type === 'SaleCompleted') {
      this.expect(data.number === this.lastSale + 1, `sale ${String(data.number)} follows ${String(this.lastSale)}`);
      this.lastSale = data.number;
    }
    if (type === 'SaleCancelled' || type === 'SaleReturned')
      this.expect(!this.sales.has(data.saleId), `${type} of a sale that was cancelled`);
    if (type === 'SaleCancelled') this.sales.add(data.saleId);
    if (type === 'OrderPlanned' || (type === 'OrderCompleted' && data.plan)) {
      this.expect(data.number === this.lastOrder + 1, `order ${String(data.number)} follows ${String(this.lastOrder)}`);
      this.lastOrder = data.number;
    }
    if (!('orderId' in data)) return;
    const before = this.orders.get(data.orderId);
    if (type === 'OrderPlanned') this.expect(before === undefined, 'an order is planned twice');
    else if (type === 'OrderReversed')
      this.expect(before === 'completed', `an order is reversed that is ${before ?? 'none'}`);
    else if (type === 'OrderCompleted')
      this.expect(before === (data.plan ? undefined : 'open'), `an order is completed that is ${before ?? 'none'}`);
    else this.expect(before === 'open', `${type} of an order that is ${before ?? 'none'}`);
    const after = { OrderCancelled: 'cancelled', OrderCompleted: 'completed' } as const;
    if (type === 'OrderReversed') this.orders.set(data.orderId, data.whole ? 'reversed' : 'completed');
    else this.orders.set(data.orderId, type in after ? after[type as keyof typeof after] : 'open');
  }

  private expectCosts(order: InventoryFact<'OrderCompleted'>): void {
    const { consumptions, output, byproducts, materialCost, laborCost, totalCost, productCost, roundingDifference } =
      order;
    this.completions.set(order.orderId, order);
    const inputs = Decimal.sum(
      consumptions.flatMap(({ takes, debt }) => [...takes.map(({ value }) => value), debt?.value ?? Decimal.zero]),
    );
    const cents = Decimal.sum(
      consumptions.flatMap(({ takes, debt }) => [...takes.map(({ cost }) => cost), debt?.cost ?? Decimal.zero]),
    );
    const made = Decimal.sum(byproducts.map(({ value }) => value)).plus(productCost);
    const name = `order ${String(order.number)}`;
    this.expect(
      inputs.plus(laborCost).equals(made.plus(roundingDifference)),
      `${name} costs ${inputs.toString()} and makes ${made.toString()}`,
    );
    this.expect(cents.equals(materialCost), `${name}: its parts are ${cents.toString()} of ${materialCost.toString()}`);
    this.expect(materialCost.plus(laborCost).equals(totalCost), `${name} costs ${totalCost.toString()} in all`);
    this.expect(materialCost.equals(inputs.round(2)), `${name}: ${inputs.toString()} are ${materialCost.toString()}`);
    if (output) this.expect(output.value.equals(productCost), `${name} enters at ${output.value.toString()}`);
  }

  private unmade({ orderId, output, whole, reversedQty, obtainedQty }: InventoryFact<'OrderReversed'>): void {
    const left = Decimal.sum(output.issues.map(({ quantity }) => quantity));
    this.expect(left.equals(reversedQty), `${left.toString()} leave and ${reversedQty.toString()} are reversed`);
    const { quantity } = this.reversed.add(orderId, reversedQty);
    this.expect(
      quantity.equals(obtainedQty) === whole,
      `${quantity.toString()} of ${obtainedQty.toString()} is ${whole ? '' : 'not '}whole`,
    );
    for (const { takes } of output.issues) for (const { lotId } of takes) this.blocked.add(lotId);
    if (whole) this.expectAllBack(orderId);
  }

  /** As if it had not been: every lot has again what it had, at what it was worth. */
  private expectAllBack(id: string): void {
    for (const [key, sum] of this.outstanding) {
      if (key.startsWith(`${id} `))
        this.expect(sum.isNothing, `${key} keeps ${sum.quantity.toString()} at ${sum.value.toString()}`);
    }
    for (const { origin, left } of this.debts.values())
      this.expect(origin !== id || left.isZero, `${id} still owes ${left.toString()}`);
  }

  isCancelled(saleId: string): boolean {
    return this.sales.has(saleId);
  }

  /** What a sale or an order still has, at what it left at. */
  costOf(id: string): Decimal {
    const taken = [...this.outstanding].filter(([key]) => key.startsWith(`${id} `)).map(([, { value }]) => value);
    const owed = [...this.debts.values()].filter(({ origin }) => origin === id).map(({ worth }) => worth);
    return Decimal.sum([...taken, ...owed]);
  }

  /** Nothing came back that had not left. */
  get overdrawn(): readonly string[] {
    return [...this.outstanding]
      .filter(([, { quantity, value }]) => quantity.isNegative || value.isNegative)
      .map(([key]) => `more came back than left: ${key}`);
  }
}
