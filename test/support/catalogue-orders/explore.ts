import '../request-orders/drawn-chance.js';
import { explore } from '../request-orders/explore.js';
import { catalogueLife } from './life.js';

/**
 * Orders of things in what a store keeps books of, among processes that share it, drawn from seeds:
 *
 *     node dist/test/support/catalogue-orders/explore.js 1 20000
 */
await explore(catalogueLife);
