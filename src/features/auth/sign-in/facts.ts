import type { Actor } from '../../../kernel/events/event.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { VaultWrite } from '../../../ports/vault.js';
import type { Account, AccountCommand } from '../accounts/decider.js';
import { account as accounts } from '../accounts/decider.js';
import { accountStream } from '../accounts/directory.js';

const actorOf = ({ userId, name }: Account): Actor => ({ kind: 'user', id: userId, name });

/** Executes a command on an account in its holder's name. */
export async function onAccount(
  context: RequestContext,
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
  context: RequestContext,
  account: Account,
  storeId: string | null,
  fact: Fact,
  rows: readonly VaultWrite[] = [],
): Promise<void> => onAccount(context, account, storeId, { type: 'note', fact }, rows);
