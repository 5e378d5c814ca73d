import { readFileSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportStore } from '../../scripts/audit/export.js';
import { openEmbeddedArchive } from '../../src/adapters/embedded/log/archive.js';
import { rowSeal } from '../../src/adapters/row-seal.js';
import { SearchKeys } from '../../src/features/customers/keys.js';
import { customerSearchPreparation } from '../../src/features/customers/search-preparation.js';
import { documentTerm } from '../../src/features/customers/search-terms.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { SealedRow } from '../../src/ports/moving.js';
import { START } from '../../src/ports/event-store.js';
import { freshCpf } from '../contract/customers.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { refusal } from '../support/people.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

const PERSON = {
  name: 'Zuleica Quintanilha',
  document: '52998224725',
  email: 'zuleica.quint@casa.example',
  phone: '+5511987650001',
};
const EARLIER = { name: 'Zoraide Vasconcelos', phone: '11912340002' };
/** Shorter beginnings of digits than these stand in random ids by chance. */
const TRACES = [
  'Zuleica',
  'zuleica',
  'Quintanilha',
  'quintanilha',
  'Zoraide',
  'zoraide',
  'vasconcelos',
  '52998224725',
  '529982247',
  'zuleica.quint',
  '11987650001',
  '987650001',
  '912340002',
];

const filesOf = async (folder: string): Promise<readonly { readonly name: string; readonly bytes: Buffer }[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ name, parentPath }) => ({ name, bytes: await readFile(join(parentPath, name)) })),
  );
};
const tracesIn = async (folder: string, traces: readonly (string | Buffer)[]): Promise<readonly string[]> =>
  (await filesOf(folder)).flatMap(({ name, bytes }) =>
    traces.filter((trace) => bytes.includes(trace)).map((trace) => `${name}: ${trace.toString('latin1')}`),
  );

/** The key of the customer, sealed as it lies in the vault. */
function sealedKey(dataDir: string, id: string): Buffer {
  const database = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true });
  try {
    const row = database.prepare("select value from vault where kind = 'customer-key' and id like ?").get(`%/${id}`);
    return Buffer.from((row as { readonly value: Uint8Array }).value);
  } finally {
    database.close();
  }
}

test('of an erased customer no file holds a trace, nor the key that would open what is left', async () => {
  const first = await openWorld();
  const { dataDir } = first;
  const store = await first.newStore();
  const made = await store.call('POST', '/customers', EARLIER, { 'idempotency-key': 'k1' });
  const { id } = made.body as { id: string };
  expect((await store.call('PATCH', `/customers/${id}`, PERSON, { 'idempotency-key': 'k2' })).status).toBe(200);
  const known = await store.call('GET', '/customers?q=zuleica');
  expect(known.body).toMatchObject({ items: [PERSON] });
  // What is searched for could be there: a name that is no customer's is.
  expect((await store.call('POST', '/brands', { name: 'Wanderleia' })).status).toBe(201);
  await first.close('keep');

  // Nobody is to be seen even before.
  expect(await tracesIn(dataDir, TRACES)).toEqual([]);
  expect(new Set((await tracesIn(dataDir, ['Wanderleia'])).map((found) => found.slice(0, 7)))).toEqual(
    new Set(['events.', 'read.db']),
  );
  const key = sealedKey(dataDir, id);
  expect(await tracesIn(dataDir, [key])).toHaveLength(1);

  const second = await openWorld({ dataDir });
  const again = await second.newKey(store.slug);
  expect((await again.call('POST', `/customers/${id}/erase`)).status).toBe(200);
  expect((await again.call('GET', `/customers/${id}`)).body).toMatchObject({ name: null, document: null });
  await second.close('keep');
  expect(await tracesIn(dataDir, [...TRACES, key])).toEqual([]);
  expect((await filesOf(dataDir)).length).toBeGreaterThan(1);
  await rm(dataDir, { recursive: true });
});

