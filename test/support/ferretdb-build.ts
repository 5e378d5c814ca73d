import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from './until.js';

const run = promisify(execFile);
const ROOT = new URL('../../../', import.meta.url);
const SOURCE = new URL('test/support/ferretdb/', ROOT);
const OUTPUT = new URL('node_modules/.cache/ferretdb/', ROOT);
const TEN_MINUTES = 600_000;

const MODULE = 'github.com/FerretDB/FerretDB';
const OURS = 'sqlite/by_id.go';
/** What FerretDB consists of that a program needs. */
const PARTS = ['build', 'ferretdb', 'internal', 'go.mod'];
const SQLITE = 'internal/backends/sqlite';
/**
 * FerretDB goes through the whole collection for each document that it writes and nearly each that it reads, so that a log of n events costs n² there:
 * it names the id otherwise than its index does, and looks for one id alone in the database. MongoDB does neither.
 */
const CHANGES = [
  { file: `${SQLITE}/metadata/metadata.go`, from: `"->'$._id'"`, to: `"->'_id'"` },
  {
    file: `${SQLITE}/collection.go`,
    from: '\tq += whereClause\n\tq += prepareOrderByClause(params.Sort)\n',
    to: '\twhereClause, args = whereByID(params.Filter)\n\tq += whereClause\n\tq += prepareOrderByClause(params.Sort)\n',
  },
  {
    file: `${SQLITE}/collection.go`,
    from: '\tq := `EXPLAIN QUERY PLAN `',
    to: '\twhereClause, args = whereByID(params.Filter)\n\tq := `EXPLAIN QUERY PLAN `',
  },
];

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
  for (const name of ['go.mod', 'go.sum', 'main.go', OURS]) hash.update(await readFile(new URL(name, SOURCE)));
  hash.update(JSON.stringify(CHANGES));
  return hash.digest('hex').slice(0, 16);
}

async function build(program: string): Promise<void> {
  const folder = `${program}.source`;
  try {
    await changedSource(folder);
    const args = ['build', '-buildvcs=false', '-tags', 'ferretdb_no_postgresql', '-o', 'program', '.'];
    await run('go', args, { cwd: folder });
  } catch (error) {
    throw reasonOf(error as NodeJS.ErrnoException & { readonly stderr?: string });
  }
  await rename(join(folder, 'program'), program);
  await rm(folder, { recursive: true });
}

/** The program's source with a FerretDB of its own. */
async function changedSource(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const { stdout } = await run('go', ['mod', 'download', '-json', MODULE], { cwd: fileURLToPath(SOURCE) });
  const { Dir: original } = JSON.parse(stdout) as { readonly Dir: string };
  const copy = join(folder, 'FerretDB');
  for (const part of PARTS) await copyWritable(join(original, part), join(copy, part));
  for (const name of ['go.mod', 'go.sum', 'main.go'])
    await copyWritable(join(fileURLToPath(SOURCE), name), join(folder, name));
  await writeFile(join(folder, 'go.mod'), `\nreplace ${MODULE} => ./FerretDB\n`, { flag: 'a' });
  await copyFile(new URL(OURS, SOURCE), join(copy, 'internal/backends', OURS));
  for (const { file, from, to } of CHANGES) {
    const before = await readFile(join(copy, file), 'utf8');
    const after = before.replace(from, () => to);
    if (after === before) throw new Error(`${file} of FerretDB is not as it was when it was changed`);
    await writeFile(join(copy, file), after);
  }
}

/** The copy can be written to: modules lie in folders that are read-only. */
async function copyWritable(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => undefined);
  if (!entries) {
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, await readFile(from));
    return;
  }
  for (const { name } of entries) await copyWritable(join(from, name), join(to, name));
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
