import { streamName } from '../../src/kernel/events/decider.js';
import { toIso } from '../../src/kernel/values/clock.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { Lanes } from '../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { inventory } from '../../src/features/inventory/decider.js';
import { lotCodeKey } from '../../src/features/inventory/events.js';
import type { RecipeCopy } from '../../src/features/contracts/recipe-book.js';
import type { Registers } from './registers.js';

export interface Filling {
  readonly lanes: Lanes;
  readonly storeId: string;
  readonly registers: Registers;
  readonly report: (text: string) => void;
}

const AT_ONCE = 200;
const DAYS = 180;
const DAY = 86_400_000;
const LINES_OF_A_SALE = 3;
/** Breads that one batch of premix is enough for. */
const BREADS_OF_A_PREMIX = 100;
const SALT_LOTS = 5;
const REPORT_EVERY = 10_000;

const d = (value: number): Decimal => Decimal.from(value);

/** Sends commands, many at a time, in their order, with times that pass evenly. */
class Sender {
  private readonly begin = Date.now() - DAYS * DAY;
  private sent = 0;
  private running: Promise<unknown>[] = [];

  constructor(
    private readonly filling: Filling,
    private readonly expected: number,
  ) {}

  now(): string {
    return toIso(Math.floor(this.begin + (this.sent / this.expected) * DAYS * DAY));
  }

  async send(command: InventoryCommand): Promise<void> {
    const { lanes, storeId, report } = this.filling;
    const at = this.now();
    const envelope = { commandId: newId(Date.parse(at)), storeId, actor: SYSTEM, requestId: 'large-store', at };
    this.running.push(lanes.execute(inventory, streamName(inventory.category, storeId), command, envelope));
    this.sent++;
    if (this.sent % REPORT_EVERY === 0) report(`${this.sent} of about ${this.expected} commands`);
    if (this.running.length >= AT_ONCE) await this.settle();
  }

  async settle(): Promise<void> {
    await Promise.all(this.running);
    this.running = [];
  }

  id(): string {
    return newId(Date.parse(this.now()));
  }
}

/**
 * Orders and sales in turn: each bread is sold within its days, so that each lot of salt is in a fifth of all breads, each premix in a
 * hundred of them and each bread's lot in some ten lines.
 */
export async function fillStore(
  filling: Filling,
  { orders, lines }: { readonly orders: number; readonly lines: number },
) {
  const { registers } = filling;
  const breads = Math.floor((orders * BREADS_OF_A_PREMIX) / (BREADS_OF_A_PREMIX + 1));
  const sales = Math.ceil(lines / LINES_OF_A_SALE);
  const sender = new Sender(filling, orders + sales);
  await receiveInputs(sender, registers, breads);
  let made = 0;
  let sold = 0;
  const unitsOfABread = Math.ceil((lines * 1.02) / breads) + 1;
  while (made < breads || sold < sales) {
    if (made % BREADS_OF_A_PREMIX === 0 && made < breads) await sender.send(premixOrder(sender, registers, made));
    const until = Math.min(breads, made + BREADS_OF_A_PREMIX);
    for (; made < until; made++) await sender.send(breadOrder(sender, registers, made, unitsOfABread));
    const due = Math.floor((made / breads) * sales);
    for (; sold < due; sold++) await sender.send(sale(sender, registers, sold));
  }
  await sender.settle();
}

async function receiveInputs(sender: Sender, registers: Registers, breads: number): Promise<void> {
  const lot = (variantId: string, quantity: number, lotCode: string) => ({
    lotId: sender.id(),
    variantId,
    quantity: d(quantity),
    unitCost: d(3.3),
    lotCode,
    expiresAt: null,
  });
  const premixes = Math.ceil(breads / BREADS_OF_A_PREMIX);
  const ofSalt = Math.ceil((breads * 1.001) / SALT_LOTS);
  const items = [
    ...Array.from({ length: SALT_LOTS }, (_, index) => lot(registers.salt, ofSalt, `SAL-${index + 1}`)),
    ...Array.from({ length: 10 }, (_, index) => lot(registers.flour, premixes * 10, `FARINHA-${index + 1}`)),
    ...registers.others.map((variantId, index) => lot(variantId, breads * 2, `INSUMO-${index + 1}`)),
  ];
  const { locationId } = registers;
  await sender.send({ type: 'receive', receiptId: sender.id(), locationId, supplier: null, document: null, items });
  await sender.settle();
}