describe('what a crash leaves', () => {
  let world: World;
  let store: StoreClient;
  beforeAll(async () => {
    world = await openWorld();
    store = await world.newStore();
  });
  afterAll(() => world.close());

  /** A document that somebody held and whose customer never came. */
  async function heldSince(milliseconds: number): Promise<{ readonly document: string; readonly customerId: string }> {
    const { vault } = world.service.core.engines;
    const [document, customerId] = [freshCpf(), newId(Date.now())];
    const term = documentTerm(await new SearchKeys(vault).of(store.storeId), document);
    const heldAt = new Date(Date.now() - milliseconds).toISOString();
    const value = { customerId, claimId: newId(Date.now()), heldAt };
    await vault.write([{ kind: 'customer-document', id: `${store.storeId}/${term}`, value, expected: 'absent' }]);
    return { document, customerId };
  }

  test('a document that was held in vain is taken over, and the late customer cannot have it', async () => {
    const { document, customerId } = await heldSince(60_000);
    expect((await store.call('POST', '/customers', { name: 'Ana', document })).status).toBe(201);
    const stream = await world.service.core.engines.eventStore.readStream(`customer-${store.storeId}-${customerId}`, {
      limit: 10,
    });
    expect(stream.map(({ type }) => type)).toEqual(['CustomerClaimDropped']);
    expect((await store.call('GET', `/customers/${customerId}`)).status).toBe(404);
  });

  test('a document that was held in vain by a clock that was ahead is taken over as well', async () => {
    const { document } = await heldSince(-3_600_000);
    expect((await store.call('POST', '/customers', { name: 'Ana', document })).status).toBe(201);
  });

  test('a document that somebody is just taking is taken', async () => {
    const { document } = await heldSince(0);
    const answer = await store.call('POST', '/customers', { name: 'Ana', document });
    expect(refusal(answer)).toEqual([409, 'DOCUMENT_TAKEN']);
  });

  test('a customer whose key is gone before the fact was recorded is nobody, and can be erased to the end', async () => {
    const { vault } = world.service.core.engines;
    const made = await store.call('POST', '/customers', { name: 'Some', document: freshCpf() });
    const { id } = made.body as { id: string };
    await vault.write([{ kind: 'customer-key', id: `${store.storeId}/${id}`, value: undefined, expected: 'any' }]);
    expect((await store.call('GET', `/customers/${id}`)).body).toMatchObject({ name: null, document: null });
    expect(refusal(await store.call('PATCH', `/customers/${id}`, { name: 'x' }))).toEqual([409, 'CUSTOMER_ERASED']);
    expect((await store.call('POST', `/customers/${id}/erase`)).status).toBe(200);
    const { body } = await store.call('GET', `/customers/${id}`);
    expect(body.erasedAt).toEqual(expect.any(String));
  });

  test('events are prepared for projections beside the log, those that were changed or lost their key as they are', async () => {
    const { vault, eventStore } = world.service.core.engines;
    await store.call('POST', '/customers', { name: 'Preparada' });
    const events = await eventStore.readAll(START, 1_000);
    const prepare = customerSearchPreparation(vault);
    const prepared = await prepare(events);
    const terms = prepared.filter(({ data }) => data.includes('"search"'));
    expect(new Set(terms.map(({ type }) => type))).toEqual(new Set(['CustomerRegistered']));
    expect(events.filter(({ data }) => data.includes('"search"'))).toEqual([]);
    expect(prepared.map(({ position }) => position)).toEqual(events.map(({ position }) => position));
    const changed = events.map((event) => ({ ...event, data: event.data.replace(/"name":"../, '"name":"__') }));
    expect(await prepare(changed)).toEqual(changed);
  });
});

test('an idempotency key of before gives nothing of an erased customer back', async () => {
  const world = await openWorld();
  try {
    const store = await world.newStore();
    const made = await store.call('POST', '/customers', PERSON, { 'idempotency-key': 'made' });
    const { id } = made.body as { id: string };
    const changed = await store.call('PATCH', `/customers/${id}`, EARLIER, { 'idempotency-key': 'changed' });
    const again = await store.call('PATCH', `/customers/${id}`, EARLIER, { 'idempotency-key': 'changed' });
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, changed.text, 'true']);
    expect((await store.call('POST', `/customers/${id}/erase`)).status).toBeLessThan(300);
    for (const repeat of [
      await store.call('POST', '/customers', PERSON, { 'idempotency-key': 'made' }),
      await store.call('PATCH', `/customers/${id}`, EARLIER, { 'idempotency-key': 'changed' }),
    ]) {
      expect(TRACES.filter((trace) => repeat.text.includes(trace))).toEqual([]);
      expect(repeat.status).toBeLessThan(500);
    }
    const customers = await store.call('GET', '/customers');
    expect((customers.body as { items: readonly unknown[] }).items).toHaveLength(1);
  } finally {
    await world.close();
  }
});

/** Everything that the vault holds, as the service itself can open it. */
function openedRows(dataDir: string): readonly string[] {
  const { secretsKey } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as { secretsKey: string };
  const seal = rowSeal(Buffer.from(secretsKey, 'base64'));
  const database = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true });
  try {
    const rows = database.prepare('select kind, id, version, value from vault').all() as unknown as SealedRow[];
    return rows.map((row) => `${row.kind} ${row.id} ${JSON.stringify(seal.open(row))}`);
  } finally {
    database.close();
  }
}

