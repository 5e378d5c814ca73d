import { describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import type { StreamType } from '../../../src/kernel/events/decider.js';
import type { EventOf } from '../../../src/kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../src/kernel/events/event.js';
import type { CommandFacts } from '../../../src/kernel/lanes/command-context.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import type { EventStore } from '../../../src/ports/event-store.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';

const struck = defineEvent('KeyStruck', 1, z.object({ sign: z.string() }));
type Struck = EventOf<typeof struck>;

/** A line of signs; a blank is none. */
const line: StreamType<string, string, Struck> = {
  category: 'line',
  events: eventCodec(struck),
  decider: {
    initial: '',
    evolve: (text, { data }) => text + data.sign,
    decide(_, sign) {
      if (sign === '!') throw new Error('refused');
      return sign === ' ' ? [] : [{ type: 'KeyStruck', data: { sign } }];
    },
  },
};

const NOW = Date.parse('2026-11-21T12:00:00Z');

function desk() {
  const memory = new MemoryEventStore();
  const appended: (readonly string[])[] = [];
  const store = Object.assign(Object.create(memory) as EventStore, {
    storesRows: true,
    append: (...[stream, revision, events, rows = []]: Parameters<EventStore['append']>) => {
      appended.push([stream, ...rows.map(({ id }) => id)]);
      return memory.append(stream, revision, events);
    },
  });
  const lanes = new Lanes({ store, vault: new MemoryVault(() => NOW) });
  const context = (more: Partial<CommandFacts> = {}) =>
    new CommandContext(lanes, {
      storeId: 'store',
      actor: SYSTEM,
      requestId: 'request',
      seed: newSeed(NOW),
      keyed: true,
      claim: undefined,
      repeatSince: undefined,
      ...more,
    });
  return { memory, appended, context };
}

const signsOf = (events: readonly Struck[] | undefined) => events?.map(({ data }) => data.sign);

describe('a repeat', () => {
  async function ranOnce() {
    const { context } = desk();
    const seed = newSeed(NOW);
    const first = context({ seed });
    await first.execute(line, 'a');
    await first.execute(line, ' ', { name: 'more' });
    await first.execute(line, 'b', { name: 'more' });
    await first.execute(line, 'c', { name: 'more' });
    await first.execute(line, 'd', { name: 'more', id: 'beside' });
    return { first, again: context({ seed, repeatSince: NOW }), another: context({ repeatSince: NOW }) };
  }

  test('finds what its commands recorded: by their order, and by their names and how often each was recorded', async () => {
    const { first, again } = await ranOnce();
    const found = [];
    found.push(await again.execute(line, 'x', { name: 'more' }));
    found.push(await again.execute(line, 'x', { name: 'more' }));
    found.push(await again.execute(line, 'x'));
    found.push(await again.execute(line, 'x', { name: 'more', id: 'beside' }));
    expect(found.map(({ events }) => signsOf(events))).toEqual([['b'], ['c'], ['a'], ['d']]);
    expect(await again.current(line)).toBe('abc');
    expect([first.isRepeat, again.isRepeat]).toEqual([false, true]);
  });

  test('may ask for it before it sends anything', async () => {
    const { again } = await ranOnce();
    expect([await again.recordedBefore(line, 'more'), await again.recordedBefore(line, 'other')]).toEqual([
      true,
      false,
    ]);
    expect(await again.recordedBefore(line, 'more', 'line-store-beside')).toBe(true);
    expect(again.recorded()).toBe(false);
    expect(signsOf(await again.earlierEvents(line))).toEqual(['a']);
    expect(again.recorded()).toBe(true);
    expect(signsOf(await again.earlierEvents(line, 'more'))).toEqual(['b']);
    expect(await again.earlierEvents(line, 'other')).toBeUndefined();
  });

  test('knows the furthest of what it found, in whatever order it asked', async () => {
    const { again } = await ranOnce();
    const { position } = await again.execute(line, 'x', { name: 'more' });
    await again.execute(line, 'x');
    expect(again.lastPosition()).toBe(position);
  });

  test('of another request finds nothing, nor does a first run', async () => {
    const { first, another } = await ranOnce();
    for (const asked of [first, another]) {
      expect(await asked.recordedBefore(line, 'more')).toBe(false);
      expect(await asked.earlierEvents(line)).toBeUndefined();
    }
    expect(another.recorded()).toBe(false);
  });
});

describe("a key's row", () => {
  const row = (id: string) => ({ kind: 'test', id, value: {}, expected: 'absent' as const });

  test('goes with the first command that records something, and those beside it wait for that', async () => {
    const { appended, context } = desk();
    const request = context({ claim: row('key') });
    const sent = [
      request.execute(line, '!', { id: 'one' }),
      request.execute(line, ' ', { id: 'two' }),
      request.execute(line, 'a', { id: 'three', rows: [row('own')] }),
      request.execute(line, 'b', { id: 'four', rows: [row('other')] }),
    ];
    const results = await Promise.allSettled(sent);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(appended).toEqual([
      ['line-store-three', 'key', 'own'],
      ['line-store-four', 'other'],
    ]);
  });
});

describe('events that a request asks for by their revisions', () => {
  test('are those of that stream, whatever it has just recorded in another', async () => {
    const { context } = desk();
    await context().execute(line, 'a', { id: 'one' });
    const request = context();
    await request.execute(line, 'b', { id: 'two' });
    expect(signsOf(await request.eventsAt(line, [0], { id: 'one' }))).toEqual(['a']);
  });

  test('come in the order in which it asked, and without a reading where it has just recorded them', async () => {
    const { memory, context } = desk();
    for (const sign of ['a', 'b']) await context().execute(line, sign);
    const request = context();
    await request.execute(line, 'c');
    const readStream = jest.spyOn(memory, 'readStream');
    expect(signsOf(await request.eventsAt(line, [2]))).toEqual(['c']);
    expect(readStream).not.toHaveBeenCalled();
    expect(signsOf(await request.eventsAt(line, [2, 0, 1, 0]))).toEqual(['c', 'a', 'b', 'a']);
  });
});
