import { afterAll, describe, test } from '@jest/globals';
import { productionOrdersContract } from '../contract/production-orders.js';
import type { Servers } from '../support/servers.js';
import { startServers } from '../support/servers.js';

const started = await startServers();
if (typeof started === 'string') test.skip(`production orders on servers (left out: ${started})`, () => undefined);
else onServers(started);

function onServers(servers: Servers): void {
  afterAll(() => servers.dispose());

  describe('in two processes on EventStoreDB and MongoDB', () => {
    productionOrdersContract(() => servers.freshEnv(), 2);
  });
}
