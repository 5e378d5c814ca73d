import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { customersContract } from '../contract/customers.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

customersContract(() => ({}));

describe('the fields of a customer', () => {
  let world: World;
  let store: StoreClient;
  beforeAll(async () => {
    world = await openWorld();
    store = await world.newStore();
  });
  afterAll(() => world.close());

  const address = (length: number) => `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(length - 130)}.example`;

  test.each([
    [{ name: 'x'.repeat(200) }, 201],
    [{ name: 'x'.repeat(201) }, 400],
    [{ name: '' }, 400],
    [{}, 400],
    [{ name: null }, 400],
    [{ name: 'x', document: '529.982.247-24' }, 400],
    [{ name: 'x', document: '' }, 400],
    [{ name: 'x', document: '12.ABC.345/01DE-35' }, 201],
    [{ name: 'x', email: 'not an address' }, 400],
    [{ name: 'x', email: address(150) }, 201],
    [{ name: 'x', email: address(255) }, 400],
    [{ name: 'x', phone: '1234567' }, 400],
    [{ name: 'x', phone: '12345678' }, 201],
    [{ name: 'x', phone: '+123456789012345' }, 201],
    [{ name: 'x', phone: '+1234567890123456' }, 400],
    [{ name: 'x', phone: '11 9876x-4321' }, 400],
    [{ name: 'x', phone: 11987654321 }, 400],
    [{ name: 'x', birthday: '2000-01-01' }, 400],
  ])('%j is answered %i', async (body, status) => {
    const answer = await store.call('POST', '/customers', body);
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
  });
});
