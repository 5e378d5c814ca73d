import { afterAll, expect, jest, test } from '@jest/globals';
import { freshCpf } from '../contract/customers.js';
import { refusal } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A document belongs to one customer at most, and to nobody once it was given up, also where two change a customer at once. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const register = (document: string): Promise<Answer> => store.call('POST', '/customers', { name: 'Ana', document });

/** Sends a change that is decided only after another one, which comes when this one has looked at the customer. */
async function overtaken(path: string, body: object, other: object): Promise<readonly [Answer, Answer]> {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let first: Promise<Answer> | undefined;
  const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if ((command as { readonly type: string }).type === 'change' && !first) {
      first = store.call('PATCH', path, other);
      await first;
    }
    return execute(type, stream, command, envelope);
  });
  try {
    const answer = await store.call('PATCH', path, body);
    if (!first) throw new Error('nothing overtook it');
    return [answer, await first];
  } finally {
    spy.mockRestore();
  }
}

test.each([
  ['says that it stays as it is', (before: string) => ({ document: before, phone: '11911110001' })],
  ['gives another one', () => ({ document: freshCpf(), phone: '11911110001' })],
  ['takes it away', () => ({ document: null, phone: '11911110001' })],
])('of two who change a document at once, the later one %s', async (_, bodyOf) => {
  const [before, between] = [freshCpf(), freshCpf()];
  const { id } = (await register(before)).body as { readonly id: string };
  const path = `/customers/${id}`;
  const body = bodyOf(before);
  const answers = await overtaken(path, body, { document: between });
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await store.call('GET', path)).body).toMatchObject(body);
  expect((await register(between)).status).toBe(201);
  const { document } = body;
  if (document !== null) expect(refusal(await register(document))).toEqual([409, 'DOCUMENT_TAKEN']);
  if (document !== before) expect((await register(before)).status).toBe(201);
});
