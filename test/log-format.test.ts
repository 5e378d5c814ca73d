import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { LOG_FORMAT } from '../src/adapters/log-format.js';
import { features } from '../src/features/index.js';

/** What events may hold, in short, by the format of the log. */
const formats = JSON.parse(readFileSync('test/fixtures/log-formats.json', 'utf8')) as Record<string, string>;

function shortOfAll(): string {
  const definitions = features.flatMap(({ events }) => events.flatMap((codec) => [...codec.definitions.values()]));
  const hash = createHash('sha256');
  for (const { type, version, schema } of definitions.toSorted((a, b) => (a.type < b.type ? -1 : 1))) {
    const holds = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
    hash.update(`${type} ${String(version)} ${holds}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

// Whoever changes what events hold, or adds one, raises LOG_FORMAT with a line of its own if the last line was released, and writes it anew
// if not. Else an older release would go on with a log of this one, and fail wherever it meets what it does not know.
test('the format of the log is that of the events which are there', () => {
  expect(Object.entries(formats).at(-1)).toEqual([String(LOG_FORMAT), shortOfAll()]);
});

test('no two formats are of the same events', () => {
  expect(new Set(Object.values(formats)).size).toBe(Object.keys(formats).length);
});
