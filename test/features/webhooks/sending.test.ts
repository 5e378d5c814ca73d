import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { FeatureServices } from '../../../src/features/contracts/feature.js';
import { webhooks } from '../../../src/features/webhooks/decider.js';
import type { Delivery } from '../../../src/features/webhooks/deliveries.js';
import { testDelivery } from '../../../src/features/webhooks/deliveries.js';
import { secretRow, Secrets, signatureOf } from '../../../src/features/webhooks/secrets.js';
import { WebhookServices } from '../../../src/features/webhooks/services.js';
import { NOT_FOUND } from '../../../src/kernel/events/rejection.js';
import { recordedEvent } from '../../../src/kernel/events/recorded.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { toIso } from '../../../src/kernel/values/clock.js';
import { TESTS_RUNNING } from '../../../src/features/webhooks/rejections.js';
import { newId, newSeed } from '../../../src/kernel/values/ids.js';
import type { Post, PostResult } from '../../../src/ports/http-poster.js';
import { fiscalEvents } from '../../../src/features/fiscal/events.js';
import { recordDocuments } from '../../support/fiscal-events.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { until } from '../../support/until.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PLAN = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
const START = Date.parse('2026-11-21T12:00:00.000Z');
const STORE = 'store';
const SECRET = 'whsec_test';

let now: number;
let answer: (post: Post) => PostResult | Promise<PostResult>;
let posts: { readonly at: number; readonly post: Post }[];
const statusCode = (code: number): PostResult => ({ durationMs: 0, statusCode: code, error: null, snippet: '' });

function open(eventStore: MemoryEventStore, vault: MemoryVault): WebhookServices {
  const lanes = new Lanes({ store: eventStore, vault });
  const poster = {
    refusalOf: () => undefined,
    post(post: Post) {
      posts.push({ at: now, post });
      return Promise.resolve(answer(post));
    },
    close: () => Promise.resolve(),
  };
  const clock = { now: () => now };
  const onError = (error: unknown) => {
    throw error;
  };
  const services = { lanes, vault, clock, poster, onError, holder: 'a', alone: true, webhookRetryDelays: PLAN };
  return new WebhookServices(services as unknown as FeatureServices);
}

async function prepared(destinations: readonly string[]) {
  const eventStore = new MemoryEventStore();
  const vault = new MemoryVault(() => now);
  const own = open(eventStore, vault);
  const sender = {
    storeId: STORE,
    actor: SYSTEM,
    requestId: 'test',
    seed: newSeed(now),
    keyed: false,
    claim: undefined,
  };
  const context = new CommandContext(own.services.lanes, { ...sender, repeatSince: undefined });
  const settings = { url: 'https://example.com/h', description: null, active: true, events: null };
  for (const destinationId of destinations) {
    await context.execute(
      webhooks,
      { type: 'add', destinationId, settings },
      { rows: [secretRow(destinationId, SECRET)] },
    );
  }
  const react = async () => {
    const stored = (await eventStore.readAll('', 100)).filter(({ stream }) => stream.startsWith('fiscal-'));
    const { rows } = await own.reactor.react(
      stored.map((event) => recordedEvent(fiscalEvents, event)),
      1,
    );
    return rows;
  };
  const change = (destinationId: string, changes: { readonly active: boolean }) =>
    context.execute(webhooks, { type: 'change', destinationId, changes, ifMatch: undefined });
  return { eventStore, vault, own, react, sender, context, change };
}

beforeEach(() => {
  now = START;
  posts = [];
  answer = () => statusCode(200);
});

describe('the signature', () => {
  const body = '{"id":"1","event":"webhook.test"}';

  test('is the one that another implementation makes', () => {
    const signed = signatureOf('whsec_golden', 1_700_000_000, body);
    const [, digest] = execFileSync('openssl', ['dgst', '-sha256', '-hmac', 'whsec_golden'], {
      input: `1700000000.${body}`,
    })
      .toString()
      .trim()
      .split('= ');
    expect(signed).toBe(`v1=${String(digest)}`);
    expect(signed).toMatch(/^v1=[0-9a-f]{64}$/);
  });
});

