import { afterAll, describe, test } from '@jest/globals';
import { recallContract } from '../contract/recall.js';
import type { Servers } from '../support/servers.js';
import { startServers } from '../support/servers.js';

const started = await startServers();
if (typeof started === 'string') test.skip(`recalls on servers (left out: ${started})`, () => undefined);
else onServers(started);

function onServers(servers: Servers): void {
  afterAll(() => servers.dispose());

  describe('in two processes on EventStoreDB and MongoDB', () => {
    recallContract(() => servers.freshEnv(), 2);
  });
}
