import '../request-orders/drawn-chance.js';
import { explore } from '../request-orders/explore.js';
import { AccessLife } from './life.js';

/**
 * Orders of things among people of two stores and processes that share them, drawn from seeds:
 *
 *     node dist/test/support/access-orders/explore.js 1 20000
 */
await explore((seed) => new AccessLife(seed));
