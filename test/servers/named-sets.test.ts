import { afterAll, describe, test } from '@jest/globals';
import { namedSetsContract } from '../contract/named-sets.js';
import type { Servers } from '../support/servers.js';
import { startServers } from '../support/servers.js';

const started = await startServers();
if (typeof started === 'string') test.skip(`named sets on servers (left out: ${started})`, () => undefined);
else onServers(started);

function onServers(servers: Servers): void {
  afterAll(() => servers.dispose());

  describe('on EventStoreDB and MongoDB', () => {
    namedSetsContract(() => servers.freshEnv());
  });
  describe('on EventStoreDB and embedded read models', () => {
    namedSetsContract(() => ({ EVENTSTORE_URL: servers.freshEnv().EVENTSTORE_URL }));
  });
  describe('on an embedded log and MongoDB', () => {
    namedSetsContract(() => ({ MONGODB_URL: servers.freshEnv().MONGODB_URL }));
  });
}
