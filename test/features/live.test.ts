import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { LiveFeed } from '../../src/features/live/live-feed.js';
import { StoreChanges } from '../../src/features/live/store-changes.js';
import { Watcher } from '../../src/features/live/watcher.js';
import { PositionTokens } from '../../src/kernel/routes/position-tokens.js';
import type { Permission } from '../../src/kernel/values/permissions.js';
import { until } from '../support/until.js';

function listening() {
  const heard: string[][] = [];
  const watcher = { tell: (kinds: Iterable<string>) => void heard.push([...kinds]) } as unknown as Watcher;
  return { heard, watcher };
}

describe('the changes of a store', () => {
  test('are told to a newcomer from its coming on, though older ones wait to be told', async () => {
    const changes = new StoreChanges('0', (position) => position);
    const early = listening();
    changes.join(early.watcher);
    changes.note(['category'], '1');
    await until('the first change is told', () => early.heard.length === 1);
    changes.note(['sale', 'product'], '2');
    const late = listening();
    changes.join(late.watcher);
    changes.note(['product', 'brand'], '3');
    await until('the others are told', () => early.heard.length === 2);
    expect(early.heard).toEqual([['category'], ['sale', 'product', 'brand']]);
    expect(late.heard).toEqual([['product', 'brand']]);
  });
});

/** A feed of the store Aurora, and what it did. */
function feeding() {
  const told: unknown[] = [];
  let members = true;
  let heardUpTo = '0';
  const asked: unknown[] = [];
  const tokens = new PositionTokens(Buffer.alloc(32, 7));
  const feed = new LiveFeed({
    viewing: new Map([['category', 'authenticated']]),
    isRevocation: ({ type }) => type === 'ApiKeyRevoked',
    readmit: (principal) => {
      asked.push(principal.actor.id);
      return Promise.resolve(members ? principal : undefined);
    },
    heardUpTo: () => heardUpTo,
    tokens,
    isPosition: () => true,
    onError: (error) => told.push(error),
  });
  const watch = (lastEventId?: string, id = 'k') => {
    const stream = new PassThrough();
    const actor = { kind: 'apiKey', id, name: id } as const;
    feed.watch({ storeId: 'aurora', actor, permissions: new Set<Permission>() }, lastEventId, stream);
    let text = '';
    stream.on('data', (piece: Buffer) => (text += piece.toString()));
    return { stream, text: () => text };
  };
  const hear = (type: string, position: string) => {
    heardUpTo = position;
    const categoryId = '019cae6e-2520-7722-b0b6-1364a954962b';
    feed.hear(
      { type, data: { id: categoryId, categoryId }, stream: 'categories-aurora', meta: { storeId: 'aurora' } },
      position,
    );
  };
  const expel = () => {
    members = false;
  };
  return { feed, watch, hear, expel, told, asked, tokens };
}

test('a watcher that takes nothing for a while then hears once of each kind that changed, and from when it can be seen', async () => {
  const taken: string[] = [];
  let goOn: () => void = () => undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(piece: Buffer, _encoding, done) {
      taken.push(piece.toString());
      goOn = done;
    },
  });
  const takesMore = async () => {
    goOn();
    await othersTurn();
  };
  const actor = { kind: 'apiKey', id: 'k', name: 'k' } as const;
  const principal = { storeId: 'aurora', actor, permissions: new Set<Permission>() };
  const viewing = new Map([
    ['category', 'authenticated'],
    ['brand', 'authenticated'],
    ['sale', 'sales.view'],
  ] as const);
  const watcher = new Watcher(principal, stream, viewing, () => undefined);
  watcher.begin('begins');
  watcher.tell(['category', 'sale', 'unheard of'], '1');
  watcher.tell(['brand', 'category'], '2');
  expect(taken).toEqual(['begins']);
  await takesMore();
  await takesMore();
  watcher.tell(['brand'], '3');
  watcher.tell(['sale'], '4');
  watcher.tell(['category'], '5');
  await takesMore();
  expect(taken.slice(1)).toEqual([
    'id: 2\ndata: {"collections":["category","brand"],"position":"2"}\n\n',
    'id: 3\ndata: {"collections":["brand"],"position":"3"}\n\n',
    'id: 5\ndata: {"collections":["category"],"position":"5"}\n\n',
  ]);
  watcher.end();
});

/** When it would be noticed anyway. */
const HEARTBEAT = 19_000;

