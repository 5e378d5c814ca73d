import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../kernel/values/clock.js';
import type { NoteToSeal, SealedNote } from './sealed-note.js';
import { sealedNote } from './sealed-note.js';
import type { SigningResult, SigningTask } from './signing-worker.js';
import type { Identity } from './xml-signature.js';

interface Asked {
  readonly note: NoteToSeal;
  readonly identity: Identity;
  resolve(sealed: SealedNote): void;
  reject(reason: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Asked[];
}

const MOST_THREADS = 4;
const SECOND = 1_000;
/** So many documents in a second are worth threads of their own, which take a while to start and room to stay. */
const MANY = 20;
/** How long threads without work stay. */
const STAY = 20 * SECOND;

/** Signs and seals documents: few of them beside everything else, many in threads of their own. */
export class SigningThreads {
  private threads: Thread[] = [];
  private outbox: Asked[] = [];
  private idle: NodeJS.Timeout | undefined;
  private second = 0;
  private inSecond = 0;
  private inSecondBefore = 0;

  constructor(private readonly clock: Clock) {}

  /** Those that are asked for in one turn go to a thread together. */
  seal(note: NoteToSeal, identity: Identity): Promise<SealedNote> {
    if (!this.counted()) return sealedNote(note, identity);
    return new Promise((resolve, reject) => {
      this.outbox.push({ note, identity, resolve, reject });
      if (this.outbox.length === 1) {
        queueMicrotask(() => {
          this.share();
        });
      }
    });
  }

  /** Whether there are many of them. */
  private counted(): boolean {
    const second = Math.floor(this.clock.now() / SECOND);
    if (second !== this.second) {
      this.inSecondBefore = second === this.second + 1 ? this.inSecond : 0;
      this.second = second;
      this.inSecond = 0;
    }
    this.inSecond += 1;
    return this.inSecond > MANY || this.inSecondBefore > MANY;
  }

  private share(): void {
    const all = this.outbox.splice(0);
    const most = Math.min(MOST_THREADS, availableParallelism());
    while (this.threads.length < most) this.threads.push(this.started());
    const share = Math.ceil(all.length / this.threads.length);
    const free = [...this.threads].sort((a, b) => a.waiting.length - b.waiting.length);
    for (const thread of free) {
      const own = all.splice(0, share);
      for (const identity of new Set(own.map((asked) => asked.identity))) {
        this.post(
          thread,
          own.filter((asked) => asked.identity === identity),
          identity,
        );
      }
    }
  }

  private post({ worker, waiting }: Thread, asked: readonly Asked[], identity: Identity): void {
    clearTimeout(this.idle);
    // A process that waits for a signature must live on; one that only has idle threads may end.
    worker.ref();
    waiting.push(...asked);
    worker.postMessage({ identity, notes: asked.map(({ note }) => note) } satisfies SigningTask);
  }

  private started(): Thread {
    const worker = new Worker(new URL('./signing-worker.js', import.meta.url));
    const thread: Thread = { worker, waiting: [] };
    let reason = new Error('a signing thread ended');
    worker.on('message', (results: readonly SigningResult[]) => {
      for (const result of results) {
        const asked = thread.waiting.shift();
        if ('sealed' in result) asked?.resolve(result.sealed);
        else asked?.reject(new Error(result.error));
      }
      if (thread.waiting.length === 0) worker.unref();
      if (this.threads.every(({ waiting }) => waiting.length === 0)) this.rest();
    });
    worker.on('error', (error) => (reason = error));
    worker.on('exit', () => {
      this.threads = this.threads.filter((one) => one !== thread);
      for (const asked of thread.waiting.splice(0)) asked.reject(reason);
    });
    worker.unref();
    return thread;
  }

  private rest(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      for (const { worker } of this.threads.splice(0)) void worker.terminate();
    }, STAY);
    this.idle.unref();
  }
}
