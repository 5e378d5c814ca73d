import type { Clock } from '../../kernel/values/clock.js';
import { rowSeal } from '../row-seal.js';
import { vaultCipher } from '../vault-cipher.js';
import { Builds } from './builds.js';
import { Connection } from './connection.js';
import { expectKey } from './key-check.js';
import { expectLog } from './log-check.js';
import { expectInUse, MovingVault } from './moving.js';
import { MongoProjectionStore } from './projection-store.js';
import { MongoReadModels } from './read-models.js';
import { MongoSnapshots } from './snapshots.js';
import { StalledBuilds, sweepBuilds, sweepTombstones } from './sweeping.js';
import { MongoVault } from './vault.js';

const HOUR = 3_600_000;

interface MongoSettings {
  /** Its path names the database; without one that is `store_management`. */
  readonly url: string;
  readonly secretsKey: Uint8Array;
  readonly clock: Clock;
}

export type Mongo = Awaited<ReturnType<typeof openMongo>>;

/** Everything that is kept in MongoDB, over one connection. Throws StoreUnavailable when the server is away. */
export async function openMongo({ url, secretsKey, clock }: MongoSettings) {
  const connection = Connection.open(url);
  const builds = new Builds(connection, clock);
  const vault = new MongoVault(connection, vaultCipher(secretsKey), clock);
  const snapshots = new MongoSnapshots(connection, clock);
  const stalled = new StalledBuilds();
  try {
    await expectInUse(connection);
    await expectKey(connection, rowSeal(secretsKey));
    await Promise.all([vault.prepare(), snapshots.prepare()]);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    reads: new MongoReadModels(connection, builds),
    projectionStore: new MongoProjectionStore(connection, builds, clock),
    snapshots,
    vault,
    /** Throws StartRefused where the vault is that of another log than the one that a setting leads to. */
    expectLog: (logId: string, setting: string) => expectLog(connection, logId, setting),
    /** Deletes what nothing needs any more; to be called now and then (the vault has its own). */
    async sweep(): Promise<void> {
      const before = clock.now() - HOUR;
      await sweepTombstones(connection, builds, before);
      await sweepBuilds(connection, builds, before);
      await stalled.giveUp(builds, clock.now(), before);
      await snapshots.sweep(before);
    },
    close: () => connection.close(),
  };
}

/** The vault on the server, on its way to another engine or from one. */
export function openMovingVault(url: string): { readonly vault: MovingVault; close(): Promise<void> } {
  const connection = Connection.open(url);
  return { vault: new MovingVault(connection), close: () => connection.close() };
}

/** The server's version; throws StoreUnavailable where it is away. */
export async function mongoVersion(url: string): Promise<string> {
  const connection = Connection.open(url);
  try {
    return await connection.version();
  } finally {
    await connection.close();
  }
}
