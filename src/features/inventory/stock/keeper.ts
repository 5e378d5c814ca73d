import { executeUntil } from '../../../kernel/patterns/execute-until.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { Hold, Holds, Release } from '../../../kernel/patterns/holds.js';
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
import type { HoldCommand } from './domain/hold-decisions.js';

/** What other features ask of the stock, at its stream's head. */
export const stockKeeper: StockKeeper = {
  async open(context, entries, { unmovedOnly = context.isRepeat } = {}) {
    const locationId = (await locationsOf(context)).defaultId;
    const items = entries.map((entry) => openingItem(context, entry));
    const command = { type: 'open', openingId: context.newId(), locationId, items, unmovedOnly } as const;
    await context.execute(inventory, command, { name: 'open stock' });
  },

  retire: (context, variantIds, hold) =>
    takeHold(context, { type: 'retire', variantIds, hold }, { name: 'retire stock', of: retiredOf }),

  restore: (context, variantIds, release) =>
    giveUp(context, { type: 'restore', variantIds, release }, { name: 'restore stock', of: retiredOf }),

  async retired(context, variantIds) {
    const { retired } = await context.current(inventory);
    return variantIds.filter((variantId) => retired.has(variantId));
  },

  endKeeping: (context, variantIds, hold, unit) =>
    takeHold(context, { type: 'endKeeping', variantIds, hold, unit }, { name: 'end keeping', of: unkeptOf }),

  resumeKeeping: (context, variantIds, release) =>
    giveUp(context, { type: 'resumeKeeping', variantIds, release }, { name: 'resume keeping', of: unkeptOf }),

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

/** What a command on holds is named, and on which of them it works. */
interface HoldStep {
  readonly name: string;
  readonly of: (state: Inventory) => Holds;
}

const retiredOf: HoldStep['of'] = ({ retired }) => retired;
const unkeptOf: HoldStep['of'] = ({ unkept }) => unkept;

async function takeHold(
  context: RequestContext,
  command: Extract<HoldCommand, { readonly hold: Hold }>,
  { name, of }: HoldStep,
): Promise<void> {
  const { variantIds, hold } = command;
  const holds = (state: Inventory) => variantIds.every((variantId) => isHeldBy(of(state), variantId, hold.id));
  await executeUntil(context, inventory, command, { name, holds });
}

async function giveUp(
  context: RequestContext,
  command: Extract<HoldCommand, { readonly release: Release }>,
  { name, of }: HoldStep,
): Promise<void> {
  const holds = (state: Inventory) => isReleased(of(state), command.variantIds, command.release);
  if (holds(await context.current(inventory))) return;
  await executeUntil(context, inventory, command, { name, holds });
}

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
