import { Worker } from 'node:worker_threads';
import { Rejection, UNAVAILABLE } from '../../../kernel/events/rejection.js';

/** What a print is made of: the signed XML, and what became of the document since. */
export interface PrintJob {
  readonly xml: string;
  readonly status: string;
  readonly protocol: string | null;
  readonly authorizedAt: string | null;
  readonly timeZone: string;
}

export type PrintResult = { readonly pdf: Uint8Array } | { readonly error: string };

interface Task {
  readonly job: PrintJob;
  resolve(pdf: Uint8Array): void;
  reject(reason: Error): void;
}

const MOST_WAITING = 200;

/** Prints one document after the other in a thread of its own, which is started when somebody prints. */
export class DocumentPrinter {
  private readonly tasks: Task[] = [];
  private worker: Worker | undefined;

  print(job: PrintJob): Promise<Uint8Array> {
    if (this.tasks.length >= MOST_WAITING) {
      return Promise.reject(new Rejection(UNAVAILABLE, 'too many documents are being printed; try again'));
    }
    return new Promise((resolve, reject) => {
      this.tasks.push({ job, resolve, reject });
      if (this.tasks.length === 1) this.start().postMessage(job);
    });
  }

  private start(): Worker {
    const worker = this.worker ?? new Worker(new URL('./print-worker.js', import.meta.url));
    if (!this.worker) {
      this.worker = worker;
      worker.on('message', (result: PrintResult) => {
        this.finish(result);
      });
      worker.on('error', (error) => {
        this.worker = undefined;
        for (const task of this.tasks.splice(0)) task.reject(error);
      });
    }
    // A process that waits for a print must live on; one with an idle thread may end.
    worker.ref();
    return worker;
  }

  private finish(result: PrintResult): void {
    const task = this.tasks.shift();
    if ('pdf' in result) task?.resolve(result.pdf);
    else task?.reject(new Error(result.error));
    const [next] = this.tasks;
    if (next) this.worker?.postMessage(next.job);
    else this.worker?.unref();
  }
}
