import { expect, test } from '@jest/globals';
import { toldOfSeeds } from '../support/seeds.js';

/**
 * Products with their codes and parts, categories, locations, customers, webhook destinations and the store itself are changed by several at
 * once, in processes that share what they store, while some of those die and answers get lost: codes, names and documents have one owner or
 * none, what a repeat asks for is done once, one of two changes of one state counts, and who was erased is nowhere. CATALOGUE_ORDERS asks for
 * other seeds, as `1 20000`; `test/support/catalogue-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['CATALOGUE_ORDERS'] ?? '1 50').split(' ');

test(`orders of things that are drawn from the seeds ${SEEDS.join(' to ')} end well`, async () => {
  expect(await toldOfSeeds('catalogue-orders', SEEDS)).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
}, 3_600_000);
