// Compiles what changed, and nothing at all when nothing did. Plain JavaScript: it runs before there is anything compiled.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.js';
import { buildService } from './build-service.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'scripts/build-service.js'];
/** The pages for people have a build of their own. */
const CONSOLE = join('src', 'console');
/** What is compiled for the service and its scripts, and what tests need beside it. */
const PROGRAM = { project: 'tsconfig.build.json', folders: ['src', 'projections', 'scripts'], stamp: 'dist/.built' };
const EVERYTHING = { project: 'tsconfig.json', folders: [...PROGRAM.folders, 'test'], stamp: 'dist/.built-all' };

/** Names, sizes and times of the sources: another value means that something was changed, added or removed. */
function fingerprint({ folders }) {
  const hash = createHash('sha256');
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  for (const file of SETTINGS) add(file);
  for (const folder of folders) {
    const files = readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name)));
    const compiled = files.filter((name) => name.endsWith('.ts') && !name.startsWith(CONSOLE));
    for (const file of compiled.sort()) add(file);
  }
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
function compile({ project }) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const child = spawn(process.execPath, [tsc, '-p', join(ROOT, project)], { stdio: ['ignore', 2, 2] });
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

/** Gives the exit code: 0 when everything is compiled and the pages are built. */
export async function build({ withTests = false } = {}) {
  const code = await compileChanges(withTests);
  return code === 0 ? buildConsole(fingerprint(PROGRAM)) : code;
}

async function compileChanges(withTests) {
  const wanted = withTests ? EVERYTHING : PROGRAM;
  const print = fingerprint(wanted);
  if (isBuilt(wanted, print)) return 0;
  const programPrint = fingerprint(PROGRAM);
  process.stderr.write('compiling what changed; the first time this takes up to a minute\n');
  const code = await compile(wanted);
  if (code !== 0) return code;
  await buildService();
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(join(ROOT, wanted.stamp), print);
  if (withTests) writeFileSync(join(ROOT, PROGRAM.stamp), programPrint);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await build({ withTests: process.argv.includes('--with-tests') });
}
