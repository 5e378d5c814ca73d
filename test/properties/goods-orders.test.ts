import { expect, test } from '@jest/globals';
import { toldOfSeeds } from '../support/seeds.js';

/**
 * Two processes that share stores, or one that owns them, receive, count, make, sell, block, reverse and recall goods, while answers get lost, one
 * of them dies, read models lag behind and states leave memory: no goods and no money appear or vanish, every command is done once, what is only
 * tried changes nothing and promises what is then done, what is shown is what the facts come to and is told of its moment afterwards, pages skip and
 * repeat nothing, proofs hold, and no store meets anything of another. GOODS_ORDERS asks for other seeds, as `1 20000`; `test/support/goods-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['GOODS_ORDERS'] ?? '1 20').split(' ');

test(`orders of things that are drawn from the seeds ${SEEDS.join(' to ')} leave goods and figures whole`, async () => {
  expect(await toldOfSeeds('goods-orders', SEEDS)).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
}, 3_600_000);
