import fc from 'fast-check';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { inventory } from '../../src/features/inventory/decider.js';
import { orderKey, saleKey, touchesOf } from '../../src/features/inventory/ledger/touched-revisions.js';
import type { KnownHistory } from '../../src/features/inventory/ledger/known-history.js';
import type { Inventory } from '../../src/features/inventory/ledger/state.js';
import type { Batch, InventoryEvent, InventoryFact, Payment } from '../../src/features/inventory/events.js';
import { entriesOf } from '../../src/features/inventory/events.js';
import { dayOf } from '../../src/kernel/values/days.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { Rejection } from '../../src/kernel/events/rejection.js';
import type { RecipeCopy } from '../../src/features/contracts/recipe-book.js';
import { NOBODY } from './given.js';
import type { Fact } from './tracing-oracle.js';

/** Random lives of a bakery: three levels of production, by-products that are used again, and whatever else happens to lots. */

const d = (value: number): Decimal => Decimal.from(value);

const HOUR = 3_600_000;
const BEGIN = Date.UTC(2026, 9, 1, 9);

export const GOODS = ['flour', 'salt', 'premix', 'bread', 'toast', 'crumbs'] as const;
export const CODES = ['A', 'B', 'C'] as const;
const PLACES = ['shop', 'cellar'] as const;

const recipe = (
  finishedVariantId: string,
  needs: Readonly<Record<string, number>>,
  byproducts: RecipeCopy['byproducts'] = [],
): RecipeCopy => ({
  recipeId: `recipe of ${finishedVariantId}`,
  version: 1,
  name: finishedVariantId,
  finishedVariantId,
  yieldQty: d(4),
  expectedLossPercent: d(finishedVariantId === 'toast' ? 10 : 0),
  items: Object.entries(needs).map(([componentVariantId, quantity]) => ({
    componentVariantId,
    quantity: d(quantity),
    lossPercent: d(componentVariantId === 'salt' ? 20 : 0),
    costKind: 'MATERIAL',
  })),
  stages: [],
  byproducts,
});

const CRUMBS = [{ variantId: 'crumbs', quantityPerBatch: d(1.5), costSharePercent: d(5) }];

export const RECIPES = {
  premix: recipe('premix', { flour: 3, salt: 0.4, crumbs: 0.5 }),
  bread: recipe('bread', { premix: 3, salt: 0.3 }, CRUMBS),
  toast: recipe('toast', { bread: 2, flour: 1 }, CRUMBS),
} as const;

const goods = fc.constantFrom(...GOODS, 'premix', 'bread', 'bread', 'toast');
const place = fc.constantFrom(...PLACES, 'shop', 'shop', 'shop');
const made = fc.constantFrom('premix' as const, 'bread' as const, 'toast' as const);
const quantity = fc.integer({ min: 1, max: 3_000 }).map((thousandths) => thousandths / 1_000);
const delivered = fc.integer({ min: 1, max: 9_000 }).map((thousandths) => thousandths / 1_000);
const lotCode = fc.option(fc.constantFrom(...CODES), { nil: null });
const nth = fc.nat(4);
const owing = fc.constantFrom(true, true, false);
const hours = fc.nat(30);
const line = fc.record({ goods, quantity, lotCode: fc.option(lotCode, { nil: null, freq: 3 }), kit: fc.boolean() });
const step = <T extends string, R extends object>(name: T, record: { [K in keyof R]: fc.Arbitrary<R[K]> }) =>
  fc.record({ hours, ...record }).map((rest) => ({ do: name, ...(rest as R & { readonly hours: number }) }));

