import '../request-orders/drawn-chance.js';
import { installTimers } from '../request-orders/drawn-timers.js';
import { explore } from '../request-orders/explore.js';
import { webhookLife } from './life.js';

/**
 * Orders of things on the way from fiscal events to those who are told of them, among processes that share it, drawn from seeds:
 *
 *     node dist/test/support/webhook-orders/explore.js 1 20000
 */
installTimers();
await explore(webhookLife);
