import { StoreUnavailable } from '../../../ports/event-store.js';
import type { Answer, Question } from '../read-protocol.js';
import { WorkerLink } from './worker-link.js';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The main thread's end of a worker that answers questions. The worker is started with the first of them, or before. */
export class QuestionLink<Asked, Opened> {
  private readonly link: WorkerLink<Opened, Answer>;
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private said: Opened | undefined;
  private starting: Promise<void> | undefined;
  private closing = false;

  constructor(script: URL, data: object, youngMegabytes?: number) {
    const events = {
      onOpened: (opened: Opened) => {
        this.said = opened;
      },
      onReply: (answer: Answer) => {
        this.settle(answer);
      },
      onLost: (cause: Error) => {
        const lost = new StoreUnavailable('a worker of the read models was lost', true, { cause });
        for (const { reject } of this.waiting.values()) reject(lost);
        this.waiting.clear();
      },
    };
    this.link = new WorkerLink(script, data, events, youngMegabytes);
  }

  /** Whether a question asked now reaches the worker. */
  get open(): boolean {
    return this.link.open || (!this.begun && !this.closing);
  }

  /** Whether it was opened once; from then on it is started again by itself. */
  get begun(): boolean {
    return this.said !== undefined;
  }

  /** Rejects when the worker cannot open what it needs. */
  async start(): Promise<Opened> {
    this.starting ??= this.link.start().finally(() => (this.starting = undefined));
    await this.starting;
    return this.said as Opened;
  }

  async ask(asked: Asked): Promise<unknown> {
    if (!this.begun && !this.closing) {
      await this.start().catch((cause: unknown) => {
        throw new StoreUnavailable('a worker of the read models does not start', false, { cause });
      });
    }
    return this.post(asked);
  }

  close(): Promise<void> {
    this.closing = true;
    return this.link.close();
  }

  private post(asked: Asked): Promise<unknown> {
    if (!this.link.open)
      return Promise.reject(new StoreUnavailable('the read models are closed or being opened', false));
    return new Promise((resolve, reject) => {
      const number = (this.asked += 1);
      this.waiting.set(number, { resolve, reject });
      this.link.post({ number, asked } satisfies Question<Asked>);
    });
  }

  private settle({ number, value, failure }: Answer): void {
    const asked = this.waiting.get(number);
    this.waiting.delete(number);
    if (!failure) asked?.resolve(value);
    else asked?.reject(failure.away ? new StoreUnavailable(failure.message, false) : new Error(failure.message));
  }
}
