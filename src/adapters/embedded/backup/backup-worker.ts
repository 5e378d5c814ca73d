import { parentPort, workerData } from 'node:worker_threads';
import type { BackupWish } from './backing-up.js';
import { backUp } from './backing-up.js';

/** Backs up once, beside the threads that serve. */
parentPort?.postMessage(backUp(workerData as BackupWish));
