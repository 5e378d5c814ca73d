import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { embeddedIn, freePort } from './servers.js';

/** Processes that are started as a user starts them, and what they take. */

const KB_OF_A_MB = 1024;
const TICKS_PER_SECOND = 100;
const LOOK_EVERY = 5;
const PATIENCE = 300_000;

export interface Started {
  readonly pid: number;
  /** From its start until it was ready. */
  readonly milliseconds: number;
  stop(): Promise<void>;
}

/** What a process and those that it started take, shared pages divided among their users. */
export function pssMb(pid: number): number {
  const [, kilobytes = '0'] = /^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) / KB_OF_A_MB + childrenOf(pid).reduce((sum, child) => sum + pssMb(child), 0);
}

export function processorSeconds(pid: number): number {
  const [, rest = ''] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user, system] = rest.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND;
}

function childrenOf(pid: number): readonly number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const texts = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'));
  return texts.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
}

async function whenReady(child: ChildProcess, isReady: () => Promise<boolean>): Promise<Started> {
  const began = performance.now();
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - began > PATIENCE) {
      await stop();
      throw new Error('a service did not become ready');
    }
    await pause(LOOK_EVERY);
  }
  return { pid: child.pid ?? 0, milliseconds: performance.now() - began, stop };
}

/** The service on a folder; ready once it says so in its log, its demo store included. */
export async function startOn(dataDir: string): Promise<Started> {
  const script = fileURLToPath(new URL('../../src/main.js', import.meta.url));
  const env = { ...embeddedIn(dataDir), PORT: '0' };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  return whenReady(child, () => Promise.resolve(said.includes('"msg":"ready"')));
}

const plain = z.object({
  /** A script for Node, which listens on PORT. */
  script: z.string(),
  env: z.record(z.string(), z.string()).default({}),
  /** Answered with 200, or refused without a sign-in, once it is ready. */
  path: z.string().default('/'),
  /** Other processes that it needs, such as its database. */
  beside: z.array(z.int()).default([]),
});

interface PlainService {
  readonly beside: readonly number[];
  start(): Promise<Started>;
}

/** What one would write without events, to be compared with: `PLAIN_SERVICE` says in JSON how it is started. Undefined where none is named. */
export function plainService(): PlainService | undefined {
  const given = process.env['PLAIN_SERVICE'];
  if (given === undefined) return undefined;
  const { script, env, path, beside } = plain.parse(JSON.parse(given));
  return {
    beside,
    async start() {
      const port = await freePort();
      const child = spawn(process.execPath, [script], {
        env: { ...process.env, ...env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const answers = async (): Promise<boolean> => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
        return answer !== undefined && answer.status < 500;
      };
      return whenReady(child, answers);
    },
  };
}