async function exported(dataDir: string, store: string): Promise<string> {
  const log = openEmbeddedArchive(dataDir);
  const lines = new PassThrough();
  const said = text(lines);
  await exportStore(log, { store }, lines, new PassThrough());
  lines.end();
  await log.close();
  return said;
}

test('nothing that waits, is kept or is exported tells of an erased customer', async () => {
  // Nobody takes mail or calls there.
  const away = 'http://127.0.0.1:9/calls';
  const world = await openWorld({ env: { SMTP_URL: 'smtp://127.0.0.1:9', WEBHOOK_ALLOW_PRIVATE: 'true' } });
  try {
    const store = await world.newStore();
    const user = { username: 'zu', name: 'Zu', email: 'zu@loja.example', role: 'MANAGER' };
    await store.call('POST', '/users', user);
    await store.call('POST', '/auth/password-reset', { identifier: 'zu@loja.example' });
    await store.call('POST', '/webhooks', { url: away, enabled: true });
    const { body } = await store.call('POST', '/customers', PERSON, { 'idempotency-key': 'made' });
    const id = String(body.id);
    await store.call('PATCH', `/customers/${id}`, EARLIER, { 'idempotency-key': 'changed' });
    expect((await store.call('POST', `/customers/${id}/erase`)).status).toBeLessThan(300);

    const found = (texts: readonly string[]) => texts.filter((one) => TRACES.some((trace) => one.includes(trace)));
    expect(openedRows(world.dataDir).length).toBeGreaterThan(5);
    expect(found(openedRows(world.dataDir))).toEqual([]);
    const history = `/audit/entities/customer/${id}`;
    const paths = ['/audit/events', history, `${history}/changes`, `${history}/state?at=${new Date().toISOString()}`];
    const answers = await Promise.all(paths.map((path) => store.call('GET', path)));
    expect(answers[0]?.text).toContain(id);
    expect(found([await exported(world.dataDir, store.slug), ...answers.map((answer) => answer.text)])).toEqual([]);
  } finally {
    await world.close();
  }
});

test('fiscal documents that name an erased customer are kept, and listed', async () => {
  const world = await openWorld();
  try {
    const store = await fiscalStore(world);
    const customer = await store.call('POST', '/customers', PERSON);
    const other = await soldSale(store);
    await store.call('POST', '/fiscal/documents', { saleId: other.saleId, model: 65 });
    const items = [{ variantId: other.variantId, quantity: 1, unitPrice: 9.99 }];
    const sale = { items, customerId: customer.body.id as string, payments: [{ method: 'CASH', amount: 9.99 }] };
    const { body: sold } = await store.call('POST', '/sales', sale);
    const { body: document } = await store.call('POST', '/fiscal/documents', { saleId: sold.id as string, model: 65 });
    const erased = await store.call('POST', `/customers/${String(customer.body.id)}/erase`);
    const { id, saleId, model, series, number, accessKey, status } = document as Record<string, unknown>;
    expect(erased).toMatchObject({ status: 200 });
    expect(erased.body).toEqual({ keptDocuments: [{ id, saleId, model, series, number, accessKey, status }] });
    expect(status).toBe('AUTHORIZED');
    expect((await store.call('GET', `/fiscal/documents/${String(id)}/xml`)).text).toContain(PERSON.document);
  } finally {
    await world.close();
  }
});
