import { workerData } from 'node:worker_threads';
import { answerQuestions } from './read-answering.js';
import { openReadFileForReading } from './read-file.js';
import type { Reading } from './read-protocol.js';
import { PlanRunner } from './read-runner.js';

/** Runs the reads that may take long: sums, counts of many, searches, large pages. */
const { dataDir } = workerData as { readonly dataDir: string };
const database = openReadFileForReading(dataDir);
const runner = new PlanRunner(database);

answerQuestions(
  'opened',
  (asked: Reading) => (asked.kind === 'plan' ? runner.run(asked.plan) : runner.blobs(asked.statement)),
  () => {
    database.close();
  },
);
