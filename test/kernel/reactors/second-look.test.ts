import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { StreamType } from '../../../src/kernel/events/decider.js';
import type { EventOf } from '../../../src/kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../src/kernel/events/event.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { SecondLook } from '../../../src/kernel/reactors/second-look.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import type { EventStore } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { until } from '../../support/until.js';

/** Processes that stand still in the middle of work of two steps, which others finish meanwhile. */

const MINUTE = 60_000;
const task = z.object({ storeId: z.string(), thing: z.string() });
const stepped = defineEvent('Stepped', 1, z.object({ by: z.string() }));

/** Takes whatever step somebody says. */
const steps = (category: string): StreamType<number, string, EventOf<typeof stepped>> => ({
  category,
  events: eventCodec(stepped),
  decider: {
    initial: 0,
    evolve: (count) => count + 1,
    decide: (_, by) => [{ type: 'Stepped', data: { by } }],
  },
});
const [first, second] = [steps('first'), steps('second')];

const looks: SecondLook<z.output<typeof task>>[] = [];
afterEach(() =>
  Promise.all(looks.splice(0).flatMap(({ background }) => background.queues?.map((queue) => queue.close()) ?? [])),
);

class Ground {
  now = Date.parse('2026-11-21T12:00:00Z');
  readonly log = new MemoryEventStore();
  readonly vault = new MemoryVault(() => this.now);
  /** What stands still before an append to a stream goes to the log, once. */
  beforeAppend: ((stream: string) => Promise<void>) | undefined;

  process(name: string, finish: (context: RequestContext) => Promise<void> = () => Promise.resolve()) {
    const { log, vault } = this;
    const store = Object.assign(Object.create(log) as EventStore, {
      exclusive: false,
      append: async (...call: Parameters<MemoryEventStore['append']>) => {
        await this.beforeAppend?.(call[0]);
        return log.append(...call);
      },
    });
    const lanes = new Lanes({ store, vault });
    const contextOf = () =>
      new CommandContext(lanes, {
        storeId: 'store',
        actor: SYSTEM,
        requestId: 'request',
        seed: newSeed(this.now),
        keyed: false,
        claim: undefined,
        repeatSince: undefined,
      }) as unknown as RequestContext;
    const look = new SecondLook(
      { name: 'steps', task, idOf: ({ thing }) => thing, finish },
      { vault, clock: { now: () => this.now }, holder: name, alone: false, contextOf, onError: () => undefined },
    );
    looks.push(look);
    return { look, contextOf };
  }

  /** In each stream, who took a step. */
  async taken(): Promise<readonly (readonly string[])[]> {
    const streams = await Promise.all(
      ['first-store', 'second-store'].map((stream) => this.log.readStream(stream, { limit: 9 })),
    );
    return streams.map((events) => events.map(({ data }) => (JSON.parse(data) as { by: string }).by));
  }
}

/** Looks for what is due until nothing is left, and gives the time back that this took. */
async function lookedAt(ground: Ground, { look }: ReturnType<Ground['process']>): Promise<void> {
  for (const queue of look.background.queues ?? []) queue.start();
  await until('nothing is left', async () => (await ground.vault.list('steps', { limit: 1 })).length === 0);
}

/** A request that has taken the first of its steps. */
async function begun(ground: Ground): Promise<RequestContext> {
  const { look, contextOf } = ground.process('one');
  const context = contextOf();
  const rows = [look.row(context, { storeId: 'store', thing: 'a' })];
  await context.execute(first, 'the request', { rows });
  return context;
}

describe('a request that stands still between its steps until somebody has looked', () => {
  const finishing = async (context: RequestContext) => {
    await context.execute(second, 'the look');
  };

  test('takes no further one', async () => {
    const ground = new Ground();
    const context = await begun(ground);
    ground.now += MINUTE;
    await lookedAt(ground, ground.process('two', finishing));
    await expect(context.execute(second, 'the request')).rejects.toThrow(StoreUnavailable);
    expect(await ground.taken()).toEqual([['the request'], ['the look']]);
  });

  test('takes no further one either where it stands still on its way to the log', async () => {
    const ground = new Ground();
    const context = await begun(ground);
    ground.beforeAppend = async () => {
      ground.beforeAppend = undefined;
      ground.now += MINUTE;
      await lookedAt(ground, ground.process('two', finishing));
    };
    await expect(context.execute(second, 'the request')).rejects.toThrow(StoreUnavailable);
    expect(await ground.taken()).toEqual([['the request'], ['the look']]);
  });

  test('takes it where it is quick enough', async () => {
    const ground = new Ground();
    const context = await begun(ground);
    ground.now += MINUTE / 2;
    await context.execute(second, 'the request');
    expect(await ground.taken()).toEqual([['the request'], ['the request']]);
  });
});

test('a look that stands still until another looks records nothing any more', async () => {
  const ground = new Ground();
  const { look, contextOf } = ground.process('one');
  await ground.vault.write([look.row(contextOf(), { storeId: 'store', thing: 'a' })]);
  ground.now += MINUTE;
  let goOn: () => void = () => undefined;
  const refused: unknown[] = [];
  const slow = ground.process('slow', async (context) => {
    await new Promise<void>((resolve) => (goOn = resolve));
    await context.execute(second, 'the slow look').catch((error: unknown) => refused.push(error));
  });
  for (const queue of slow.look.background.queues ?? []) queue.start();
  await until('it is in the middle', async () => {
    const [row] = await ground.vault.list('steps', { limit: 1 });
    return (row?.value as { claimedBy?: string }).claimedBy === 'slow';
  });
  ground.now += MINUTE;
  await lookedAt(
    ground,
    ground.process('two', async (context) => {
      await context.execute(second, 'the other look');
    }),
  );
  goOn();
  await until('it has heard', () => refused.length === 1);
  expect(refused).toEqual([expect.any(StoreUnavailable)]);
  expect(await ground.taken()).toEqual([[], ['the other look']]);
});