const recipe = (
  name: string,
  finishedVariantId: string,
  yieldQty: number,
  items: readonly (readonly [variantId: string, quantity: number])[],
): RecipeCopy => ({
  recipeId: finishedVariantId,
  version: 1,
  name,
  finishedVariantId,
  yieldQty: d(yieldQty),
  expectedLossPercent: d(0),
  items: items.map(([componentVariantId, quantity]) => ({
    componentVariantId,
    quantity: d(quantity),
    lossPercent: d(0),
    costKind: 'MATERIAL',
  })),
  stages: [],
  byproducts: [],
});

function order(sender: Sender, { locationId }: Registers, copy: RecipeCopy, lotCode: string): InventoryCommand {
  const { items, stages, byproducts, ...rest } = copy;
  return {
    type: 'registerOrder',
    orderId: sender.id(),
    plan: {
      recipe: { ...rest, items: [...items], stages: [...stages], byproducts: [...byproducts] },
      stageIds: [],
      batches: Decimal.one,
      locationId,
      outputLocationId: locationId,
      expectedAt: null,
      notes: null,
    },
    making: {
      actualOutputQty: null,
      outputLotCode: lotCode,
      outputExpiresAt: null,
      allowNegativeStock: false,
      lotIds: [sender.id()],
      completedOn: sender.now().slice(0, 10),
      // Every code here is new.
      knownCodes: {
        asOf: Number.MAX_SAFE_INTEGER,
        wanted: new Set([lotCodeKey(copy.finishedVariantId, lotCode)]),
        found: new Set(),
      },
    },
  };
}

const premixOrder = (sender: Sender, registers: Registers, made: number): InventoryCommand => {
  const copy = recipe('Pré-mistura', registers.premix, BREADS_OF_A_PREMIX, [[registers.flour, 90]]);
  return order(sender, registers, copy, `MIX-${made / BREADS_OF_A_PREMIX + 1}`);
};

function breadOrder(sender: Sender, registers: Registers, made: number, units: number): InventoryCommand {
  const { breads, premix, salt, others } = registers;
  const bread = breads[made % breads.length] ?? '';
  const inputs = [[premix, 1], [salt, 1], ...others.map((id) => [id, 1] as const)] as const;
  return order(sender, registers, recipe('Pão', bread, units, inputs), `PAO-${made + 1}`);
}

function sale(sender: Sender, registers: Registers, sold: number): InventoryCommand {
  const { breads, customerIds, locationId } = registers;
  const first = sold * LINES_OF_A_SALE;
  const lines = Array.from({ length: LINES_OF_A_SALE }, (_, index) => {
    const variantId = breads[(first + index) % breads.length] ?? '';
    const price = { unitPrice: d(10), discount: d(0), total: d(10), quantity: Decimal.one };
    return {
      variantId,
      productId: variantId,
      description: 'Pão',
      unit: 'KG',
      lotCode: null,
      ...price,
      goods: [{ variantId, quantity: Decimal.one }],
    };
  });
  const total = d(10 * LINES_OF_A_SALE);
  const at = sender.now();
  return {
    type: 'completeSale',
    saleId: sender.id(),
    customerId: sold % 3 === 0 ? null : (customerIds[sold % customerIds.length] ?? null),
    locationId,
    occurredAt: at,
    occurredOn: at.slice(0, 10),
    lines,
    payments: [
      {
        method: 'PIX',
        amount: total,
        cardBrandId: null,
        installments: null,
        feePercent: null,
        fee: Decimal.zero,
        feePending: false,
        feeTerms: null,
        tendered: null,
        authorizationCode: null,
        endToEndId: null,
        description: null,
      },
    ],
    total,
    allowNegativeStock: false,
    knownCodes: undefined,
  };
}
