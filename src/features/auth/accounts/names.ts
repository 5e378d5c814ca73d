import type { Decider, StreamType } from '../../../kernel/decider.js';
import { Rejection, rejection } from '../../../kernel/rejection.js';
import type { NameEvent } from './events.js';
import { nameEvents } from './events.js';

/** A user name or an e-mail address, unique over the installation: FREE, then HELD by one account, then FREE again. */
export type Name = { readonly ownerId: string | null };

export type NameCommand =
  | { readonly type: 'hold'; readonly ownerId: string }
  /** Takes over from an owner whose account was found never to have been born. */
  | { readonly type: 'takeOver'; readonly from: string; readonly ownerId: string }
  | { readonly type: 'release'; readonly ownerId: string };

export const NAME_HELD = rejection(409, 'NAME_HELD', 'Another account holds this name');

const decider: Decider<Name, NameCommand, NameEvent> = {
  initial: { ownerId: null },
  evolve: (_, { type, data }) => ({ ownerId: type === 'NameHeld' ? data.ownerId : null }),
  decide({ ownerId }, command) {
    if (command.type === 'release') {
      return ownerId === command.ownerId ? [{ type: 'NameReleased', data: { ownerId } }] : [];
    }
    if (ownerId === command.ownerId) return [];
    const free = ownerId === null || (command.type === 'takeOver' && ownerId === command.from);
    if (!free) throw new Rejection(NAME_HELD, undefined, { ownerId });
    return [{ type: 'NameHeld', data: { ownerId: command.ownerId } }];
  },
};

const nameStream = (category: string): StreamType<Name, NameCommand, NameEvent> => ({
  category,
  decider,
  events: nameEvents,
});

export const username = nameStream('username');
export const email = nameStream('email');
