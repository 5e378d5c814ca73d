import { Worker } from 'node:worker_threads';

interface OneAnswerOptions {
  /** Tells that it ended without an answer. */
  readonly ended: string;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

/** What a thread that was started for one task answers; the thread ends with its answer. */
export function answerOfThread<Result>(
  script: URL,
  task: object,
  { ended, signal }: OneAnswerOptions,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: task });
    const breakOff = () => void worker.terminate();
    signal?.addEventListener('abort', breakOff, { once: true });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      signal?.removeEventListener('abort', breakOff);
      reject(new Error(ended));
    });
  });
}
