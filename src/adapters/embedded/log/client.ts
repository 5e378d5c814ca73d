import type { Clock } from '../../../kernel/values/clock.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { LogFaults } from './faults.js';
import type { LogFileOptions } from './file.js';
import { GROUP_BYTES, GROUP_REQUESTS } from './protocol.js';
import type { Opened, Outcome, WriteReply, WriteRequest } from './protocol.js';
import { WorkerLink } from '../workers/worker-link.js';

interface Waiting {
  readonly request: WriteRequest;
  readonly bytes: number;
  /** Called before anything else learns of the outcome, in the order of the log. */
  readonly settle: (outcome: Outcome) => void;
  readonly reject: (error: StoreUnavailable) => void;
}

/** The main thread's end of the log worker: gathers what is written in one turn of the event loop into one message. */
export class LogClient {
  logId = '';
  private readonly link: WorkerLink<Opened, WriteReply>;
  private outbox: Waiting[] = [];
  private sent: Waiting[] = [];
  private readonly drained: (() => void)[] = [];

  constructor(
    options: LogFileOptions,
    faults: LogFaults,
    private readonly clock: Clock,
    /** Told where the log ends, after the outcomes of a group or a restart. */
    private readonly onHead: (head: number) => void,
  ) {
    this.link = new WorkerLink(
      new URL('./writer-worker.js', import.meta.url),
      { ...options, faults: faults.memory },
      {
        onOpened: ({ logId, head }) => {
          this.logId = logId;
          this.onHead(head);
        },
        onReply: (reply) => {
          this.answer(reply);
        },
        onLost: (cause) => {
          const lost = new StoreUnavailable('the log was lost before it answered', true, { cause });
          for (const { reject } of this.sent.splice(0)) reject(lost);
          this.tellDrained();
        },
      },
    );
  }

  start(): Promise<void> {
    return this.link.start();
  }

  write(request: WriteRequest, bytes: number, settle: Waiting['settle'], reject: Waiting['reject']): void {
    if (this.outbox.length === 0)
      setImmediate(() => {
        this.flush();
      });
    this.outbox.push({ request, bytes, settle, reject });
  }

  /** Waits until everything that was asked has been answered. */
  async close(): Promise<void> {
    if (this.outbox.length + this.sent.length > 0) await new Promise<void>((resolve) => this.drained.push(resolve));
    await this.link.close();
  }

  private flush(): void {
    const now = this.clock.now();
    const waiting = this.outbox;
    this.outbox = [];
    if (!this.link.open) {
      const away = new StoreUnavailable('the log is closed or being opened', false, { cause: this.link.reason });
      for (const { reject } of waiting) reject(away);
      this.tellDrained();
      return;
    }
    for (let first = 0; first < waiting.length;) {
      let [end, bytes] = [first, 0];
      while (end < waiting.length && end - first < GROUP_REQUESTS && bytes < GROUP_BYTES) {
        bytes += waiting[end]?.bytes ?? 0;
        end += 1;
      }
      const group = waiting.slice(first, end);
      this.link.post({ requests: group.map(({ request }) => request), bytes, now });
      this.sent.push(...group);
      first = end;
    }
  }

  private answer({ count, outcomes, head, failure }: WriteReply): void {
    const answered = this.sent.splice(0, count);
    if (failure) {
      const error = new StoreUnavailable(failure.message, failure.unknown);
      for (const { reject } of answered) reject(error);
    } else {
      answered.forEach(({ settle }, at) => {
        settle([outcomes[2 * at] ?? -1, outcomes[2 * at + 1] ?? -1]);
      });
    }
    this.onHead(head);
    this.tellDrained();
  }

  private tellDrained(): void {
    if (this.outbox.length + this.sent.length === 0) for (const tell of this.drained.splice(0)) tell();
  }
}
