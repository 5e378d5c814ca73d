import { expect, test } from '@jest/globals';
import { toldOfSeeds } from '../support/seeds.js';

/**
 * Card payments are taken and sales cancelled, rates and machines change, months are recalculated and the machine is chosen by volume, in
 * processes that share what they store, while some of those die or stand still and answers get lost: each recalculation comes to its end, with
 * the figures of another arithmetic, each payment is changed by it once, and a month's volume chooses once. FEE_ORDERS asks for other seeds, as
 * `1 20000`; `test/support/fee-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['FEE_ORDERS'] ?? '105 140').split(' ');

test(`orders of things that are drawn from the seeds ${SEEDS.join(' to ')} end well`, async () => {
  expect(await toldOfSeeds('fee-orders', SEEDS)).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
}, 3_600_000);
