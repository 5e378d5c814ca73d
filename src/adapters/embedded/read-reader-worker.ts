import { workerData } from 'node:worker_threads';
import { answerQuestions } from './read-answering.js';
import { openReadFileForReading } from './read-file.js';
import { ListMaker } from './read-list-maker.js';
import type { Reading } from './read-protocol.js';
import { PlanRunner } from './read-runner.js';

/** Runs the reads that may take long: sums, counts of many, searches, large pages. */
const { dataDir } = workerData as { readonly dataDir: string };
const database = openReadFileForReading(dataDir);
const runner = new PlanRunner(database);

const lists = new ListMaker(database);

function answer(asked: Reading): unknown {
  switch (asked.kind) {
    case 'plan':
      return JSON.stringify(runner.run(asked.plan));
    case 'list':
      return lists.make(asked.plan);
    case 'blobs':
      return runner.blobs(asked.statement);
  }
}

answerQuestions('opened', answer, () => {
  database.close();
});
