import { inventory } from '../features/inventory/decider.js';
import type { InventoryCommand } from '../features/inventory/decider.js';
import { orderKey, saleKey } from '../features/inventory/ledger/touched-revisions.js';
import { stockOf } from '../features/inventory/ledger/state.js';
import { locationsOf } from '../features/inventory/locations/choice.js';
import { recentHistory } from '../features/inventory/history-lookup.js';
import type { Seed } from '../kernel/values/ids.js';
import { newSeed, timeOfId } from '../kernel/values/ids.js';
import type { Commands } from '../kernel/lanes/commands.js';
import type { RecipeCopy } from '../features/contracts/recipe-book.js';
import { RECIPES } from './formulas.js';
import { productIdOf, variantIdOf } from './products.js';
import { recipeBook } from '../features/recipes/recipe-book.js';
import type { DemoSale } from './fees.js';
import { priceCards, recalculateLastMonth } from './fees.js';
import type { Happening } from './happening.js';
import { trade } from './trade.js';

const AT_ONCE = 200;

/** Commands as of a moment that is past. */
type CommandsAt = (seed: Seed) => Commands;

/**
 * The last days of the store, up to its making. The stream holds nothing else before it and one event for each happening: whoever finishes
 * what another start began leaves out as many as are recorded. Gives the sales of which nothing came back.
 */
export async function fillHistory(
  commands: Commands,
  commandsAt: CommandsAt,
  { customerIds, timeZone }: { readonly customerIds: readonly string[]; readonly timeZone: string },
): Promise<readonly DemoSale[]> {
  const { storeId } = commands;
  const trader = {
    storeId,
    customerIds,
    timeZone,
    locationId: (await locationsOf(commands)).defaultId,
    until: timeOfId(storeId),
    variantIdOf: known((sku) => variantIdOf(commands, sku)),
    productIdOf: known((sku) => productIdOf(commands, sku)),
    recipes: await recipesBySku(commands),
    priceCard: await priceCards(commands),
  };
  let recorded = (await commands.head(inventory)).revision + 1;
  let running: Promise<unknown>[] = [];
  const settle = async (): Promise<void> => {
    await Promise.all(running);
    running = [];
  };
  const sales: DemoSale[] = [];
  const cancelled = new Set<string>();
  const returned = new Set<string>();
  for (const happening of trade(trader)) {
    if ('cancels' in happening) cancelled.add(happening.cancels);
    if ('returns' in happening) returned.add(happening.returns);
    if ('command' in happening && happening.command.type === 'completeSale') {
      sales.push({ sale: happening.command, number: sales.length + 1 });
    }
    if (recorded-- > 0) continue;
    if (!('command' in happening) || running.length >= AT_ONCE) await settle();
    const command = 'command' in happening ? happening.command : await aboutEarlier(commands, happening);
    running.push(commandsAt(newSeed(happening.at)).execute(inventory, command));
  }
  await settle();
  const counted = sales.filter(({ sale }) => !cancelled.has(sale.saleId));
  await recalculateLastMonth(commands, counted, trader);
  return counted.filter(({ sale }) => !returned.has(sale.saleId));
}

/** Ids that are asked for again and again, worked out once. */
function known(idOf: (sku: string) => string): (sku: string) => string {
  const ids = new Map<string, string>();
  return (sku) => {
    const id = ids.get(sku) ?? idOf(sku);
    ids.set(sku, id);
    return id;
  };
}

/** The versions in force, by the SKU of what they make. */
async function recipesBySku(commands: Commands): Promise<ReadonlyMap<string, RecipeCopy>> {
  const active = await recipeBook.active(commands);
  const byVariant = new Map(active.map((recipe) => [recipe.finishedVariantId, recipe]));
  return new Map(
    RECIPES.flatMap(({ sku }) => {
      const recipe = byVariant.get(variantIdOf(commands, sku));
      return recipe ? [[sku, recipe] as const] : [];
    }),
  );
}

/** With everything that was recorded of the sale, order or lot. */
async function aboutEarlier(
  commands: Commands,
  happening: Exclude<Happening, { readonly command: InventoryCommand }>,
): Promise<InventoryCommand> {
  const head = await commands.head(inventory);
  if ('reverses' in happening) {
    const { reverses: orderId, reason, partial } = happening;
    const past = await recentHistory(commands, head, orderKey(orderId));
    return { type: 'reverseOrder', orderId, reason, partial, past };
  }
  if ('blocks' in happening) {
    const { blocks: lotId, variantId, reason } = happening;
    const lot = stockOf(head.state, variantId).lots.named(lotId);
    if (!lot) throw new Error(`the demonstration has no lot ${lotId}`);
    return { type: 'block', lot: { ...lot, variantId }, reason };
  }
  const saleId = 'cancels' in happening ? happening.cancels : happening.returns;
  const past = await recentHistory(commands, head, saleKey(saleId));
  if ('cancels' in happening) return { type: 'cancelSale', saleId, reason: 'Lançada em duplicidade', past };
  const { returnId, variantId, quantity } = happening;
  return { type: 'returnSale', saleId, returnId, reason: 'Troca', items: [{ variantId, quantity }], past };
}
