import type { ReservationType } from '../../../kernel/patterns/reservation.js';
import type { ReservationOutcome as Outcome } from '../../../kernel/patterns/reservations.js';
import { Reservations } from '../../../kernel/patterns/reservations.js';
import { streamName } from '../../../kernel/events/decider.js';
import type { Account } from './decider.js';
import { account, confirms } from './decider.js';
import { accountStream } from './directory.js';
import type { NameKind } from './names.js';
import { email, foldName, username } from './names.js';

export type ClaimOutcome = Outcome<Account>;

/** The names of one kind, by their text in any case; an account confirms them. */
const claimsOf = (type: ReservationType<NameKind>): Reservations<Account> =>
  new Reservations({
    type,
    stream: (_context, name) => streamName(type.category, foldName(name)),
    storeId: () => null,
    async owner(context, ownerId, name) {
      const found = await context.currentOn(account, accountStream(ownerId));
      if (typeof found === 'string') return found === 'ended' ? 'ended' : 'open';
      return confirms(found, type.category, foldName(name)) ? found : 'open';
    },
    async drop(context, { ownerId, claimId }, name) {
      const command = { type: 'dropClaim', claimId, kind: type.category, name: foldName(name) } as const;
      await context.executeOn(account, accountStream(ownerId), command, { storeId: null });
    },
  });

export const usernames = claimsOf(username);
export const emails = claimsOf(email);
