import { z } from 'zod';
import type { Decider, StreamType } from '../events/decider.js';
import type { EventCodec } from '../events/event.js';
import { defineEvent, eventCodec } from '../events/event.js';
import { Rejection, rejection } from '../events/rejection.js';

/** A name or code that one record alone may have: free, then held by its owner, who confirms it in a stream of its own, then free again. */

export interface Hold {
  readonly ownerId: string;
  /** Names this taking: another taking by the same owner is another claim. */
  readonly claimId: string;
  readonly heldAt: string;
}

interface Reservation {
  readonly hold: Hold | undefined;
}

export type ReservationCommand =
  /** `instead`: the claim of another that was found to be dead. */
  | { readonly type: 'hold'; readonly ownerId: string; readonly claimId: string; readonly instead?: string }
  | { readonly type: 'release'; readonly claimId: string };

export type ReservationEvent<Held extends string = string, Released extends string = string> =
  | { readonly type: Held; readonly data: { readonly ownerId: string; readonly claimId: string } }
  | { readonly type: Released; readonly data: { readonly ownerId: string } };

interface ReservationEvents<Held extends string, Released extends string> {
  readonly held: Held;
  readonly released: Released;
  readonly codec: EventCodec<ReservationEvent<Held, Released>>;
}

export type ReservationType<
  K extends string = string,
  Held extends string = string,
  Released extends string = string,
> = {
  readonly category: K;
} & StreamType<Reservation, ReservationCommand, ReservationEvent<Held, Released>>;

export const NAME_HELD = rejection(409, 'NAME_HELD', 'Another record holds this name');

/** The two facts of a claim: `NameHeld`, `NameReleased`. */
export function reservationEvents<const Held extends string, const Released extends string>(
  held: Held,
  released: Released,
): ReservationEvents<Held, Released> {
  const heldEvent = defineEvent(held, 1, z.object({ ownerId: z.string(), claimId: z.string() }));
  const releasedEvent = defineEvent(released, 1, z.object({ ownerId: z.string() }));
  const codec = eventCodec(heldEvent, releasedEvent) as EventCodec<ReservationEvent<Held, Released>>;
  return { held, released, codec };
}

/** One stream for each name or code: `username-{name}`, `gtin-{store}-{code}`. */
export function reservationType<const K extends string, Held extends string, Released extends string>(
  category: K,
  { held, released, codec }: ReservationEvents<Held, Released>,
): ReservationType<K, Held, Released> {
  const decider: Decider<Reservation, ReservationCommand, ReservationEvent<Held, Released>> = {
    initial: { hold: undefined },
    evolve: (_, { data }, { at }) => ({ hold: 'claimId' in data ? { ...data, heldAt: at } : undefined }),
    decide({ hold }, command) {
      if (command.type === 'release') {
        return hold?.claimId === command.claimId ? [{ type: released, data: { ownerId: hold.ownerId } }] : [];
      }
      const { ownerId, claimId, instead } = command;
      if (hold?.claimId === claimId && hold.ownerId === ownerId) return [];
      if (hold && hold.ownerId !== ownerId && hold.claimId !== instead) throw new Rejection(NAME_HELD);
      return [{ type: held, data: { ownerId, claimId } }];
    },
  };
  return { category, decider, events: codec };
}
