import { expect, test } from '@jest/globals';
import { toldOfSeeds } from '../support/seeds.js';

/**
 * Two processes that share a store, or one that owns it, receive, make, sell, block, reverse and recall goods, while answers get lost, one of them
 * dies, read models lag behind and states leave memory: no goods and no money appear or vanish, every command is done once, and what is shown is what
 * the facts come to. GOODS_ORDERS asks for other seeds, as `1 20000`; `test/support/goods-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['GOODS_ORDERS'] ?? '1 40').split(' ');

test(`orders of things that are drawn from the seeds ${SEEDS.join(' to ')} leave goods and figures whole`, async () => {
  expect(await toldOfSeeds('goods-orders', SEEDS)).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
}, 3_600_000);
