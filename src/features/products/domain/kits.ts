import type { Map as ImmutableMap } from 'immutable';
import { isSameJson } from '../../../kernel/values/difference.js';
import type { KitComponent, KitEvent } from '../events.js';

/** The parts of all kits of a store, by the kit's product. */
export type Kits = ImmutableMap<string, readonly KitComponent[]>;

export const partsOf = (kits: Kits, productId: string): readonly KitComponent[] => kits.get(productId) ?? [];

/** Order counts: a kit's parts are listed as they were given. */
export const sameParts = (one: readonly KitComponent[], other: readonly KitComponent[]): boolean =>
  isSameJson(one.map(membersOf), other.map(membersOf));

const membersOf = ({ componentVariantId, quantity, parentVariantId }: KitComponent) => [
  componentVariantId,
  quantity,
  parentVariantId,
];

/** Whether a product would come to hold itself, over however many kits in between. */
export function makesCycle(kits: Kits, productId: string, parts: readonly KitComponent[]): boolean {
  const seen = new Set<string>();
  const waiting = parts.map(({ componentProductId }) => componentProductId);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === productId) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { componentProductId } of partsOf(kits, next)) waiting.push(componentProductId);
  }
  return false;
}

const MAX_KIT_DEPTH = 20;

/** Whether kits within kits would be too deep: those within its parts, itself, and those that hold it. Level by level, without a stack. */
export function isTooDeep(kits: Kits, productId: string, parts: readonly KitComponent[]): boolean {
  if (parts.length === 0) return false;
  const below = levels(productsOf(parts), (id) => productsOf(partsOf(kits, id)));
  const above = below > MAX_KIT_DEPTH ? 0 : levels(holdersOf(kits, productId), (id) => holdersOf(kits, id));
  return below + above > MAX_KIT_DEPTH;
}

const productsOf = (parts: readonly KitComponent[]): readonly string[] => [
  ...new Set(parts.map(({ componentProductId }) => componentProductId)),
];

const holdersOf = (kits: Kits, productId: string): readonly string[] =>
  [...kits].flatMap(([holder, parts]) =>
    parts.some(({ componentProductId }) => componentProductId === productId) ? [holder] : [],
  );

/** How many levels there are from the first one on; at most one more than is allowed. */
function levels(first: readonly string[], next: (productId: string) => readonly string[]): number {
  let count = 0;
  let level: ReadonlySet<string> = new Set(first);
  while (level.size > 0 && count <= MAX_KIT_DEPTH) {
    count += 1;
    level = new Set([...level].flatMap(next));
  }
  return count;
}

/** Whether a kit other than their own takes one of these. */
export function usesAny(kits: Kits, variantIds: ReadonlySet<string>): boolean {
  for (const parts of kits.values()) {
    if (parts.some(({ componentVariantId }) => variantIds.has(componentVariantId))) return true;
  }
  return false;
}

export const evolveKits = (kits: Kits, { data: { productId, components } }: KitEvent): Kits =>
  components.length === 0 ? kits.remove(productId) : kits.set(productId, components);
