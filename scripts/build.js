// Compiles what changed, and nothing at all when nothing did. Plain JavaScript: it runs before there is anything compiled.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.js';
import { putTogether, translate } from './build-program.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SETTINGS = ['tsconfig.json', 'package-lock.json', 'scripts/build-program.js'];
/** The pages for people have a build of their own. */
const CONSOLE = join('src', 'console');
/** What the service and its scripts are made of, and what tests need beside it. */
const PROGRAM = { folders: ['src', 'projections', 'scripts'], stamp: 'dist/.built' };
const EVERYTHING = { folders: [...PROGRAM.folders, 'test'], stamp: 'dist/.built-all' };

function sourcesOf({ folders }) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))),
  );
  return files.filter((name) => name.endsWith('.ts') && !name.startsWith(CONSOLE)).sort();
}

/** Names, sizes and times of the sources: another value means that something was changed, added or removed. */
function fingerprint(sources) {
  const hash = createHash('sha256');
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  for (const file of [...SETTINGS, ...sources]) add(file);
  return hash.digest('hex');
}

function isBuilt({ stamp }, print) {
  try {
    return readFileSync(join(ROOT, stamp), 'utf8') === print;
  } catch {
    return false;
  }
}

/** Ends with the compiler's exit code; a signal to this process ends the compiler, too. */
function compile() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const child = spawn(process.execPath, [tsc, '-p', ROOT], { stdio: ['ignore', 2, 2] });
  const pass = (signal) => child.kill(signal);
  process.on('SIGTERM', pass).on('SIGINT', pass);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGINT', pass);
      if (signal !== null) process.kill(process.pid, signal);
      resolve(code ?? 1);
    });
  });
}

/** Gives the exit code: 0 when everything is built. Types are checked with the tests alone: whoever starts the service waits seconds, not minutes. */
export async function build({ withTests = false } = {}) {
  const code = withTests ? await buildForTests() : await buildToRun();
  return code === 0 ? buildConsole(fingerprint(sourcesOf(PROGRAM)), { checkTypes: withTests }) : code;
}

async function buildToRun() {
  const sources = sourcesOf(PROGRAM);
  const print = fingerprint(sources);
  if (isBuilt(PROGRAM, print)) return 0;
  process.stderr.write('building what changed\n');
  await translate(sources);
  await putTogether();
  writeFileSync(join(ROOT, PROGRAM.stamp), print);
  return 0;
}

async function buildForTests() {
  const print = fingerprint(sourcesOf(EVERYTHING));
  if (isBuilt(EVERYTHING, print)) return 0;
  const programPrint = fingerprint(sourcesOf(PROGRAM));
  process.stderr.write('compiling what changed; the first time this takes up to a minute\n');
  const code = await compile();
  if (code !== 0) return code;
  await putTogether();
  writeFileSync(join(ROOT, EVERYTHING.stamp), print);
  writeFileSync(join(ROOT, PROGRAM.stamp), programPrint);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await build({ withTests: process.argv.includes('--with-tests') });
}
