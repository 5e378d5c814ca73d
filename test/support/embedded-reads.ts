import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangeStamps } from '../../src/adapters/embedded/reading/changes.js';
import { EmbeddedReadModels } from '../../src/adapters/embedded/reading/read-models.js';
import { typicalBodies } from '../../src/adapters/embedded/packed-bodies.js';
import { openReadFileForReading, openReadFileForWriting } from '../../src/adapters/embedded/read-file.js';
import { readersOf } from '../../src/adapters/embedded/reading/readers.js';
import { EmbeddedProjectionStore } from '../../src/adapters/embedded/writing/store.js';
import type { AnyCollection, ProjectionStore } from '../../src/ports/read-models.js';
import type { OpenReadModels } from '../contract/read-models.js';

export const freshFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'reads-'));

/** `read.db` of a fresh folder, written by this thread. */
export async function freshEmbeddedReads(collections: readonly AnyCollection[]): Promise<OpenReadModels> {
  return openEmbeddedReads(await freshFolder(), collections);
}

export async function openEmbeddedReads(
  dataDir: string,
  collections: readonly AnyCollection[],
): Promise<OpenReadModels> {
  const typical = typicalBodies(collections);
  const database = openReadFileForWriting(dataDir, undefined, typical);
  const store = new EmbeddedProjectionStore(database);
  await store.prepare(collections);
  const readers = readersOf(dataDir, undefined, typical);
  const stamps = new ChangeStamps();
  const reads = new EmbeddedReadModels(openReadFileForReading(dataDir, undefined, typical), readers, stamps);
  const stop = async (): Promise<void> => {
    await reads.close();
    await readers.close();
    database.close();
  };
  return {
    store: telling(store, stamps),
    reads,
    async reopen(next) {
      await stop();
      return openEmbeddedReads(dataDir, next);
    },
    async close() {
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Says what was written, as the thread that writes does. */
const telling = (store: EmbeddedProjectionStore, stamps: ChangeStamps): ProjectionStore => ({
  prepare: (collections) => store.prepare(collections),
  checkpoints: () => store.checkpoints(),
  load: (collection, generation, keys) => store.load(collection, generation, keys),
  async commit(writes, checkpoints) {
    await store.commit(writes, checkpoints);
    stamps.changed(store.takeChanged());
  },
  beginRebuild: (collection) => store.beginRebuild(collection),
  async switchRebuild(collection) {
    await store.switchRebuild(collection);
    stamps.allChanged([collection.name]);
  },
});
