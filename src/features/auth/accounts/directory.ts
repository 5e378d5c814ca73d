import { streamName } from '../../../kernel/events/decider.js';
import type { CommandLanes } from '../../../kernel/lanes/lanes.js';
import type { Account } from './decider.js';
import { account, confirms } from './decider.js';
import { email, foldName, username } from './names.js';

export const accountStream = (userId: string): string => streamName(account.category, userId);

export async function findAccount(lanes: CommandLanes, userId: string): Promise<Account | undefined> {
  const { state } = await lanes.current(account, accountStream(userId));
  return typeof state === 'string' ? undefined : state;
}

/** By user name, or by an e-mail address that was proved: others may have written down an address that is not theirs. */
export async function findAccountByLogin(lanes: CommandLanes, login: string): Promise<Account | undefined> {
  const found = await findAccountByName(lanes, login);
  return login.includes('@') && found?.addressProved !== true ? undefined : found;
}

/** By user name or e-mail address. A name that its holder's account does not confirm names nobody. */
export async function findAccountByName(lanes: CommandLanes, login: string): Promise<Account | undefined> {
  const folded = foldName(login);
  const type = folded.includes('@') ? email : username;
  const { state } = await lanes.current(type, streamName(type.category, folded));
  if (!state.hold) return undefined;
  const found = await findAccount(lanes, state.hold.ownerId);
  return found && confirms(found, type.category, folded) ? found : undefined;
}
