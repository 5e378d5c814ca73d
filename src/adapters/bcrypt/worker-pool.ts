import { Worker } from 'node:worker_threads';
import { Rejection, UNAVAILABLE } from '../../kernel/events/rejection.js';
import type { Job } from './worker.js';

interface Task {
  readonly job: Job;
  resolve(result: unknown): void;
  reject(reason: Error): void;
}

/** Threads that take one job each at a time; started when there is work for them, and again when one dies. */
export class WorkerPool {
  private readonly waiting: Task[] = [];
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Task>();
  private closed = false;

  constructor(
    private readonly mostWorkers: number,
    private readonly mostWaiting: number,
  ) {}

  run(job: Job): Promise<unknown> {
    if (this.closed) return Promise.reject(new Rejection(UNAVAILABLE, 'the service is stopping'));
    if (this.waiting.length >= this.mostWaiting) {
      return Promise.reject(new Rejection(UNAVAILABLE, 'too many passwords are being checked; try again'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, resolve, reject });
      this.assign();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const refusal = new Rejection(UNAVAILABLE, 'the service is stopping');
    for (const task of this.waiting.splice(0)) task.reject(refusal);
    await Promise.all([...this.idle, ...this.busy.keys()].map((worker) => worker.terminate()));
  }

  private assign(): void {
    while (this.waiting.length > 0) {
      const worker = this.idle.pop() ?? (this.busy.size < this.mostWorkers ? this.start() : undefined);
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
    const worker = new Worker(new URL('./worker.js', import.meta.url));
    let reason = new Error('a password worker ended');
    worker.on('message', (result) => {
      const task = this.busy.get(worker);
      this.busy.delete(worker);
      this.idle.push(worker);
      worker.unref();
      task?.resolve(result);
      this.assign();
    });
    worker.on('error', (error) => (reason = error));
    worker.on('exit', () => {
      this.busy.get(worker)?.reject(this.closed ? new Rejection(UNAVAILABLE, 'the service is stopping') : reason);
      this.busy.delete(worker);
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
      if (!this.closed) this.assign();
    });
    return worker;
  }
}
