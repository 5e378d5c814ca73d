import type { Decider, StreamType } from '../../../kernel/decider.js';
import { Rejection, rejection } from '../../../kernel/rejection.js';
import type { NameEvent } from './events.js';
import { nameEvents } from './events.js';

/** User names and e-mail addresses are one whatever their case. */
export const foldName = (text: string): string => text.normalize('NFC').toLowerCase();

export interface Hold {
  readonly ownerId: string;
  /** Of this taking of the name: another taking by the same owner is another claim. */
  readonly claimId: string;
  readonly heldAt: string;
}

/** A user name or an e-mail address, unique over the installation: free, then held by one account, then free again. */
export interface Name {
  readonly hold: Hold | undefined;
}

export type NameCommand =
  /** `instead`: the claim of another that was found to be dead. */
  | { readonly type: 'hold'; readonly ownerId: string; readonly claimId: string; readonly instead?: string }
  | { readonly type: 'release'; readonly claimId: string };

export const NAME_HELD = rejection(409, 'NAME_HELD', 'Another account holds this name');

const decider: Decider<Name, NameCommand, NameEvent> = {
  initial: { hold: undefined },
  evolve: (_, { type, data }, { at }) => ({ hold: type === 'NameHeld' ? { ...data, heldAt: at } : undefined }),
  decide({ hold }, command) {
    if (command.type === 'release') {
      return hold?.claimId === command.claimId ? [{ type: 'NameReleased', data: { ownerId: hold.ownerId } }] : [];
    }
    const { ownerId, claimId, instead } = command;
    if (hold?.claimId === claimId) return [];
    if (hold && hold.ownerId !== ownerId && hold.claimId !== instead) throw new Rejection(NAME_HELD);
    return [{ type: 'NameHeld', data: { ownerId, claimId } }];
  },
};

export type NameKind = 'username' | 'email';

export interface NameType extends StreamType<Name, NameCommand, NameEvent> {
  readonly category: NameKind;
}

export const username: NameType = { category: 'username', decider, events: nameEvents };
export const email: NameType = { category: 'email', decider, events: nameEvents };
