import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from './until.js';

const run = promisify(execFile);
const ROOT = new URL('../../../', import.meta.url);
const SOURCE = new URL('test/support/ferretdb/', ROOT);
const OUTPUT = new URL('node_modules/.cache/ferretdb/', ROOT);
const TEN_MINUTES = 600_000;

/** Why this machine cannot have the program; everything else that goes wrong is an error. */
export class CannotBuild extends Error {}

/** The path of the program, built once for each state of its source. */
export async function ferretdbProgram(): Promise<string> {
  const program = fileURLToPath(new URL(await fingerprint(), OUTPUT));
  await mkdir(OUTPUT, { recursive: true });
  while (!existsSync(program)) {
    if (await locked(`${program}.lock`, () => build(program))) break;
    await until(
      'another process has built FerretDB',
      () => existsSync(program) || !existsSync(`${program}.lock`),
      TEN_MINUTES,
    );
  }
  return program;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum', 'main.go']) hash.update(await readFile(new URL(name, SOURCE)));
  return hash.digest('hex').slice(0, 16);
}

async function build(program: string): Promise<void> {
  const unfinished = `${program}.unfinished`;
  try {
    const args = ['build', '-buildvcs=false', '-tags', 'ferretdb_no_postgresql', '-o', unfinished, '.'];
    await run('go', args, { cwd: fileURLToPath(SOURCE) });
  } catch (error) {
    throw reasonOf(error as NodeJS.ErrnoException & { readonly stderr?: string });
  }
  await rename(unfinished, program);
}

function reasonOf(error: NodeJS.ErrnoException & { readonly stderr?: string }): Error {
  if (error.code === 'ENOENT') return new CannotBuild('Go is not installed');
  const offline = /dial tcp|no such host|connection refused|i\/o timeout|lookup disabled|toolchain not available/u;
  const line = error.stderr?.split('\n').find((each) => offline.test(each));
  return line === undefined ? error : new CannotBuild(`Go cannot download the modules (${line})`);
}

/** Runs the work unless a living process holds the lock, a link to its process id; tells whether it ran. */
async function locked(path: string, work: () => Promise<void>): Promise<boolean> {
  const holder = await readlink(path).catch(() => undefined);
  if (holder !== undefined && !isAlive(Number(holder))) await rm(path, { force: true });
  try {
    await symlink(String(process.pid), path);
  } catch {
    return false;
  }
  try {
    await work();
    return true;
  } finally {
    await rm(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
