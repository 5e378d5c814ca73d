import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ICruiseResult } from 'dependency-cruiser';
import { cruise } from 'dependency-cruiser';
import { rules } from './support/architecture-rules.js';

const folders = ['src', 'projections', 'scripts'].filter((folder) => existsSync(folder));

/** The broken rules of a tree, as sentences. */
async function violations(
  baseDir: string,
  inside: string[],
): Promise<{ readonly found: string[]; readonly modules: number }> {
  const { output } = await cruise(
    inside,
    {
      baseDir,
      validate: true,
      ruleSet: { forbidden: [...rules] },
      // Types count as well: what a file knows is what it imports.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    },
    // As Node and the bundler find the parts of a package.
    { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  );
  const { summary } = output as ICruiseResult;
  const found = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  return { found: found.sort(), modules: summary.totalCruised };
}

test('nobody imports what it should not know', async () => {
  const { found, modules } = await violations(process.cwd(), folders);
  expect(found).toEqual([]);
  expect(modules).toBeGreaterThan(20);
});

describe('in an invented program', () => {
  const files: Readonly<Record<string, readonly string[]>> = {
    'src/kernel/events/decider.ts': ['../../ports/event-store.js', 'zod'],
    'src/kernel/routes/route.ts': ['../events/decider.js'],
    'src/kernel/curious.ts': ['../features/cards/events.js', '../http/app.js', '../config.js'],
    'src/kernel/egg.ts': ['./hen.js'],
    'src/kernel/hen.ts': ['./egg.js'],
    'src/ports/event-store.ts': [],
    'src/ports/leaky.ts': ['../adapters/mongodb/store.js', '../features/cards/events.js', '../kernel/routes/route.js'],
    'src/brazil/cpf.ts': ['../kernel/events/decider.js', '../ports/event-store.js'],
    'src/adapters/mongodb/store.ts': ['mongodb', '../../ports/event-store.js'],
    'src/adapters/eventstoredb/store.ts': ['@eventstore/db-client', 'mongodb'],
    'src/adapters/embedded/store.ts': ['@photostructure/sqlite'],
    'src/http/app.ts': ['../kernel/events/decider.js', '../adapters/embedded/store.js', '@photostructure/sqlite'],
    'src/compose.ts': ['./adapters/embedded/store.js', './adapters/mongodb/store.js', './http/app.js'],
    'src/config.ts': ['undici', '@eventstore/db-client', './nowhere.js', 'bcrypt', 'nodemailer', 'ipaddr.js'],
    'src/features/cards/events.ts': ['../../kernel/events/decider.js', 'zod'],
    'src/features/cards/decider.ts': ['../../kernel/events/decider.js', './events.js', 'zod', 'immutable'],
    'src/features/cards/routes.ts': [
      './decider.js',
      '../recipes/events.js',
      '../../../projections/cards.js',
      '../../http/app.js',
    ],
    'src/features/recipes/events.ts': [],
    'src/features/recipes/decider.ts': [
      '../cards/events.js',
      './routes.js',
      '../../kernel/routes/route.js',
      'node:crypto',
      'mongodb',
    ],
    'src/features/recipes/routes.ts': ['../cards/decider.js'],
    'projections/cards.ts': [
      '../src/features/cards/events.js',
      '../src/kernel/events/decider.js',
      '../src/ports/event-store.js',
    ],
    'src/features/recipes/domain/formula.ts': ['../events.js', '../routes.js'],
    'src/features/recipes/kit-decider.ts': ['./routes.js'],
    'src/features/recipes/shelf/ledger/lots.ts': ['../../routes.js', '../../events.js'],
    'projections/greedy.ts': ['../src/features/cards/decider.js', './cards.js', '../src/http/app.js', 'node:fs'],
    'scripts/admin.ts': ['../src/compose.js', '../src/adapters/embedded/store.js', '../test/given.js'],
    'test/given.ts': ['../src/adapters/embedded/store.js'],
  };
  const dependencies = [
    'zod',
    'immutable',
    'mongodb',
    '@eventstore/db-client',
    '@photostructure/sqlite',
    'bcrypt',
    'nodemailer',
    'ipaddr.js',
  ];
  let root = '';

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'architecture-'));
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    };
    const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));
    await write(
      'package.json',
      JSON.stringify({ dependencies: versions(dependencies), devDependencies: versions(['undici']) }),
    );
    for (const name of [...dependencies, 'undici']) {
      await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
      await write(`node_modules/${name}/index.js`, '');
    }
    for (const [path, imports] of Object.entries(files)) {
      const lines = imports.map((target, index) => `import type * as name${index} from '${target}';`);
      await write(path, [...lines, 'export {};', ''].join('\n'));
    }
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test('each rule finds its breach and nothing else', async () => {
    const { found } = await violations(root, ['src', 'projections', 'scripts', 'test']);
    expect(found).toEqual([
      '@eventstore/db-client-only-in-eventstoredb: src/config.ts -> node_modules/@eventstore/db-client/index.js',
      '@photostructure/sqlite-only-in-embedded: src/http/app.ts -> node_modules/@photostructure/sqlite/index.js',
      'bcrypt-only-in-bcrypt: src/config.ts -> node_modules/bcrypt/index.js',
      'brazil-knows-nobody: src/brazil/cpf.ts -> src/kernel/events/decider.ts',
      'brazil-knows-nobody: src/brazil/cpf.ts -> src/ports/event-store.ts',
      'compose-picks-adapters: scripts/admin.ts -> src/adapters/embedded/store.ts',
      'compose-picks-adapters: src/http/app.ts -> src/adapters/embedded/store.ts',
      'compose-picks-adapters: src/ports/leaky.ts -> src/adapters/mongodb/store.ts',
      'decider-is-pure: src/features/recipes/decider.ts -> crypto',
      'decider-is-pure: src/features/recipes/decider.ts -> node_modules/mongodb/index.js',
      'decider-is-pure: src/features/recipes/decider.ts -> src/features/cards/events.ts',
      'decider-is-pure: src/features/recipes/decider.ts -> src/features/recipes/routes.ts',
      'decider-is-pure: src/features/recipes/decider.ts -> src/kernel/routes/route.ts',
      'decider-is-pure: src/features/recipes/kit-decider.ts -> src/features/recipes/routes.ts',
      'domain-is-pure: src/features/recipes/domain/formula.ts -> src/features/recipes/routes.ts',
      'domain-is-pure: src/features/recipes/shelf/ledger/lots.ts -> src/features/recipes/routes.ts',
      'features-know-no-shell: src/features/cards/routes.ts -> src/http/app.ts',
      'features-meet-through-events: src/features/recipes/routes.ts -> src/features/cards/decider.ts',
      'ipaddr.js-only-in-safe-http: src/config.ts -> node_modules/ipaddr.js/index.js',
      'kernel-knows-nobody: src/kernel/curious.ts -> src/config.ts',
      'kernel-knows-nobody: src/kernel/curious.ts -> src/features/cards/events.ts',
      'kernel-knows-nobody: src/kernel/curious.ts -> src/http/app.ts',
      'mongodb-only-in-mongodb: src/adapters/eventstoredb/store.ts -> node_modules/mongodb/index.js',
      'mongodb-only-in-mongodb: src/features/recipes/decider.ts -> node_modules/mongodb/index.js',
      'no-cycles: src/kernel/egg.ts -> src/kernel/hen.ts',
      'no-tests-in-the-program: scripts/admin.ts -> test/given.ts',
      'nodemailer-only-in-smtp: src/config.ts -> node_modules/nodemailer/index.js',
      'only-what-is-installed: src/config.ts -> ./nowhere.js',
      'only-what-is-installed: src/config.ts -> node_modules/undici/index.js',
      'ports-know-nobody: src/ports/leaky.ts -> src/adapters/mongodb/store.ts',
      'ports-know-nobody: src/ports/leaky.ts -> src/features/cards/events.ts',
      'ports-know-nobody: src/ports/leaky.ts -> src/kernel/routes/route.ts',
      'projections-see-events: projections/greedy.ts -> fs',
      'projections-see-events: projections/greedy.ts -> src/features/cards/decider.ts',
      'projections-see-events: projections/greedy.ts -> src/http/app.ts',
      'undici-only-in-safe-http: src/config.ts -> node_modules/undici/index.js',
    ]);
  });

  test('every rule has its breach', async () => {
    const { found } = await violations(root, ['src', 'projections', 'scripts', 'test']);
    const broken = new Set(found.map((sentence) => sentence.slice(0, sentence.indexOf(':'))));
    expect([...broken].sort()).toEqual(rules.map(({ name }) => name).sort());
  });
});

