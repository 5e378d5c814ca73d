import type { Clock } from '../../../kernel/values/clock.js';
import type { EventStore } from '../../../ports/event-store.js';
import type { EventTeller } from '../../../ports/event-teller.js';
import type { LogChecker } from '../../../ports/log-checker.js';
import type { Vault } from '../../../ports/vault.js';
import { lockDataFolder } from '../data-folder.js';
import { EmbeddedChecker } from './checker.js';
import { EmbeddedEventStore } from './event-store.js';
import { LogClient } from './client.js';
import { LogFaults } from './faults.js';
import { LogFeed } from './feed.js';
import { LogReads } from './reader-link.js';
import type { OnDeleted } from './deleted-rows.js';
import { EmbeddedTeller } from './teller.js';
import { EmbeddedVault } from './vault.js';

export interface EmbeddedLog {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  /** One on a thread of its own, out of a module that exports `tellEvents`; `meanwhile` tells until that runs. */
  openTeller(tellingModule: URL, meanwhile: EventTeller): EventTeller;
  /** One on a thread of its own; `here` checks where only a few events came. */
  openChecker(here: LogChecker): LogChecker;
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
  /** Told of rows that were deleted, before whoever asked for it is. */
  readonly onDeleted?: OnDeleted;
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
  const eventStore = new EmbeddedEventStore(client, reads, feed, {
    storesRows: options.vaultElsewhere !== true,
    onDeleted: options.onDeleted,
  });
  try {
    await client.start();
    await reads.start();
  } catch (error) {
    await client.close();
    lock.release();
    throw error;
  }
  const threads: (EmbeddedTeller | EmbeddedChecker)[] = [];
  return {
    eventStore,
    vault: new EmbeddedVault(client, reads, clock, options.onDeleted),
    openTeller(tellingModule, meanwhile) {
      const teller = new EmbeddedTeller(file, tellingModule, meanwhile);
      threads.push(teller);
      return teller;
    },
    openChecker(here) {
      const checker = new EmbeddedChecker(file, () => feed.head, here);
      threads.push(checker);
      return checker;
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
      await feed.close();
      await reads.close();
      await client.close();
      lock.release();
    },
  };
}
