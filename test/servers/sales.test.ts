import { describe } from '@jest/globals';
import { salesContract } from '../contract/sales.js';
import { onServers } from '../support/on-servers.js';

await onServers('sales on servers', (servers) => {
  describe('in two processes on EventStoreDB and MongoDB', () => {
    salesContract(() => servers.freshEnv(), 2);
  });
});
