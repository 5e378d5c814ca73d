import { parentPort, workerData } from 'node:worker_threads';
import { openReadFileForCheckpoints } from './read-file.js';

/** Waits for the disk so that the thread which writes `read.db` need not. */
const { dataDir } = workerData as { readonly dataDir: string };
const database = openReadFileForCheckpoints(dataDir);

parentPort?.on('message', () => {
  database.exec('pragma wal_checkpoint(passive)');
  parentPort?.postMessage('moved');
});
