import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EmbeddedLog, EmbeddedLogOptions } from '../../src/adapters/embedded/log/embedded-log.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import type { Clock } from '../../src/kernel/values/clock.js';
import { systemClock } from '../../src/kernel/values/clock.js';

const run = promisify(execFile);

interface Opened<P> {
  readonly log: EmbeddedLog;
  readonly options: EmbeddedLogOptions;
  readonly port: P;
}

/** Embedded logs in folders of their own, known by the port of theirs that a test holds. */
export class EmbeddedLogs<P extends object> {
  private readonly opened = new Map<P, Opened<P>>();
  private readonly folders: string[] = [];

  constructor(private readonly portOf: (log: EmbeddedLog) => P) {}

  /** A fresh one; those of earlier tests are closed. */
  async open(clock: Clock = systemClock()): Promise<P> {
    await this.closeAll();
    return this.openIn({ dataDir: await this.folder(), secretsKey: randomBytes(32), clock });
  }

  async reopen(port: P): Promise<P> {
    const { log, options } = this.of(port);
    await log.close();
    return this.openIn(options);
  }

  of(port: P): Opened<P> {
    const opened = this.opened.get(port);
    if (!opened) throw new Error('this log was not opened here');
    return opened;
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'embedded-log-'));
    this.folders.push(folder);
    return folder;
  }

  /** By another process: a file of an open database must not be closed by this one, which would give up its locks. */
  async rawBytes(port: P): Promise<Buffer> {
    const { dataDir } = this.of(port).options;
    const files = ['events.db', 'events.db-wal'].map((name) => join(dataDir, name));
    return (await run('cat', files, { encoding: 'buffer', maxBuffer: 100_000_000 })).stdout;
  }

  async dispose(): Promise<void> {
    await this.closeAll();
    await Promise.all(this.folders.map((folder) => rm(folder, { recursive: true })));
  }

  private async closeAll(): Promise<void> {
    await Promise.all([...this.opened.values()].map(({ log }) => log.close()));
    this.opened.clear();
  }

  private async openIn(options: EmbeddedLogOptions): Promise<P> {
    const log = await openEmbeddedLog(options);
    const port = this.portOf(log);
    this.opened.set(port, { log, options, port });
    return port;
  }
}
