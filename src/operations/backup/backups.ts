import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { Watch } from '../../features/contracts/feature.js';
import type { BackgroundWork } from '../../kernel/reactors/background.js';
import type { Clock } from '../../kernel/values/clock.js';
import { toIso } from '../../kernel/values/clock.js';
import { messageOf } from '../../kernel/values/message-of.js';

interface BackupMade {
  readonly at: string;
  readonly size: number;
  readonly added: number;
}

export interface BackupServices {
  /** Broken off by the signal: what was copied then counts for nothing. */
  readonly backUp: (signal: AbortSignal) => Promise<BackupMade>;
  /** When the newest one that counts was made, by whomever; undefined when there is none. Throws where that cannot be read. */
  readonly lastAt: () => number | undefined;
  readonly every: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** So many times the interval may pass before somebody must look. */
const LATE = 3;

/** Health is told to everybody; where things lie on the machine stands in the log alone. */
const FOLDERS = /'(?:[A-Z]:\\|\/)[^']*'|(?<![\w.])(?:[A-Z]:\\|\/)[^\s':,]+/gu;
const withoutFolders = (message: string): string => message.replace(FOLDERS, '…');

/** One that bears a time to come was made by a clock that was ahead: how old it is nobody can tell. */
function lastAtOf({ lastAt, clock }: BackupServices): number | undefined {
  try {
    const at = lastAt();
    return at !== undefined && at <= clock.now() ? at : undefined;
  } catch {
    return undefined; // the next backup says why
  }
}

/** Backs the data folder up again and again, one after the other. */
export class Backups implements Watch {
  readonly name = 'backup';
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private lastAt: number | undefined;
  private failure: string | undefined;
  private readonly closing = new AbortController();
  private readonly since: number;

  constructor(private readonly services: BackupServices) {
    this.since = services.clock.now();
    this.lastAt = lastAtOf(services);
  }

  start(): void {
    const { every, clock } = this.services;
    const due = this.lastAt === undefined ? 0 : this.lastAt + every - clock.now();
    this.schedule(Math.min(Math.max(due, 0), every));
  }

  background(): BackgroundWork {
    return { queues: [this] };
  }

  status() {
    const now = this.services.clock.now();
    const { lastAt, failure, since } = this;
    const ok = now - (lastAt ?? since) < LATE * this.services.every;
    return {
      ok,
      at: lastAt === undefined ? null : toIso(lastAt),
      ageSeconds: lastAt === undefined ? null : Math.round((now - lastAt) / 1000),
      ...(failure === undefined ? {} : { failure }),
    };
  }

  register(registry: Registry): void {
    const age = () => this.status().ageSeconds ?? Infinity;
    new Gauge({
      name: 'backup_age_seconds',
      help: 'Time since the newest backup that counts; +Inf when there is none',
      registers: [registry],
      collect() {
        this.set(age());
      },
    });
    const { every } = this.services;
    new Gauge({
      name: 'backup_interval_seconds',
      help: 'How often a backup is made',
      registers: [registry],
      collect() {
        this.set(every / 1000);
      },
    });
  }

  async close(): Promise<void> {
    this.closing.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(milliseconds: number): void {
    if (this.closing.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.run().finally(() => {
        this.schedule(this.services.every);
      });
    }, milliseconds);
    this.timer.unref();
  }

  private async run(): Promise<void> {
    const { backUp, logger } = this.services;
    try {
      const { at, size, added } = await backUp(this.closing.signal);
      this.lastAt = Date.parse(at);
      this.failure = undefined;
      logger.debug({ size, added }, 'backed up');
    } catch (error) {
      if (this.closing.signal.aborted) return;
      this.failure = withoutFolders(messageOf(error));
      logger.warn({ err: error }, 'the backup failed');
    }
  }
}
