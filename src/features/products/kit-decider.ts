import { Map as ImmutableMap } from 'immutable';
import type { Decider, StreamType } from '../../kernel/events/decider.js';
import { Rejection, STALE } from '../../kernel/events/rejection.js';
import type { Kits } from './domain/kits.js';
import { evolveKits, makesCycle, misfitOf, partsOf, sameParts } from './domain/kits.js';
import type { KitComponent, KitEvent } from './events.js';
import { kitEvents } from './events.js';
import { KIT_CYCLE, KIT_TOO_DEEP, KIT_TOO_LARGE } from './rejections.js';

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
  | { readonly type: 'removeParent'; readonly productId: string; readonly variantId: string };

function replaced(kits: Kits, productId: string, components: readonly KitComponent[]): KitEvent[] {
  if (sameParts(partsOf(kits, productId), components)) return [];
  return [{ type: 'KitComponentsReplaced', data: { productId, components: [...components] } }];
}

/** Refuses parts that would make the product, or a kit that holds it, too deep or too large. */
export function expectFit(kits: Kits, productId: string, components: readonly KitComponent[]): void {
  const misfit = misfitOf(kits, productId, components);
  if (misfit) throw new Rejection(misfit === 'too deep' ? KIT_TOO_DEEP : KIT_TOO_LARGE);
}

function decide(kits: Kits, command: KitCommand): KitEvent[] {
  const { productId } = command;
  const present = partsOf(kits, productId);
  switch (command.type) {
    case 'replace': {
      const { components, expected } = command;
      if (expected && !sameParts(present, expected)) throw new Rejection(STALE);
      if (makesCycle(kits, productId, components)) throw new Rejection(KIT_CYCLE);
      expectFit(kits, productId, components);
      return replaced(kits, productId, components);
    }
    case 'restore':
      return sameParts(present, command.replaced) &&
        !makesCycle(kits, productId, command.components) &&
        !misfitOf(kits, productId, command.components)
        ? replaced(kits, productId, command.components)
        : [];
    case 'removeParent': {
      const left = present.filter(({ parentVariantId }) => parentVariantId !== command.variantId);
      return replaced(kits, productId, left);
    }
  }
}

const decider: Decider<Kits, KitCommand, KitEvent> = {
  initial: ImmutableMap(),
  evolve: evolveKits,
  decide,
};

/** One stream a store, so that two changes at once make no cycle. */
export const kits: StreamType<Kits, KitCommand, KitEvent> = {
  category: 'kits',
  decider,
  events: kitEvents,
  snapshot: {
    version: 1,
    save: (state) => state.entries(),
    load() {
      const found: Kits = ImmutableMap<string, readonly KitComponent[]>().asMutable();
      return {
        add(part) {
          const [productId, components] = part as readonly [string, readonly object[]];
          const { data } = kitEvents.decode('KitComponentsReplaced', 1, { productId, components });
          found.set(productId, data.components);
        },
        state: () => found.asImmutable(),
      };
    },
  },
  weigh: (state) => state.size,
};
