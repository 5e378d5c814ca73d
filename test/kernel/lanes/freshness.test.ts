import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { StreamType } from '../../../src/kernel/events/decider.js';
import type { EventOf } from '../../../src/kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../src/kernel/events/event.js';
import { rejection, Rejection } from '../../../src/kernel/events/rejection.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { sharedFreshness } from '../../../src/kernel/lanes/freshness.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { LogFollower } from '../../../src/kernel/lanes/log-follower.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import type { EventStore } from '../../../src/ports/event-store.js';
import { HistoryNotWhole, START, StoreUnavailable } from '../../../src/ports/event-store.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';

const noted = defineEvent('LineNoted', 1, z.object({ text: z.string() }));
type Noted = EventOf<typeof noted>;
const FULL = rejection(409, 'FULL', 'The page is full');

/** A page of three lines, that may be torn out. */
const page: StreamType<readonly string[], string, Noted> = {
  category: 'page',
  events: eventCodec(noted),
  decider: {
    initial: [],
    evolve: (lines, { data }) => (data.text === 'torn out' ? [] : [...lines, data.text]),
    decide(lines, text) {
      if (lines.length === 3 && text !== 'torn out') throw new Rejection(FULL);
      return [{ type: 'LineNoted', data: { text } }];
    },
  },
};

/** Processes that share a log, and what each of them asks of it. */
function sharedLog() {
  const memory = new MemoryEventStore();
  const process = (bend: Partial<EventStore> = {}) => {
    const asked = { heads: 0, reads: 0, appends: 0 };
    const store = Object.assign(Object.create(memory) as EventStore, {
      exclusive: false,
      head: () => ((asked.heads += 1), memory.head()),
      readStream: (...call: Parameters<EventStore['readStream']>) => ((asked.reads += 1), memory.readStream(...call)),
      append: (...call: Parameters<MemoryEventStore['append']>) => ((asked.appends += 1), memory.append(...call)),
      ...bend,
    });
    const follower = new LogFollower(store, START);
    const told: string[] = [];
    const lanes = new Lanes({
      store,
      vault: new MemoryVault(),
      freshness: sharedFreshness(store, follower),
      onShortened: ({ stream }) => told.push(stream),
    });
    follower.listen((event) => {
      lanes.hear(event);
    });
    const context = () =>
      new CommandContext(lanes, {
        storeId: 'store',
        actor: SYSTEM,
        requestId: 'request',
        seed: newSeed(Date.now()),
        keyed: false,
        claim: undefined,
        repeatSince: undefined,
      });
    const during = async (work: () => Promise<unknown>) => {
      const before = { ...asked };
      await work();
      return {
        heads: asked.heads - before.heads,
        reads: asked.reads - before.reads,
        appends: asked.appends - before.appends,
      };
    };
    return { asked, lanes, told, context, during };
  };
  return { memory, process };
}

/** What waits until it is let go. */
function gated() {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  return { gate, open };
}

const note = (context: CommandContext, id: string, text: string) => context.execute(page, text, { id });