describe('the secret', () => {
  async function sentWith(given: Awaited<ReturnType<typeof prepared>>): Promise<string> {
    const sent = await given.own.sendOnce(testDelivery(STORE, 'a', newId(now), toIso(now)));
    return sent.headers?.['X-Service-Signature'] === signatureOf(SECRET, now / 1000, sent.body) ? SECRET : 'another';
  }

  test('stays when its rotation is refused, or does not come to its end', async () => {
    const given = await prepared(['a']);
    for (let tries = 0; tries < 4; tries++) {
      await expect(given.own.secrets.rotate(given.context, 'a', [999])).rejects.toThrow();
    }
    expect(await sentWith(given)).toBe(SECRET);
    await given.own.secrets.rotate(given.context, 'a', undefined);
    expect(await sentWith(given)).toBe('another');
  });

  test('of a rotation that is repeated stays as it was', async () => {
    const { own, sender } = await prepared(['a']);
    const repeated = { ...sender, seed: newSeed(now), keyed: true, repeatSince: now };
    const rotated = async () => {
      await own.secrets.rotate(new CommandContext(own.services.lanes, repeated), 'a', undefined);
      const [destination] = await own.destinationsOf(STORE);
      return destination && (await new Secrets(own.services.vault).of(destination));
    };
    const first = await rotated();
    expect(first).toMatch(/^whsec_/);
    expect(await rotated()).toBe(first);
  });

  test('that a repeat has shown stays, where the run that it repeats stood still before it stored its own', async () => {
    const { own, vault } = await prepared([]);
    const [slow, repeated] = [await own.secrets.first('a'), await own.secrets.first('a')];
    expect(await vault.write(repeated)).toBe(true);
    expect(await vault.write(slow)).toBe(false);
  });

  test('that is gone makes the attempt fail, and says so', async () => {
    const { eventStore, vault, own, react } = await prepared(['a']);
    await vault.write([secretRow('a', undefined)]);
    await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
    await vault.write(await react());
    own.queue.wake(['a']);
    await own.queue.idle();
    const [row] = await vault.list('webhook-delivery-a', { limit: 1 });
    expect(row?.value).toMatchObject({ status: 'RETRYING', attempts: [{ error: expect.stringContaining('secret') }] });
    expect(posts).toEqual([]);
    await own.queue.close();
  });
});

describe('a clock that is set back', () => {
  test('keeps nothing from a destination that was made before', async () => {
    const { eventStore, vault, own, react } = await prepared(['a']);
    now -= HOUR;
    await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
    await vault.write(await react());
    own.queue.wake(['a']);
    await own.queue.idle();
    expect(posts).toHaveLength(1);
    await own.queue.close();
  });

  test('delays nothing that happened before', async () => {
    const { eventStore, vault, own, react } = await prepared(['a']);
    await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
    now -= HOUR;
    await vault.write(await react());
    own.queue.wake(['a']);
    await own.queue.idle();
    expect(posts).toHaveLength(1);
    await own.queue.close();
  });

  test('leaves no attempts of hours to come in the share of the last 24', async () => {
    const { eventStore, vault, own, react } = await prepared(['a']);
    const share = async () => {
      const known = await own.health.of(await own.destinationsOf(STORE));
      return known.get('a')?.health.successRate24h;
    };
    answer = () => statusCode(500);
    now += 40 * DAY;
    await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
    await vault.write(await react());
    own.queue.wake(['a']);
    await own.queue.idle();
    expect(await share()).toBe(0);
    now -= 40 * DAY;
    expect(await share()).toBeNull();
    await own.queue.close();
  });

  test('cancels nothing that is sent again by hand', async () => {
    const { eventStore, vault, own, react, change } = await prepared(['a']);
    answer = () => statusCode(500);
    await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
    await vault.write(await react());
    for (const end = now + 60 * HOUR; now <= end; now += HOUR) {
      own.queue.wake(['a']);
      await own.queue.idle();
    }
    await change('a', { active: false });
    await change('a', { active: true });
    now -= 100 * HOUR;
    const [destination] = await own.destinationsOf(STORE);
    const [row] = await vault.list('webhook-delivery-a', { limit: 1 });
    if (!destination || !row) throw new Error('nothing has failed');
    answer = () => statusCode(200);
    await own.retry({ delivery: row.value as Delivery, version: row.version }, destination);
    await own.queue.idle();
    const [after] = await vault.list('webhook-delivery-a', { limit: 1 });
    expect(after?.value).toMatchObject({ status: 'DELIVERED' });
    await own.queue.close();
  });
});

