import { Map as ImmutableMap } from 'immutable';
import type { Decider, StreamType } from '../../kernel/events/decider.js';
import { Rejection, STALE } from '../../kernel/events/rejection.js';
import type { Hold, Holds, Release } from '../../kernel/patterns/holds.js';
import { NO_HOLDS, isHeldBy, releasedOf } from '../../kernel/patterns/holds.js';
import type { Kits, StoreKits } from './domain/kits.js';
import { evolveKits, makesCycle, misfitOf, partsOf, sameParts } from './domain/kits.js';
import type { KitComponent, KitEvent } from './events.js';
import { kitEvents } from './events.js';
import { KIT_CYCLE, KIT_OF_SERVICE, KIT_TOO_DEEP, KIT_TOO_LARGE } from './rejections.js';

type KitCommand =
  | {
      readonly type: 'replace';
      readonly productId: string;
      readonly components: readonly KitComponent[];
      /** The parts as the client's record has them, when it asked for no other. */
      readonly expected?: readonly KitComponent[] | undefined;
    }
  /** Takes a replacement back whose product's own change was refused. */
  | {
      readonly type: 'restore';
      readonly productId: string;
      readonly replaced: readonly KitComponent[];
      readonly components: readonly KitComponent[];
    }
  /** A variant of the kit is gone, and with it the parts that it alone took. */
  | { readonly type: 'removeParent'; readonly productId: string; readonly variantId: string }
  /** Comes before a product becomes a service: whoever makes it a part from then on is refused. */
  | { readonly type: 'keepOut'; readonly productId: string; readonly hold: Hold }
  | { readonly type: 'letIn'; readonly productId: string; readonly release: Release };

function replaced(kits: Kits, productId: string, components: readonly KitComponent[]): KitEvent[] {
  if (sameParts(partsOf(kits, productId), components)) return [];
  return [{ type: 'KitComponentsReplaced', data: { productId, components: [...components] } }];
}

/** Refuses parts that would make the product, or a kit that holds it, too deep or too large. */
export function expectFit(kits: Kits, productId: string, components: readonly KitComponent[]): void {
  const misfit = misfitOf(kits, productId, components);
  if (misfit) throw new Rejection(misfit === 'too deep' ? KIT_TOO_DEEP : KIT_TOO_LARGE);
}

function decide({ parts: kits, keptOut }: StoreKits, command: KitCommand): KitEvent[] {
  const { productId } = command;
  const takesKeptOut = (parts: readonly KitComponent[]) =>
    parts.some(({ componentProductId }) => keptOut.has(componentProductId));
  const present = partsOf(kits, productId);
  switch (command.type) {
    case 'replace': {
      const { components, expected } = command;
      if (expected && !sameParts(present, expected)) throw new Rejection(STALE);
      if (makesCycle(kits, productId, components)) throw new Rejection(KIT_CYCLE);
      expectFit(kits, productId, components);
      if (takesKeptOut(components)) throw new Rejection(KIT_OF_SERVICE);
      return replaced(kits, productId, components);
    }
    case 'restore':
      return sameParts(present, command.replaced) &&
        !makesCycle(kits, productId, command.components) &&
        !misfitOf(kits, productId, command.components) &&
        !takesKeptOut(command.components)
        ? replaced(kits, productId, command.components)
        : [];
    case 'removeParent': {
      const left = present.filter(({ parentVariantId }) => parentVariantId !== command.variantId);
      return replaced(kits, productId, left);
    }
    case 'keepOut': {
      const { hold } = command;
      return isHeldBy(keptOut, productId, hold.id) ? [] : [{ type: 'ProductKeptOutOfKits', data: { productId, hold } }];
    }
    case 'letIn': {
      const { holds } = releasedOf(keptOut, [productId], command.release);
      return holds.length === 0 ? [] : [{ type: 'ProductLetIntoKits', data: { productId, holds } }];
    }
  }
}

const decider: Decider<StoreKits, KitCommand, KitEvent> = {
  initial: { parts: ImmutableMap(), keptOut: NO_HOLDS },
  evolve: evolveKits,
  decide,
};

type StoredParts = readonly [productId: string, components: readonly object[]];
interface StoredHolds {
  readonly productId: string;
  readonly holds: readonly Hold[];
}

/** One stream a store, so that two changes at once make no cycle, and none makes a service a part. */
export const kits: StreamType<StoreKits, KitCommand, KitEvent> = {
  category: 'kits',
  decider,
  events: kitEvents,
  snapshot: {
    version: 3,
    save: ({ parts, keptOut }) => [...parts, ...[...keptOut].map(([productId, holds]) => ({ productId, holds }))],
    load() {
      const parts: Kits = ImmutableMap<string, readonly KitComponent[]>().asMutable();
      const keptOut: Holds = ImmutableMap<string, readonly Hold[]>().asMutable();
      return {
        add(part) {
          const stored = part as StoredParts | StoredHolds;
          if ('holds' in stored) {
            keptOut.set(stored.productId, stored.holds);
            return;
          }
          const [productId, components] = stored;
          const replaced = kitEvents.decode('KitComponentsReplaced', 1, { productId, components });
          if (replaced.type === 'KitComponentsReplaced') parts.set(productId, replaced.data.components);
        },
        state: () => ({ parts: parts.asImmutable(), keptOut: keptOut.asImmutable() }),
      };
    },
  },
  weigh: ({ parts, keptOut }) => parts.size + keptOut.size,
};
