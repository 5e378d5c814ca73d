import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { consoleUses } from '../support/console-uses.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const document = JSON.parse(readFileSync('dist/openapi.json', 'utf8')) as { paths: Record<string, object> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => METHODS.includes(method))
    .map((method) => `${method.toUpperCase()} ${path}`),
);

/** Rows of the list: an operation, and where it is used or why nowhere. */
const rows = [...readFileSync('docs/console.md', 'utf8').matchAll(/^\| `([A-Z]+ \/[^`]*)`\s*\| (.*?)\s*\|$/gm)].map(
  ([, operation = '', where = '']) => ({ operation, where }),
);

test('the list of operations names every one of the interface once', () => {
  expect(rows.map(({ operation }) => operation).sort()).toEqual([...operations].sort());
});

test('each is used where the list says, and what is used nowhere has a reason', () => {
  const uses = consoleUses(operations);
  const wrong = rows.flatMap(({ operation, where }) => {
    const rooms = uses.get(operation);
    const isTrue = rooms ? where === rooms.join(', ') : /^– .{10,}/.test(where);
    return isTrue ? [] : [`| \`${operation}\` | ${rooms?.join(', ') ?? '– why?'} |`];
  });
  expect(wrong).toEqual([]);
});
