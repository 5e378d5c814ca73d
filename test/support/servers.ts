import { SpawnedStandIn } from './eventstoredb-stand-in/spawned.js';
import type { MongoServer } from './mongodb-server.js';
import { mongoServer } from './mongodb-server.js';

/** EventStoreDB and MongoDB for a test file: those that the environment names, otherwise what stands in for them. */
export interface Servers {
  readonly mongo: MongoServer;
  /** Undefined where the server is not ours. */
  readonly standIn: SpawnedStandIn | undefined;
  /** Settings of a service on the log that all share and a database that nobody else uses. */
  freshEnv(): Readonly<Record<'EVENTSTORE_URL' | 'MONGODB_URL', string>>;
  dispose(): Promise<void>;
}

/** The servers, or why there are none on this machine. */
export async function startServers(): Promise<Servers | string> {
  const real = process.env['TEST_EVENTSTORE_URL'];
  const [mongo, standIn] = await Promise.all([mongoServer(), real === undefined ? SpawnedStandIn.start() : undefined]);
  if (typeof mongo === 'string') {
    await standIn?.dispose();
    return mongo;
  }
  return {
    mongo,
    standIn,
    freshEnv: () => ({ EVENTSTORE_URL: real ?? standIn?.url ?? '', MONGODB_URL: mongo.freshUrl() }),
    async dispose() {
      await Promise.all([mongo.dispose(), standIn?.dispose()]);
    },
  };
}
