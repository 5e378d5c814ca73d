import { StoreUnavailable } from '../../../ports/event-store.js';
import type { Answer, Question } from '../read-protocol.js';
import { WorkerLink } from './worker-link.js';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The main thread's end of a worker that answers questions. */
export class QuestionLink<Asked, Opened> {
  private readonly link: WorkerLink<Opened, Answer>;
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private said: Opened | undefined;

  constructor(script: URL, data: object) {
    this.link = new WorkerLink(script, data, {
      onOpened: (opened) => {
        this.said = opened;
      },
      onReply: (answer) => {
        this.settle(answer);
      },
      onLost: (cause) => {
        const lost = new StoreUnavailable('a worker of the read models was lost', true, { cause });
        for (const { reject } of this.waiting.values()) reject(lost);
        this.waiting.clear();
      },
    });
  }

  /** Whether a question asked now reaches the worker. */
  get open(): boolean {
    return this.link.open;
  }

  async start(): Promise<Opened> {
    await this.link.start();
    return this.said as Opened;
  }

  ask(asked: Asked): Promise<unknown> {
    if (!this.link.open)
      return Promise.reject(new StoreUnavailable('the read models are closed or being opened', false));
    return new Promise((resolve, reject) => {
      const number = (this.asked += 1);
      this.waiting.set(number, { resolve, reject });
      this.link.post({ number, asked } satisfies Question<Asked>);
    });
  }

  close(): Promise<void> {
    return this.link.close();
  }

  private settle({ number, value, failure }: Answer): void {
    const asked = this.waiting.get(number);
    this.waiting.delete(number);
    if (!failure) asked?.resolve(value);
    else asked?.reject(failure.away ? new StoreUnavailable(failure.message, false) : new Error(failure.message));
  }
}
