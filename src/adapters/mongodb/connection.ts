import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import type { Collection, Db, Document } from 'mongodb';
import {
  MongoBulkWriteError,
  MongoClient,
  MongoClientClosedError,
  MongoNetworkError,
  MongoRuntimeError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb';
import { StoreUnavailable } from '../../ports/event-store.js';

/** A call that takes longer is given up, so that its caller hears within five seconds that the server is away. */
const DEADLINE = 4_000;
/** The server itself ends what nobody waits for any more. */
export const maxTimeMS = 3_500;

const DUPLICATE_KEY = 11000;
/**
 * What is wrong with a document or a request and stays wrong when it is sent again: values, names, sizes and limits of it, duplicates, indexes and
 * collections that are there or not, commands and operators that the server does not know. Whatever else a server says is of its own state.
 */
const OF_THE_REQUEST = new Set([
  2, 9, 14, 15, 20, 22, 26, 28, 40, 48, 52, 53, 54, 55, 56, 57, 59, 66, 67, 68, 72, 73, 85, 86, 121, 146, 166, 168, 197,
  238, 292, 10334, 11000, 11001, 12582, 16410, 17280, 17419, 17420, 40324, 40353, 40414, 40415,
]);

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

const LOST = [TooLate, MongoNetworkError, MongoClientClosedError, MongoRuntimeError];

/** Whether any command of a call has started: from then on nobody can say that nothing was written. */
const calls = new AsyncLocalStorage<{ started: boolean }>();

/** One client of a MongoDB database; every call ends in time, and a server that is away shows as StoreUnavailable. */
export class Connection {
  private constructor(
    private readonly client: MongoClient,
    private readonly db: Db,
  ) {}

  static open(url: string): Connection {
    const client = new MongoClient(withoutWeakening(url), {
      monitorCommands: true,
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      connectTimeoutMS: 2_000,
      serverSelectionTimeoutMS: 2_500,
      waitQueueTimeoutMS: 3_500,
      promoteBuffers: true,
      writeConcern: { w: 'majority', journal: true },
    });
    client.on('commandStarted', () => {
      const call = calls.getStore();
      if (call) call.started = true;
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
    const progress = { started: false };
    try {
      return await calls.run(progress, call);
    } catch (error) {
      throw translated(error, { writes: true, ...progress });
    }
  }

  /** What index builds wait for: enough members to outlive the loss of some. A server alone knows no such thing. */
  async commitQuorum(): Promise<{ readonly commitQuorum?: 'majority' }> {
    const { setName } = await this.read(() => this.db.admin().command({ hello: 1 }));
    return setName === undefined ? {} : { commitQuorum: 'majority' };
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
  const progress = { started: false };
  try {
    return await Promise.race([calls.run(progress, call), deadline]);
  } catch (error) {
    throw translated(error, { writes, ...progress });
  } finally {
    clearTimeout(timer);
  }
}

interface Progress {
  readonly writes: boolean;
  readonly started: boolean;
}

function translated(error: unknown, progress: Progress): unknown {
  // A bulk write wraps whatever else went wrong with it.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) {
    return translated(error.errorResponse, progress);
  }
  if (!types.isNativeError(error) || !isAway(error)) return error;
  // A write that has once been sent may have happened whatever became of its last attempt, and one that nobody waits for any more may still be sent.
  const unknown = progress.writes && (progress.started || error instanceof TooLate);
  return new StoreUnavailable(`MongoDB is away: ${error.message}`, unknown, { cause: error });
}

/** Whether the same call may succeed later. */
function isAway(error: Error): boolean {
  if (error instanceof MongoWriteConcernError) return true;
  if (error instanceof MongoBulkWriteError) {
    const failed = [error.writeErrors].flat().map((each): unknown => each.code);
    // Without any the request failed as a whole.
    const codes = failed.length > 0 ? failed : [error.code];
    return error.result.getWriteConcernError() !== undefined || !codes.every(isOfTheRequest);
  }
  if (error instanceof MongoServerError) return !isOfTheRequest(error.code);
  const { code = '' }: NodeJS.ErrnoException = error;
  return UNSENT.has(error.name) || BROKEN_SOCKET.has(code) || LOST.some((kind) => error instanceof kind);
}

const isOfTheRequest = (code: unknown): boolean => typeof code === 'number' && OF_THE_REQUEST.has(code);

const WEAKENING =
  /^(?:readPreference|readPreferenceTags|maxStalenessSeconds|readConcernLevel|w|wtimeout|wtimeoutMS|j|journal|safe)=/iu;

/** An address without what would weaken the guarantees: reads of the primary alone, of what a majority has; writes flushed to disks of a majority. */
function withoutWeakening(url: string): string {
  const [address = '', options = ''] = url.split('?', 2);
  const kept = options.split('&').filter((option) => option !== '' && !WEAKENING.test(option));
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`;
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
