import { afterAll, test } from '@jest/globals';
import type { MongoServer } from './mongodb-server.js';
import { mongoServer } from './mongodb-server.js';
import type { Servers } from './servers.js';
import { startServers } from './servers.js';

/** Tests on EventStoreDB and MongoDB. Where this machine can have none they are left out, and say why; here as below. */
export const onServers = async (what: string, tests: (servers: Servers) => void): Promise<void> => {
  on(what, await startServers(), tests);
};

export const onMongo = async (what: string, tests: (mongo: MongoServer) => void): Promise<void> => {
  on(what, await mongoServer(), tests);
};

function on<S extends { dispose(): Promise<void> }>(
  what: string,
  found: S | string,
  tests: (servers: S) => void,
): void {
  if (typeof found === 'string') {
    test.skip(`${what} (left out: ${found})`, () => undefined);
    return;
  }
  tests(found);
  // After what the tests end themselves, which may still use them.
  afterAll(() => found.dispose());
}
