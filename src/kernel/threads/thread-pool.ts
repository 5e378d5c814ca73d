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

/**
 * Threads that take one job each at a time; started when there is work for them, and again when one dies. Askers take turns, so that nobody
 * waits for all that another has asked for.
 */
export class ThreadPool<Job, Result> {
  /** What waits, by asker, in the order of their turns. */
  private readonly waiting = new Map<string, Task<Job, Result>[]>();
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Task<Job, Result>>();
  private closed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  run(job: Job, asker: string): Promise<Result> {
    if (this.closed) return Promise.reject(stopping());
    return new Promise((resolve, reject) => {
      const queue = this.waiting.get(asker) ?? [];
      queue.push({ job, resolve, reject });
      this.waiting.set(asker, queue);
      this.assign();
      this.refuseTooMany();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const task of [...this.waiting.values()].flat()) task.reject(stopping());
    this.waiting.clear();
    await Promise.all([...this.idle, ...this.busy.keys()].map((worker) => worker.terminate()));
  }

  /** Where too many wait, the newest task of whoever has most of them goes. */
  private refuseTooMany(): void {
    const { mostWaiting, crowded } = this.options;
    const queues = [...this.waiting];
    if (queues.reduce((sum, [, { length }]) => sum + length, 0) <= mostWaiting) return;
    const [asker, longest] = queues.reduce((most, one) => (one[1].length >= most[1].length ? one : most));
    longest.pop()?.reject(new Rejection(UNAVAILABLE, crowded));
    if (longest.length === 0) this.waiting.delete(asker);
  }

  /** The oldest task of the asker whose turn it is; their others come after everybody else's. */
  private next(): Task<Job, Result> | undefined {
    const [first] = this.waiting;
    if (!first) return undefined;
    const [asker, queue] = first;
    const task = queue.shift();
    this.waiting.delete(asker);
    if (queue.length > 0) this.waiting.set(asker, queue);
    return task;
  }

  private assign(): void {
    while (this.waiting.size > 0) {
      const worker = this.idle.pop() ?? (this.busy.size < this.options.mostThreads ? this.start() : undefined);
      if (!worker) return;
      const task = this.next();
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
