import type { Decimal } from '../../../../kernel/values/decimal.js';
import { NOT_FOUND, Rejection, notFoundAt } from '../../../../kernel/events/rejection.js';
import { LOT_NOT_FOUND, NOT_KEPT_IN_STOCK } from '../../../contracts/stock-keeper.js';
import type { Batch, Entry, InventoryEvent, Issue } from '../../events.js';
import { LOCATION_IN_USE } from '../../locations/rejections.js';
import { INSUFFICIENT_STOCK } from '../../rejections.js';
import type { Arriving } from '../../ledger/entering.js';
import { comingTo, enterer } from '../../ledger/entering.js';
import { applyEntry, applyIssue, applyIssues } from '../../ledger/moves.js';
import type { KnownCodes } from '../../ledger/known-history.js';
import { isKnownCode } from '../../ledger/known-history.js';
import type { Lot } from '../../ledger/lots.js';
import type { Inventory } from '../../ledger/state.js';
import { stockOf } from '../../ledger/state.js';
import type { Shortage, Wanted } from '../../ledger/taking.js';
import { take, takeAll } from '../../ledger/taking.js';
import type { HoldCommand } from './hold-decisions.js';
import { decideHold } from './hold-decisions.js';

export interface ReceivedItem {
  readonly lotId: string;
  readonly variantId: string;
  readonly quantity: Decimal;
  /** Null when nobody said: then the average so far. */
  readonly unitCost: Decimal | null;
  readonly lotCode: string | null;
  readonly expiresAt: string | null;
}

export interface AdjustedItem {
  readonly variantId: string;
  /** Signed. */
  readonly quantity: Decimal;
  readonly unitCost: Decimal | null;
  /** The lot that it names, if it names one. */
  readonly lot: Batch | null;
  /** The id of the lot that a positive quantity makes when it names none. */
  readonly newLotId: string;
}

interface TransferredItem {
  readonly variantId: string;
  readonly quantity: Decimal;
  readonly lotCode: string | null;
}

export interface NamedLot extends Batch {
  readonly variantId: string;
}

export type StockCommand =
  | {
      readonly type: 'open';
      readonly openingId: string;
      readonly locationId: string;
      readonly items: readonly ReceivedItem[];
      /** Leaves out what ever moved. */
      readonly unmovedOnly?: boolean;
    }
  | {
      readonly type: 'receive';
      readonly receiptId: string;
      readonly locationId: string;
      readonly supplier: string | null;
      readonly document: string | null;
      readonly items: readonly ReceivedItem[];
    }
  | {
      readonly type: 'adjust';
      readonly adjustmentId: string;
      readonly reason: string;
      /** The count of which it is a part, if it is of one. */
      readonly countId?: string | null;
      readonly locationId: string;
      readonly items: readonly AdjustedItem[];
      /** Variants of which the lot that expires first leaves first. */
      readonly expiryFirst?: ReadonlySet<string>;
    }
  | {
      readonly type: 'transfer';
      readonly transferId: string;
      readonly fromLocationId: string;
      readonly toLocationId: string;
      readonly items: readonly TransferredItem[];
      readonly knownCodes: KnownCodes | undefined;
      readonly expiryFirst?: ReadonlySet<string>;
    }
  | { readonly type: 'block'; readonly lot: NamedLot; readonly reason: string }
  | { readonly type: 'release'; readonly lot: NamedLot; readonly reason: string }
  | { readonly type: 'blockMany' | 'releaseMany'; readonly lots: readonly NamedLot[]; readonly reason: string }
  | HoldCommand
  | { readonly type: 'retireLocation'; readonly locationId: string };

export function decideStock(state: Inventory, command: StockCommand, at: string): InventoryEvent[] {
  switch (command.type) {
    case 'open':
      return open(state, command, at);
    case 'receive': {
      const { receiptId, supplier, document } = command;
      return [{ type: 'StockReceived', data: { receiptId, supplier, document, entries: receive(state, command, at) } }];
    }
    case 'adjust':
      return adjust(state, command, at);
    case 'transfer':
      return transfer(state, command, at);
    case 'block':
      return block(state, command);
    case 'release': {
      const { lotId, variantId } = command.lot;
      return lotIn(state, command.lot)?.blocked === true
        ? [{ type: 'LotReleased', data: { lotId, variantId, reason: command.reason } }]
        : [];
    }
    case 'blockMany':
      return blockMany(state, command);
    case 'releaseMany':
      return releaseMany(state, command);
    case 'retire':
    case 'restore':
    case 'endKeeping':
    case 'resumeKeeping':
      return decideHold(state, command);
    case 'retireLocation':
      return retireLocation(state, command.locationId);
  }
}