/** All TypeScript files of the program, with their texts. */
async function sources(inside = folders): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const lists = await Promise.all(
    inside.map(async (folder) => (await readdir(folder, { recursive: true })).map((path) => join(folder, path))),
  );
  const paths = lists.flat().filter((path) => /\.tsx?$/.test(path));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

test('no file is longer than 400 lines', async () => {
  const long = (await sources()).filter(({ text }) => text.split('\n').length > 401);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('what is exported is used by another file', async () => {
  const files = await sources([...folders, 'test']);
  const users = new Map<string, number>();
  for (const { text } of files) {
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) users.set(word, (users.get(word) ?? 0) + 1);
  }
  const exported = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  const unused = files.flatMap(({ path, text }) =>
    [...text.matchAll(exported)].flatMap(([, name = '']) => (users.get(name) === 1 ? [`${path}: ${name}`] : [])),
  );
  expect(unused).toEqual([]);
});

describe('deciding and folding', () => {
  const IMPURE =
    /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b|\brandom(UUID|Bytes|Int)\b|\bperformance\.|\bprocess\.|\bsetTimeout\b|\bawait\b/;
  const PURE =
    /^(src\/features\/(.+\/)?([^/]*decider|events|permissions|rejections|names)\.ts|src\/features\/.*\/(domain|ledger)\/.+\.ts|src\/kernel\/(events\/decider|patterns\/(named-set|reservation)|values\/(decimal|words|days|grouped|difference))\.ts|src\/brazil\/.+\.ts|projections\/.+\.ts)$/;

  test('know no clock, no chance and no surroundings', async () => {
    const pure = (await sources()).filter(({ path }) => PURE.test(path));
    expect(pure.length).toBeGreaterThan(100);
    expect(pure.filter(({ text }) => IMPURE.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test.each([
    'Date.now()',
    'new Date()',
    'new Date( )',
    'Math.random()',
    'randomUUID()',
    'await load()',
    'process.env',
  ])('%s is noticed', (code) => {
    expect(code).toMatch(IMPURE);
  });

  test.each(['new Date(at)', 'Date.parse(at)', 'awaiting', 'candidate()'])('%s is fine', (code) => {
    expect(code).not.toMatch(IMPURE);
  });
});
