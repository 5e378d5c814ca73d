import { expect, test } from '@jest/globals';
import { REMEMBERED } from '../../../src/features/inventory/ledger/touched-revisions.js';
import { LotCodeLookup } from '../../../src/features/inventory/lot-code-lookup.js';
import { OutputCodes } from '../../../src/features/inventory/production/output-codes.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';

const OUTPUT = { variantId: 'bread', code: null, number: undefined, day: '2026-11-23' };

/** A store whose state has forgotten what was before a revision, and read models that answer as they are told. */
class Store {
  revision = 2 * REMEMBERED;
  since = REMEMBERED;
  lastOrder = 0;
  readonly lookedPast: number[] = [];
  answers: () => Promise<[]> = () => Promise.resolve([]);

  readonly context = {
    storeId: 'store',
    head: () =>
      Promise.resolve({
        revision: this.revision,
        position: String(this.revision),
        state: { lastOrder: this.lastOrder, history: { since: this.since } },
      }),
    readsPast: (position: string) => ({
      getMany: () => {
        this.lookedPast.push(Number(position));
        return this.answers();
      },
    }),
  } as unknown as RequestContext;
}

test('a look-up that failed is made again by the next order', async () => {
  const store = new Store();
  const codes = new OutputCodes(new LotCodeLookup());
  store.answers = () => Promise.reject(new Error('behind'));
  await expect(codes.known(store.context, OUTPUT)).rejects.toThrow('behind');
  store.answers = () => Promise.resolve([]);
  expect(await codes.known(store.context, OUTPUT)).toMatchObject({ asOf: store.revision });
});

test('one look-up is enough for many orders, and the one for the orders after them holds nobody up', async () => {
  const store = new Store();
  const codes = new OutputCodes(new LotCodeLookup());
  await codes.known(store.context, OUTPUT);
  store.answers = () => new Promise(() => undefined);
  for (; store.lastOrder < 500; store.lastOrder++) await codes.known(store.context, OUTPUT);
  expect(store.lookedPast).toHaveLength(2);
});

test('the look-up before the next that failed is made again too', async () => {
  const store = new Store();
  const codes = new OutputCodes(new LotCodeLookup());
  await codes.known(store.context, OUTPUT);
  store.answers = () => Promise.reject(new Error('behind'));
  store.lastOrder = 300;
  await codes.known(store.context, OUTPUT);
  store.answers = () => Promise.resolve([]);
  await codes.known(store.context, OUTPUT);
  store.lastOrder = 530;
  await codes.known(store.context, OUTPUT);
  expect(store.lookedPast).toHaveLength(3);
});

test('what the state has forgotten meanwhile is looked up again', async () => {
  const store = new Store();
  const codes = new OutputCodes(new LotCodeLookup());
  await codes.known(store.context, OUTPUT);
  store.revision += 2 * REMEMBERED;
  store.since += 2 * REMEMBERED;
  expect(await codes.known(store.context, OUTPUT)).toMatchObject({ asOf: store.revision });
});

test('the read models may be a good part of what the state remembers behind', async () => {
  const store = new Store();
  const lookup = new LotCodeLookup();
  const wanted = [{ variantId: 'bread', lotCode: 'L1' }];
  for (; store.revision < 5 * REMEMBERED; store.revision += 100) {
    store.since = store.revision - (store.revision % REMEMBERED) - REMEMBERED;
    await lookup.find(store.context, wanted);
  }
  const recent = store.lookedPast.slice(-REMEMBERED / 100);
  const behind = recent.map((position, index) => store.revision - (recent.length - index) * 100 - position);
  expect(Math.min(...behind)).toBeGreaterThan(0.75 * REMEMBERED);
  expect(Math.max(...behind)).toBeLessThan(REMEMBERED);
});
