import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LogWalk } from '../../src/features/audit/verification/log-walk.js';
import { CHAIN_START, sealEvent } from '../../src/kernel/events/chain.js';
import type { EmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import type { NewEvent } from '../../src/ports/event-store.js';
import { START } from '../../src/ports/event-store.js';
import type { CheckedPlace, CheckedStretch, LogChecker } from '../../src/ports/log-checker.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';

const BEGINNING: CheckedPlace = { position: START, tree: { size: 0, edge: [] } };
const EVENTS = 700;
const STREAMS = 7;
const AT_ONCE = 10;
/** So few events are left at the end that they are checked on the thread that asks. */
const FEW = 100;

/** Events of several streams, a few of each by turns. */
async function fill({ eventStore }: EmbeddedLog): Promise<void> {
  const actor = { kind: 'user', id: 'somebody', name: 'João' } as const;
  const known = { storeId: randomUUID(), requestId: 'asked', causationId: 'asked', at: '2026-01-02T03:04:05.678Z' };
  const hashes = new Map<string, string>();
  for (let turn = 0; turn < EVENTS / AT_ONCE; turn++) {
    const stream = `stream-${String(turn % STREAMS)}`;
    const events: NewEvent[] = [];
    for (let index = 0; index < AT_ONCE; index++) {
      const noted = { id: randomUUID(), type: 'Noted', data: { text: `pão ${String(index)}` } };
      const sealed = sealEvent(hashes.get(stream) ?? CHAIN_START, noted, { ...known, schemaVersion: 1, actor });
      hashes.set(stream, sealed.hash);
      events.push(sealed.event);
    }
    await eventStore.append(stream, Math.floor(turn / STREAMS) * AT_ONCE - 1, events);
  }
}

/** Stretch after stretch, to the end or a break. */
async function through(checker: LogChecker, limit: number): Promise<CheckedStretch> {
  let stretch: CheckedStretch = { place: BEGINNING, atEnd: false };
  while (!stretch.found && !stretch.atEnd) stretch = await checker.next(stretch.place, limit);
  return stretch;
}

describe('the check of a log on a thread of its own', () => {
  const logs = new EmbeddedLogs((log) => log);
  let log: EmbeddedLog;
  let here: LogChecker;
  let checkedHere = 0;
  let apart: LogChecker;

  beforeEach(async () => {
    log = await logs.open();
    await fill(log);
    here = new LogWalk(log.eventStore);
    checkedHere = 0;
    apart = log.openChecker({
      next(from, limit) {
        checkedHere += 1;
        return here.next(from, limit);
      },
    });
  });
  afterAll(() => logs.dispose());

  test.each([1_000, 250, 128, 33])('comes as far as on this thread, %i events at a time', async (limit) => {
    const expected = await through(new LogWalk(log.eventStore), limit);
    expect(expected).toMatchObject({ place: { tree: { size: EVENTS } }, atEnd: true });
    expect(await through(apart, limit)).toEqual(expected);
    // The last of them are few.
    expect(checkedHere > 0).toBe(limit < EVENTS);
  });

  test('goes on where another check ended', async () => {
    const first = await new LogWalk(log.eventStore).next(BEGINNING, FEW);
    if (first.found) throw new Error('it is whole');
    expect(await through(apart, FEW)).toEqual(await apart.next(first.place, EVENTS));
  });

  test.each([
    ['an event that was changed', `update events set data = '{"text":"bolo"}' where position = 150`, 149],
    ['the first of a stream that is missing', 'delete from events where position = 11', 10],
  ])('finds %s as on this thread', async (_, change, size) => {
    const found = await afterwards(change);
    expect(found).toMatchObject({ size });
    expect(found).toEqual(await through(new LogWalk(log.eventStore), 1_000));
  });

  test('finds an event that is no text any more', async () => {
    const found = await afterwards('update events set data = cast(data as blob) where position = 150');
    expect(found).toMatchObject({ size: 149 });
  });

  test('finds an event that is missing at the next of the log, and on this thread at the next of its stream', async () => {
    const found = await afterwards('delete from events where position = 150');
    const reason = 'an event is missing before it';
    expect(found).toMatchObject({ found: { reason }, size: 149 });
    expect(await through(new LogWalk(log.eventStore), 1_000)).toMatchObject({ found: { reason }, size: 209 });
  });

  /** What is found after somebody changed the file. */
  async function afterwards(change: string): Promise<CheckedStretch> {
    const database = new DatabaseSync(join(logs.of(log).options.dataDir, 'events.db'));
    database.exec(change);
    database.close();
    return through(apart, 1_000);
  }
});
