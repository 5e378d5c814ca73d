import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcrypt';

export type Job =
  | { readonly kind: 'hash'; readonly text: string; readonly salt: string | number }
  | { readonly kind: 'compare'; readonly text: string; readonly hash: string };

const A_LITTLE_LATER = 5;

// On Linux a priority is a thread's own: who signs in waits for those who work, rather than the other way round.
if (process.platform === 'linux') setPriority(A_LITTLE_LATER);

parentPort?.on('message', (job: Job) => {
  const result = job.kind === 'hash' ? hashSync(job.text, job.salt) : compareSync(job.text, job.hash);
  parentPort?.postMessage(result);
});