export const lotIn = (
  state: Inventory,
  { variantId, entered }: Pick<NamedLot, 'variantId' | 'entered'>,
): Lot | undefined => stockOf(state, variantId).lots.get(entered);

type Items = readonly { readonly variantId: string }[];

const pathOfItem = (index: number): string => `items[${String(index)}].variantId`;

/** A deleted product's goods can't move; its id is unknown to whoever names it. */
export function expectLivingItems(state: Inventory, items: Items): void {
  const paths = items.flatMap(({ variantId }, index) => (state.retired.has(variantId) ? [pathOfItem(index)] : []));
  if (paths.length > 0) throw notFoundAt(...paths);
}

/** Whoever read the catalogue before goods became a kit or a service, or while their unit changes, comes at the wrong time. */
export function expectKept(
  { unkept }: Inventory,
  variantIds: readonly string[],
  path: (index: number) => string,
): void {
  if (unkept.isEmpty()) return;
  const paths = variantIds.flatMap((variantId, index) => (unkept.has(variantId) ? [path(index)] : []));
  if (paths.length === 0) return;
  const errors = [...new Set(paths)].map((at) => ({ path: at, message: 'is a service, a kit, or being changed' }));
  throw new Rejection(NOT_KEPT_IN_STOCK, undefined, { errors });
}

function expectGoods(state: Inventory, items: Items): void {
  expectLivingItems(state, items);
  const named = items.map(({ variantId }) => variantId);
  expectKept(state, named, pathOfItem);
}

export const refuseShortages = (shortages: readonly Shortage[]): Rejection =>
  new Rejection(INSUFFICIENT_STOCK, undefined, {
    shortages: shortages.map(({ variantId, required, available }) => ({
      variantId,
      required: required.toNumber(),
      available: available.toNumber(),
    })),
  });

function open(state: Inventory, command: Extract<StockCommand, { readonly type: 'open' }>, at: string) {
  const { openingId, locationId, unmovedOnly = false } = command;
  const items = unmovedOnly ? command.items.filter(({ variantId }) => !state.variants.has(variantId)) : command.items;
  if (items.length === 0) return [];
  const entries = receive(state, { locationId, items }, at);
  return [{ type: 'StockOpened', data: { openingId, entries } } as const];
}

function receive(
  state: Inventory,
  { locationId, items }: { readonly locationId: string; readonly items: readonly ReceivedItem[] },
  at: string,
): Entry[] {
  expectGoods(state, items);
  const enter = enterer(state, comingTo(locationId, items), at);
  const entries: Entry[] = [];
  let current = state;
  for (const { unitCost, quantity, variantId, ...lot } of items) {
    const value = quantity.times(unitCost ?? stockOf(current, variantId).pool.last);
    const entered = current.lastEntered + 1;
    const entry = enter(current, { ...lot, entered, variantId, locationId, quantity, value });
    entries.push(entry);
    current = applyEntry(current, entry);
  }
  return entries;
}

type Adjust = Extract<StockCommand, { readonly type: 'adjust' }>;

function adjust(state: Inventory, command: Adjust, at: string): InventoryEvent[] {
  const { adjustmentId, reason, countId = null, locationId, items } = command;
  expectGoods(state, items);
  const wants = items.filter(({ quantity }) => quantity.isNegative).map((item) => adjustedAway(item, command));
  const taken = takeAll(state, wants, at);
  if ('shortages' in taken) throw refuseShortages(taken.shortages);
  const entries: Entry[] = [];
  const arriving = items.filter(({ quantity }) => !quantity.isNegative);
  let current = applyIssues(state, taken.issues);
  const enter = enterer(current, comingTo(locationId, arriving), at);
  for (const item of arriving) {
    const entry = enter(current, adjustedIn(current, item, locationId));
    entries.push(entry);
    current = applyEntry(current, entry);
  }
  const counted = countId === null ? {} : { countId };
  return [{ type: 'StockAdjusted', data: { adjustmentId, reason, ...counted, entries, issues: taken.issues } }];
}

function adjustedAway({ variantId, quantity, lot }: AdjustedItem, { locationId, expiryFirst }: Adjust): Wanted {
  const wanted = {
    variantId,
    locationId,
    quantity: quantity.negated(),
    expiryFirst: expiryFirst?.has(variantId) === true,
  };
  return lot ? { ...wanted, entered: lot.entered, alsoUnusable: true } : wanted;
}

