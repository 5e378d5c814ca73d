import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
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

describe('stored events', () => {
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
