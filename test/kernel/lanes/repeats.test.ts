import { expect, test } from '@jest/globals';
import { z } from 'zod';
import type { StreamType } from '../../../src/kernel/events/decider.js';
import type { EventOf } from '../../../src/kernel/events/event.js';
import { hashOf, isSealed } from '../../../src/kernel/events/chain.js';
import { defineEvent, eventCodec } from '../../../src/kernel/events/event.js';
import { newId } from '../../../src/kernel/values/ids.js';
import type { CommandEnvelope } from '../../../src/kernel/lanes/decision.js';
import { Lane } from '../../../src/kernel/lanes/lane.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';

const rung = defineEvent('BellRung', 1, z.object({}));
type Rung = EventOf<typeof rung>;

/** A bell: each command says how often it is rung. */
const bell: StreamType<number, number, Rung> = {
  category: 'bell',
  events: eventCodec(rung),
  decider: {
    initial: 0,
    evolve: (times) => times + 1,
    decide: (_, times) => Array.from({ length: times }, () => ({ type: 'BellRung', data: {} })),
  },
};

const AT = '2026-11-21T12:00:00.000Z';
const envelope = (more: Partial<CommandEnvelope> = {}): CommandEnvelope => ({
  commandId: newId(Date.parse(AT)),
  storeId: 'store-1',
  actor: SYSTEM,
  requestId: 'request-1',
  at: AT,
  keyed: true,
  ...more,
});
const laneOn = (store: MemoryEventStore) => new Lane('bell-1', bell, { store });

test('a repeat is answered with all that its command recorded, and records nothing, as the lane forgets one key after the other', async () => {
  const store = new MemoryEventStore();
  const lane = laneOn(store);
  const recorded: { readonly sent: CommandEnvelope; readonly revisions: readonly number[] }[] = [];
  const ring = async (times: number) => {
    const sent = envelope();
    const { events } = await lane.execute(times, sent);
    recorded.push({ sent, revisions: events.map(({ revision }) => revision) });
  };
  const ringWithoutKeys = async (times: number) => {
    for (let left = times; left > 0; left -= 500) await lane.execute(Math.min(left, 500), envelope({ keyed: false }));
  };

  const repeatAll = async (asked: typeof lane) => {
    for (const { sent, revisions } of recorded) {
      const { events } = await asked.execute(1, { ...sent, repeatSince: AT });
      expect(events.map(({ revision }) => revision)).toEqual(revisions);
    }
  };

  await ring(1);
  await ringWithoutKeys(999);
  for (const times of [1, 3, 1, 2]) await ring(times);
  await ringWithoutKeys(9_990);
  for (let step = 0; step < 12; step++) {
    await ring(1);
    await repeatAll(lane);
  }
  await repeatAll(laneOn(store));
  expect(await store.readStream('bell-1', { limit: 20_000 })).toHaveLength(1_000 + 7 + 9_990 + 12);
});

test('two runs of a command at once record it once, and each goes on from what was recorded, whichever came first', async () => {
  const store = new MemoryEventStore();
  const sent = envelope();
  let runs = 0;
  const append: MemoryEventStore['append'] = async (...call) => {
    runs += 1;
    if (runs === 1) await laneOn(store).execute(2, { ...sent, requestId: 'request-2', repeatSince: AT });
    return store.append(...call);
  };
  const overtaken = laneOn(Object.assign(Object.create(store) as MemoryEventStore, { exclusive: false, append }));
  const { events } = await overtaken.execute(2, sent);
  await overtaken.execute(1, envelope());
  const stored = await store.readStream('bell-1', { limit: 10 });
  const links = ['', ...stored.map(hashOf)];
  expect(stored.map((event, index) => isSealed(links[index] ?? '', event))).toEqual([true, true, true]);
  expect(events.map(({ meta }) => meta.requestId)).toEqual(['request-2', 'request-2']);
});
