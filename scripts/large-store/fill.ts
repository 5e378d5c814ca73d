import { Decimal } from '../../src/kernel/values/decimal.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { order, recipe, sale } from './commands.js';
import type { Registers } from './registers.js';
import type { Filling } from './sender.js';
import { Sender } from './sender.js';

const DAYS = 180;
const LINES_OF_A_SALE = 3;
/** Breads that one batch of premix is enough for. */
const BREADS_OF_A_PREMIX = 100;
const SALT_LOTS = 5;

const d = (value: number): Decimal => Decimal.from(value);

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
  const sender = new Sender(filling, orders + sales, DAYS);
  await receiveInputs(sender, registers, breads);
  let made = 0;
  let sold = 0;
  const unitsOfABread = Math.ceil((lines * 1.02) / breads) + 1;
  while (made < breads || sold < sales) {
    if (made % BREADS_OF_A_PREMIX === 0 && made < breads) await sender.send(premixOrder(sender, registers, made));
    const until = Math.min(breads, made + BREADS_OF_A_PREMIX);
    for (; made < until; made++) await sender.send(breadOrder(sender, registers, made, unitsOfABread));
    const due = Math.floor((made / breads) * sales);
    for (; sold < due; sold++) await sender.send(saleOfBreads(sender, registers, sold));
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

function saleOfBreads(sender: Sender, registers: Registers, sold: number): InventoryCommand {
  const { breads, customerIds } = registers;
  const first = sold * LINES_OF_A_SALE;
  const lines = Array.from({ length: LINES_OF_A_SALE }, (_, index) => breads[(first + index) % breads.length] ?? '');
  const customerId = sold % 3 === 0 ? null : (customerIds[sold % customerIds.length] ?? null);
  return sale(sender, registers, { customerId, variantIds: lines });
}
