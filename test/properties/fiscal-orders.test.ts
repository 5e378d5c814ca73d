import { expect, test } from '@jest/globals';
import { toldOfSeeds } from '../support/seeds.js';

/**
 * Two processes that share a store issue, hand in, cancel and give up, while answers get lost, one of them stands still or dies, and people ask
 * for more: once everything has come to rest, what is here is what the authority has, and no sale is taxed twice or held for ever. FISCAL_ORDERS
 * asks for other seeds, as `1 20000`; `test/support/fiscal-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['FISCAL_ORDERS'] ?? '1 60').split(' ');
/** All of a sale comes back between the reading of it and the holding: the log spoke of a refusal that nobody had asked for. */
const RETURNED_MEANWHILE = ['8001020', '8001021'];

test.each([SEEDS, RETURNED_MEANWHILE])(
  'orders of things that are drawn from the seeds %s to %s end well',
  async (...seeds) => {
    expect(await toldOfSeeds('fiscal-orders', seeds)).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
  },
  3_600_000,
);
