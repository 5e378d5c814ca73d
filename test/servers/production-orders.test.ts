import { describe } from '@jest/globals';
import { productionOrdersContract } from '../contract/production-orders.js';
import { onServers } from '../support/on-servers.js';

await onServers('production orders on servers', (servers) => {
  describe('in two processes on EventStoreDB and MongoDB', () => {
    productionOrdersContract(() => servers.freshEnv(), 2);
  });
});
