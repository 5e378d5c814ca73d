// Makes JavaScript of the sources, and puts the service together. Plain JavaScript, as it belongs to the build.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Every part lies as deep as `dist/src/main.js`, so that what lies beside is found in the same place from each of them. */
const PARTS = 'service';
/** Their names, of the latest build. */
const PARTS_LIST = join(ROOT, 'dist/.built-parts');
/** A program of its own: a thread, or what a thread is told to load. */
const PROGRAM = /new URL\(['"](\.{1,2}\/[^'"]+)\.js['"], import\.meta\.url\)/g;
/** They have compiled code or files of their own, or few starts need them. */
const LEFT_ALONE = [
  '@eventstore/db-client',
  '@photostructure/sqlite',
  'bcrypt',
  'mongodb',
  'node-forge',
  'nodemailer',
  'pdfkit',
];
/** Packages of the older kind ask for others by this. */
const REQUIRE = `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`;

const partOf = (path) => `${PARTS}/${path.replace(/\.ts$/, '').replaceAll('/', '-')}`;
/** The source, by its path in the project, that one of the sources names by an address. */
const named = (source, address) => relative(ROOT, join(ROOT, dirname(source), `${address}.ts`));
/** What a source says, with the addresses of programs leading to their parts, unless they do; `up` leads from it to what holds all that is built. */
const leadingToParts = (contents, source, up) =>
  contents.replace(PROGRAM, (address, to) => {
    const program = named(source, to);
    return program.startsWith(`${PARTS}/`) ? address : `new URL('${up}/${partOf(program)}.js', import.meta.url)`;
  });

function programs() {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true }).map((name) => join('src', String(name)));
  const found = sources
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(ROOT, path), 'utf8').matchAll(PROGRAM)].map(([, to]) => named(path, to)));
  return Object.fromEntries(found.map((path) => [partOf(path), path]));
}

/** Leads from wherever a source ends up to the programs that it names. */
const addresses = {
  name: 'addresses of programs',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = relative(ROOT, path);
      return { contents: leadingToParts(readFileSync(path, 'utf8'), source, '..'), loader: 'ts' };
    });
  },
};

/** Each thread that knows a schema would read how it says everything in forty languages; the service asks for English alone. */
const oneLanguage = {
  name: 'messages of schemas in English',
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

const REMEMBERED_FROM = 'STRING_HASH_CACHE_MIN_STRLEN = 16;';

/**
 * The library of persistent maps remembers the hashes of 255 long texts, and begins anew when it has them. Ids are longer than
 * what it works out each time, and a store has thousands: each look paid for remembering one that was forgotten soon after.
 */
const hashesOfIds = {
  name: 'hashes of ids worked out each time',
  setup({ onLoad }) {
    onLoad({ filter: /immutable[\\/]dist[\\/]immutable(?:\.es)?\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(REMEMBERED_FROM)) throw new Error(`${path} remembers the hashes of texts in another way now`);
      return { contents: text.replace(REMEMBERED_FROM, 'STRING_HASH_CACHE_MIN_STRLEN = Infinity;') };
    });
  },
};

const SHARED = {
  absWorkingDir: ROOT,
  outdir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
};

/** Each of these sources by itself, without a look at types: those are checked when the project is tested. */
export async function translate(sources) {
  const esbuild = await import('esbuild');
  const options = { ...SHARED, entryPoints: sources, outbase: '.', sourcemap: true, sourcesContent: false };
  await esbuild.build({ ...options, tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } });
}

/** The bundler leaves comments and patterns as they are. One letter that needs two bytes makes each thread keep two for every letter of the text. */
const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * `dist/src/main.js` with all that every start needs, and beside it one file for each thread and for what only some need: a start
 * reads a few files in place of a thousand. The other files of `dist` stay, for scripts and tests.
 */
export async function putTogether() {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    ...SHARED,
    write: false,
    entryPoints: { 'src/main': 'src/main.ts', ...programs() },
    chunkNames: `${PARTS}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    external: LEFT_ALONE,
    banner: { js: REQUIRE },
    plugins: [addresses, oneLanguage, hashesOfIds],
  });
  const folder = join(ROOT, 'dist', PARTS);
  const known = existsSync(PARTS_LIST) ? JSON.parse(readFileSync(PARTS_LIST, 'utf8')) : [];
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.js') ? inAscii(text) : text);
  const made = outputFiles.map(({ path }) => basename(path));
  // A service that runs still loads parts of the build that it was started with.
  const needed = new Set([...made, ...known]);
  for (const name of readdirSync(folder)) if (!needed.has(name)) rmSync(join(folder, name));
  writeFileSync(PARTS_LIST, JSON.stringify(made));
  leadToParts();
  // The bundler is a program of its own, which would stay beside the service that was built for.
  await esbuild.stop();
}

/** Scripts and tests take each file by itself; the threads that they start read their parts, as those of the service do. */
function leadToParts() {
  const dist = join(ROOT, 'dist');
  for (const name of readdirSync(join(dist, 'src'), { recursive: true }).map(String)) {
    const source = join('src', name);
    if (!name.endsWith('.js') || source === join('src', 'main.js')) continue;
    const path = join(dist, source);
    const contents = readFileSync(path, 'utf8');
    const led = leadingToParts(contents, source, relative(dirname(path), dist));
    if (led !== contents) writeFileSync(path, led);
  }
}
