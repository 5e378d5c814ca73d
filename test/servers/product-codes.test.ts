import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { insist, readPast } from '../support/bakery.js';
import { withCheckDigit } from '../../src/brazil/gtin.js';
import { onServers } from '../support/on-servers.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { callService, openWorld } from '../support/world.js';

/** Codes of products are unique also where several services write to one log. */

await onServers('product codes on servers', (servers) => {
  const worlds: World[] = [];
  const clients: StoreClient[] = [];

  beforeAll(async () => {
    const secret = randomUUID().repeat(2).slice(0, 32);
    const key = Buffer.from(secret).toString('base64');
    const env = { ...servers.freshEnv(), SECRETS_KEY: key, JWT_SECRET: key };
    // One after the other: FerretDB breaks off when two build its first indexes at once.
    for (let index = 0; index < 2; index++) worlds.push(await openWorld({ env }));
    const store = await worlds[0]?.newStore();
    if (!store) throw new Error('there is no world');
    for (const { url } of worlds) clients.push(clientAt(url, store));
  });
  afterAll(async () => {
    for (const world of worlds) await world.close();
  });

  const clientAt = (url: string, store: StoreClient): StoreClient => ({
    ...store,
    call: (method, path, body, headers = {}) =>
      callService(url + path, method, body, {
        authorization: `Bearer ${store.key}`,
        'x-store-slug': store.slug,
        ...headers,
      }),
  });
  const through = (index: number): StoreClient => {
    const client = clients[index % 2];
    if (!client) throw new Error('there is no client');
    return client;
  };
  const createMany = (count: number, codes: object, key?: string): Promise<Answer[]> => {
    const body = { description: 'Pão', priceCash: 1, priceCredit: 1, ...codes };
    return Promise.all(
      Array.from({ length: count }, (_, index) => insist(through(index), 'POST', '/products', body, key)),
    );
  };
  const count = (answers: readonly Answer[], status: number) => answers.filter((each) => each.status === status).length;

  test('of 50 creations with one barcode through two services one wins', async () => {
    const gtin = withCheckDigit('789100031550');
    const answers = await createMany(50, { gtin });
    expect([count(answers, 201), count(answers, 409)]).toEqual([1, 49]);
    const made = answers.filter(({ status }) => status === 201);
    const { id } = made[0]?.body as { id: string };
    const found = [0, 1].map((index) => readPast(made, through(index), `/products/by-gtin/${gtin}`));
    for (const { body } of await Promise.all(found)) expect(body).toMatchObject({ product: { id } });
  });

  test('a barcode that one service freed is free for the other', async () => {
    const gtin = withCheckDigit('789100031551');
    const [made] = await createMany(1, { gtin });
    expect((await insist(through(1), 'DELETE', `/products/${String(made?.body.id)}`)).status).toBe(204);
    expect(count(await createMany(2, { gtin }), 201)).toBe(1);
  });

  test('a creation that was repeated with its key through both made one product', async () => {
    const [key, codes] = [randomUUID(), { sku: 'uma-vez', gtin: withCheckDigit('789100031552') }];
    const answers = [...(await createMany(4, codes, key)), ...(await createMany(1, codes, key))];
    expect(count(answers, 201)).toBe(5);
    expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(1);
  });
});
