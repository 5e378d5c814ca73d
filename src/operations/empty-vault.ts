import type { Logger } from 'pino';
import { holdsPasswords } from '../features/auth/accounts/password-rows.js';
import type { EventStore } from '../ports/event-store.js';
import { START } from '../ports/event-store.js';
import type { Vault } from '../ports/vault.js';

/**
 * Says that accounts which the log knows have nothing in the vault. It is no reason to refuse: a vault that was lost stays lost, and stores may go
 * on with new accounts.
 */
export async function tellEmptyVault({
  eventStore,
  vault,
  logger,
}: {
  readonly eventStore: Pick<EventStore, 'readAll'>;
  readonly vault: Vault;
  readonly logger: Logger;
}): Promise<void> {
  if (await holdsPasswords(vault)) return;
  if ((await eventStore.readAll(START, 1)).length === 0) return;
  logger.warn(
    'the vault holds no password, and the log is in use: nobody of its accounts can sign in. See whether MONGODB_URL (without one, DATA_DIR) leads to the vault of this log',
  );
}
