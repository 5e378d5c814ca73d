import { describe } from '@jest/globals';
import { recallContract } from '../contract/recall.js';
import { onServers } from '../support/on-servers.js';

await onServers('recalls on servers', (servers) => {
  describe('in two processes on EventStoreDB and MongoDB', () => {
    recallContract(() => servers.freshEnv(), 2);
  });
});
