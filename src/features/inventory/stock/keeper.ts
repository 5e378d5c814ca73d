import { executeUntil } from '../../../kernel/patterns/execute-until.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { isHeldBy, isReleased } from '../../../kernel/patterns/holds.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Estimate, Need, OpeningEntry, StockKeeper } from '../../contracts/stock-keeper.js';
import { inventory } from '../decider.js';
import { applyIssue } from '../ledger/moves.js';
import { openOutputs } from '../production/domain/quantities.js';
import type { Inventory } from '../ledger/state.js';
import { availableAnywhere, availableAt, stockOf } from '../ledger/state.js';
import { take, valueOf } from '../ledger/taking.js';
import { locationChooser, locationsOf } from '../locations/choice.js';

/** What other features ask of the stock, at its stream's head. */
export const stockKeeper: StockKeeper = {
  async open(context, entries, { unmovedOnly = context.isRepeat } = {}) {
    const locationId = (await locationsOf(context)).defaultId;
    const items = entries.map((entry) => openingItem(context, entry));
    const command = { type: 'open', openingId: context.newId(), locationId, items, unmovedOnly } as const;
    await context.execute(inventory, command, { name: 'open stock' });
  },

  async retire(context, variantIds, hold) {
    const command = { type: 'retire', variantIds, hold } as const;
    const holds = ({ retired }: Inventory) => variantIds.every((variantId) => isHeldBy(retired, variantId, hold.id));
    await executeUntil(context, inventory, command, { name: 'retire stock', holds });
  },

  async restore(context, variantIds, release) {
    const command = { type: 'restore', variantIds, release } as const;
    const holds = ({ retired }: Inventory) => isReleased(retired, variantIds, release);
    if (holds(await context.current(inventory))) return;
    await executeUntil(context, inventory, command, { name: 'restore stock', holds });
  },

  async retired(context, variantIds) {
    const { retired } = await context.current(inventory);
    return variantIds.filter((variantId) => retired.has(variantId));
  },

  async endKeeping(context, variantIds, hold, unit) {
    const command = { type: 'endKeeping', variantIds, hold, unit } as const;
    const holds = ({ unkept }: Inventory) => variantIds.every((variantId) => isHeldBy(unkept, variantId, hold.id));
    await executeUntil(context, inventory, command, { name: 'end keeping', holds });
  },

  async resumeKeeping(context, variantIds, release) {
    const command = { type: 'resumeKeeping', variantIds, release } as const;
    const holds = ({ unkept }: Inventory) => isReleased(unkept, variantIds, release);
    if (holds(await context.current(inventory))) return;
    await executeUntil(context, inventory, command, { name: 'resume keeping', holds });
  },

  async estimate(context, needs, locationId) {
    const choose = await locationChooser(context, 'productionDefaultId');
    const chosenId = choose(locationId, 'locationId');
    return estimates(await context.current(inventory), needs, chosenId, context.at);
  },

  async outlook(context, variantIds) {
    const state = await context.current(inventory);
    const open = openOutputs(state.openOrders);
    return new Map(
      variantIds.map((variantId) => {
        const free = availableAnywhere(stockOf(state, variantId), context.at);
        const orders = open.get(variantId) ?? [];
        return [variantId, { free, planned: Decimal.sum(orders.map(({ quantity }) => quantity)), orders }];
      }),
    );
  },
};

const openingItem = (context: RequestContext, entry: OpeningEntry) => ({
  ...entry,
  lotId: context.newId(),
  lotCode: null,
  expiresAt: null,
});

/** Each need finds what those before it have left. */
function estimates(
  stock: Parameters<typeof take>[0],
  needs: readonly Need[],
  locationId: string,
  at: string,
): readonly Estimate[] {
  let current = stock;
  return needs.map(({ variantId, quantity, expiryFirst = false }) => {
    const available = availableAt(stockOf(current, variantId), locationId, at);
    const issue = take(current, { variantId, locationId, quantity, expiryFirst, debt: { debtId: '', line: 0 } }, at);
    if (!issue) throw new Error('what may be owed is never short');
    current = applyIssue(current, issue);
    return { variantId, available, cost: valueOf(issue) };
  });
}
