import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { recordDocuments } from '../support/fiscal-events.js';
import { until } from '../support/until.js';
import type { Receiver } from '../support/webhook-receiver.js';
import { openReceiver } from '../support/webhook-receiver.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

const PATH = '/outbound-webhooks';
const world = await openWorld({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_DELAYS: '50ms,100ms' } });
const strict = await openWorld({ env: { NODE_ENV: 'development' } });
const { eventStore } = world.service.core.engines;
afterAll(async () => {
  await world.close();
  await strict.close();
});

let store: StoreClient;
let receiver: Receiver;
beforeEach(async () => {
  store = await world.newStore();
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

interface Made {
  readonly id: string;
  readonly secret: string;
}
async function addDestination(body: object = {}): Promise<Made> {
  const answer = await store.call('POST', PATH, { url: receiver.url, ...body });
  expect(answer.status).toBe(201);
  return answer.body as Made;
}
const happened = (...types: readonly string[]) => recordDocuments(eventStore, store.storeId, types);
const deliveries = async (id: string, query = '') =>
  (await store.call('GET', `${PATH}/${id}/deliveries${query}`)).body as {
    readonly items: { readonly id: string; readonly status: string; readonly attempts: object[]; event: string }[];
    readonly nextCursor: string | null;
  };
const withStatus = (id: string, status: string, count = 1) =>
  until(`${String(count)} deliveries are ${status}`, async () => {
    const { items } = await deliveries(id, `?status=${status}&limit=200`);
    return items.length >= count;
  });
const lastStatus = async (id: string) =>
  ((await store.call('GET', `${PATH}/${id}`)).body as { lastDelivery: { status: string } | null }).lastDelivery?.status;
function firstReceived() {
  const [first] = receiver.received;
  if (!first) throw new Error('nothing was received');
  return first;
}
const signature = (secret: string, timestamp: unknown, body: string) =>
  `v1=${createHmac('sha256', secret)
    .update(`${String(timestamp)}.${body}`)
    .digest('hex')}`;

describe('a destination', () => {
  test('shows its secret once, and its settings always', async () => {
    const answer = await store.call('POST', PATH, { url: receiver.url, description: 'Contabilidade' });
    expect(answer.body).toEqual({
      id: expect.any(String),
      url: receiver.url,
      description: 'Contabilidade',
      active: true,
      events: null,
      createdAt: expect.any(String),
      lastDelivery: null,
      health: { successRate24h: null, consecutiveFailures: 0 },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
    });
    const { secret, ...rest } = answer.body;
    const shown = await store.call('GET', `${PATH}/${String(rest.id)}`);
    expect(shown.body).toEqual(rest);
    expect(shown.headers.get('etag')).toBe(answer.headers.get('etag'));
    expect((await store.call('GET', PATH)).body).toEqual({ items: [rest], nextCursor: null });
    for (const { data } of await eventStore.readAll('', 1_000)) expect(data).not.toContain(secret);
  });

  test('is changed, and removed', async () => {
    const { id } = await addDestination();
    const changed = await store.call('PATCH', `${PATH}/${id}`, { active: false, events: ['fiscal.document.failed'] });
    expect(changed.body).toMatchObject({ id, active: false, events: ['fiscal.document.failed'], url: receiver.url });
    const stale = await store.call('PATCH', `${PATH}/${id}`, { active: true }, { 'if-match': '"0"' });
    expect(stale.status).toBe(412);
    expect((await store.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect((await store.call('GET', `${PATH}/${id}`)).status).toBe(404);
    expect((await store.call('GET', `${PATH}/${id}/deliveries`)).status).toBe(404);
  });

  test('of a store there are five, also when twenty are asked for at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => store.call('POST', PATH, { url: receiver.url })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code as string)).toEqual(Array(15).fill('WEBHOOK_LIMIT'));
    expect((await store.call('GET', PATH)).body.items).toHaveLength(5);
  });

  test('must be public where nothing else is allowed', async () => {
    const other = await strict.newStore();
    for (const url of ['http://example.com/h', 'https://127.0.0.1/h', 'https://metadata/h', 'nothing']) {
      const answer = await other.call('POST', PATH, { url });
      expect([url, answer.status, answer.body.code]).toEqual([url, 400, 'URL_NOT_ALLOWED']);
      expect(answer.body.errors).toEqual([{ path: 'url', message: expect.any(String) }]);
    }
    const made = await other.call('POST', PATH, { url: 'https://example.com/hook' });
    expect(made.status).toBe(201);
    const moved = await other.call('PATCH', `${PATH}/${String(made.body.id)}`, { url: 'https://10.0.0.1/h' });
    expect(moved.body.code).toBe('URL_NOT_ALLOWED');
  });

  test('gets a new secret, and the old one signs nothing more', async () => {
    const { id, secret } = await addDestination();
    const rotated = await store.call('POST', `${PATH}/${id}/rotate-secret`);
    expect(rotated.body.secret).not.toBe(secret);
    await happened('DocumentAuthorized');
    await until('it arrived', () => receiver.received.length === 1);
    const { headers, body } = firstReceived();
    expect(headers['x-service-signature']).toBe(
      signature(rotated.body.secret as string, headers['x-service-timestamp'], body),
    );
  });

  test('is tested with one request, and answered with what came of it', async () => {
    const { id, secret } = await addDestination();
    const good = await store.call('POST', `${PATH}/${id}/test`);
    expect(good.status).toBe(200);
    expect(good.body).toMatchObject({ event: 'webhook.test', status: 'DELIVERED', documentId: null });
    const { headers, body } = firstReceived();
    expect(JSON.parse(body)).toEqual({
      id: good.body.id,
      event: 'webhook.test',
      createdAt: good.body.createdAt,
      data: { message: expect.any(String), destinationId: id },
    });
    expect(headers['x-service-signature']).toBe(signature(secret, headers['x-service-timestamp'], body));
    expect((await store.call('GET', `${PATH}/${id}`)).body).toMatchObject({
      lastDelivery: { id: good.body.id, status: 'DELIVERED' },
      health: { successRate24h: 1, consecutiveFailures: 0 },
    });
    receiver.answer = (_request, response) => response.writeHead(500).end('broken');
    const bad = await store.call('POST', `${PATH}/${id}/test`);
    expect(bad.body).toMatchObject({
      status: 'FAILED',
      attempts: [{ number: 1, statusCode: 500, responseSnippet: 'broken', error: 'the answer was 500' }],
      nextAttemptAt: null,
    });
    expect((await store.call('GET', `${PATH}/${id}`)).body.health).toEqual({
      successRate24h: 0.5,
      consecutiveFailures: 1,
    });
  });
});

describe('a delivery', () => {
  test('carries what the document is, signed, with its links', async () => {
    const { id, secret } = await addDestination();
    const [documentId] = await happened('DocumentAuthorized');
    await withStatus(id, 'DELIVERED');
    const { headers, body } = firstReceived();
    const sent = JSON.parse(body) as { readonly id: string; readonly data: object };
    const sample = JSON.parse(readFileSync('test/fixtures/events/DocumentAuthorized.v1.json', 'utf8')) as {
      readonly document: object;
    };
    const path = `/fiscal/documents/${String(documentId)}`;
    expect(sent).toEqual({
      id: headers['x-service-delivery'],
      event: 'fiscal.document.authorized',
      createdAt: expect.any(String),
      data: { ...sample.document, documentId, links: { document: path, xml: `${path}/xml`, pdf: `${path}/pdf` } },
    });
    expect(headers['x-service-event']).toBe('fiscal.document.authorized');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Math.abs(Number(headers['x-service-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    expect(headers['x-service-signature']).toBe(signature(secret, headers['x-service-timestamp'], body));
    const shown = await store.call('GET', `${PATH}/${id}/deliveries/${sent.id}`);
    expect(shown.body).toMatchObject({ id: sent.id, documentId, requestBody: body, status: 'DELIVERED' });
    expect(shown.body.requestHeaders['X-Service-Signature']).toBe(headers['x-service-signature']);
  });

  test('goes to every active destination that wants its event, once', async () => {
    const all = await addDestination();
    const some = await addDestination({ events: ['fiscal.document.cancelled'] });
    const off = await addDestination({ active: false });
    await happened('DocumentAuthorized', 'DocumentCancelled', 'DocumentFailed');
    await withStatus(all.id, 'DELIVERED', 3);
    await withStatus(some.id, 'DELIVERED');
    expect((await deliveries(all.id)).items).toHaveLength(3);
    expect((await deliveries(some.id)).items.map(({ event }) => event)).toEqual(['fiscal.document.cancelled']);
    expect((await deliveries(off.id)).items).toEqual([]);
    expect(receiver.received).toHaveLength(4);
    expect((await deliveries(all.id, '?event=fiscal.document.failed')).items).toHaveLength(1);
    const first = await deliveries(all.id, '?limit=2');
    const rest = await deliveries(all.id, `?limit=2&cursor=${String(first.nextCursor)}`);
    expect(new Set([...first.items, ...rest.items].map(({ id }) => id)).size).toBe(3);
    expect(rest.nextCursor).toBeNull();
  });

  test('is tried again with the same bytes until the plan ends, and then by hand, once', async () => {
    receiver.answer = (_request, response) => response.writeHead(503).end('later');
    const { id } = await addDestination();
    await happened('DocumentAuthorized');
    await withStatus(id, 'FAILED');
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    const { items } = await deliveries(id);
    expect(items[0]).toMatchObject({ status: 'FAILED', attempts: [{ number: 1 }, { number: 2 }, { number: 3 }] });
    const [a = 0, b = 0, c = 0] = receiver.received.map(({ at }) => at);
    expect(b - a).toBeGreaterThanOrEqual(50);
    expect(c - b).toBeGreaterThanOrEqual(100);
    const retry = `${PATH}/${id}/deliveries/${String(items[0]?.id)}/retry`;
    receiver.answer = (_request, response) => response.writeHead(204).end();
    const both = await Promise.all([store.call('POST', retry), store.call('POST', retry)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await withStatus(id, 'DELIVERED');
    expect(receiver.received).toHaveLength(4);
    expect((await store.call('POST', retry)).body.code).toBe('DELIVERY_NOT_FAILED');
  });

  test('is shown on its destination as it stands', async () => {
    receiver.answer = (_request, response) => response.writeHead(503).end('later');
    const { id } = await addDestination();
    const [documentId] = await happened('DocumentAuthorized');
    await withStatus(id, 'FAILED');
    // At once: who has seen the delivery end sees it on the destination too.
    const { body } = await store.call('GET', `${PATH}/${id}`);
    const [known] = (await deliveries(id)).items;
    expect(known).toMatchObject({ documentId, status: 'FAILED' });
    expect(body).toMatchObject({
      lastDelivery: { id: known?.id, status: 'FAILED' },
      health: { successRate24h: 0, consecutiveFailures: 3 },
    });
    expect(((await store.call('GET', PATH)).body as { items: object[] }).items).toEqual([body]);
  });

  test('that fails by hand ends as failed again, and is tried for an active destination alone', async () => {
    receiver.answer = (_request, response) => response.writeHead(301, { location: receiver.url }).end();
    const { id } = await addDestination();
    await happened('DocumentRejected');
    await withStatus(id, 'FAILED');
    const [known] = (await deliveries(id)).items;
    const retry = `${PATH}/${id}/deliveries/${String(known?.id)}/retry`;
    await store.call('POST', retry);
    await until('it was sent once more', () => receiver.received.length === 4);
    await withStatus(id, 'FAILED');
    await store.call('PATCH', `${PATH}/${id}`, { active: false });
    expect((await store.call('POST', retry)).body.code).toBe('DESTINATION_INACTIVE');
    expect(receiver.received).toHaveLength(4);
  });

  test('that is open when its destination is switched off is cancelled', async () => {
    const answers: (() => void)[] = [];
    receiver.answer = (_request, response) => answers.push(() => response.writeHead(500).end());
    const { id } = await addDestination();
    await happened('DocumentAuthorized');
    await until('it is being tried', () => answers.length > 0);
    await store.call('PATCH', `${PATH}/${id}`, { active: false });
    for (const answer of answers) answer();
    await withStatus(id, 'CANCELLED');
    await until('the attempt is noted', async () => (await lastStatus(id)) !== undefined);
    expect(await lastStatus(id)).toBe('CANCELLED');
    await store.call('PATCH', `${PATH}/${id}`, { active: true });
    expect((await deliveries(id)).items.map(({ status }) => status)).toEqual(['CANCELLED']);
    expect(await lastStatus(id)).toBe('CANCELLED');
  });
});
