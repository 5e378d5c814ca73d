import { AsyncLocalStorage } from 'node:async_hooks';
import type { Collection, Db, Document } from 'mongodb';
import { MongoBulkWriteError, MongoClient } from 'mongodb';
import { messageOf } from '../../kernel/values/message-of.js';
import { StartRefused } from '../../ports/start-refused.js';
import { DUPLICATE_KEY, TooLate, isUnreachable, translated } from './away.js';

/** A call that takes longer is given up, so that its caller hears within five seconds that the server is away. */
const DEADLINE = 4_000;
/** The server itself ends what nobody waits for any more. */
export const maxTimeMS = 3_500;

/** Whether any command of a call has started: from then on nobody can say that nothing was written. */
const calls = new AsyncLocalStorage<{ started: boolean }>();

/** A client that has found no server for so long is compared with a new one. */
const UNREACHABLE_FOR = 10_000;

/** One database of MongoDB; every call ends in time, and a server that is away shows as StoreUnavailable. */
export class Connection {
  private db: Db;
  private unreachableSince: number | undefined;
  private renewing: Promise<void> | undefined;

  private constructor(
    private client: MongoClient,
    private readonly newClient: () => MongoClient,
    private readonly database: string,
    private readonly unreachableFor: number,
  ) {
    this.db = client.db(database);
  }

  /** Throws StartRefused where the driver makes nothing of the address. */
  static open(url: string, newClient = () => clientOf(url), unreachableFor = UNREACHABLE_FOR): Connection {
    const database = /^[^/]*\/\/[^/]*\/([^?]+)/.exec(url)?.[1] ?? 'store_management';
    try {
      return new Connection(newClient(), newClient, database, unreachableFor);
    } catch (error) {
      throw new StartRefused(`wrong setting: MONGODB_URL: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Not to be kept: it belongs to the client of the moment. */
  collection<T extends Document>(name: string): Collection<T> {
    return this.db.collection<T>(name);
  }

  async collectionNames(): Promise<string[]> {
    const found = await this.read(() => this.db.listCollections({}, { nameOnly: true }).toArray());
    return found.map((each) => each.name);
  }

  read<T>(call: () => Promise<T>): Promise<T> {
    return this.watched(guarded(call, false));
  }

  write<T>(call: () => Promise<T>): Promise<T> {
    return this.watched(guarded(call, true));
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

  async version(): Promise<string> {
    const { version } = await this.read(() => this.db.admin().command({ buildInfo: 1 }));
    return String(version);
  }

  async close(): Promise<void> {
    await this.renewing;
    await this.client.close();
  }

  /**
   * The driver's monitor can hang on a socket that broke while it wrote to it (7.9.0), and then finds no server until the process ends. A new client
   * that finds one takes its place. To go when the driver no longer does so.
   */
  private async watched<T>(call: Promise<T>): Promise<T> {
    try {
      const done = await call;
      this.unreachableSince = undefined;
      return done;
    } catch (error) {
      if (isUnreachable((error as Error).cause)) {
        this.unreachableSince ??= performance.now();
        if (performance.now() - this.unreachableSince >= this.unreachableFor) {
          this.renewing ??= this.renew().finally(() => {
            this.renewing = undefined;
          });
        }
      }
      throw error;
    }
  }

  private async renew(): Promise<void> {
    const fresh = this.newClient();
    try {
      await fresh.db(this.database).command({ ping: 1 });
    } catch {
      await fresh.close();
      return;
    }
    const old = this.client;
    this.client = fresh;
    this.db = fresh.db(this.database);
    this.unreachableSince = undefined;
    await old.close(true).catch(() => undefined);
  }
}

function clientOf(url: string): MongoClient {
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
  return client;
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

const WEAKENING =
  /^(?:readPreference|readPreferenceTags|maxStalenessSeconds|readConcernLevel|w|wtimeout|wtimeoutMS|j|journal|safe)=/iu;

/** An address without what would weaken the guarantees: reads of the primary alone, of what a majority has; writes flushed to disks of a majority. */
function withoutWeakening(url: string): string {
  const [address = '', options = ''] = url.split('?', 2);
  const kept = options.split('&').filter((option) => option !== '' && !WEAKENING.test(option));
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`;
}

/** Gives the places in a batch of inserts whose id was taken already. Anything else that failed is thrown. */
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
