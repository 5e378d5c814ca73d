import { describe } from '@jest/globals';
import { namedSetsContract } from '../contract/named-sets.js';
import { onServers } from '../support/on-servers.js';

await onServers('named sets on servers', (servers) => {
  describe('on EventStoreDB and MongoDB', () => {
    namedSetsContract(() => servers.freshEnv());
  });
  describe('on EventStoreDB and embedded read models', () => {
    namedSetsContract(() => ({ EVENTSTORE_URL: servers.freshEnv().EVENTSTORE_URL }));
  });
  describe('on an embedded log and MongoDB', () => {
    namedSetsContract(() => ({ MONGODB_URL: servers.freshEnv().MONGODB_URL }));
  });
});