describe('what is new in the log', () => {
  test('is asked once for all that a request looks at', async () => {
    const { process } = sharedLog();
    const { context, during } = process();
    for (const id of ['a', 'b', 'c']) await note(context(), id, 'first');
    const costs = await during(async () => {
      const request = context();
      await Promise.all(['a', 'b', 'c'].map((id) => request.current(page, { id })));
      await request.current(page, { id: 'a' });
    });
    expect(costs).toEqual({ heads: 1, reads: 0, appends: 0 });
  });

  test('is asked for many requests at once, and for none whose command is accepted', async () => {
    const { process } = sharedLog();
    const { context, during } = process();
    const ids = Array.from({ length: 64 }, (_, index) => `page ${String(index)}`);
    for (const id of ids) await note(context(), id, 'first');
    const looks = await during(() => Promise.all(ids.map((id) => context().current(page, { id }))));
    expect(looks).toEqual({ heads: 2, reads: 0, appends: 0 });
    const accepted = await during(() => Promise.all(ids.map((id) => note(context(), id, 'second'))));
    expect(accepted).toEqual({ heads: 0, reads: 0, appends: 64 });
  });

  test('is asked once more before a refusal', async () => {
    const { process } = sharedLog();
    const { context, during } = process();
    for (const text of ['one', 'two', 'three']) await note(context(), 'a', text);
    const costs = await during(() => expect(note(context(), 'a', 'four')).rejects.toMatchObject({ kind: FULL }));
    expect(costs).toEqual({ heads: 1, reads: 0, appends: 0 });
  });

  test('comes without a read while a lane rests, and is seen by whoever asks afterwards', async () => {
    const { process } = sharedLog();
    const [one, other] = [process(), process()];
    await note(one.context(), 'a', 'mine');
    await other.context().current(page, { id: 'a' });
    await note(one.context(), 'a', 'new');
    const costs = await other.during(async () => {
      expect(await other.context().current(page, { id: 'a' })).toEqual(['mine', 'new']);
    });
    expect(costs).toEqual({ heads: 1, reads: 0, appends: 0 });
  });

  test('is asked again after a command of the same request', async () => {
    const { process } = sharedLog();
    const [one, other] = [process(), process()];
    await note(one.context(), 'a', 'mine');
    const request = one.context();
    await request.current(page, { id: 'a' });
    await note(request, 'b', 'beside');
    await note(other.context(), 'a', 'theirs');
    const costs = await one.during(async () => {
      expect(await request.current(page, { id: 'a' })).toEqual(['mine', 'theirs']);
    });
    expect(costs).toEqual({ heads: 1, reads: 0, appends: 0 });
  });

  test('is decided on again where it comes before a refusal is known to rest on the head', async () => {
    const { memory, process } = sharedLog();
    const other = process();
    let tears = true;
    const { context } = process({
      async head() {
        if (tears) {
          tears = false;
          await note(other.context(), 'a', 'torn out');
        }
        return memory.head();
      },
    });
    for (const text of ['one', 'two', 'three']) await note(context(), 'a', text);
    await note(context(), 'a', 'four');
    expect(await context().current(page, { id: 'a' })).toEqual(['four']);
  });

  test('is seen by who asks while a lane reads its stream for the first time', async () => {
    const { memory, process } = sharedLog();
    const other = process();
    await note(other.context(), 'a', 'theirs');
    const { gate, open } = gated();
    const { context } = process({
      async readStream(...call) {
        const events = await memory.readStream(...call);
        await gate;
        return events;
      },
    });
    const early = context().current(page, { id: 'a' });
    await note(other.context(), 'a', 'new');
    const late = context().current(page, { id: 'a' });
    open();
    await early;
    expect(await late).toEqual(['theirs', 'new']);
  });

  test('is seen by who asks while a lane appends to its stream', async () => {
    const { memory, process } = sharedLog();
    const other = process();
    const { gate, open } = gated();
    let holds = false;
    const { context } = process({
      async append(stream, revision, events) {
        if (holds) await gate;
        return memory.append(stream, revision, events);
      },
    });
    await note(context(), 'a', 'mine');
    holds = true;
    const held = note(context(), 'a', 'held');
    await note(other.context(), 'a', 'theirs');
    const seen = context().current(page, { id: 'a' });
    open();
    expect((await seen).slice(0, 2)).toEqual(['mine', 'theirs']);
    await held;
  });

  test('is unknown to all who wait behind a question that the log did not answer: none of them waits for as long again', async () => {
    const { memory, process } = sharedLog();
    const { gate, open } = gated();
    let isAway = false;
    let questions = 0;
    const { context } = process({
      async head() {
        questions += 1;
        if (!isAway) return memory.head();
        await gate;
        throw new StoreUnavailable('EventStoreDB is away', false);
      },
    });
    await note(context(), 'a', 'mine');
    isAway = true;
    const looks = [1, 2, 3].map(() => context().current(page, { id: 'a' }));
    open();
    for (const outcome of await Promise.allSettled(looks))
      expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(questions).toBe(1);
    isAway = false;
    expect(await context().current(page, { id: 'a' })).toEqual(['mine']);
    expect(questions).toBe(2);
  });

  test('is read from the stream where the follower does not come up', async () => {
    const { memory, process } = sharedLog();
    const deaf = process({ subscribe: () => ({ stop: () => Promise.resolve(), provedLiveAt: 0 }) });
    await note(deaf.context(), 'a', 'mine');
    await note(process().context(), 'a', 'theirs');
    expect(await deaf.context().current(page, { id: 'a' })).toEqual(['mine', 'theirs']);
    expect(await memory.readStream('page-store-a', { limit: 9 })).toHaveLength(2);
  });
});

describe('a stream that was shortened', () => {
  const shortened = async () => {
    const { memory, process } = sharedLog();
    for (const text of ['one', 'two']) await note(process().context(), 'a', text);
    const rest = process({
      readStream: async (...call) => (await memory.readStream(...call)).filter(({ revision }) => revision > 0),
    });
    return { memory, rest };
  };

  test('is never decided on, nor written to, and is named', async () => {
    const { memory, rest } = await shortened();
    await expect(note(rest.context(), 'a', 'three')).rejects.toThrow(HistoryNotWhole);
    await expect(rest.context().current(page, { id: 'a' })).rejects.toThrow('page-store-a lacks its event 0');
    await expect(rest.context().eventsAt(page, [0], { id: 'a' })).rejects.toThrow(HistoryNotWhole);
    expect(rest.lanes.shortened()).toEqual([expect.stringContaining('page-store-a')]);
    expect(await memory.readStream('page-store-a', { limit: 9 })).toHaveLength(2);
  });

  test('is read again once it is doubted, and told of once', async () => {
    const { memory, process } = sharedLog();
    for (const text of ['one', 'two']) await note(process().context(), 'a', text);
    let isWhole = true;
    const { context, lanes, told } = process({
      readStream: async (...call) =>
        (await memory.readStream(...call)).filter(({ revision }) => isWhole || revision > 0),
    });
    await context().current(page, { id: 'a' });
    isWhole = false;
    expect(await context().current(page, { id: 'a' })).toHaveLength(2);
    lanes.doubt('page-store-a');
    for (let times = 0; times < 2; times++) {
      await expect(context().current(page, { id: 'a' })).rejects.toThrow(HistoryNotWhole);
      expect(told).toEqual(['page-store-a']);
    }
  });

  test('keeps no other stream from being written to, and is forgotten once it is whole again', async () => {
    const { memory, process } = sharedLog();
    await note(process().context(), 'a', 'one');
    let hidden = true;
    const rest = process({
      readStream: (stream, options) =>
        hidden && stream === 'page-store-a'
          ? Promise.reject(new HistoryNotWhole(stream))
          : memory.readStream(stream, options),
    });
    await expect(note(rest.context(), 'a', 'two')).rejects.toThrow('page-store-a has been deleted');
    await note(rest.context(), 'b', 'one');
    expect(rest.lanes.shortened()).toHaveLength(1);
    hidden = false;
    await note(rest.context(), 'a', 'two');
    expect(rest.lanes.shortened()).toEqual([]);
  });
});
