import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Config } from '../../src/config.js';
import { parseConfig, SETTINGS } from '../../src/config.js';

const [, section = ''] = readFileSync('docs/operators.md', 'utf8').split('\n## Settings\n');

/** The rows of the table of settings: one name or several, and their defaults or one for all of them. */
const rows = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, names = '', defaults = ''] = line.split('|');
    return {
      names: [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
      defaults: defaults.trim().split(/, (?=`|none)/),
    };
  });

test('operators find each setting in one row of the table, and nothing that is none', () => {
  expect(rows.flatMap(({ names }) => names).sort()).toEqual([...SETTINGS].sort());
});

const withDefaults = rows.flatMap(({ names, defaults }) =>
  names.map((name, index) => [name, defaults[index] ?? defaults[0] ?? ''] as const),
);

test.each(withDefaults)('what the table calls the default of %s is what counts without it: %s', (name, said) => {
  const usual = parseConfig({});
  const [, value] = /^`([^`]+)`$/.exec(said) ?? [];
  if (value === undefined) expect(usual[name as keyof Config]).toBeUndefined();
  else expect(parseConfig({ [name]: value })).toEqual(usual);
});
