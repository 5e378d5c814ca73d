import { write, writeSync } from 'node:fs';

/** So much waits where nothing can be written, on a full disk above all; what comes then is left out. */
const MOST_WAITING = 16 * 1024 * 1024;
/** A pipe whose reader is slow says so, and takes more a moment later. */
const BUSY: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'EBUSY']);
const BUSY_PAUSE = 100;
const FLUSH_TRIES = 10;
const NOBODY_READS = 'EPIPE';

const NOTHING = Buffer.alloc(0);
const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Writes lines beside the work, many at once. What cannot be written stops nothing and is tried again with the next line; pino's own
 * writer ends the process then, or waits for ever when it is flushed.
 */
export class LogWriter {
  private lines: string[] = [];
  private length = 0;
  /** What was taken to be written, as far as it is not. */
  private rest: Buffer = NOTHING;
  private isWriting = false;

  constructor(
    private readonly fd: number,
    private readonly mostWaiting = MOST_WAITING,
  ) {}

  write(line: string): void {
    if (this.length + this.rest.length > this.mostWaiting) return;
    this.lines.push(line);
    this.length += line.length;
    if (!this.isWriting) this.next();
  }

  /** Writes what waits, as far as that can be. */
  flush(): void {
    if (this.isWriting) this.rest = NOTHING; // on its way already
    for (let tries = 0; tries < FLUSH_TRIES && this.take();) {
      try {
        this.rest = this.rest.subarray(writeSync(this.fd, this.rest));
      } catch (error) {
        if (!BUSY.has(codeOf(error))) return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE);
      }
    }
  }

  /** Whether there is anything to write. */
  private take(): boolean {
    if (this.rest.length > 0) return true;
    this.rest = Buffer.from(this.lines.join(''));
    this.lines = [];
    this.length = 0;
    return this.rest.length > 0;
  }

  private next(): void {
    if (!this.take()) return;
    this.isWriting = true;
    const taken = this.rest;
    write(this.fd, taken, (error, written) => {
      this.isWriting = false;
      if (this.rest !== taken) {
        this.next(); // flushed meanwhile
        return;
      }
      if (!error) this.rest = taken.subarray(written);
      else if (BUSY.has(error.code))
        setTimeout(() => {
          this.again();
        }, BUSY_PAUSE);
      else if (error.code === NOBODY_READS) this.rest = NOTHING;
      if (!error) this.next();
    });
  }

  private again(): void {
    if (!this.isWriting) this.next();
  }
}
