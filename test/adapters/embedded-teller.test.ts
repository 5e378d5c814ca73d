import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tellerHere } from '../../src/features/audit/events/told-page.js';
import type { NewEvent } from '../../src/ports/event-store.js';
import { START } from '../../src/ports/event-store.js';
import type { EventTeller, Telling } from '../../src/ports/event-teller.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';
import { until } from '../support/until.js';

const TELLING = new URL('../../src/features/audit/events/told-page.js', import.meta.url);
const NOT_YET = -1;

/** One of every kind and version that was ever released. */
const released = (): readonly NewEvent[] =>
  readdirSync('test/fixtures/events').map((file) => {
    const [type = '', version = ''] = file.split('.');
    const actor = { kind: 'user', id: 'somebody', name: 'João' };
    const known = { storeId: randomUUID(), requestId: 'asked', causationId: 'asked', at: '2026-01-02T03:04:05.678Z' };
    const meta = { ...known, schemaVersion: Number(version.slice(1)), actor, hash: '0'.repeat(64) };
    const data = readFileSync(`test/fixtures/events/${file}`, 'utf8');
    return { id: randomUUID(), type, data: JSON.stringify(JSON.parse(data)), meta: JSON.stringify(meta) };
  });

describe('events told on a thread of their own', () => {
  const logs = new EmbeddedLogs((log) => log);
  let here: EventTeller;
  let apart: EventTeller;
  let positions: readonly string[] = [];
  const everything: Telling = { language: 'pt', whole: true, hidesCosts: false };

  beforeAll(async () => {
    const log = await logs.open();
    await log.eventStore.append('all-kinds', -1, released());
    positions = (await log.eventStore.readAll(START, 1_000)).map(({ position }) => position);
    here = tellerHere(log.eventStore);
    const nobody = { count: NOT_YET, bytes: new Uint8Array(), names: [], places: [] };
    apart = log.openTeller(TELLING, { tell: () => Promise.resolve(nobody) });
    await until('the thread runs', async () => (await apart.tell(positions, everything)).count !== NOT_YET);
  });
  afterAll(() => logs.dispose());

  test.each<Partial<Telling>>([
    {},
    { language: 'en' },
    { whole: false },
    { hidesCosts: true },
    { type: 'SaleCompleted' },
    { entityKind: 'product' },
    { actorId: 'nobody' },
  ])('are told as they are elsewhere: %p', async (wish) => {
    const telling = { ...everything, ...wish };
    const [told, expected] = await Promise.all([apart.tell(positions, telling), here.tell(positions, telling)]);
    expect(Buffer.from(told.bytes).toString()).toBe(Buffer.from(expected.bytes).toString());
    expect({ ...told, bytes: undefined }).toEqual({ ...expected, bytes: undefined });
    expect(told.count > 0).toBe(wish.actorId === undefined);
  });

  test('are told alike to many who ask at once, on more than one thread', async () => {
    const wishes = Array.from({ length: 60 }, (_, index) => positions.slice(index, index + 20));
    const told = await Promise.all(wishes.map((some) => apart.tell(some, everything)));
    const expected = await Promise.all(wishes.map((some) => here.tell(some, everything)));
    expect(told.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(
      expected.map(({ bytes }) => Buffer.from(bytes).toString()),
    );
  });

  test('are given in the order in which they are asked for, without those that are not there', async () => {
    const [first = '', second = ''] = positions.filter((_, index) => index % 40 === 7);
    const some = [second, '0000000000900000', first];
    const [told, expected] = await Promise.all([apart.tell(some, everything), here.tell(some, everything)]);
    expect(Buffer.from(told.bytes)).toEqual(Buffer.from(expected.bytes));
  });
});
