import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../workers/answer-questions.js';
import type { TypicalBodies } from '../packed-bodies.js';
import { openReadFileForReading } from '../read-file.js';
import { ListMaker } from './list-maker.js';
import { BETWEEN } from './list-plans.js';
import type { LargePage, Reading } from '../read-protocol.js';
import { PlanRunner } from './runner.js';

/** Runs the reads that may take long: sums, counts of many, searches, large pages. */
export interface ReaderData {
  readonly dataDir: string;
  readonly readerMegabytes: number;
  readonly typical: TypicalBodies;
}

const { dataDir, readerMegabytes, typical } = workerData as ReaderData;
const database = openReadFileForReading(dataDir, readerMegabytes, typical);
const runner = new PlanRunner(database);

const lists = new ListMaker(database);

function answer(asked: Reading): unknown {
  switch (asked.kind) {
    case 'plan':
      return runner.json(asked.plan);
    case 'bodies': {
      const { rows, end } = runner.page(asked.plan, asked.limit);
      return { text: rows.map(([body]) => body).join(BETWEEN), end } satisfies LargePage;
    }
    case 'list':
      return lists.make(asked.plan);
    case 'cells':
      return runner.cells(asked.statement);
    case 'raw':
      return runner.raw(asked.statement);
  }
}

answerQuestions('opened', answer, () => {
  database.close();
});
