import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./embedded-log-child.js', import.meta.url));

interface LogProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it has said, line by line. */
  readonly lines: readonly string[];
  /** Resolves once it has ended and all it said was read. */
  readonly ended: Promise<void>;
}

/** Starts a process that works on an embedded log, under another program where one is given. */
export function startLogProcess(
  dataDir: string,
  secretsKey: Uint8Array,
  task: readonly string[],
  under: readonly string[] = [],
): LogProcess {
  const key = Buffer.from(secretsKey).toString('hex');
  const [program = '', ...rest] = [...under, process.execPath, PROGRAM, dataDir, key, ...task];
  const child = spawn(program, rest);
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  child.stderr.on('data', (data: Buffer) => lines.push(`error: ${data.toString()}`));
  return { child, lines, ended: once(child, 'close').then(() => undefined) };
}
