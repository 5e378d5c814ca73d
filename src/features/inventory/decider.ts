import type { Decider, StreamType } from '../../kernel/events/decider.js';
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

const decider: Decider<Inventory, InventoryCommand, InventoryEvent> = {
  initial: EMPTY_INVENTORY,
  evolve: evolveInventory,
  decide(state, command, at) {
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
