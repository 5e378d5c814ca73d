// Makes JavaScript of the sources, and puts the service together. Plain JavaScript, as it belongs to the build.
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Every part lies as deep as `dist/src/main.js`, so that what lies beside is found in the same place from each of them. */
const PARTS = 'service';
/** A program of its own: a thread, or what a thread is told to load. */
const PROGRAM = /new URL\('(\.{1,2}\/[^']+)\.js', import\.meta\.url\)/g;
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
      const contents = readFileSync(path, 'utf8').replace(
        PROGRAM,
        (_, to) => `new URL('../${partOf(named(source, to))}.js', import.meta.url)`,
      );
      return { contents, loader: 'ts' };
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

/**
 * `dist/src/main.js` with all that every start needs, and beside it one file for each thread and for what only some need: a start
 * reads a few files in place of a thousand. The other files of `dist` stay, for scripts and tests.
 */
export async function putTogether() {
  const esbuild = await import('esbuild');
  rmSync(join(ROOT, 'dist', PARTS), { recursive: true, force: true });
  await esbuild.build({
    ...SHARED,
    entryPoints: { 'src/main': 'src/main.ts', ...programs() },
    chunkNames: `${PARTS}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    external: LEFT_ALONE,
    banner: { js: REQUIRE },
    plugins: [addresses],
  });
  // The bundler is a program of its own, which would stay beside the service that was built for.
  await esbuild.stop();
}
