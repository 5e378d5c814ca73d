import type { Decider, StreamType } from '../../kernel/events/decider.js';
import { notFoundAt } from '../../kernel/events/rejection.js';
import { evolveInventory } from './ledger/evolve.js';
import type { OrderCommand } from './production/domain/order-decisions.js';
import { decideOrder } from './production/domain/order-decisions.js';
import type { SaleCommand } from './sales/domain/sale-decisions.js';
import { decideSale } from './sales/domain/sale-decisions.js';
import { inventorySnapshot } from './ledger/snapshot.js';
import type { Inventory } from './ledger/state.js';
import { EMPTY_INVENTORY } from './ledger/state.js';
import type { StockCommand } from './stock/domain/stock-decisions.js';
import { decideStock } from './stock/domain/stock-decisions.js';
import type { InventoryEvent } from './events.js';
import { inventoryEvents, storedPlan } from './events.js';

export type InventoryCommand = StockCommand | SaleCommand | OrderCommand;

/** Where a command that takes or brings goods says that they lie, as its request names it. */
function locationsOf(command: InventoryCommand): Readonly<Record<string, string>> {
  switch (command.type) {
    case 'open':
    case 'receive':
    case 'adjust':
    case 'completeSale':
      return { locationId: command.locationId };
    case 'transfer':
      return { fromLocationId: command.fromLocationId, toLocationId: command.toLocationId };
    case 'planOrder':
    case 'registerOrder':
      return { locationId: command.plan.locationId, outputLocationId: command.plan.outputLocationId };
    default:
      return {};
  }
}

/** Who chose a location may come after it was deleted. */
function expectLocations({ retiredLocations }: Inventory, command: InventoryCommand): void {
  if (retiredLocations.isEmpty()) return;
  const gone = Object.entries(locationsOf(command)).filter(([, id]) => retiredLocations.has(id));
  if (gone.length > 0) throw notFoundAt(...gone.map(([path]) => path));
}

const decider: Decider<Inventory, InventoryCommand, InventoryEvent> = {
  initial: EMPTY_INVENTORY,
  evolve: evolveInventory,
  decide(state, command, at) {
    expectLocations(state, command);
    switch (command.type) {
      case 'completeSale':
      case 'returnSale':
      case 'cancelSale':
      case 'holdSale':
      case 'releaseSale':
        return decideSale(state, command, at);
      case 'planOrder':
      case 'registerOrder':
      case 'startOrder':
      case 'markStage':
      case 'refreshRecipe':
      case 'cancelOrder':
      case 'completeOrder':
      case 'reverseOrder':
        return decideOrder(state, command, at);
      default:
        return decideStock(state, command, at);
    }
  },
};

/** The stock of a store, its sales and its production orders: one stream, because they compete for the same lots. */
export const inventory: StreamType<Inventory, InventoryCommand, InventoryEvent> = {
  category: 'inventory',
  decider,
  events: inventoryEvents,
  snapshot: inventorySnapshot(storedPlan),
  weigh: ({ variants, lotCount, openOrders, history }) =>
    variants.size + lotCount + openOrders.size + history.young.size + history.old.size,
};
