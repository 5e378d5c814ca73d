import { drawChanceFrom } from '../request-orders/drawn-chance.js';
import { trySeeds } from '../seeds.js';
import { explored } from './exploring.js';

/**
 * Orders of things among processes that share a store of goods, drawn from seeds:
 *
 *     node dist/test/support/goods-orders/explore.js 1 20000
 *
 * tries those from 1 to 20,000, names each that ends wrong, and tells the story of the first one, or of the only one that is asked for.
 */
await trySeeds((seed) => {
  drawChanceFrom(seed);
  return explored(seed);
});
