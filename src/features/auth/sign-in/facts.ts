import type { Actor } from '../../../kernel/events/event.js';
import { batchesOf } from '../../../kernel/values/batches.js';
import { grouped } from '../../../kernel/values/grouped.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { VaultWrite } from '../../../ports/vault.js';
import type { Account, AccountCommand } from '../accounts/decider.js';
import { account as accounts, ENDED_TOGETHER } from '../accounts/decider.js';
import { accountStream } from '../accounts/directory.js';
import { endedSecrets } from '../accounts/ended-secrets.js';
import type { Session, SessionServices } from './sessions.js';
import { endWrite, sessionsOf } from './sessions.js';

const actorOf = ({ userId, name }: Account): Actor => ({ kind: 'user', id: userId, name });

/** Executes a command on an account, in its holder's name. */
export async function onAccount(
  context: Commands,
  account: Account,
  storeId: string | null,
  command: AccountCommand,
  rows: readonly VaultWrite[] = [],
): Promise<void> {
  const options = { storeId, actor: actorOf(account), ends: endedSecrets, ...(rows.length > 0 ? { rows } : {}) };
  await context.executeOn(accounts, accountStream(account.userId), command, options);
}

type Fact = Extract<AccountCommand, { type: 'note' }>['fact'];

/** Records a security fact of an account. */
export const noteFact = (
  context: Commands,
  account: Account,
  storeId: string | null,
  fact: Fact,
  rows: readonly VaultWrite[] = [],
): Promise<void> => onAccount(context, account, storeId, { type: 'note', fact }, rows);

/**
 * By their user, or by who sends the user out of a store: those of a store together, as each command waits until every process has heard of it.
 * Each by the name of its first session, which a repeat does not find again.
 */
export async function endSessions(
  context: Commands,
  account: Account,
  ended: readonly Session[],
  actor = actorOf(account),
): Promise<void> {
  for (const [storeId, there] of grouped(ended, (session) => session.storeId)) {
    for (const some of batchesOf(there, ENDED_TOGETHER)) {
      const sessionIds = some.map(({ sessionId }) => sessionId);
      const options = { storeId, actor, rows: some.map(endWrite), name: `end ${sessionIds[0] ?? ''}` };
      await context.executeOn(accounts, accountStream(account.userId), { type: 'endSessions', sessionIds }, options);
    }
  }
}

/** Of who is sent out of the context's store: whoever is let in again signs in again. */
export async function endSessionsInStore(
  services: Pick<SessionServices, 'vault' | 'lanes' | 'clock'>,
  context: Commands,
  account: Account,
): Promise<void> {
  const sessions = await sessionsOf(services, account.userId);
  const there = sessions.filter(({ storeId }) => storeId === context.storeId);
  await endSessions(context, account, there, context.actor);
}
