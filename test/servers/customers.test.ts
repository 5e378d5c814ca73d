import { afterAll, describe, test } from '@jest/globals';
import { customersContract } from '../contract/customers.js';
import type { Servers } from '../support/servers.js';
import { startServers } from '../support/servers.js';

const started = await startServers();
if (typeof started === 'string') test.skip(`customers on servers (left out: ${started})`, () => undefined);
else onServers(started);

function onServers(servers: Servers): void {
  afterAll(() => servers.dispose());

  describe('on EventStoreDB and MongoDB', () => {
    customersContract(() => servers.freshEnv());
  });
}