test('a connection whose credential is revoked while it is opened ends at once', async () => {
  const { watch, hear, expel } = feeding();
  expel();
  hear('ApiKeyRevoked', '1');
  const { stream } = watch();
  const since = performance.now();
  await until('it is over', () => stream.writableEnded);
  expect(performance.now() - since).toBeLessThan(HEARTBEAT);
});

test('a revocation is checked for every connection of the store, however many there are, and for each once', async () => {
  const { watch, hear, asked } = feeding();
  const ids = Array.from({ length: 205 }, (_, index) => `k${String(index)}`);
  for (const id of ids) watch(undefined, id);
  await until('all that came are checked', () => asked.length === ids.length);
  asked.length = 0;
  hear('ApiKeyRevoked', '1');
  await until('the last is checked', () => asked.includes(ids.at(-1)));
  expect(asked).toEqual(ids);
});

test('an event that cannot be read is told of, and the next one is heard', async () => {
  const { feed, watch, hear, told } = feeding();
  const { text } = watch();
  const unread = { id: 'e', type: 'CategoryCreated', stream: 'categories-aurora', revision: 0, position: '1' };
  feed.hearStored({ ...unread, data: '{', meta: '{' });
  expect(told).toEqual([expect.any(SyntaxError)]);
  hear('CategoryCreated', '2');
  await until('the change is told', () => text().includes('"collections":["category"]'));
});

test('whoever comes back hears what they missed before the place from which they go on, so that a break between the two loses nothing', async () => {
  const { watch, hear, tokens } = feeding();
  watch();
  hear('CategoryCreated', '1');
  const [missed, all] = [watch(tokens.seal('0')), watch('no position')];
  await until('both are told', () => [missed, all].every(({ text }) => text().includes('retry')));
  const firstOf = (text: string) => text.split('\n\n')[0]?.split('\ndata: ')[1];
  expect(firstOf(missed.text())).toContain('"collections":["category"]');
  expect(firstOf(all.text())).toBe('{"reset":true}');
});

test('a feed that was closed ends its connections, and those that still come', () => {
  const { feed, watch } = feeding();
  const { stream } = watch();
  feed.close();
  expect(stream.writableEnded).toBe(true);
  expect(watch().stream.writableEnded).toBe(true);
});

describe('as time goes by', () => {
  const MINUTE = 60_000;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Waits without a timer. */
  async function othersUntil(condition: () => boolean): Promise<void> {
    while (!condition()) await othersTurn();
  }

  async function leave({ stream }: { readonly stream: PassThrough }): Promise<void> {
    const closed = once(stream, 'close');
    stream.destroy();
    await closed;
  }

  test('a store is remembered for as long as somebody watches it, whoever else has left', async () => {
    const { watch, hear } = feeding();
    const first = watch();
    const other = watch();
    await leave(first);
    jest.advanceTimersByTime(6 * MINUTE);
    hear('CategoryCreated', '1');
    await othersUntil(() => other.text().includes('"collections":["category"]'));
  });

  test('a store that is watched again within five minutes is remembered from then on', async () => {
    const { watch, hear } = feeding();
    await leave(watch());
    jest.advanceTimersByTime(4 * MINUTE);
    const second = watch();
    jest.advanceTimersByTime(4 * MINUTE);
    hear('CategoryCreated', '1');
    await othersUntil(() => second.text().includes('"collections":["category"]'));
  });

  test('what a watcher missed is told within five minutes, and afterwards that anything may have changed', async () => {
    const { watch, hear, tokens } = feeding();
    const last = tokens.seal('0');
    await leave(watch());
    hear('CategoryCreated', '1');
    jest.advanceTimersByTime(4 * MINUTE);
    const soon = watch(last);
    await othersUntil(() => soon.text().includes('data:'));
    expect(soon.text()).toContain('"collections":["category"]');
    await leave(soon);
    jest.advanceTimersByTime(6 * MINUTE);
    const late = watch(last);
    await othersUntil(() => late.text().includes('data:'));
    expect(late.text()).toContain('"reset":true');
  });

  test('every connection is kept open by a comment, and ends once its credential opens nothing any more', async () => {
    const { watch, expel } = feeding();
    const { stream, text } = watch();
    await othersUntil(() => text() !== '');
    expect(text()).not.toContain(': heartbeat');
    jest.advanceTimersByTime(20_000);
    await othersUntil(() => text().includes(': heartbeat\n\n'));
    expect(stream.writableEnded).toBe(false);
    expel();
    jest.advanceTimersByTime(20_000);
    await othersUntil(() => stream.writableEnded);
  });
});
