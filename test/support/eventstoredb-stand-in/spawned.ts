import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hang } from '../hang.js';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

/** The stand-in in a process of its own, with its data in a file, so that it can be killed and started again. */
export class SpawnedStandIn {
  private process: ChildProcess | undefined;
  private chosenUrl = '';

  private constructor(private readonly folder: string) {}

  static async start(): Promise<SpawnedStandIn> {
    const server = new SpawnedStandIn(await mkdtemp(join(tmpdir(), 'eventstoredb-')));
    await server.start();
    return server;
  }

  get url(): string {
    return this.chosenUrl;
  }

  /** Listens on the port that it had before, if any. */
  async start(): Promise<void> {
    const port = /:(\d+)\?/.exec(this.chosenUrl)?.[1] ?? '0';
    const process = fork(MAIN, ['--port', port, '--file', join(this.folder, 'log.jsonl')], { stdio: 'inherit' });
    this.process = process;
    [this.chosenUrl] = (await once(process, 'message')) as [string];
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (!process) return;
    this.process = undefined;
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  }

  /** Stops answering, connections and all, until it is resumed. */
  async freeze(): Promise<void> {
    if (this.process) await hang(this.process);
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }
}
