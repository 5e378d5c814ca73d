import { randomBytes } from 'node:crypto';
import { openMongo } from '../../src/adapters/mongodb/open-mongo.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { AnyCollection } from '../../src/ports/read-models.js';
import type { OpenReadModels } from '../contract/read-models.js';
import { readModelsContract } from '../contract/read-models.js';
import type { OpenSnapshots } from '../contract/snapshots.js';
import { snapshotsContract } from '../contract/snapshots.js';
import { onMongo } from '../support/on-servers.js';

const secretsKey = randomBytes(32);
const clock = systemClock();

const SECOND_SUM = 'FerretDB reckons the first accumulator of a group alone';

const TWO_STEPS = 'FerretDB looks for a document and changes it in two steps';
const NO_INDEX = 'FerretDB uses no index: it compares each of a thousand ids with each document';

await onMongo('MongoDB', (mongo) => {
  async function openModels(url: string, collections: readonly AnyCollection[]): Promise<OpenReadModels> {
    const { reads, projectionStore, close } = await openMongo({ url, secretsKey, clock });
    await projectionStore.prepare(collections);
    return {
      reads,
      store: projectionStore,
      close,
      async reopen(again) {
        await close();
        return openModels(url, again);
      },
    };
  }

  async function openSnapshots(url: string): Promise<OpenSnapshots> {
    const { snapshots, close } = await openMongo({ url, secretsKey, clock });
    return {
      snapshots,
      close,
      async reopen() {
        await close();
        return openSnapshots(url);
      },
    };
  }

  readModelsContract('MongoDB', {
    open: (collections) => openModels(mongo.freshUrl(), collections),
    without: mongo.isFerretdb
      ? {
          'sums and distinct counts leave nulls out': SECOND_SUM,
          'ten thousand documents are written, found and counted': NO_INDEX,
          'a summary keeps to its conditions': SECOND_SUM,
        }
      : {},
  });
  snapshotsContract('MongoDB', {
    open: () => openSnapshots(mongo.freshUrl()),
    without: mongo.isFerretdb ? { 'a snapshot is loaded whole or not at all while others are saved': TWO_STEPS } : {},
  });
});
