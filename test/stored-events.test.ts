import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { LOG_FORMAT } from '../src/adapters/log-format.js';
import { features } from '../src/features/index.js';
import type { EventDefinition } from '../src/kernel/events/event.js';

/** One sample of every version of every event that was ever released: stored history must always load. */
const FOLDER = 'test/fixtures/events';

const codecs = features.flatMap(({ events }) => events);
const definitions = new Map<string, EventDefinition>(codecs.flatMap(({ definitions: all }) => [...all]));
const versionsOf = ({ version }: EventDefinition) => Array.from({ length: version }, (_, index) => index + 1);
const released = [...definitions.values()].flatMap((definition) =>
  versionsOf(definition).map((version) => `${definition.type}.v${String(version)}.json`),
);

/** What events may hold, in short. Each format that was ever released stands in the file beside its own. */
const FORMATS = 'test/fixtures/log-formats.json';

function shortOfAll(): string {
  const hash = createHash('sha256');
  for (const type of [...definitions.keys()].sort()) {
    const { version, schema } = definitions.get(type) as EventDefinition;
    hash.update(
      `${type} ${String(version)} ${JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))}\n`,
    );
  }
  return hash.digest('hex').slice(0, 16);
}

describe('stored events', () => {
  // Who changes what events hold and has released the format before raises LOG_FORMAT and adds a line; else a release that does not know
  // them would go on with the log, and fail wherever it meets one.
  test('are those of the format of the log', () => {
    const formats = JSON.parse(readFileSync(FORMATS, 'utf8')) as Record<string, string>;
    expect(Object.keys(formats).at(-1)).toBe(String(LOG_FORMAT));
    expect(formats[LOG_FORMAT]).toBe(shortOfAll());
    expect(new Set(Object.values(formats)).size).toBe(Object.keys(formats).length);
  });

  test('have a sample of every version, and there is no sample without its event', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...released].sort());
  });

  test('have names that no two features share', () => {
    expect(codecs.reduce((sum, { definitions: all }) => sum + all.size, 0)).toBe(definitions.size);
  });

  test.each(released)('%s loads, and loads again from what it became', (file) => {
    const [type = '', version = ''] = file.split('.');
    const codec = codecs.find(({ definitions: all }) => all.has(type));
    const sample = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as unknown;
    const event = codec?.decode(type, Number(version.slice(1)), sample);
    const stored = JSON.parse(JSON.stringify(event?.data)) as unknown;
    expect(codec?.decode(type, codec.versionOf(type), stored)).toEqual(event);
  });
});
