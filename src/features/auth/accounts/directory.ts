import { streamName } from '../../../kernel/decider.js';
import type { Lanes } from '../../../kernel/lanes.js';
import type { Account } from './decider.js';
import { account } from './decider.js';
import { email, username } from './names.js';

/** User names and e-mail addresses are one whatever their case. */
export const foldName = (text: string): string => text.normalize('NFC').toLowerCase();

export const accountStream = (userId: string): string => streamName(account.category, userId);

export async function findAccount(lanes: Lanes, userId: string): Promise<Account | undefined> {
  const { state } = await lanes.current(account, accountStream(userId));
  return typeof state === 'string' ? undefined : state;
}

/** By user name or e-mail address. A name that its holder's account does not confirm names nobody. */
export async function findAccountByLogin(lanes: Lanes, login: string): Promise<Account | undefined> {
  const folded = foldName(login);
  const type = folded.includes('@') ? email : username;
  const { state } = await lanes.current(type, streamName(type.category, folded));
  if (state.ownerId === null) return undefined;
  const found = await findAccount(lanes, state.ownerId);
  const confirmed = found && foldName(type === email ? found.email : found.username) === folded;
  return confirmed ? found : undefined;
}
