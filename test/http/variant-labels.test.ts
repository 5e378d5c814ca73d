import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { expectOk } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());

const namesIn = ({ body }: Answer): readonly string[] =>
  (body as { items: readonly { readonly description: string }[] }).items.map(({ description }) => description);

test('labels stand in the order in which they are asked for, whatever was asked before', async () => {
  const store = await world.newStore();
  const newVariants = async (description: string, labels?: readonly string[]): Promise<readonly string[]> => {
    const body = { description, priceCash: 1, priceCredit: 1, variants: labels?.map((label) => ({ label })) };
    const { variants } = (await expectOk(store.call('POST', '/products', body))) as ProductAnswer;
    return variants.map(({ id }) => id);
  };
  const [small, large] = await newVariants('Bolo', ['P', 'G']);
  const [flour] = await newVariants('Farinha');
  const [salt] = await newVariants('Sal');
  const ask = async (...ids: (string | undefined)[]) =>
    namesIn(await store.call('GET', `/products/variant-labels?ids=${ids.join(',')}`));

  expect(await ask(salt)).toEqual(['Sal']);
  expect(await ask(large, flour, randomUUID(), small, salt)).toEqual(['Bolo G', 'Farinha', 'Bolo P', 'Sal']);
  expect(await ask(salt, small, flour, large, salt)).toEqual(['Sal', 'Bolo P', 'Farinha', 'Bolo G']);
});
