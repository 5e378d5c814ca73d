import { afterAll, describe, test } from '@jest/globals';
import { salesContract } from '../contract/sales.js';
import type { Servers } from '../support/servers.js';
import { startServers } from '../support/servers.js';

const started = await startServers();
if (typeof started === 'string') test.skip(`sales on servers (left out: ${started})`, () => undefined);
else onServers(started);

function onServers(servers: Servers): void {
  afterAll(() => servers.dispose());

  describe('in two processes on EventStoreDB and MongoDB', () => {
    salesContract(() => servers.freshEnv(), 2);
  });
}
