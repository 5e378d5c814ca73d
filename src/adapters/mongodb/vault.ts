import type { Collection, Document } from 'mongodb';
import { MongoBulkWriteError } from 'mongodb';
import type { Clock } from '../../kernel/values/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Vault, VaultRow, VaultWrite } from '../../ports/vault.js';
import { newVersion } from '../../ports/vault.js';
import type { VaultCipher } from '../vault-cipher.js';
import type { Connection } from './connection.js';
import { DUPLICATE_KEY, isDuplicate } from './away.js';
import { maxTimeMS } from './connection.js';
import { ensureIndexes } from './indexes.js';

export interface VaultDocument {
  readonly _id: string;
  readonly kind: string;
  readonly version: number;
  readonly value: Buffer;
  readonly dueAt?: number;
  readonly expiresAt?: number;
}

/** Rows of one request. */
const BATCH = 200;

/** Those at the beginning that are expected to be new. */
function newRows(writes: readonly VaultWrite[]): readonly VaultWrite[] {
  const end = writes.findIndex(({ expected, value }) => expected !== 'absent' || value === undefined);
  return end === -1 ? writes : writes.slice(0, end);
}

/** A kind has no slash, so that no two rows share a key. */
const keyOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string => `${kind}/${id}`;

/** Above every id that begins with the prefix: no text holds this code point. */
const END = '\u{10ffff}';

export class MongoVault implements Vault {
  readonly atomic = false;

  constructor(
    private readonly connection: Connection,
    private readonly cipher: VaultCipher,
    private readonly clock: Clock,
  ) {}

  private get rows(): Collection<VaultDocument> {
    return this.connection.collection('vault');
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.connection, this.rows.collectionName, [
      { name: 'due', key: { kind: 1, dueAt: 1, _id: 1 } },
      { name: 'expired', key: { expiresAt: 1 }, sparse: true },
    ]);
  }

  async get(kind: string, id: string): Promise<VaultRow | undefined> {
    const found = await this.connection.read(() => this.rows.findOne({ _id: keyOf({ kind, id }) }, { maxTimeMS }));
    return found && !isExpired(found, this.clock.now()) ? this.open(found) : undefined;
  }

  getMany(kind: string, ids: readonly string[]): Promise<readonly VaultRow[]> {
    return this.find([{ _id: { $in: ids.map((id) => keyOf({ kind, id })) } }], { _id: 1 }, ids.length);
  }

  async write(writes: readonly VaultWrite[]): Promise<boolean> {
    let done = 0;
    try {
      while (done < writes.length) {
        const made = newRows(writes.slice(done, done + BATCH));
        if (made.length > 1) done += await this.insertAll(made);
        const next = writes[done];
        if (next === undefined) break;
        if (!(await this.writeRow(next))) return false;
        done += 1;
      }
      return true;
    } catch (error) {
      // What was written before stays: only with the first row can nothing have happened.
      if (done === 0 || !(error instanceof StoreUnavailable)) throw error;
      throw new StoreUnavailable(error.message, true, { cause: error });
    }
  }

  async list(
    kind: string,
    { after, prefix = '', limit }: { readonly after?: string; readonly prefix?: string; readonly limit: number },
  ): Promise<readonly VaultRow[]> {
    const range = [{ _id: { $gte: keyOf({ kind, id: prefix }), $lt: keyOf({ kind, id: prefix + END }) } }];
    const rest = after === undefined ? [] : [{ _id: { $gt: keyOf({ kind, id: after }) } }];
    return this.find([...range, ...rest], { _id: 1 }, limit);
  }

  due(kind: string, before: number, limit: number): Promise<readonly VaultRow[]> {
    return this.find([{ kind: { $eq: kind }, dueAt: { $lte: before } }], { dueAt: 1, _id: 1 }, limit);
  }

  async sweep(now: number): Promise<number> {
    const { deletedCount } = await this.connection.write(() => this.rows.deleteMany({ expiresAt: { $lte: now } }));
    return deletedCount;
  }

  /** Ends the connection, which the other parts of the same `openMongo` share. */
  close(): Promise<void> {
    return this.connection.close();
  }

  /** In one request, up to the first whose key is taken; gives how many were inserted. */
  private async insertAll(writes: readonly VaultWrite[]): Promise<number> {
    const documents = writes.map((write) => this.seal(write, write.firstVersion ?? newVersion()));
    try {
      await this.connection.write(() => this.rows.insertMany(documents, { ordered: true }));
      return documents.length;
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.code !== DUPLICATE_KEY) throw error;
      return error.insertedCount;
    }
  }

  private async writeRow(write: VaultWrite): Promise<boolean> {
    const { expected } = write;
    if (typeof expected === 'number') return this.replace(write, expected);
    if (expected === 'absent') return this.insert(write);
    for (;;) {
      const version = (await this.get(write.kind, write.id))?.version;
      // When it fails another writer was faster, and the row has a version that it had not before.
      if (version === undefined ? await this.insert(write) : await this.replace(write, version)) return true;
    }
  }

  private async insert(write: VaultWrite): Promise<boolean> {
    if (write.value === undefined) return (await this.get(write.kind, write.id)) === undefined;
    const document = this.seal(write, write.firstVersion ?? newVersion());
    try {
      await this.connection.write(() => this.rows.insertOne(document));
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const { _id, ...row } = document;
    const expired = { _id, expiresAt: { $lte: this.clock.now() } };
    return (await this.connection.write(() => this.rows.replaceOne(expired, row))).matchedCount === 1;
  }

  private async replace(write: VaultWrite, version: number): Promise<boolean> {
    const asExpected = { _id: keyOf(write), version, ...unexpired(this.clock.now()) };
    if (write.value === undefined) {
      return (await this.connection.write(() => this.rows.deleteOne(asExpected))).deletedCount === 1;
    }
    const { _id, ...row } = this.seal(write, version + 1);
    return (await this.connection.write(() => this.rows.replaceOne(asExpected, row))).matchedCount === 1;
  }

  private async find(conditions: Document[], sort: Record<string, 1>, limit: number): Promise<readonly VaultRow[]> {
    const filter = { $and: [...conditions, unexpired(this.clock.now())] };
    const found = await this.connection.read(() => this.rows.find(filter, { sort, limit, maxTimeMS }).toArray());
    return found.map((document) => this.open(document));
  }

  private seal({ kind, id, value, dueAt, expiresAt }: VaultWrite, version: number): VaultDocument {
    return {
      _id: keyOf({ kind, id }),
      kind,
      version,
      value: this.cipher.seal({ kind, id, version }, JSON.stringify(value)),
      ...(dueAt !== undefined && { dueAt }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
  }

  private open({ _id, kind, version, value, dueAt }: VaultDocument): VaultRow {
    const id = _id.slice(kind.length + 1);
    const json = this.cipher.open({ kind, id, version }, value);
    return { kind, id, version, value: JSON.parse(json) as unknown, ...(dueAt !== undefined && { dueAt }) };
  }
}

const isExpired = ({ expiresAt }: VaultDocument, now: number): boolean => expiresAt !== undefined && expiresAt <= now;
const unexpired = (now: number) => ({ expiresAt: { $not: { $lte: now } } });
