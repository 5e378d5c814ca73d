import { Worker } from 'node:worker_threads';

/** What a thread that was started for one task answers, once it has ended; `ended` tells that it did so without an answer. */
export function answerOfThread<Result>(script: URL, task: object, ended: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: task });
    let answer: { readonly result: Result } | undefined;
    let reason = new Error(ended);
    worker.once('message', (result: Result) => (answer = { result }));
    worker.once('error', (error) => (reason = error));
    worker.once('exit', () => {
      if (answer) resolve(answer.result);
      else reject(reason);
    });
  });
}