test('tests that are asked for at once are sent one after the other', async () => {
  const { own } = await prepared(['a']);
  let underWay = 0;
  const seen: number[] = [];
  Object.assign(own.services.poster, {
    async post() {
      seen.push(++underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return statusCode(200);
    },
  });
  const tests = Array.from({ length: 10 }, () => testDelivery(STORE, 'a', newId(now), toIso(now)));
  const outcomes = await Promise.allSettled(tests.map((each) => own.sendOnce(each)));
  // Who asks for more than can be waited for hears so at once.
  const [sent, refused] = [outcomes.slice(0, 8), outcomes.slice(8)];
  expect(seen).toEqual(sent.map(() => 1));
  expect(sent).toMatchObject(sent.map(() => ({ value: { status: 'DELIVERED' } })));
  expect(refused).toMatchObject(refused.map(() => ({ reason: { kind: TESTS_RUNNING } })));
  const [next] = tests;
  if (next) expect(await own.sendOnce(next)).toMatchObject({ status: 'DELIVERED' });
});

test('a test that waited for its turn is signed with the secret that counts by then, and goes to no destination that was removed', async () => {
  const { own, context } = await prepared(['a']);
  let answerFirst: (result: PostResult) => void = () => undefined;
  answer = () => new Promise((resolve) => (answerFirst = resolve));
  const newTest = () => own.sendOnce(testDelivery(STORE, 'a', newId(now), toIso(now)));
  const [before, behind] = [newTest(), newTest()];
  await until('the first is under way', () => posts.length === 1);
  await own.secrets.rotate(context, 'a', undefined);
  const last = newTest();
  answer = async () => {
    await context.execute(webhooks, { type: 'remove', destinationId: 'a', ifMatch: undefined });
    return statusCode(200);
  };
  answerFirst(statusCode(200));
  expect(await before).toMatchObject({ status: 'DELIVERED' });
  expect(await behind).toMatchObject({ status: 'DELIVERED' });
  await expect(last).rejects.toMatchObject({ kind: NOT_FOUND });
  const [, { post } = { post: undefined }] = posts;
  const timestamp = Number(post?.headers['X-Service-Timestamp']);
  expect(post?.headers['X-Service-Signature']).not.toBe(signatureOf(SECRET, timestamp, post?.body ?? ''));
  expect(posts).toHaveLength(2);
});

test('one event makes the same delivery for each destination, however often it is seen', async () => {
  const { eventStore, react } = await prepared(['a', 'b']);
  await recordDocuments(eventStore, STORE, ['DocumentAuthorized', 'NumberingAdvanced'], now);
  const first = await react();
  now += HOUR;
  const again = await react();
  const deliveries = (rows: typeof first) =>
    rows
      .filter(({ kind }) => kind.startsWith('webhook-delivery-') && !kind.endsWith('-lines'))
      // By chance, so that no version of a row that is gone comes back.
      .map((row) => ({ ...row, firstVersion: undefined }));
  expect(deliveries(first)).toHaveLength(2);
  expect(deliveries(again)).toEqual(deliveries(first));
  expect(new Set(deliveries(first).map(({ id }) => id)).size).toBe(2);
});

test('a delivery that always fails is tried nine times, the last 46 h 21 min after the first, and has failed', async () => {
  const { eventStore, vault, own, react } = await prepared(['a']);
  answer = () => statusCode(500);
  await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
  await vault.write(await react());
  for (; now <= START + 60 * HOUR; now += MINUTE) {
    own.queue.wake(['a']);
    await own.queue.idle();
  }
  const minutes = posts.map(({ at }) => (at - START) / MINUTE);
  expect(minutes).toEqual([0, 1, 6, 21, 81, 261, 621, 1341, 2781]);
  expect(minutes.at(-1)).toBe(46 * 60 + 21);
  expect(new Set(posts.map(({ post }) => post.body)).size).toBe(1);
  expect(new Set(posts.map(({ post }) => post.headers['X-Service-Delivery'])).size).toBe(1);
  for (const { at, post } of posts) {
    expect(post.headers['X-Service-Timestamp']).toBe(String(at / 1000));
    expect(post.headers['X-Service-Signature']).toBe(signatureOf(SECRET, at / 1000, post.body));
  }
  const [row] = await vault.list('webhook-delivery-a', { limit: 10 });
  expect(row?.value).toMatchObject({ status: 'FAILED', nextAttemptAt: null, attempts: { length: 9 } });
  expect(row?.dueAt).toBeUndefined();
  await own.queue.close();
});

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
])('an answer of %i delivers: %p', async (code, delivers) => {
  const { own } = await prepared(['a']);
  answer = () => statusCode(code);
  const sent = await own.sendOnce(testDelivery(STORE, 'a', newId(now), toIso(now)));
  expect(sent.status).toBe(delivers ? 'DELIVERED' : 'FAILED');
});

