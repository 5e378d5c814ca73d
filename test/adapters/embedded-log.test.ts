import { eventStoreContract } from '../contract/event-store.js';
import { vaultContract } from '../contract/vault.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';

const stores = new EmbeddedLogs((log) => log.eventStore);
const vaults = new EmbeddedLogs((log) => log.vault);

eventStoreContract('The embedded log', {
  open: () => stores.open(),
  reopen: (store) => stores.reopen(store),
  dispose: () => stores.dispose(),
});

vaultContract('The embedded log', {
  open: (clock) => vaults.open(clock),
  reopen: (vault) => vaults.reopen(vault),
  rawBytes: (vault) => vaults.rawBytes(vault),
  dispose: () => vaults.dispose(),
});
