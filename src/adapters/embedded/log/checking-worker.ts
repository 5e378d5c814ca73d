import { workerData } from 'node:worker_threads';
import type { CheckedPlace } from '../../../ports/log-checker.js';
import { answerQuestions } from '../workers/answer-questions.js';
import { StretchCheck } from './checking.js';
import type { LogFileOptions } from './file.js';
import { openLogForReading } from './file.js';

/** Checks stretches of the log, so that the event loop need not. */
export interface CheckAsked {
  readonly from: CheckedPlace;
  readonly limit: number;
}

const { database } = openLogForReading(workerData as LogFileOptions);
// The log is gone through once: a larger cache would hold what nobody asks for again.
database.exec('pragma cache_size = -1024');
const stretches = new StretchCheck(database);

answerQuestions(
  true,
  ({ from, limit }: CheckAsked) => stretches.next(from, limit),
  () => {
    database.close();
  },
);
