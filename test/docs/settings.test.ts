import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { SETTINGS } from '../../src/config.js';

/** The first column of the table of settings: one name or several. */
const named = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name));

test('operators find each setting in one row of the table, and nothing that is none', () => {
  const [, settings = ''] = readFileSync('docs/operators.md', 'utf8').split('\n## Settings\n');
  expect([...named(settings.split('\n## ')[0] ?? '')].sort()).toEqual([...SETTINGS].sort());
});
