// Builds the pages for people: the client's types from the OpenAPI document, the types checked, then one bundle with a part a
// screen. Plain JavaScript, as it belongs to the build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'src/console');
const OUT = join(ROOT, 'dist/console');
const DOCUMENT = join(ROOT, 'dist/openapi.json');
const CLIENT = join(ROOT, 'dist/console-client/openapi.d.ts');
const STAMP = join(ROOT, 'dist/.built-console');
const CHECKED = join(ROOT, 'dist/.checked-console');
/** What the pages are made of beside their sources. */
const OTHERS = ['package-lock.json', 'scripts/build-console.js', 'src/brazil/gtin.ts', 'tsconfig.json'];
const COMPRESSIBLE = /\.(?:js|css|svg|html)$/;

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** Names, sizes and times of the pages' sources. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = readdirSync(SOURCES, { recursive: true }).map((name) => join(SOURCES, String(name)));
  for (const file of [...files.sort(), ...OTHERS.map((name) => join(ROOT, name))]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function run(args, output) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', output ? 'pipe' : 2, 2] });
  const pass = (signal) => child.kill(signal);
  process.on('SIGTERM', pass).on('SIGINT', pass);
  const pieces = [];
  child.stdout?.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGINT', pass);
      if (signal !== null) process.kill(process.pid, signal);
      if (code === 0 && output) writeFileSync(output, Buffer.concat(pieces));
      resolve(code ?? 1);
    });
  });
}

/** The OpenAPI document of the compiled service; written anew when the service was compiled since. */
async function describeInterface(programPrint) {
  const stamp = join(ROOT, 'dist/.described');
  if (programPrint !== undefined && existsSync(DOCUMENT) && read(stamp) === programPrint) return 0;
  const code = await run([join(ROOT, 'dist/scripts/openapi.js')], DOCUMENT);
  if (code === 0 && programPrint !== undefined) writeFileSync(stamp, programPrint);
  return code;
}

async function generateClient() {
  const document = readFileSync(DOCUMENT, 'utf8');
  const note = `// From the OpenAPI document ${createHash('sha256').update(document).digest('hex')}\n`;
  if (read(CLIENT)?.startsWith(note)) return;
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const types = astToString(await openapiTS(JSON.parse(document), { alphabetize: true }));
  mkdirSync(join(CLIENT, '..'), { recursive: true });
  writeFileSync(CLIENT, note + types);
}

function compress(folder) {
  for (const name of readdirSync(folder)) {
    if (!COMPRESSIBLE.test(name) || (folder !== OUT && existsSync(join(folder, `${name}.br`)))) continue;
    const bytes = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** What the first page loads: the entry and all that it imports at once. */
function firstParts(metafile, entry) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') visit(next);
    }
  };
  visit(entry);
  return [...found];
}

function writePage(metafile) {
  const outputs = Object.entries(metafile.outputs);
  const [entry, { cssBundle }] = outputs.find(([, { entryPoint }]) => entryPoint === 'src/console/main.tsx');
  const fonts = outputs
    .map(([path]) => path)
    .filter((path) => /(?:inter|source-serif-4)-latin-wght-normal.*woff2$/.test(path));
  const address = (path) => `/console/assets/${basename(path)}`;
  const lines = [
    ...fonts.map((path) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${address(path)}">`),
    `<link rel="stylesheet" href="${address(cssBundle)}">`,
    ...firstParts(metafile, entry).map((path) => `<link rel="modulepreload" href="${address(path)}">`),
    `<script type="module" src="${address(entry)}"></script>`,
  ];
  const page = readFileSync(join(SOURCES, 'index.html'), 'utf8').replace('<!-- parts -->', lines.join('\n    '));
  writeFileSync(join(OUT, 'index.html'), page);
  copyFileSync(join(SOURCES, 'icon.svg'), join(OUT, 'icon.svg'));
}

/** What the build before made: a service that runs, and pages that are open, still ask for it. */
function partsBefore() {
  try {
    return Object.keys(JSON.parse(readFileSync(join(OUT, 'parts.json'), 'utf8')));
  } catch {
    return [];
  }
}

function dropOthers(parts) {
  const names = new Set(parts.map((path) => basename(path)));
  for (const name of readdirSync(join(OUT, 'assets'))) {
    if (!names.has(name.replace(/\.(?:br|gz)$/, ''))) rmSync(join(OUT, 'assets', name));
  }
}

async function bundle() {
  // An installation without build tools, such as a lean one, serves the pages that are there.
  const esbuild = await import('esbuild');
  const before = partsBefore();
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: ['src/console/main.tsx'],
    outdir: 'dist/console/assets',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022'],
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.woff2': 'file', '.svg': 'file' },
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/console/assets/',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: 'src/console/tsconfig.json',
    metafile: true,
    logLevel: 'warning',
  });
  writePage(metafile);
  dropOthers([...before, ...Object.keys(metafile.outputs)]);
  compress(join(OUT, 'assets'));
  compress(OUT);
  writeFileSync(join(OUT, 'parts.json'), JSON.stringify(metafile.outputs));
  // The bundler is a program of its own, which would stay beside the service that was built for.
  await esbuild.stop();
}

/** Gives the exit code: 0 when the types of the pages fit those of the interface. */
async function check(programPrint, print) {
  const described = await describeInterface(programPrint);
  if (described !== 0) return described;
  const checked = createHash('sha256')
    .update(`${print}\n${read(DOCUMENT)}`)
    .digest('hex');
  if (read(CHECKED) === checked) return 0;
  await generateClient();
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const code = await run([tsc, '-p', 'src/console/tsconfig.json', '--noEmit']);
  if (code === 0) writeFileSync(CHECKED, checked);
  return code;
}

async function bundleChanges(print) {
  if (read(STAMP) === print && existsSync(join(OUT, 'index.html'))) return;
  await bundle();
  writeFileSync(STAMP, print);
}

/** Gives the exit code: 0 when the pages are built. `programPrint` tells one compiled service from another. */
export async function buildConsole(programPrint, { checkTypes = true } = {}) {
  const print = fingerprint();
  const [code] = await Promise.all([checkTypes ? check(programPrint, print) : 0, bundleChanges(print)]);
  return code;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await buildConsole(undefined, { checkTypes: !process.argv.includes('--quick') });
}
