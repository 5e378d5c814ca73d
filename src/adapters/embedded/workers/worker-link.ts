import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CLOSE } from '../log/protocol.js';

interface LinkEvents<Opened, Reply> {
  /** Called after the start and after each restart. */
  onOpened(opened: Opened): void;
  onReply(reply: Reply): void;
  /** The worker ended: what it had been asked and has not answered it never will. */
  onLost(reason: Error): void;
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;
/** A quarter of what V8 takes by itself: new objects of a thread that reads live as briefly in less room. */
const YOUNG_MEGABYTES = 12;

/**
 * Keeps one worker running. When it dies it is started again: it holds no state that is not on disk, and the log stays this
 * process's own in between, so nothing can have been written that the new worker does not find.
 */
export class WorkerLink<Opened, Reply> {
  /** Why it is not open. */
  reason: Error | undefined;
  private worker: Worker | undefined;
  private closing = false;
  private ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly script: URL,
    private readonly data: object,
    private readonly events: LinkEvents<Opened, Reply>,
    /** How much room its new objects have. */
    private readonly youngMegabytes = YOUNG_MEGABYTES,
  ) {}

  /** Whether what is posted now reaches an open file. */
  get open(): boolean {
    return this.worker !== undefined && !this.closing;
  }

  /** Rejects when the file cannot be opened. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const resourceLimits = { maxYoungGenerationSizeMb: this.youngMegabytes };
      const worker = new Worker(this.script, { workerData: this.data, resourceLimits });
      let reason = new Error('a worker of the log ended');
      this.ended = new Promise((end) => {
        worker.on('exit', () => {
          const wasOpen = this.worker === worker;
          this.worker = undefined;
          this.reason = reason;
          end();
          if (!wasOpen) {
            reject(reason);
            return;
          }
          this.events.onLost(reason);
          if (!this.closing) void this.restart();
        });
      });
      worker.on('error', (error) => (reason = error));
      worker.once('message', (opened: Opened) => {
        this.worker = worker;
        if (this.closing) worker.postMessage(CLOSE);
        worker.on('message', (reply: Reply) => {
          this.events.onReply(reply);
        });
        this.events.onOpened(opened);
        resolve();
      });
    });
  }

  post(message: unknown): void {
    this.worker?.postMessage(message);
  }

  async close(): Promise<void> {
    this.closing = true;
    this.worker?.postMessage(CLOSE);
    await this.ended;
  }

  private async restart(): Promise<void> {
    for (let wait = FIRST_PAUSE; !this.isClosing(); wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      const started = await this.start().then(
        () => true,
        () => false,
      );
      if (started) return;
      await pause(wait);
    }
  }

  private isClosing(): boolean {
    return this.closing;
  }
}
