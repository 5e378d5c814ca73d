import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { NO_STREAM } from '../../src/ports/event-store.js';
import { eventStoreContract, someEvents } from '../contract/event-store.js';
import { vaultContract } from '../contract/vault.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';
import { until } from '../support/until.js';

const stores = new EmbeddedLogs((log) => log.eventStore);
const busy = new EmbeddedLogs((log) => log.eventStore);
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

afterAll(() => busy.dispose());

test('what is appended moves into the file meanwhile, and the write-ahead log starts over', async () => {
  const store = await busy.open();
  const { dataDir } = busy.of(store).options;
  const sizeOf = async (name: string) => (await stat(join(dataDir, name))).size;
  const each = 9;
  let revision = NO_STREAM;
  let written = 0;
  await until('the write-ahead log is a small part of what was written', async () => {
    ({ revision } = await store.append('notes', revision, someEvents(each, { text: 'x'.repeat(100_000) })));
    written += each * 100_000;
    return (await sizeOf('events.db-wal')) < written / 3;
  });
  expect(await sizeOf('events.db')).toBeGreaterThan(written / 3);
});
