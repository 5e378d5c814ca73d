import { describe, expect, test } from '@jest/globals';
import { BSON, MongoClient } from 'mongodb';
import { customersContract } from '../contract/customers.js';
import { onServers } from '../support/on-servers.js';
import { granted, readPast } from '../support/bakery.js';
import { openWorld } from '../support/world.js';

const PERSON = {
  name: 'Zuleica Quintanilha',
  document: '52998224725',
  email: 'zuleica.quint@casa.example',
  phone: '+5511987650001',
};
const TRACES = ['uleica', 'uintanilha', '52998224725', 'zuleica.quint', '11987650001'];

await onServers('customers on servers', (servers) => {
  describe('on EventStoreDB and MongoDB', () => {
    customersContract(() => servers.freshEnv());

    test('nothing in MongoDB tells of an erased customer', async () => {
      const env = servers.freshEnv();
      const world = await openWorld({ env });
      const client = new MongoClient(env['MONGODB_URL']);
      try {
        const store = await world.newStore();
        const { body } = await granted(store.call('POST', '/customers', PERSON, { 'idempotency-key': 'made' }));
        await readPast([], store, '/customers?q=zuleica');
        await granted(store.call('POST', `/customers/${String(body.id)}/erase`));
        await readPast([], store, '/customers');
        const collections = await client.db().collections();
        const documents = (await Promise.all(collections.map((one) => one.find().toArray()))).flat();
        expect(documents.length).toBeGreaterThan(5);
        const bytes = documents.map((document) => Buffer.from(BSON.serialize(document)));
        expect(TRACES.filter((trace) => bytes.some((one) => one.includes(trace)))).toEqual([]);
        const key = documents.filter(({ kind }) => kind === 'customer-key');
        expect(key.filter(({ id }) => String(id).includes(String(body.id)))).toEqual([]);
      } finally {
        await client.close();
        await world.close();
      }
    });
  });
});
