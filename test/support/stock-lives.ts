import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { Rejection } from '../../src/kernel/events/rejection.js';
import { InventoryHistory } from './inventory-history.js';
import type { NewLot } from './stock-model.js';
import { Refused, StockModel, units } from './stock-model.js';

/** Random lives of a stock: the same steps for the deciders and for the model. */

const VARIANTS = ['flour', 'sugar'] as const;
/** Most of it in one place, so that things meet. */
const PLACES = ['shop', 'shop', 'shop', 'cellar'] as const;
const EXPIRY_FIRST: ReadonlySet<string> = new Set(['sugar']);
/** What one of it takes. */
const KIT = { flour: 2n, sugar: 1n };

const variant = fc.constantFrom(...VARIANTS);
const place = fc.constantFrom(...PLACES);
const quantity = fc.constantFrom('1', '2', '3', '0.333333', '5', '0.000001', '12.5');
const cost = fc.constantFrom('0', '1', '3.3333333333', '10', '25.01', '0.0000000001');
const code = fc.constantFrom(null, null, 'A', 'B');
const nth = fc.nat({ max: 20 });
const line = fc.record({ what: fc.constantFrom(...VARIANTS, 'kit' as const), quantity, code });

export const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('receive' as const),
      variant,
      place,
      quantity,
      cost,
      code,
      /** Hours from now. */
      expires: fc.constantFrom(null, null, null, 1, 5, -1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      variant,
      place,
      quantity,
      cost: fc.option(cost),
      away: fc.boolean(),
      lot: fc.option(nth),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('transfer' as const), variant, from: place, quantity, code }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('block' as const, 'block' as const, 'release' as const), lot: nth }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      place,
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      mayOwe: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('return' as const), sale: nth, line: nth, quantity }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), sale: nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 3) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Of<K extends Step['do']> = Extract<Step, { readonly do: K }>;

const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T12:00:00.000Z');
const iso = (time: number): string => new Date(time).toISOString();
const d = (text: string): Decimal => Decimal.from(text);

export class StockLife {
  readonly history = new InventoryHistory();
  readonly model = new StockModel(EXPIRY_FIRST);
  readonly times: string[] = [];
  private readonly sales: { readonly id: string; readonly sold: readonly string[] }[] = [];
  private clock = START;
  private count = 0;

  get now(): string {
    return iso(this.clock);
  }

  take(one: Step): void {
    const name = `${one.do} ${String(++this.count)}`;
    switch (one.do) {
      case 'wait':
        this.clock += one.hours * HOUR;
        return;
      case 'receive':
        this.receive(one, name);
        return;
      case 'adjust':
        this.adjust(one, name);
        return;
      case 'transfer':
        this.transfer(one, name);
        return;
      case 'block':
      case 'release':
        this.mark(one);
        return;
      case 'sell':
        this.sell(one, name);
        return;
      case 'return':
        this.bringBack(one, name);
        return;
      case 'cancel':
        this.cancel(one);
    }
  }

  /** Both do it, or both refuse it. */
  private both(command: InventoryCommand, modelled: () => void): void {
    let refused = false;
    try {
      modelled();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused = true;
    }
    const before = this.history.state;
    try {
      for (const _ of this.history.run(command, this.now)) this.times.push(this.now);
      assert.equal(refused, false, 'the model refuses what was decided');
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      assert.equal(refused, true, `the model does what was refused: ${error.message}`);
      assert.equal(this.history.state, before);
    }
  }

  private receive(one: Of<'receive'>, name: string): void {
    const expires = one.expires === null ? null : iso(this.clock + one.expires * HOUR);
    const lot: NewLot = { id: name, variant: one.variant, code: one.code, expires };
    const item = { lotId: name, variantId: one.variant, lotCode: one.code, expiresAt: expires };
    this.both(
      {
        type: 'receive',
        receiptId: name,
        locationId: one.place,
        supplier: null,
        document: null,
        items: [{ ...item, quantity: d(one.quantity), unitCost: d(one.cost) }],
      },
      () => {
        this.model.enter(lot, one.place, units(one.quantity), units(one.cost), this.now);
      },
    );
  }

  private adjust(one: Of<'adjust'>, name: string): void {
    const own = this.model.lots.filter((lot) => lot.variant === one.variant);
    const named = one.lot === null ? undefined : own[one.lot % Math.max(1, own.length)];
    const lot = named ?? { id: name, variant: one.variant, code: null, expires: null };
    const entered = named ? this.model.lots.indexOf(named) + 1 : 0;
    const batch = { lotId: lot.id, lotCode: lot.code, expiresAt: lot.expires, entered };
    const unitCost = one.away || one.cost === null ? null : d(one.cost);
    const signed = one.away ? d(one.quantity).negated() : d(one.quantity);
    const item = { variantId: one.variant, quantity: signed, unitCost, lot: named ? batch : null, newLotId: name };
    this.both(
      {
        type: 'adjust',
        adjustmentId: name,
        reason: 'count',
        locationId: one.place,
        items: [item],
        expiryFirst: EXPIRY_FIRST,
      },
      () => {
        const amount = units(one.quantity);
        if (one.away) this.model.takeAway(one.variant, one.place, amount, this.now, named?.id);
        else this.model.enter(lot, one.place, amount, one.cost === null ? null : units(one.cost), this.now);
      },
    );
  }

