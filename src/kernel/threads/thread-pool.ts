import { Worker } from 'node:worker_threads';
import { Rejection, UNAVAILABLE } from '../events/rejection.js';

interface ThreadPoolOptions {
  /** Answers each message with one of its own. */
  readonly script: URL;
  readonly mostThreads: number;
  readonly mostWaiting: number;
  /** Tells whoever comes when too many wait already. */
  readonly crowded: string;
}

interface Task<Job, Result> {
  readonly job: Job;
  resolve(result: Result): void;
  reject(reason: Error): void;
}

/** Threads that take one job each at a time; started when there is work for them, and again when one dies. */
export class ThreadPool<Job, Result> {
  private readonly waiting: Task<Job, Result>[] = [];
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Task<Job, Result>>();
  private closed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  run(job: Job): Promise<Result> {
    if (this.closed) return Promise.reject(stopping());
    const { mostWaiting, crowded } = this.options;
    if (this.waiting.length >= mostWaiting) return Promise.reject(new Rejection(UNAVAILABLE, crowded));
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, resolve, reject });
      this.assign();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const task of this.waiting.splice(0)) task.reject(stopping());
    await Promise.all([...this.idle, ...this.busy.keys()].map((worker) => worker.terminate()));
  }

  private assign(): void {
    while (this.waiting.length > 0) {
      const worker = this.idle.pop() ?? (this.busy.size < this.options.mostThreads ? this.start() : undefined);
      if (!worker) return;
      const task = this.waiting.shift();
      if (!task) return;
      this.busy.set(worker, task);
      // A process that waits for a job must live on; one that only has idle threads may end.
      worker.ref();
      worker.postMessage(task.job);
    }
  }

  private start(): Worker {
    const worker = new Worker(this.options.script);
    let reason = new Error('a thread ended without an answer');
    worker.on('message', (result: Result) => {
      const task = this.busy.get(worker);
      this.busy.delete(worker);
      this.idle.push(worker);
      worker.unref();
      task?.resolve(result);
      this.assign();
    });
    worker.on('error', (error) => (reason = error));
    worker.on('exit', () => {
      this.busy.get(worker)?.reject(this.closed ? stopping() : reason);
      this.busy.delete(worker);
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
      if (!this.closed) this.assign();
    });
    return worker;
  }
}

const stopping = (): Rejection => new Rejection(UNAVAILABLE, 'the service is stopping');
