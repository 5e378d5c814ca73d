import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import type { Fault, Operation } from '../../src/adapters/fiscal-simulator/simulator.js';
import { officeOf } from '../../src/features/fiscal/office.js';
import { callStore } from '../support/category-load.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A document that is issued while the authority cannot be relied on, by a process that dies after any of its writes and is asked again with the same key. */

let faults: Partial<Record<Operation, Fault>> = {};
let world: World;
let store: StoreClient;
const open = (options: { readonly dataDir?: string } = {}): Promise<World> =>
  openWorld({ ...options, env: { ROLES: 'api,projections' }, authorityFaults: (operation) => faults[operation] });
beforeAll(async () => {
  world = await open();
  store = await fiscalStore(world);
});
afterAll(() => world.close());

/** Another process takes over what the dead one has left, before anybody repeats a request. */
async function takenOver(): Promise<void> {
  const { dataDir } = world;
  await world.close('keep');
  world = await open({ dataDir });
  await officeOf(world.service.features).work(new AbortController().signal);
  const { storeId, slug, key } = store;
  const call: StoreClient['call'] = (...asked) => callStore(world.url, { slug, key }, ...asked);
  store = { storeId, slug, key, call };
}

async function stopped(writes: number, ask: () => Promise<Answer>): Promise<{ answer: Answer; isWhole: boolean }> {
  const { eventStore, vault } = world.service.core.engines;
  const [append, write] = [eventStore.append.bind(eventStore), vault.write.bind(vault)];
  let left = writes;
  let isWhole = true;
  const counted =
    <A extends readonly unknown[], T>(really: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> => {
      if (left-- > 0) return really(...given);
      isWhole = false;
      return Promise.reject(new Error('the process is dead'));
    };
  const spies = [
    jest.spyOn(eventStore, 'append').mockImplementation(counted(append)),
    jest.spyOn(vault, 'write').mockImplementation(counted(write)),
  ];
  try {
    return { answer: await ask(), isWhole };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const documentsOf = async (saleId: string): Promise<readonly FiscalRecord[]> =>
  (await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body as FiscalRecord[];

interface Seen {
  readonly answer: Answer;
  readonly documents: readonly FiscalRecord[];
  readonly isWhole: boolean;
}

/** Issues the document of a sale, stopped after so many writes; what a dead process answered nobody has heard. */
async function issued(writes: number, meanwhile = (): Promise<void> => Promise.resolve()): Promise<Seen> {
  const { saleId } = await soldSale(store);
  const headers = { 'idempotency-key': randomUUID() };
  const ask = () => store.call('POST', '/fiscal/documents', { saleId, model: 65 }, headers);
  const { answer, isWhole } = await stopped(writes, ask);
  if (!isWhole) await meanwhile();
  const last = isWhole ? answer : await ask();
  return { answer: last, documents: await documentsOf(saleId), isWhole };
}

/** What the customer has, under numbers without gaps. */
function expectOneThatCounts({ answer, documents }: Seen, status: string): void {
  expect(answer.status).toBe(201);
  expect(documents.filter(({ replacedBy }) => replacedBy === null).map((document) => document.status)).toEqual([
    status,
  ]);
  const numbers = documents.map(({ number }) => number ?? 0).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
}

test.each<[string, Partial<Record<Operation, Fault>>, string]>([
  ['answers', {}, 'AUTHORIZED'],
  ['is away', { authorize: 'away', query: 'away' }, 'CONTINGENCY'],
  ['loses its answer', { authorize: 'answer-lost' }, 'AUTHORIZED'],
  ['loses its answer and is away then', { authorize: 'answer-lost', query: 'away' }, 'CONTINGENCY'],
])('where the authority %s, the customer has one document that counts', async (_, at, status) => {
  faults = at;
  for (let writes = 1; ; writes++) {
    const seen = await issued(writes);
    expectOneThatCounts(seen, status);
    if (seen.isWhole) {
      expect(writes).toBeGreaterThan(3);
      return;
    }
  }
});

test('what the next process has given up before it was asked again is issued all the same', async () => {
  faults = {};
  await issued(Infinity); // the certificate for trials is made with the first one
  for (let writes = 1; ; writes++) {
    const seen = await issued(writes, takenOver);
    expectOneThatCounts(seen, 'AUTHORIZED');
    if (seen.isWhole) return;
  }
});