function adjustedIn(state: Inventory, item: AdjustedItem, locationId: string): Arriving {
  const { variantId, quantity, unitCost, lot, newLotId } = item;
  const value = quantity.times(unitCost ?? stockOf(state, variantId).pool.last);
  const batch = lot ?? { lotId: newLotId, lotCode: null, entered: state.lastEntered + 1, expiresAt: null };
  return { ...batch, variantId, locationId, quantity, value };
}

type Transfer = Extract<StockCommand, { readonly type: 'transfer' }>;

function transfer(state: Inventory, command: Transfer, at: string): InventoryEvent[] {
  const { transferId, fromLocationId, toLocationId, items, knownCodes, expiryFirst } = command;
  expectGoods(state, items);
  for (const [index, { variantId, lotCode }] of items.entries()) {
    if (lotCode !== null) expectCode(state, variantId, lotCode, knownCodes, `items[${String(index)}].lotCode`);
  }
  const wants = items.map(({ lotCode, ...item }): Wanted => {
    const wanted = {
      ...item,
      locationId: fromLocationId,
      expiryFirst: expiryFirst?.has(item.variantId) === true,
    };
    return lotCode === null ? wanted : { ...wanted, lotCode, alsoUnusable: true };
  });
  const issues: Issue[] = [];
  let current = state;
  for (const wanted of wants) {
    const issue = take(current, wanted, at);
    if (!issue) throw refuseShortages(shortagesOf(state, wants, at));
    issues.push(issue);
    current = applyIssue(current, issue, undefined, 'transfer');
  }
  const moved = issues.flatMap(({ variantId, takes }) =>
    takes.map((taken) => ({ ...taken, variantId, locationId: toLocationId })),
  );
  const enter = enterer(current, moved, at, 'transfer');
  const arrivals = moved.map((arriving) => {
    const entry = enter(current, arriving);
    current = applyEntry(current, entry, 'transfer');
    return entry;
  });
  return [{ type: 'StockTransferred', data: { transferId, fromLocationId, toLocationId, issues, arrivals } }];
}

function shortagesOf(state: Inventory, wants: readonly Wanted[], at: string): readonly Shortage[] {
  const taken = takeAll(state, wants, at);
  return 'shortages' in taken ? taken.shortages : [];
}

/** Refuses a lot code that the variant never had. */
export function expectCode(
  state: Inventory,
  variantId: string,
  lotCode: string,
  knownCodes: KnownCodes | undefined,
  path: string,
): void {
  if (isKnownCode(state, variantId, lotCode, knownCodes)) return;
  throw new Rejection(LOT_NOT_FOUND, undefined, { errors: [{ path, message: 'names no lot' }] });
}

function block(
  state: Inventory,
  { lot: named, reason }: Extract<StockCommand, { readonly type: 'block' }>,
): InventoryEvent[] {
  const { variantId, lotId, lotCode, entered, expiresAt } = named;
  if (state.retired.has(variantId)) throw new Rejection(NOT_FOUND);
  if (lotIn(state, named)?.blocked === true) return [];
  return [{ type: 'LotBlocked', data: { lotId, lotCode, entered, expiresAt, variantId, reason } }];
}

interface ManyLots {
  readonly lots: readonly NamedLot[];
  readonly reason: string;
}

/** Those that are not blocked yet, as one fact. */
function blockMany(state: Inventory, { lots, reason }: ManyLots): InventoryEvent[] {
  const free = lots.filter((lot) => !state.retired.has(lot.variantId) && lotIn(state, lot)?.blocked !== true);
  const blocked = free.map(({ variantId, lotId, lotCode, entered, expiresAt }) => ({
    lotId,
    lotCode,
    entered,
    expiresAt,
    variantId,
  }));
  return blocked.length === 0 ? [] : [{ type: 'LotsBlocked', data: { reason, lots: blocked } }];
}

function releaseMany(state: Inventory, { lots, reason }: ManyLots): InventoryEvent[] {
  const blocked = lots.filter((lot) => lotIn(state, lot)?.blocked === true);
  const released = blocked.map(({ lotId, variantId }) => ({ lotId, variantId }));
  return released.length === 0 ? [] : [{ type: 'LotsReleased', data: { reason, lots: released } }];
}

/** Goods were there, or an open order is going to take them from there or bring them. */
export const isUsed = ({ usedLocations, openOrders }: Inventory, locationId: string): boolean =>
  usedLocations.has(locationId) ||
  openOrders.some(({ plan }) => plan.locationId === locationId || plan.outputLocationId === locationId);

function retireLocation(state: Inventory, locationId: string): InventoryEvent[] {
  if (isUsed(state, locationId)) throw new Rejection(LOCATION_IN_USE);
  return state.retiredLocations.has(locationId) ? [] : [{ type: 'LocationRetired', data: { locationId } }];
}
