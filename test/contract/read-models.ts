import { describe, test } from '@jest/globals';
import type { AnyCollection, ProjectionStore, ReadModels } from '../../src/ports/read-models.js';
import { letters, moves, products } from './read-model-samples.js';
import { identifierTests } from './read-models-identifiers.js';
import { keptTests } from './read-models-kept.js';
import { keyTests } from './read-models-keys.js';
import { queryTests } from './read-models-queries.js';
import { pagingTests } from './read-models-paging.js';
import { rebuildTests } from './read-models-rebuilds.js';
import { rowTests } from './read-models-rows.js';
import { sliceTests } from './read-models-slices.js';
import { totalsTests } from './read-models-totals.js';
import { wordTests } from './read-models-words.js';
import { writeTests } from './read-models-writes.js';

/** An open store that writes and the read models over the same data. */
export interface OpenReadModels {
  readonly store: ProjectionStore;
  readonly reads: ReadModels;
  /** Closes it and opens the same data again, prepared for these collections. */
  reopen(collections: readonly AnyCollection[]): Promise<OpenReadModels>;
  close(): Promise<void>;
}

interface ReadModelsHarness {
  /** On fresh data, prepared for these collections. */
  open(collections: readonly AnyCollection[]): Promise<OpenReadModels>;
  /** Names of the tests to leave out, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
}

export type ContractTest = readonly [name: string, run: (models: OpenReadModels) => Promise<unknown>];

const TESTS: Readonly<Record<string, readonly ContractTest[]>> = {
  writes: writeTests,
  queries: queryTests,
  paging: pagingTests,
  words: wordTests,
  slices: sliceTests,
  rows: rowTests,
  keys: keyTests,
  rebuilds: rebuildTests,
  totals: totalsTests,
  kept: keptTests,
  identifiers: identifierTests,
};

/** What every pair of projection store and read models keeps. */
export function readModelsContract(name: string, harness: ReadModelsHarness): void {
  const without = harness.without ?? {};
  const names = new Set(Object.values(TESTS).flatMap((tests) => tests.map(([title]) => title)));
  for (const title of Object.keys(without)) {
    if (!names.has(title)) throw new Error(`no test of the read-model contract is called "${title}"`);
  }
  describe.each(Object.entries(TESTS))(`${name}: %s`, (_, tests) => {
    for (const [title, run] of tests) {
      const reason = without[title];
      if (reason !== undefined) test.skip(`${title} (left out: ${reason})`, () => undefined);
      else {
        test(title, async () => {
          const opened = new Set<OpenReadModels>();
          const models = remembering(await harness.open([products, moves, letters]), opened);
          try {
            await run(models);
          } finally {
            for (const open of opened) await open.close();
          }
        });
      }
    }
  });
}

/** Keeps track of what is open, so that a failed test leaves nothing behind. */
function remembering(models: OpenReadModels, opened: Set<OpenReadModels>): OpenReadModels {
  opened.add(models);
  return {
    store: models.store,
    reads: models.reads,
    async reopen(collections) {
      opened.delete(models);
      return remembering(await models.reopen(collections), opened);
    },
    close: () => {
      opened.delete(models);
      return models.close();
    },
  };
}
