import type { Registers } from './registers.js';
import { order, recipe, sale } from './commands.js';
import type { Filling } from './sender.js';
import { Sender } from './sender.js';
import { streamName } from '../../src/kernel/events/decider.js';
import type { Actor } from '../../src/kernel/events/event.js';
import { NOTHING_PREPARED, product } from '../../src/features/products/decider.js';
import { Decimal } from '../../src/kernel/values/decimal.js';

/** Years of a bakery: goods come once a week, bread is baked twice a day, most sales are small, and what is left in the evening is thrown away. */

const SALES_OF_A_DAY = 600;
const WEEK = 7;
const UNITS_OF_A_BATCH = 80;
const INPUT_OF_A_BATCH = 20;
const CUSTOMER_OF = 10;
/** How many of ten sales have at most so many lines. */
const LINES = [1, 1, 1, 1, 1, 2, 2, 2, 3, 5];
const PRICES_OF_A_DAY = 3;

const d = (value: number): Decimal => Decimal.from(value);

const person = (number: number, name: string): Actor => {
  return { kind: 'user', id: `0190a000-0000-7000-8000-00000000000${String(number)}`, name };
};
const OWNER = person(1, 'Marta');
const BAKER = person(2, 'João');
const TILLS = [person(3, 'Ana'), person(4, 'Bia'), person(5, 'Caio')];

/** The same numbers each time it is built. */
function* numbers(): Generator<number, never> {
  for (let state = 1; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    yield state / 0x80000000;
  }
}

class Bakery {
  private readonly random = numbers();
  private readonly left = new Map<string, number>();
  private batches = 0;

  constructor(
    private readonly sender: Sender,
    private readonly registers: Registers,
    private readonly storeId: string,
  ) {}

  /** Gives how many events it made. */
  async day(number: number, most: number): Promise<number> {
    const { sender } = this;
    let made = 0;
    const count = (sent: Promise<void>): Promise<void> => {
      made++;
      return sent;
    };
    if (number % WEEK === 0) await count(this.receive(number));
    for (let half = 0; half < 2; half++) {
      for (const bread of this.registers.breads) await count(this.bake(bread));
      for (let sold = 0; sold < SALES_OF_A_DAY / 2 && made < most; sold++) await count(this.sell());
    }
    for (let change = 0; change < PRICES_OF_A_DAY; change++) await count(this.price());
    for (const [variantId, quantity] of this.left) if (quantity > 0) await count(this.discard(variantId, quantity));
    await sender.settle();
    return made;
  }

  private next(below: number): number {
    return Math.floor(this.random.next().value * below);
  }

  private one<T>(list: readonly T[]): T {
    const chosen = list[this.next(list.length)];
    if (chosen === undefined) throw new Error('there is none');
    return chosen;
  }

  private receive(day: number): Promise<void> {
    const { flour, salt, others, breads, locationId } = this.registers;
    const quantity = d(INPUT_OF_A_BATCH * breads.length * 2 * WEEK);
    const items = [flour, salt, ...others].map((variantId, index) => ({
      lotId: this.sender.id(),
      variantId,
      quantity,
      unitCost: d((200 + this.next(300)) / 100),
      lotCode: `L${String(day)}-${String(index)}`,
      expiresAt: null,
    }));
    const receiptId = this.sender.id();
    const supplier = `Moinho ${String(1 + this.next(5))}`;
    return this.sender.send({ type: 'receive', receiptId, locationId, supplier, document: null, items }, OWNER);
  }

  private bake(bread: string): Promise<void> {
    const { flour, salt, others } = this.registers;
    const inputs = [[flour, INPUT_OF_A_BATCH] as const, ...[salt, ...others].map((id) => [id, 1] as const)];
    const code = `PAO-${String(++this.batches)}`;
    this.left.set(bread, (this.left.get(bread) ?? 0) + UNITS_OF_A_BATCH);
    const copy = recipe('Pão', bread, UNITS_OF_A_BATCH, inputs);
    return this.sender.send(order(this.sender, this.registers, copy, code), BAKER);
  }

  private sell(): Promise<void> {
    const { breads, customerIds } = this.registers;
    const variantIds: string[] = [];
    const wanted = this.one(LINES);
    for (let tries = 0; variantIds.length < wanted && tries < breads.length; tries++) {
      const bread = this.one(breads);
      const left = this.left.get(bread) ?? 0;
      if (left === 0) continue;
      this.left.set(bread, left - 1);
      variantIds.push(bread);
    }
    const customerId = this.next(CUSTOMER_OF) === 0 ? this.one(customerIds) : null;
    return this.sender.send(sale(this.sender, this.registers, { customerId, variantIds }), this.one(TILLS));
  }

  private price(): Promise<void> {
    const productId = this.one(this.registers.productIds);
    const command = {
      type: 'change',
      changes: { priceCash: d((500 + this.next(2_000)) / 100) },
      claim: { claimId: this.sender.id(), codes: [] },
      prepared: NOTHING_PREPARED,
      ifMatch: undefined,
    } as const;
    return this.sender.sendTo(product, streamName(product.category, this.storeId, productId), command, OWNER);
  }

  private discard(variantId: string, left: number): Promise<void> {
    const { locationId } = this.registers;
    this.left.set(variantId, 0);
    const item = { variantId, quantity: d(-left), unitCost: null, lot: null, newLotId: this.sender.id() };
    const adjustmentId = this.sender.id();
    return this.sender.send({ type: 'adjust', adjustmentId, reason: 'Sobra', locationId, items: [item] }, BAKER);
  }
}

/** Its breads are baked twice and thrown away once. */
const EVENTS_OF_A_DAY = SALES_OF_A_DAY + 10 * 3;

/** Over how many days so many events are spread. */
export const bakeryDays = (events: number): number => Math.ceil(events / EVENTS_OF_A_DAY);

export async function fillBakery(filling: Filling, events: number): Promise<void> {
  const days = bakeryDays(events);
  const bakery = new Bakery(new Sender(filling, events, days), filling.registers, filling.storeId);
  let made = 0;
  for (let day = 0; made < events; day++) made += await bakery.day(day, events - made);
}
