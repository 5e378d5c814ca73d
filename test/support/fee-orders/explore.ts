import '../request-orders/drawn-chance.js';
import { explore } from '../request-orders/explore.js';
import { feeLife } from './life.js';

/**
 * Orders of things in what cards cost a store, among processes that share it, drawn from seeds:
 *
 *     node dist/test/support/fee-orders/explore.js 1 20000
 */
await explore(feeLife);
