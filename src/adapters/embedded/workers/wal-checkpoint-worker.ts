import { workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { answerQuestions } from './answer-questions.js';
import { checkpoint } from './wal-checkpoints.js';

/** Waits for the disk so that the thread which writes the file need not. */
const { path } = workerData as { readonly path: string };
const database = new DatabaseSync(path);
database.exec('pragma busy_timeout = 5000; pragma synchronous = normal; pragma wal_autocheckpoint = 0;');

answerQuestions(
  'opened',
  () => {
    checkpoint(database, 'passive');
  },
  () => {
    database.close();
  },
);
