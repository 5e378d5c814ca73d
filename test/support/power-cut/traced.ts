import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Whether the system lets us see what a program does to its files. */
export const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

const CALLS = [
  'openat,open,write,pwrite64,writev,ftruncate,copy_file_range',
  'rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,fsync,fdatasync',
].join(',');

/** What a power cut may take of a folder, although a program has said that it is done. */
interface Unflushed {
  /** Files whose bytes, or some of them, may be missing. */
  readonly bytes: readonly string[];
  /** Names that may not be there, or still be there. */
  readonly names: readonly string[];
}

/** Runs a program of Node until it ends, and gives what of a folder it had not flushed when it said its first words. */
export async function unflushedBy(
  folder: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
) {
  const traces = await mkdtemp(join(tmpdir(), 'trace-'));
  try {
    const trace = join(traces, 'trace');
    const before = (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
    // Without it Node may hand its writes to the system where they are not seen.
    const env = { PATH: process.env['PATH'], UV_USE_IO_URING: '0', ...variables };
    const child = spawn(
      'strace',
      ['-f', '-y', '-s', '0', '-e', `trace=${CALLS}`, '-o', trace, process.execPath, ...words],
      { env },
    );
    let [said, failed] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (said += data.toString()));
    child.stderr.on('data', (data: Buffer) => (failed += data.toString()));
    await once(child, 'close');
    return { said, failed, ...unflushedIn(await readFile(trace, 'utf8'), folder, before) };
  } finally {
    await rm(traces, { recursive: true });
  }
}

const QUOTED = /"([^"]*)"/g;
const OPENED = /\d+<([^>]*)>/g;
const all = (pattern: RegExp, text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** Whole calls: one that another thread's fell into stands in two lines. What a flush covers was there when it was asked for. */
function* callsOf(trace: string): Generator<string> {
  const begun = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, start] = /^(.*) <unfinished \.\.\.>$/.exec(text) ?? [];
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? [];
    if (start !== undefined && !/^f(?:data)?sync/.test(start)) begun.set(thread, start);
    else if (end === undefined) yield text;
    else yield (begun.get(thread) ?? '') + end;
  }
}

function unflushedIn(trace: string, root: string, before: readonly string[]): Unflushed {
  const files = new Files(root, before);
  for (const text of callsOf(trace)) {
    const [, call = '', rest = ''] = /^(\w+)\((.*)$/.exec(text) ?? [];
    if (call === 'write' && rest.startsWith('1<')) break;
    if (!rest.includes(' = -1 ')) files.apply(call, rest);
  }
  return files.unflushed();
}

/** What was done below a folder since it was flushed. */
class Files {
  private readonly known: Set<string>;
  private readonly bytes = new Set<string>();
  /** By the folder that they are in. */
  private readonly names = new Map<string, Set<string>>();

  constructor(
    private readonly root: string,
    before: readonly string[],
  ) {
    this.known = new Set(before);
  }

  apply(call: string, rest: string): void {
    const [first = '', second = ''] = all(QUOTED, rest);
    const [opened = '', target = ''] = all(OPENED, rest);
    if (call.startsWith('open')) {
      if (rest.includes('O_CREAT') && !this.known.has(first)) this.appear(first);
    } else if (call.startsWith('mkdir')) this.appear(first);
    else if (call.startsWith('unlink')) this.vanish(first);
    else if (call.startsWith('link')) this.appear(second, this.bytes.has(first));
    else if (call.startsWith('rename')) {
      this.appear(second, this.bytes.has(first));
      this.vanish(first);
    } else if (call.endsWith('sync')) {
      this.bytes.delete(opened);
      this.names.delete(opened);
    } else this.bytes.add(call === 'copy_file_range' ? target : opened);
  }

  unflushed(): Unflushed {
    const below = (paths: Iterable<string>): readonly string[] =>
      [...paths].filter((path) => path.startsWith(`${this.root}/`)).map((path) => path.slice(this.root.length + 1));
    return { bytes: below(this.bytes), names: below([...this.names.values()].flatMap((paths) => [...paths])) };
  }

  private appear(path: string, isUnflushed = false): void {
    this.known.add(path);
    if (isUnflushed) this.bytes.add(path);
    this.touch(path);
  }

  private vanish(path: string): void {
    this.known.delete(path);
    this.bytes.delete(path);
    this.touch(path);
  }

  private touch(path: string): void {
    const folder = dirname(path);
    this.names.set(folder, (this.names.get(folder) ?? new Set()).add(path));
  }
}
