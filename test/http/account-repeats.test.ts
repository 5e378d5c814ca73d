import { randomUUID } from 'node:crypto';
import { afterAll, expect, jest, test } from '@jest/globals';
import type { Browser } from '../support/browser.js';
import { withLostAnswer } from '../support/lost-answer.js';
import type { Person } from '../support/people.js';
import { newPerson, signedIn } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Requests about accounts that were stopped in the middle and are repeated with their key: nothing is left undone. */

const world = await openWorld({ env: { ROLES: 'api,projections' } });
afterAll(() => world.close());
const store = await world.newStore();
await newPerson(world, store);

/** Runs a request that stops before its next write to an account's stream, after so many, and then again with the same key. */
async function stoppedAfter(
  facts: number,
  { userId }: Person,
  ask: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  const { eventStore } = world.service.core.engines;
  const append = eventStore.append.bind(eventStore);
  let left = facts;
  const stopped = jest.spyOn(eventStore, 'append').mockImplementation((stream, ...rest) => {
    if (stream === `user-${userId}` && left-- === 0) return Promise.reject(new Error('stopped here'));
    return append(stream, ...rest);
  });
  const headers = { 'idempotency-key': randomUUID() };
  try {
    expect((await ask(headers)).status).toBe(500);
  } finally {
    stopped.mockRestore();
  }
  return ask(headers);
}

const stillIn = async (browsers: readonly Browser[]): Promise<readonly boolean[]> =>
  Promise.all(browsers.map(async (browser) => (await browser.call('GET', '/auth/me')).status === 200));

async function threeTimesSignedIn(role: 'OWNER' | 'CASHIER' = 'OWNER') {
  const person = await newPerson(world, store, role);
  const browsers: Browser[] = [];
  for (let times = 0; times < 3; times++) browsers.push(await signedIn(world, person));
  return { person, browsers };
}

test('ending the other sessions ends all of them', async () => {
  const { person, browsers } = await threeTimesSignedIn();
  const own = browsers[2] as Browser;
  const ended = await stoppedAfter(0, person, (headers) => own.call('DELETE', '/auth/sessions', undefined, headers));
  expect(ended.status).toBe(204);
  expect(await stillIn(browsers)).toEqual([false, false, true]);
});

test('whoever is let in again after being shut out signs in again', async () => {
  const { person, browsers } = await threeTimesSignedIn('CASHIER');
  const path = `/users/${person.userId}`;
  const shut = await stoppedAfter(0, person, (headers) => store.call('PATCH', path, { active: false }, headers));
  expect(shut.status).toBe(200);
  expect((await store.call('PATCH', path, { active: true })).status).toBe(200);
  expect(await stillIn(browsers)).toEqual([false, false, false]);
});

test('a member who was removed leaves the account behind', async () => {
  const { person } = await threeTimesSignedIn('CASHIER');
  const path = `/users/${person.userId}`;
  expect((await stoppedAfter(1, person, (headers) => store.call('DELETE', path, undefined, headers))).status).toBe(204);
  const log = await world.service.core.engines.eventStore.readStream(`user-${person.userId}`, { from: 0, limit: 100 });
  expect(log.map(({ type }) => type)).toEqual(expect.arrayContaining(['StoreLeft', 'AccountEnded']));
});

test.each([
  ['/auth/me', { name: 'Nome novo' }],
  ['/auth/me/print-target', { target: 'agent', agentId: 'caixa-1' }],
  ['/auth/me/ui-preferences', { navigationFavorites: ['/lots'] }],
])('a change of %s by a tag whose answer was lost is answered again', async (path, body) => {
  const browser = await signedIn(world, await newPerson(world, store));
  const tag = (await browser.get('/auth/me')).headers.get('etag') ?? 'none';
  const headers = { 'idempotency-key': randomUUID(), 'if-match': tag };
  const ask = () => browser.call('PATCH', path, body, headers);
  const first = await withLostAnswer(world, ask);
  const again = await ask();
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
});
