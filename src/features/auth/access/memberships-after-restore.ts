import { streamName } from '../../../kernel/events/decider.js';
import { StreamStates } from '../../../kernel/events/stream-states.js';
import { rowOf } from '../../../kernel/reactors/work-line.js';
import type { StoredEvent } from '../../../ports/event-store.js';
import type { VaultWrite } from '../../../ports/vault.js';
import { account } from '../accounts/decider.js';
import { access } from './decider.js';
import { MEMBERSHIPS } from './unfinished-memberships.js';

/**
 * Accounts of a store that does not have them as members: of the two facts by which an account enters a store or leaves it, the log that was
 * restored may have kept the first alone.
 */
export class MembershipsAfterRestore {
  private readonly accounts = new StreamStates(account);
  private readonly stores = new StreamStates(access);

  add(stored: StoredEvent): void {
    this.accounts.add(stored);
    this.stores.add(stored);
  }

  /** Has them looked at, as after a crash. */
  rows(now: number): readonly VaultWrite[] {
    const living = this.accounts.all.flatMap(({ state }) => (typeof state === 'string' ? [] : [state]));
    return living.flatMap(({ userId, stores }) =>
      stores
        .filter((storeId) => !this.isMember(storeId, userId))
        .map((storeId) => {
          const task = { storeId, userId };
          return rowOf(MEMBERSHIPS, { id: MEMBERSHIPS.idOf(task), line: '', task, dueAt: now }, 'absent');
        }),
    );
  }

  private isMember(storeId: string, userId: string): boolean {
    return this.stores.of(streamName(access.category, storeId)).memberByUser.has(userId);
  }
}
