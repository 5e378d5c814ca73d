import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { freshCpf } from '../contract/customers.js';
import { refusal, wholeLog } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Answers about people are made anew for a repeat of their key, also when the customer has changed since. Nothing is done again then. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const register = (body: object, key: string = randomUUID()): Promise<Answer> =>
  store.call('POST', '/customers', body, { 'idempotency-key': key });
const pathOf = ({ body }: Answer): string => `/customers/${(body as { id: string }).id}`;

async function expectRepeat(repeat: () => Promise<Answer>, status: number): Promise<Answer> {
  const recorded = (await wholeLog(world)).length;
  const again = await repeat();
  expect([again.status, again.headers.get('idempotency-replayed'), again.text]).toEqual([status, 'true', again.text]);
  expect((await wholeLog(world)).slice(recorded).map(({ type }) => type)).toEqual([]);
  return again;
}

test('a repeated change of a document does not free the one that the customer has by now', async () => {
  const [first, second, third] = [freshCpf(), freshCpf(), freshCpf()];
  const ana = await register({ name: 'Ana', document: first });
  const change = (document: string, key: string) =>
    store.call('PATCH', pathOf(ana), { document }, { 'idempotency-key': key });
  const key = randomUUID();
  expect((await change(second, key)).status).toBe(200);
  expect((await change(third, randomUUID())).status).toBe(200);
  await expectRepeat(() => change(second, key), 200);
  expect(refusal(await register({ name: 'Bia', document: third }))).toEqual([409, 'DOCUMENT_TAKEN']);
  // What the customer gave up is free.
  expect((await register({ name: 'Carla', document: second })).status).toBe(201);
});

test('a repeated change is no other one when somebody else has its document by now', async () => {
  const [first, second] = [freshCpf(), freshCpf()];
  const ana = await register({ name: 'Ana', document: first });
  const key = randomUUID();
  const change = () => store.call('PATCH', pathOf(ana), { document: second }, { 'idempotency-key': key });
  expect((await change()).status).toBe(200);
  expect((await store.call('PATCH', pathOf(ana), { document: first })).status).toBe(200);
  expect((await register({ name: 'Bia', document: second })).status).toBe(201);
  await expectRepeat(change, 200);
});

test('a repeated change is answered as before when the customer has changed since, and after an erasure tells of nobody', async () => {
  const ana = await register({ name: 'Ana', email: 'ana@casa.example' });
  const key = randomUUID();
  const ifMatch = ana.headers.get('etag') ?? '';
  const change = () =>
    store.call('PATCH', pathOf(ana), { phone: '11911110001' }, { 'idempotency-key': key, 'if-match': ifMatch });
  const first = await change();
  expect(first.body).toMatchObject({ name: 'Ana', phone: '11911110001' });
  expect((await store.call('PATCH', pathOf(ana), { name: 'Ana Maria', phone: '11911110002' })).status).toBe(200);
  const again = await expectRepeat(change, 200);
  expect(again.body).toEqual(first.body);
  for (const name of ['etag', 'x-position']) expect(again.headers.get(name)).toBe(first.headers.get(name));
  expect((await store.call('POST', `${pathOf(ana)}/erase`)).status).toBe(200);
  expect((await expectRepeat(change, 200)).body).toMatchObject({ name: null, phone: null, email: null });
});

test('a repeated registration is answered as before when somebody else has its document by now', async () => {
  const [first, second] = [freshCpf(), freshCpf()];
  const [body, key] = [{ name: 'Ana', document: first }, randomUUID()];
  const ana = await register(body, key);
  expect((await store.call('PATCH', pathOf(ana), { document: second })).status).toBe(200);
  const bia = await register({ name: 'Bia', document: first });
  expect(bia.status).toBe(201);
  const again = await expectRepeat(() => register(body, key), 201);
  expect([again.body, again.headers.get('etag')]).toEqual([ana.body, ana.headers.get('etag')]);
  expect((await store.call('GET', pathOf(bia))).body).toMatchObject({ document: first });
});

test('a conflict is given again, also when there would be none by now', async () => {
  const document = freshCpf();
  const ana = await register({ name: 'Ana', document });
  const [body, key] = [{ name: 'Bia', document }, randomUUID()];
  expect(refusal(await register(body, key))).toEqual([409, 'DOCUMENT_TAKEN']);
  expect((await store.call('PATCH', pathOf(ana), { document: null })).status).toBe(200);
  expect(refusal(await expectRepeat(() => register(body, key), 409))).toEqual([409, 'DOCUMENT_TAKEN']);
});