  private transfer(one: Of<'transfer'>, name: string): void {
    const to = one.from === 'shop' ? 'cellar' : 'shop';
    const items = [{ variantId: one.variant, quantity: d(one.quantity), lotCode: one.code }];
    const route = { fromLocationId: one.from, toLocationId: to };
    this.both(
      { type: 'transfer', transferId: name, ...route, items, knownCodes: undefined, expiryFirst: EXPIRY_FIRST },
      () => {
        if (one.code !== null && !this.model.knowsCode(one.variant, one.code)) throw new Refused('unknown code');
        this.model.transfer(one.variant, one.from, to, units(one.quantity), one.code, this.now);
      },
    );
  }

  private mark(one: Of<'block' | 'release'>): void {
    const index = one.lot % Math.max(1, this.model.lots.length);
    const lot = this.model.lots[index];
    if (!lot) return;
    const batch = { lotId: lot.id, lotCode: lot.code, expiresAt: lot.expires, entered: index + 1 };
    this.both({ type: one.do, lot: { ...batch, variantId: lot.variant }, reason: 'test' }, () => {
      lot.blocked = one.do === 'block';
    });
  }

  private sell(one: Of<'sell'>, name: string): void {
    const lines = one.lines.map(({ what, ...rest }) => {
      // A kit has no lots of its own to name.
      const lotCode = what === 'kit' ? null : rest.code;
      const each = what === 'kit' ? Object.entries(KIT) : [[what, 1n] as const];
      const goods = each.map(([part, times]) => [part, units(rest.quantity) * times] as const);
      return { what, quantity: rest.quantity, lotCode, each, goods };
    });
    const sold = lines.map(({ what, quantity: amount, lotCode, each }) => ({
      variantId: what,
      productId: what,
      description: what,
      unit: 'UN',
      lotCode,
      quantity: d(amount),
      unitPrice: d('1'),
      discount: d('0'),
      total: d(amount).round(2),
      goods: each.map(([part, times]) => ({ variantId: part, quantity: d(amount).times(d(times.toString())) })),
    }));
    const command = {
      ...({ type: 'completeSale', saleId: name, customerId: null, locationId: one.place } as const),
      occurredAt: this.now,
      occurredOn: this.now.slice(0, 10),
      lines: sold,
      payments: [],
      total: Decimal.sum(sold.map(({ total }) => total)),
      allowNegativeStock: one.mayOwe,
      knownCodes: undefined,
      expiryFirst: EXPIRY_FIRST,
    };
    this.both(command, () => {
      if (lines.some(({ what, lotCode }) => lotCode !== null && !this.model.knowsCode(what, lotCode))) {
        throw new Refused('unknown code');
      }
      const wanted = lines.map(({ what, quantity: amount, lotCode, goods }) => ({
        variant: what,
        quantity: units(amount),
        code: lotCode,
        goods,
      }));
      this.model.sell(name, one.place, wanted, one.mayOwe, this.now);
      this.sales.push({ id: name, sold: lines.map(({ what }) => what) });
    });
  }

  private bringBack(one: Of<'return'>, name: string): void {
    const sale = this.saleAt(one.sale);
    const variantId = sale?.sold[one.line % sale.sold.length];
    if (!sale || variantId === undefined) return;
    const saleId = sale.id;
    const items = [{ variantId, quantity: d(one.quantity) }];
    const past = this.history.pastOf(saleId);
    this.both({ type: 'returnSale', saleId, returnId: name, reason: null, items, past }, () => {
      if (this.model.returnable(saleId, variantId) < units(one.quantity)) throw new Refused('not sold');
      this.model.bringBack(saleId, variantId, units(one.quantity), this.now);
    });
  }

  private cancel(one: Of<'cancel'>): void {
    const saleId = this.saleAt(one.sale)?.id;
    if (saleId === undefined) return;
    this.both({ type: 'cancelSale', saleId, reason: 'test', past: this.history.pastOf(saleId) }, () => {
      if (!this.model.cancel(saleId, this.now)) throw new Refused('nothing left');
    });
  }

  private saleAt(nth: number) {
    return this.sales[nth % Math.max(1, this.sales.length)];
  }
}
