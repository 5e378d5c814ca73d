import type { MemoryShares } from '../memory.js';
import { sharesOf } from '../memory.js';
import { QuestionLink } from '../workers/question-link.js';
import type { TypicalBodies } from '../packed-bodies.js';
import type { ReaderData } from './reader-worker.js';
import type { Reading } from '../read-protocol.js';

export type Reader = Pick<QuestionLink<Reading, unknown>, 'open' | 'begun' | 'ask' | 'close'>;

interface Waiting {
  readonly asked: Reading;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const SCRIPT = new URL('./reader-worker.js', import.meta.url);

export function readersOf(
  dataDir: string,
  { readerMegabytes }: MemoryShares = sharesOf(),
  typical: TypicalBodies,
): Readers {
  const data: ReaderData = { dataDir, readerMegabytes, typical };
  const reader = () => new QuestionLink<Reading, unknown>(SCRIPT, data);
  return new Readers(reader(), [reader(), reader()]);
}

/**
 * The workers that read. One takes what is known to be short. The others take what may be long, each one question at a time, so
 * that none waits behind a long one while another worker is free. Each is started when it is first needed.
 */
export class Readers {
  private readonly free: Set<Reader>;
  private readonly waiting: Waiting[] = [];

  constructor(
    private readonly short: Reader,
    private readonly long: readonly Reader[],
  ) {
    this.free = new Set(long);
  }

  askShort(asked: Reading): Promise<unknown> {
    return this.short.ask(asked);
  }

  ask(asked: Reading): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, resolve, reject });
      this.next();
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.short, ...this.long].map((reader) => reader.close()));
  }

  private next(): void {
    const reader = this.waiting.length > 0 ? this.ready() : undefined;
    const first = reader && this.waiting.shift();
    if (reader && first) void this.serve(reader, first);
  }

  /** One that runs rather than one that would have to be started. While all are being started again, any of them says so. */
  private ready(): Reader | undefined {
    const free = [...this.free];
    const open = free.filter((reader) => reader.open);
    return open.find(({ begun }) => begun) ?? open[0] ?? (free.length === this.long.length ? free[0] : undefined);
  }

  private async serve(reader: Reader, { asked, resolve, reject }: Waiting): Promise<void> {
    this.free.delete(reader);
    try {
      resolve(await reader.ask(asked));
    } catch (error) {
      reject(error);
    } finally {
      this.free.add(reader);
      this.next();
    }
  }
}
