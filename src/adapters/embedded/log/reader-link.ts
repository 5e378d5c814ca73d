import type { StoredEvent } from '../../../ports/event-store.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { LogFileOptions } from './file.js';
import { storedEvent } from './stored-event.js';
import type { EventRow, ReadReply, ReadRequest } from './protocol.js';
import { WorkerLink } from '../workers/worker-link.js';

interface Waiting {
  readonly resolve: (reply: ReadReply) => void;
  readonly reject: (error: StoreUnavailable) => void;
}

/** The main thread's end of a reader worker, which answers in the order of the questions. */
export class LogReads {
  private readonly link: WorkerLink<string, ReadReply>;
  private readonly waiting: Waiting[] = [];

  constructor(options: LogFileOptions) {
    this.link = new WorkerLink(new URL('./reader-worker.js', import.meta.url), options, {
      onOpened: () => undefined,
      onReply: (reply) => {
        const asked = this.waiting.shift();
        if (reply.failure === undefined) asked?.resolve(reply);
        else asked?.reject(new StoreUnavailable(reply.failure, false));
      },
      onLost: (cause) => {
        const lost = new StoreUnavailable('the reader of the log was lost', false, { cause });
        for (const { reject } of this.waiting.splice(0)) reject(lost);
      },
    });
  }

  start(): Promise<void> {
    return this.link.start();
  }

  ask(request: ReadRequest): Promise<ReadReply> {
    if (!this.link.open) {
      const cause = this.link.reason;
      return Promise.reject(new StoreUnavailable('the log is closed or being opened', false, { cause }));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.link.post(request);
    });
  }

  /** A page of events; `cut` when there may be more although it is shorter than asked. */
  async page(request: ReadRequest): Promise<{ readonly events: readonly StoredEvent[]; readonly cut: boolean }> {
    const { rows, cut } = await this.ask(request);
    return { events: (rows as readonly EventRow[]).map(storedEvent), cut };
  }

  close(): Promise<void> {
    return this.link.close();
  }
}
