import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { MongoClient } from 'mongodb';
import { CannotBuild, ferretdbProgram } from './ferretdb-build.js';
import { hang } from './hang.js';

/** MongoDB for a test file: the one at TEST_MONGODB_URL, otherwise FerretDB, which stands in for it. */
export interface MongoServer {
  readonly isFerretdb: boolean;
  /** A database that nobody else uses. */
  freshUrl(): string;
  /** FerretDB alone can do it: gone at once, without a farewell, and, unless it runs, back with the same data at the same address. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** FerretDB alone can do it: it keeps its connections and says nothing. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Ends what was started and drops what was made. */
  dispose(): Promise<void>;
}

/** The server, or why there is none on this machine. */
export async function mongoServer(): Promise<MongoServer | string> {
  const url = process.env['TEST_MONGODB_URL'];
  if (url !== undefined) return realServer(url);
  try {
    return await ferretdb(await ferretdbProgram());
  } catch (error) {
    if (error instanceof CannotBuild) return error.message;
    throw error;
  }
}

const withDatabase = (url: string, name: string): string => url.replace(/^([^/]*\/\/[^/?]*)(\/[^?]*)?/u, `$1/${name}`);

function realServer(url: string): MongoServer {
  const names: string[] = [];
  const refuse = (): never => {
    throw new Error('a server that is not ours is not meddled with');
  };
  return {
    isFerretdb: false,
    freshUrl() {
      const name = `test-${randomUUID()}`;
      names.push(name);
      return withDatabase(url, name);
    },
    kill: refuse,
    start: refuse,
    freeze: refuse,
    thaw: refuse,
    async dispose() {
      const client = new MongoClient(url);
      for (const name of names) await client.db(name).dropDatabase();
      await client.close();
    },
  };
}

async function ferretdb(program: string): Promise<MongoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'ferretdb-'));
  let running = await launch(program, folder, 0);
  const { url } = running;
  const hasEnded = () => running.child.exitCode !== null || running.child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded()) return;
    running.child.kill(signal);
    await once(running.child, 'exit');
  };
  return {
    isFerretdb: true,
    freshUrl: () => withDatabase(url, `test-${randomUUID()}`),
    kill: () => end('SIGKILL'),
    async start() {
      if (hasEnded()) running = await launch(program, folder, Number(new URL(url).port));
    },
    freeze: () => hang(running.child),
    thaw: () => void running.child.kill('SIGCONT'),
    async dispose() {
      await end('SIGTERM');
      await rm(folder, { recursive: true });
    },
  };
}

interface Launched {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly url: string;
}

/** Its standard input stays open as long as this process lives; it ends with it. */
async function launch(program: string, folder: string, port: number): Promise<Launched> {
  const child = spawn(program, ['--folder', folder, '--port', String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const url of createInterface(child.stdout)) return { child, url };
  throw new Error('FerretDB ended before it listened');
}
