import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { FeatureServices } from '../../../src/features/contracts/feature.js';
import { webhooks } from '../../../src/features/webhooks/decider.js';
import type { Delivery } from '../../../src/features/webhooks/deliveries.js';
import { secretRow, signatureOf } from '../../../src/features/webhooks/secrets.js';
import { WebhookServices } from '../../../src/features/webhooks/services.js';
import { recordedEvent } from '../../../src/kernel/events/recorded.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import type { Post, PostResult } from '../../../src/ports/http-poster.js';
import { fiscalEvents } from '../../../src/features/fiscal/events.js';
import { recordDocuments } from '../../support/fiscal-events.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PLAN = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
const START = Date.parse('2026-11-21T12:00:00.000Z');
const STORE = 'store';
const SECRET = 'whsec_test';

let now: number;
let answer: (post: Post) => PostResult;
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
  return { eventStore, vault, own, react };
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
