import { types } from 'node:util';
import type { Collection, Db, Document } from 'mongodb';
import { MongoBulkWriteError, MongoClient, MongoClientClosedError, MongoNetworkError, MongoServerError } from 'mongodb';
import { StoreUnavailable } from '../../ports/event-store.js';

/** A call that takes longer is given up, so that its caller hears within five seconds that the server is away. */
const DEADLINE = 4_000;
/** The server itself ends what nobody waits for any more. */
export const maxTimeMS = 3_500;

const DUPLICATE_KEY = 11000;
/** Host unreachable or unknown, time limit, write concern, shutdown, no longer primary, socket: of the server's state, not of our request. */
const AWAY = new Set([6, 7, 50, 64, 89, 91, 100, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** No server was found to send the call to, or no connection came free in time (a class that the driver keeps to itself). */
const UNSENT = new Set([
  'MongoServerSelectionError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoWaitQueueTimeoutError',
]);

/** A socket that breaks while it is written to reaches us as it is. */
const BROKEN_SOCKET = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

class TooLate extends Error {}

const LOST = [TooLate, MongoNetworkError, MongoClientClosedError];

/** One client of a MongoDB database; every call ends in time, and a server that is away shows as StoreUnavailable. */
export class Connection {
  private constructor(
    private readonly client: MongoClient,
    private readonly db: Db,
  ) {}

  static open(url: string): Connection {
    const client = new MongoClient(url, {
      connectTimeoutMS: 2_000,
      serverSelectionTimeoutMS: 2_500,
      waitQueueTimeoutMS: 3_500,
      promoteBuffers: true,
      writeConcern: { w: 'majority', journal: true },
    });
    const database = /^[^/]*\/\/[^/]*\/([^?]+)/.exec(url)?.[1] ?? 'store_management';
    return new Connection(client, client.db(database));
  }

  collection<T extends Document>(name: string): Collection<T> {
    return this.db.collection<T>(name);
  }

  async collectionNames(): Promise<string[]> {
    const found = await this.read(() => this.db.listCollections({}, { nameOnly: true }).toArray());
    return found.map((each) => each.name);
  }

  read<T>(call: () => Promise<T>): Promise<T> {
    return guarded(call, false);
  }

  write<T>(call: () => Promise<T>): Promise<T> {
    return guarded(call, true);
  }

  /** For building an index or dropping a collection, which may take its time on a server that is there. */
  async patiently<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw translated(error, true);
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

async function guarded<T>(call: () => Promise<T>, writes: boolean): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TooLate(`MongoDB did not answer within ${DEADLINE} ms`));
    }, DEADLINE);
  });
  try {
    return await Promise.race([call(), deadline]);
  } catch (error) {
    throw translated(error, writes);
  } finally {
    clearTimeout(timer);
  }
}

function translated(error: unknown, writes: boolean): unknown {
  // A bulk write wraps whatever else went wrong with it.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) {
    return translated(error.errorResponse, writes);
  }
  if (!types.isNativeError(error) || !isAway(error)) return error;
  const unknown = writes && !UNSENT.has(error.name);
  return new StoreUnavailable(`MongoDB is away: ${error.message}`, unknown, { cause: error });
}

function isAway(error: Error): boolean {
  if (error instanceof MongoBulkWriteError && error.result.getWriteConcernError() !== undefined) return true;
  if (error instanceof MongoServerError) return typeof error.code === 'number' && AWAY.has(error.code);
  const { code = '' }: NodeJS.ErrnoException = error;
  return UNSENT.has(error.name) || BROKEN_SOCKET.has(code) || LOST.some((kind) => error instanceof kind);
}

export const isDuplicate = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** Of a batch of inserts: the places of those whose id was taken already. Anything else that failed is thrown. */
export async function insertEach<T extends Document>(
  connection: Connection,
  collection: Collection<T>,
  documents: readonly Parameters<Collection<T>['insertOne']>[0][],
): Promise<readonly number[]> {
  if (documents.length === 0) return [];
  try {
    await connection.write(() => collection.insertMany(documents, { ordered: false }));
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    if (failed.length === 0 || failed.some((each) => each.code !== DUPLICATE_KEY)) throw error;
    return failed.map((each) => each.index);
  }
}
