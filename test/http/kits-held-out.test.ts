import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { plainProduct } from '../support/route-examples.js';
import { refusal } from '../support/people.js';
import { signal } from '../support/signal.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A product that is about to be a service is taken by no kit, whatever others say of it meanwhile. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const change = (id: string, body: object) => store.call('PATCH', `/products/${id}`, body);
const asKit = (componentVariantId: string, description: string) =>
  store.call('POST', '/products', {
    description,
    priceCash: 1,
    priceCredit: 1,
    components: [{ componentVariantId, quantity: 1 }],
  });

/** What happens right before a product that is about to be a service is decided. */
async function becomingService(id: string, before: () => Promise<Answer>): Promise<readonly Answer[]> {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const isReady = signal();
  const goesOn = signal();
  let isFirst = true;
  const held = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if (isFirst && stream.endsWith(id)) {
      isFirst = false;
      isReady.give();
      await goesOn.given;
    }
    return execute(type, stream, command, envelope);
  });
  try {
    const asked = change(id, { productType: 'SERVICE' });
    await isReady.given;
    const taken = await before();
    goesOn.give();
    return [taken, await asked];
  } finally {
    held.mockRestore();
  }
}

describe('a product that is about to be a service', () => {
  test('is no part of a kit where another request says that it is goods', async () => {
    const { id, variantId } = await plainProduct(store, 'mercadoria');
    const [taken, asked] = await becomingService(id, async () => {
      expect((await change(id, { productType: 'MERCHANDISE' })).status).toBe(200);
      return asKit(variantId, 'cesta de serviço');
    });
    expect(taken && refusal(taken)).toEqual([409, 'KIT_OF_SERVICE']);
    expect(asked?.body).toMatchObject({ productType: 'SERVICE' });
  });

  test('is none where a kit took it after the product had changed', async () => {
    const { variantId: part } = await plainProduct(store, 'parte');
    const { body } = await asKit(part, 'cesta de mercadoria');
    const { id, variants } = body as { readonly id: string; readonly variants: readonly { readonly id: string }[] };
    const [taken, asked] = await becomingService(id, async () => {
      expect((await change(id, { description: 'outra cesta', productType: 'MERCHANDISE' })).status).toBe(200);
      return asKit(variants[0]?.id ?? '', 'cesta de cestas');
    });
    expect(taken?.status).toBe(201);
    expect(asked && refusal(asked)).toEqual([409, 'KIT_OF_SERVICE']);
  });
});
