import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../workers/answer-questions.js';
import { openReadFileForCheckpoints } from '../read-file.js';

/** Waits for the disk so that the thread which writes `read.db` need not. */
const { dataDir } = workerData as { readonly dataDir: string };
const database = openReadFileForCheckpoints(dataDir);

answerQuestions(
  'opened',
  () => {
    database.exec('pragma wal_checkpoint(passive)');
  },
  () => {
    database.close();
  },
);