export const anyStep = fc.oneof(
  { weight: 4, arbitrary: step('receive', { goods, quantity: delivered, lotCode, place, soon: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: step('sell', {
      lines: fc.array(line, { minLength: 1, maxLength: 2 }),
      place,
      owing,
      customerId: fc.option(fc.constantFrom('ana', 'bia'), { nil: null }),
      late: fc.nat(72),
    }),
  },
  { weight: 2, arbitrary: step('return', { nth, quantity }) },
  step('cancelSale', { nth }),
  { weight: 2, arbitrary: step('transfer', { goods, quantity, place, lotCode: fc.option(lotCode, { nil: null }) }) },
  step('adjust', { goods, quantity, nth, named: fc.boolean(), away: fc.boolean(), place }),
  step('block', { nth: fc.nat(2) }),
  step('release', { nth: fc.nat(2) }),
  step('plan', { made }),
  step('complete', { nth, owing, code: fc.option(fc.constantFrom('A', 'X', 'Y'), { nil: null }) }),
  step('cancelOrder', { nth }),
  {
    weight: 7,
    arbitrary: step('register', {
      made,
      owing,
      place,
      code: fc.option(fc.constantFrom('A', 'X', 'Y'), { nil: null }),
      obtained: fc.option(quantity, { nil: null }),
    }),
  },
  { weight: 3, arbitrary: step('reverse', { nth, partial: fc.constantFrom(true, true, false) }) },
);
export type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;
type StepOf<T extends Step['do']> = Extract<Step, { readonly do: T }>;

const paidByCard = (amount: Decimal): Payment => ({
  method: 'CREDIT',
  amount,
  cardBrandId: null,
  installments: 1,
  feePercent: d(3.19),
  feePending: false,
  fee: amount.times(d(0.0319)).round(2),
  feeTerms: { accountId: null, accountName: 'Máquina', source: 'GENERAL', fixedFee: d(0) },
  tendered: null,
  authorizationCode: null,
  endToEndId: null,
  description: null,
});

const newestFirst = <T>(list: readonly T[], index: number): T | undefined => list[list.length - 1 - index];

export class TracedLife {
  readonly facts: Fact[] = [];
  state: Inventory = inventory.decider.initial;
  private moment: number;
  private count = 0;

  constructor(
    private readonly timeZone = 'UTC',
    begin = BEGIN,
  ) {
    this.moment = begin;
  }

  get at(): string {
    return new Date(this.moment).toISOString();
  }

  /** Whether the step was possible. */
  take(one: Step): boolean {
    this.moment += one.hours * HOUR;
    this.count += 1;
    const command = this.commandOf(one);
    if (!command) return false;
    try {
      for (const event of inventory.decider.decide(this.state, command, this.at)) {
        this.state = inventory.decider.evolve(this.state, event, {
          revision: this.facts.length,
          at: this.at,
          actor: NOBODY,
        });
        this.facts.push({ event, at: this.at });
      }
      return true;
    } catch (error) {
      if (error instanceof Rejection) return false;
      throw error;
    }
  }

  private id = (name: string): string => `${name} ${String(this.count)}`;

  private commandOf(one: Step): InventoryCommand | undefined {
    switch (one.do) {
      case 'receive':
        return this.receive(one);
      case 'sell':
        return this.sell(one);
      case 'return':
      case 'cancelSale':
        return this.undoSale(one);
      case 'transfer':
        return this.transfer(one);
      case 'adjust':
        return this.adjust(one);
      case 'block':
      case 'release': {
        const lot = newestFirst(this.lots(), one.nth);
        return lot && { type: one.do, lot, reason: 'test' };
      }
      case 'plan':
        return { type: 'planOrder', orderId: this.id('order'), plan: this.planOf(one.made, 'shop') };
      case 'register':
        return {
          type: 'registerOrder',
          orderId: this.id('order'),
          plan: this.planOf(one.made, one.place),
          making: this.making(one, one.obtained),
        };
      case 'complete':
      case 'cancelOrder':
      case 'reverse':
        return this.nextOfOrder(one);
    }
  }

  private receive({ goods: variantId, quantity: received, lotCode: code, place: locationId, soon }: StepOf<'receive'>) {
    const lot = { lotId: this.id('lot'), variantId, quantity: d(received), unitCost: d(3.3), lotCode: code };
    const expiresAt = soon ? new Date(this.moment + 24 * HOUR).toISOString() : null;
    const items = [{ ...lot, expiresAt }];
    const receiptId = this.id('receipt');
    return { type: 'receive' as const, receiptId, locationId, supplier: null, document: null, items };
  }

  private sell({ lines, place: locationId, owing: allowNegativeStock, customerId, late }: StepOf<'sell'>) {
    const occurredAt = new Date(this.moment - late * HOUR).toISOString();
    const sold = lines.map(({ goods: variantId, quantity: each, lotCode: code, kit }) => ({
      variantId,
      productId: variantId,
      description: variantId,
      unit: 'KG',
      quantity: d(each),
      unitPrice: d(1),
      discount: d(0),
      total: d(each).round(2),
      lotCode: kit ? null : code,
      goods: kit
        ? [
            { variantId: 'bread', quantity: d(each) },
            { variantId: 'toast', quantity: d(each).times(d(2)) },
          ]
        : [{ variantId, quantity: d(each) }],
    }));
    const total = Decimal.sum(sold.map((one) => one.total));
    return {
      type: 'completeSale' as const,
      saleId: this.id('sale'),
      customerId,
      locationId,
      occurredAt,
      occurredOn: dayOf(Date.parse(occurredAt), this.timeZone),
      lines: sold,
      payments: [paidByCard(total)],
      total,
      allowNegativeStock,
      knownCodes: undefined,
    };
  }

  private undoSale(one: StepOf<'return'> | StepOf<'cancelSale'>): InventoryCommand | undefined {
    const sale = newestFirst(this.factsOf('SaleCompleted'), one.nth);
    if (!sale) return undefined;
    const { saleId, lines } = sale;
    const past = this.pastOf(saleKey(saleId));
    if (one.do === 'cancelSale') return { type: 'cancelSale', saleId, reason: 'test', past };
    const items = lines.slice(0, 1).map(({ variantId, quantity: sold }) => ({
      variantId,
      quantity: sold.min(d(one.quantity)),
    }));
    return { type: 'returnSale', saleId, returnId: this.id('return'), reason: null, items, past };
  }

  private transfer({ goods: variantId, quantity: moved, place: fromLocationId, lotCode: code }: StepOf<'transfer'>) {
    const toLocationId = fromLocationId === 'shop' ? 'cellar' : 'shop';
    const items = [{ variantId, quantity: d(moved), lotCode: code }];
    const transferId = this.id('transfer');
    return { type: 'transfer' as const, transferId, fromLocationId, toLocationId, items, knownCodes: undefined };
  }

  private adjust({ goods: variantId, quantity: by, nth: index, named, away, place: locationId }: StepOf<'adjust'>) {
    const own = this.lots().filter((lot) => lot.variantId === variantId);
    const lot = named ? (newestFirst(own, index) ?? null) : null;
    const newLotId = this.id('adjusted');
    const items = [{ variantId, quantity: d(away ? -by : by), unitCost: null, lot, newLotId }];
    return { type: 'adjust' as const, adjustmentId: this.id('adjustment'), reason: 'test', locationId, items };
  }

  private nextOfOrder(one: StepOf<'complete' | 'cancelOrder' | 'reverse'>): InventoryCommand | undefined {
    const born = one.do === 'reverse' ? 'OrderCompleted' : 'OrderPlanned';
    const orderIds = this.factsOf(born).map(({ orderId }) => orderId);
    const orderId = newestFirst(orderIds, one.nth);
    if (orderId === undefined) return undefined;
    const named = { orderId, past: this.pastOf(orderKey(orderId)) };
    switch (one.do) {
      case 'complete':
        return { type: 'completeOrder', ...named, making: this.making(one, null) };
      case 'cancelOrder':
        return { type: 'cancelOrder', ...named };
      case 'reverse':
        return { type: 'reverseOrder', ...named, reason: 'test', partial: one.partial };
    }
  }

  private planOf(of: keyof typeof RECIPES, locationId: string) {
    const { items, stages, byproducts, ...rest } = RECIPES[of];
    const copy = { ...rest, items: [...items], stages: [...stages], byproducts: [...byproducts] };
    const where = { locationId, outputLocationId: 'shop' };
    return { recipe: copy, stageIds: [], batches: d(1), ...where, expectedAt: null, notes: null };
  }

  private making(
    { owing: allowNegativeStock, code }: { readonly owing: boolean; readonly code: string | null },
    obtained: number | null,
  ) {
    return {
      actualOutputQty: obtained === null ? null : d(obtained),
      outputLotCode: code,
      outputExpiresAt: null,
      allowNegativeStock,
      lotIds: [this.id('output'), this.id('by-product')],
      completedOn: dayOf(this.moment, this.timeZone),
      knownCodes: undefined,
    };
  }

  private factsOf<T extends InventoryEvent['type']>(type: T): readonly InventoryFact<T>[] {
    return this.facts.flatMap(({ event }) => (event.type === type ? [event.data as InventoryFact<T>] : []));
  }

  /** Every lot that ever was, in the order of entry. */
  private lots(): readonly (Batch & { readonly variantId: string })[] {
    const all = this.facts.flatMap(({ event }) => entriesOf(event));
    return [...new Map(all.map((entry) => [entry.lotId, entry])).values()].map(
      ({ lotId, lotCode: code, entered, expiresAt, variantId }) => ({
        lotId,
        lotCode: code,
        entered,
        expiresAt,
        variantId,
      }),
    );
  }

  private pastOf(key: string): KnownHistory<InventoryEvent> {
    const events = touchesOf(this.state.history, key).flatMap((revision) => {
      const fact = this.facts[revision];
      return fact ? [{ revision, event: fact.event }] : [];
    });
    return { asOf: this.facts.length - 1, events };
  }
}
