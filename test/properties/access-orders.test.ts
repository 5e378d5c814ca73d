import { expect, test } from '@jest/globals';
import { toldOfSeeds } from '../support/seeds.js';

/**
 * People of two stores sign in, set up second factors, change what others may do and are sent out, in processes that share what they store,
 * while some of those die and answers get lost: what was taken away opens nothing any more, what works once works once, names have one owner, and
 * who follows what changes in a store hears all of it that they may see, of that store alone, for as long as they may.
 * ACCESS_ORDERS asks for other seeds, as `1 20000`; `test/support/access-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['ACCESS_ORDERS'] ?? '1 60').split(' ');

test(`orders of things that are drawn from the seeds ${SEEDS.join(' to ')} end well`, async () => {
  expect(await toldOfSeeds('access-orders', SEEDS)).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
}, 3_600_000);
