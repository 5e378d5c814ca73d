import { open, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../kernel/values/clock.js';
import type { EventStore } from '../../../ports/event-store.js';
import type { Vault } from '../../../ports/vault.js';
import { lockDataFolder } from '../data-folder.js';
import { EmbeddedEventStore } from './event-store.js';
import { LogClient } from './client.js';
import { LogFaults } from './faults.js';
import { LogFeed } from './feed.js';
import { LogReads } from './reader-link.js';
import { EmbeddedVault } from './vault.js';

export interface EmbeddedLog {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  /** Makes one consistent copy, `events.db`, in an existing folder while everything goes on. */
  backup(directory: string): Promise<void>;
  /** Waits for what was asked, then gives the folder up. */
  close(): Promise<void>;
}

export interface EmbeddedLogOptions {
  readonly dataDir: string;
  /** 32 bytes; seals the vault. */
  readonly secretsKey: Uint8Array;
  readonly clock: Clock;
  /** The vault in use is another one, so that appends cannot store its rows. */
  readonly vaultElsewhere?: boolean;
  /** For tests of failures alone. */
  readonly faults?: LogFaults;
}

/** Opens `events.db` in a data folder that no other process may use meanwhile (DataFolderBusy). */
export async function openEmbeddedLog(options: EmbeddedLogOptions): Promise<EmbeddedLog> {
  const { dataDir, secretsKey, clock, faults = new LogFaults() } = options;
  const lock = lockDataFolder(dataDir);
  const file = { dataDir, secretsKey: Uint8Array.from(secretsKey) };
  const reads = new LogReads(file);
  const feed = new LogFeed(clock, async (after, limit) => (await reads.page(['all', after, limit])).events);
  const client = new LogClient(file, faults, clock, (head) => {
    feed.advance(head);
  });
  const eventStore = new EmbeddedEventStore(client, reads, feed, options.vaultElsewhere !== true);
  try {
    await client.start();
    await reads.start();
  } catch (error) {
    await client.close();
    lock.release();
    throw error;
  }
  return {
    eventStore,
    vault: new EmbeddedVault(client, reads, clock),
    backup: (directory) => backup(file, directory),
    async close() {
      await feed.close();
      await reads.close();
      await client.close();
      lock.release();
    },
  };
}

/** Through a reader of its own, so that no other read waits for the copy. */
async function backup(file: { dataDir: string; secretsKey: Uint8Array }, directory: string): Promise<void> {
  if ((await realpath(directory)) === (await realpath(file.dataDir))) {
    throw new Error(`${directory} is the data folder itself: its backup needs another`);
  }
  const reader = new LogReads(file);
  const partial = join(directory, 'events.db.partial');
  await rm(partial, { force: true });
  await reader.start();
  try {
    await reader.ask(['backup', partial]);
  } finally {
    await reader.close();
  }
  await flush(partial);
  await rename(partial, join(directory, 'events.db'));
  await flush(directory);
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
