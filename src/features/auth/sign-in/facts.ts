import type { Actor } from '../../../kernel/events/event.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { VaultWrite } from '../../../ports/vault.js';
import type { Account, AccountCommand } from '../accounts/decider.js';
import { account as accounts } from '../accounts/decider.js';
import { accountStream } from '../accounts/directory.js';
import type { Session } from './sessions.js';
import { endWrite } from './sessions.js';

const actorOf = ({ userId, name }: Account): Actor => ({ kind: 'user', id: userId, name });

/** Executes a command on an account, in its holder's name. */
export async function onAccount(
  context: Commands,
  account: Account,
  storeId: string | null,
  command: AccountCommand,
  rows: readonly VaultWrite[] = [],
): Promise<void> {
  const options = { storeId, actor: actorOf(account), ...(rows.length > 0 ? { rows } : {}) };
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

/** By their user, or by who sends the user out of a store. Each by its name: a repeat finds fewer of them. */
export async function endSessions(
  context: Commands,
  account: Account,
  ended: readonly Session[],
  actor?: Actor,
): Promise<void> {
  for (const session of ended) {
    const { sessionId, storeId } = session;
    const command = { type: 'note', fact: { type: 'SignedOut', data: { sessionId } } } as const;
    const options = { storeId, actor: actor ?? actorOf(account), rows: [endWrite(session)], name: `end ${sessionId}` };
    await context.executeOn(accounts, accountStream(account.userId), command, options);
  }
}
