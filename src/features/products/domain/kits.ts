import { Map as ImmutableMap } from 'immutable';
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

/** Whether a kit other than their own takes one of these. */
export function usesAny(kits: Kits, variantIds: ReadonlySet<string>): boolean {
  for (const parts of kits.values()) {
    if (parts.some(({ componentVariantId }) => variantIds.has(componentVariantId))) return true;
  }
  return false;
}

export const evolveKits = (kits: Kits, { data: { productId, components } }: KitEvent): Kits =>
  components.length === 0 ? kits.remove(productId) : kits.set(productId, components);