test('what ended is kept for thirty days', async () => {
  const { eventStore, vault, own, react } = await prepared(['a']);
  await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
  await vault.write(await react());
  own.queue.wake(['a']);
  await own.queue.idle();
  const rows = async () =>
    (await vault.list('webhook-delivery-a', { limit: 10 })).map(({ value }) => (value as Delivery).status);
  now += 30 * 24 * HOUR - 1;
  expect(await rows()).toEqual(['DELIVERED']);
  now += 1;
  expect(await rows()).toEqual([]);
  await own.queue.close();
});

test('a process that starts after a downtime sends what is due, the oldest first', async () => {
  const { eventStore, vault, own, react } = await prepared(['a']);
  for (let count = 0; count < 20; count++) {
    now += 1;
    await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
  }
  await vault.write(await react());
  now += 10 * 24 * HOUR;
  own.queue.wake(['a']);
  await own.queue.idle();
  const created = posts.map(({ post }) => (JSON.parse(post.body) as { readonly createdAt: string }).createdAt);
  expect(created).toHaveLength(20);
  expect(created).toEqual([...created].sort());
  await own.queue.close();
});

test('an attempt that is under way when the process ends is broken off, and its delivery is due as before', async () => {
  const { eventStore, vault, own, react } = await prepared(['a']);
  await recordDocuments(eventStore, STORE, ['DocumentAuthorized'], now);
  await vault.write(await react());
  answer = ({ signal }) =>
    signal === undefined
      ? statusCode(200)
      : new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
  own.queue.wake(['a']);
  await until('it is under way', () => posts.length === 1);
  await own.queue.close(1);
  const [row] = await vault.list('webhook-delivery-a', { limit: 1 });
  expect(row).toMatchObject({ dueAt: now, value: { status: 'PENDING', attempts: [] } });
});

test('eight deliveries of one destination are under way at once, and no more', async () => {
  const { eventStore, vault, own, react } = await prepared(['a']);
  await recordDocuments(eventStore, STORE, Array<string>(24).fill('DocumentAuthorized'), now);
  await vault.write(await react());
  let underWay = 0;
  let most = 0;
  answer = async () => {
    most = Math.max(most, ++underWay);
    // Time for as many others to begin as may.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    underWay -= 1;
    return statusCode(200);
  };
  own.queue.wake(['a']);
  await own.queue.idle();
  expect([posts.length, most]).toEqual([24, 8]);
  await own.queue.close();
});
