import { product } from '../../../src/features/products/decider.js';
import { kits } from '../../../src/features/products/kit-decider.js';
import { recipes } from '../../../src/features/recipes/decider.js';
import type { InventoryEvent } from '../../../src/features/inventory/events.js';
import { entriesOf } from '../../../src/features/inventory/events.js';
import { momentOf } from '../../../src/kernel/events/recorded.js';
import type { StreamType } from '../../../src/kernel/events/decider.js';
import type { DomainEvent, Recorded } from '../../../src/kernel/events/event.js';
import type { Asking } from './asking.js';
import { issuesOf } from './movements.js';
import type { Shop } from './shop.js';
import type { Things } from './drawn.js';

/** What commands took of recipes and kits was in force after they came, and goods that moved keep their unit. */
export function faultsOfCatalogue(shop: Shop, asked: readonly Asking[], things: Things): readonly string[] {
  // The only process decides on what it was answered; where there are others, each asks what the log holds.
  const from = new Map(asked.map(({ id, since, from: head }) => [id, shop.isAlone ? since : head]));
  const books = statesOf(shop, recipes);
  const parts = statesOf(shop, kits);
  const taken = shop.facts.flatMap((event) => {
    const since = from.get(event.meta.requestId) ?? '';
    return [
      ...faultsOfRecipe(event, books(since, event.position)),
      ...faultsOfKits(event, parts(since, event.position), things),
    ];
  });
  return [...taken, ...faultsOfUnits(shop, things)];
}

function faultsOfUnits(shop: Shop, { products }: Things): readonly string[] {
  const moved = shop.facts.flatMap((event) =>
    [...entriesOf(event), ...issuesOf(event)].map(({ variantId }) => ({ variantId, position: event.position })),
  );
  return Object.entries(products).flatMap(([name, id]) =>
    shop.eventsOf(product, id).flatMap((event) => {
      if (event.type !== 'ProductChanged' || event.data.changes.saleUnit === undefined) return [];
      const { variantIds } = event.data;
      const before = moved.filter(
        ({ position, variantId }) => position < event.position && variantIds.includes(variantId),
      );
      return before.length === 0 ? [] : [`${name} is counted otherwise after it moved`];
    }),
  );
}

/** Every state of a stream between two positions. */
function statesOf<S, C, E extends DomainEvent>(shop: Shop, type: StreamType<S, C, E>) {
  const states: { readonly position: string; readonly state: S }[] = [{ position: '', state: type.decider.initial }];
  for (const event of shop.eventsOf(type)) {
    const before = states.at(-1)?.state ?? type.decider.initial;
    states.push({ position: event.position, state: type.decider.evolve(before, event, momentOf(event)) });
  }
  return (since: string, until: string): readonly S[] => {
    const first = states.findLastIndex(({ position }) => position <= since);
    return states.filter(({ position }, index) => index >= first && position <= until).map(({ state }) => state);
  };
}

type RecipeStates = readonly (typeof recipes)['decider']['initial'][];

function recipeOf(event: InventoryEvent) {
  if (event.type === 'OrderPlanned' || event.type === 'OrderRecipeRefreshed') return event.data.recipe;
  return event.type === 'OrderCompleted' ? event.data.plan?.recipe : undefined;
}

function faultsOfRecipe(event: Recorded<InventoryEvent>, states: RecipeStates): readonly string[] {
  const used = recipeOf(event);
  if (!used) return [];
  const known = states.flatMap(({ byId }) => byId.get(used.recipeId) ?? []);
  const isInForce = known.some(({ version, active }) => active && version === used.version);
  return isInForce
    ? []
    : [
        `${event.type} takes version ${String(used.version)} of a recipe that is at ${known.map(({ version, active }) => `${String(version)}${active ? '' : ' inactive'}`).join()}`,
      ];
}

type KitStates = readonly (typeof kits)['decider']['initial'][];

function faultsOfKits(
  event: Recorded<InventoryEvent>,
  states: KitStates,
  { products, variants }: Things,
): readonly string[] {
  if (event.type !== 'SaleCompleted') return [];
  return event.data.lines.flatMap(({ variantId, quantity, issues }) => {
    if (variantId !== variants['kit']) return [];
    const took = issues
      .map((issue) => `${issue.variantId} ${issue.quantity.toString()}`)
      .sort()
      .join();
    const possible = states.map(({ parts }) =>
      (parts.get(products['kit'] ?? '') ?? [])
        .map((part) => `${part.componentVariantId} ${part.quantity.times(quantity).round(6).toString()}`)
        .sort()
        .join(),
    );
    return possible.includes(took) || (took.startsWith(variantId) && possible.includes(''))
      ? []
      : [`a kit takes ${took}, not ${possible.join(' or ')}`];
  });
}
