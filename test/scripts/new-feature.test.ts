import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidName, namesOf } from '../../scripts/new-feature/names.js';
import { writeFeature } from '../../scripts/new-feature/write-feature.js';

const COPIED = [
  'src',
  'projections',
  'test/support',
  'test/fixtures',
  'test/stored-events.test.ts',
  'tsconfig.json',
  'package.json',
  'eslint.config.js',
  'jest.config.js',
  'jest.sequencer.js',
  '.prettierrc.json',
  // What is not written anew has been checked and compiled with the tests themselves.
  'dist/src',
  'dist/projections',
  'dist/test/support',
  'dist/test/stored-events.test.js',
];

describe('the names of a feature', () => {
  test('come from its folder', () => {
    expect(namesOf('loyalty-cards')).toEqual({
      folder: 'loyalty-cards',
      plural: 'loyaltyCards',
      singular: 'loyaltyCard',
      noun: 'LoyaltyCard',
      nouns: 'LoyaltyCards',
      title: 'Loyalty cards',
      plainPlural: 'loyalty cards',
      plainSingular: 'loyalty card',
      one: 'a loyalty card',
    });
    expect(namesOf('eco-policies').one).toBe('an eco policy');
    expect(namesOf('dishes', 'dish').noun).toBe('Dish');
  });

  test.each([['LoyaltyCards'], ['loyalty_cards'], ['../cards'], [''], ['cards-'], ['bread'], ['cards', 'a card']])(
    'are refused: %j',
    (...names: [string, string?]) => {
      expect(() => namesOf(...names)).toThrow(InvalidName);
    },
  );
});

describe('a generated feature', () => {
  const names = namesOf('loyalty-cards');
  let root = '';
  let written: readonly string[] = [];
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
    return { status, output: status === 0 ? '' : stdout + stderr };
  };
  const fine = { status: 0, output: '' };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'new-feature-'));
    for (const path of COPIED) await cp(path, join(root, path), { recursive: true });
    await symlink(resolve('node_modules'), join(root, 'node_modules'));
    written = await writeFeature(root, names);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test.each([
    ['src/features/index.ts', /import \{ loyaltyCardsFeature \}[^]*\[[^]*loyaltyCardsFeature,?\s*\]/],
    ['src/features/permissions.ts', /import \{ loyaltyCardPermissions \}[^]*\[[^]*\.\.\.loyaltyCardPermissions,?\s*\]/],
    ['projections/index.ts', /import \{ loyaltyCardsProjector \}[^]*\[[^]*loyaltyCardsProjector,?\s*\]/],
    ['projections/audit/parts/histories.ts', /\[[^]*told\(loyaltyCardEvents, loyaltyCardHistory\),?\s*\]/],
  ])('stands in %s', async (path, line) => {
    expect(await readFile(join(root, path), 'utf8')).toMatch(line);
  });

  test('has examples for the routes that take something', async () => {
    const table = await readFile(join(root, 'test/support/route-examples.ts'), 'utf8');
    expect(table).toContain("'POST /loyalty-cards': named,");
    expect(table).toContain("'PATCH /loyalty-cards/{id}': named,");
  });

  test('compiles and is linted, and its tests pass', () => {
    const sources = written.filter((path) => path.endsWith('.ts'));
    expect(run('dist/test/support/feature-check.js', ...sources)).toEqual(fine);
    const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
    expect(run(...jest, 'loyalty-cards', 'stored-events')).toEqual(fine);
  });

  test('is formatted', () => {
    expect(run('node_modules/prettier/bin/prettier.cjs', '--check', ...written)).toEqual(fine);
  });

  test('is not written twice', async () => {
    const before = await readFile(join(root, 'src/features/index.ts'), 'utf8');
    await expect(writeFeature(root, names)).rejects.toThrow(InvalidName);
    expect(await readFile(join(root, 'src/features/index.ts'), 'utf8')).toBe(before);
  });
});
