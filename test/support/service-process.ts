import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { until } from './until.js';

type Variables = Readonly<Record<string, string>>;

/** A program of ours in a process of its own, as an operator starts it. */
interface Program {
  readonly pid: number | undefined;
  readonly out: string;
  readonly err: string;
  kill(signal: NodeJS.Signals): void;
  /** Once it has ended and all it said was read. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** The service in a process of its own, ready. */
export interface ServiceProcess extends Program {
  readonly url: string;
  readonly port: number;
}

const credentials = z.strictObject({
  baseUrl: z.string(),
  storeSlug: z.string(),
  username: z.string(),
  password: z.string(),
  apiKey: z.string(),
});
const readyLine = z.object({ msg: z.literal('ready'), url: z.string(), port: z.number() });

/** What a test file started and made; `stopAll` after each test leaves nothing of it. */
const running = new Set<ChildProcessWithoutNullStreams>();
const folders = new Set<string>();

export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-'));
  folders.add(folder);
  return folder;
}

export async function stopAll(): Promise<void> {
  const ends = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
}

/** Runs a compiled program in an environment that holds these variables alone; `input` is all that it is told. */
export function startProgram(script: string, words: readonly string[], variables: Variables, input?: string): Program {
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...words], { env: { PATH: process.env['PATH'], ...variables } });
  if (input !== undefined) child.stdin.end(input);
  running.add(child);
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid,
    get out() {
      return said.out;
    },
    get err() {
      return said.err;
    },
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** The service as it comes, on a free port and without the demo store. */
export const startProcess = (dataDir: string, variables: Variables = {}): Program =>
  startProgram('src/main.js', [], {
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'false',
    RATE_LIMIT_PER_KEY: '0',
    RATE_LIMIT_OPEN: '0',
    ...variables,
  });

/** Starts the service and waits for its ready line. */
export async function startService(dataDir: string, variables: Variables = {}): Promise<ServiceProcess> {
  const program = startProcess(dataDir, variables);
  let ended = false;
  void program.ended.then(() => (ended = true));
  await until('the service is ready', () => ended || readyIn(program.out) !== undefined);
  const ready = readyIn(program.out);
  if (!ready) throw new Error(`the service ended: ${program.err}`);
  return Object.defineProperties(
    { url: ready.url, port: ready.port },
    Object.getOwnPropertyDescriptors(program),
  ) as ServiceProcess;
}

/** Stops it as an operator does. */
export async function stopService(service: Program): Promise<void> {
  service.kill('SIGTERM');
  const { code, signal } = await service.ended;
  if (code !== 0) throw new Error(`the service ended with ${String(code ?? signal)}: ${service.err}`);
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The log's lines, parsed; what else it says on standard output is left out, and a line that has not come to its end yet. */
export const logOf = (out: string): Record<string, unknown>[] =>
  linesOf(out.slice(0, out.lastIndexOf('\n') + 1))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

export const demoCredentials = async (dataDir: string): Promise<z.output<typeof credentials>> =>
  credentials.parse(JSON.parse(await readFile(join(dataDir, 'demo-credentials.json'), 'utf8')));

function readyIn(out: string): z.output<typeof readyLine> | undefined {
  return logOf(out)
    .map((line) => readyLine.safeParse(line).data)
    .find((line) => line !== undefined);
}
