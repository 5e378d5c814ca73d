import type { Map as ImmutableMap } from 'immutable';
import type { Holds } from '../../../kernel/patterns/holds.js';
import { withHold, withoutHolds } from '../../../kernel/patterns/holds.js';
import { isSameJson } from '../../../kernel/values/difference.js';
import type { KitComponent, KitEvent } from '../events.js';

/** The parts of all kits of a store, by the kit's product. */
export type Kits = ImmutableMap<string, readonly KitComponent[]>;

export interface StoreKits {
  readonly parts: Kits;
  /** Products that no kit may take: they became services, or are about to. */
  readonly keptOut: Holds;
}

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

/** As many as one sale takes. */
const MOST_PARTS = 5_000;

type Misfit = 'too deep' | 'too large';

/** What would be wrong with the parts of a product, for itself or for kits that hold it. */
export function misfitOf(kits: Kits, productId: string, parts: readonly KitComponent[]): Misfit | undefined {
  if (parts.length === 0) return undefined;
  const below = levels(
    productsOf(parts),
    (level) => new Set([...level].flatMap((id) => [...productsOf(partsOf(kits, id))])),
  );
  if (below.length > MAX_KIT_DEPTH) return 'too deep';
  const above = levels(new Set([productId]), (level) => holdersOf(kits, level));
  if (below.length + above.length - 1 > MAX_KIT_DEPTH) return 'too deep';
  const sizes = new Sizes(kits.set(productId, parts));
  return above.some((level) => [...level].some((id) => sizes.largestOf(id) > MOST_PARTS)) ? 'too large' : undefined;
}

type Products = ReadonlySet<string>;

const productsOf = (parts: readonly KitComponent[]): Products =>
  new Set(parts.map(({ componentProductId }) => componentProductId));

/** One walk through all kits for a whole level: many may hold the same. */
const holdersOf = (kits: Kits, products: Products): Products =>
  new Set(
    [...kits].flatMap(([holder, parts]) =>
      parts.some(({ componentProductId }) => products.has(componentProductId)) ? [holder] : [],
    ),
  );

/** The levels from the first one on, without a stack; at most one more than is allowed. */
function levels(first: Products, next: (level: Products) => Products): readonly Products[] {
  const found: Products[] = [];
  for (let level = first; level.size > 0 && found.length <= MAX_KIT_DEPTH; level = next(level)) found.push(level);
  return found;
}

/** How many parts variants have, those of kits within them each time that they occur. */
class Sizes {
  private readonly sizes = new Map<string, number>();

  constructor(private readonly kits: Kits) {}

  /** The size of the largest: each variant of the product that has parts of its own is measured, and one that has none. */
  largestOf(productId: string): number {
    const own = new Set(partsOf(this.kits, productId).map(({ parentVariantId }) => parentVariantId ?? ''));
    return Math.max(...[...own.add('')].map((variantId) => this.count(variantId, productId, 0)));
  }

  private sizeOf(variantId: string, productId: string, depth: number): number {
    let size = this.sizes.get(variantId);
    if (size === undefined) this.sizes.set(variantId, (size = this.count(variantId, productId, depth)));
    return size;
  }

  /** Old stores may have kits of any depth, which is more than the stack bears. */
  private count(variantId: string, productId: string, depth: number): number {
    if (depth > MAX_KIT_DEPTH) return Infinity;
    let size = 0;
    for (const { parentVariantId, componentVariantId, componentProductId } of partsOf(this.kits, productId)) {
      if (parentVariantId !== null && parentVariantId !== variantId) continue;
      size += 1 + this.sizeOf(componentVariantId, componentProductId, depth + 1);
    }
    return size;
  }
}

/** Who takes a part: a kit, or a variant of it alone. */
interface KitUse {
  readonly productId: string;
  readonly parentVariantId: string | null;
}

/** Where these are parts. */
export function* usesOf(kits: Kits, variantIds: ReadonlySet<string>): Generator<KitUse> {
  for (const [productId, parts] of kits) {
    for (const { componentVariantId, parentVariantId } of parts) {
      if (variantIds.has(componentVariantId)) yield { productId, parentVariantId };
    }
  }
}

export function evolveKits(kits: StoreKits, event: KitEvent): StoreKits {
  const { parts, keptOut } = kits;
  const { productId } = event.data;
  switch (event.type) {
    case 'KitComponentsReplaced': {
      const { components } = event.data;
      return { ...kits, parts: components.length === 0 ? parts.remove(productId) : parts.set(productId, components) };
    }
    case 'ProductKeptOutOfKits':
      return { ...kits, keptOut: withHold(keptOut, [productId], event.data.hold) };
    case 'ProductLetIntoKits':
      return { ...kits, keptOut: withoutHolds(keptOut, [productId], event.data.holds) };
  }
}
