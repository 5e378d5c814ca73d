import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Clock } from '../../kernel/values/clock.js';
import type { Snapshot, Snapshots } from '../../ports/snapshots.js';
import type { Connection } from './connection.js';
import { isDuplicate } from './away.js';
import { maxTimeMS } from './connection.js';
import { ensureIndexes } from './indexes.js';

interface Head {
  /** The stream. */
  readonly _id: string;
  readonly logId: string;
  readonly version: number;
  readonly revision: number;
  /** Names the pieces. */
  readonly set: string;
  readonly pieces: number;
}

interface Piece {
  readonly _id: string;
  readonly set: string;
  readonly index: number;
  readonly at: number;
  readonly bytes: Buffer;
}

/** Pieces first, then the head that names them, then the old pieces go: whoever finds a head finds its pieces or knows that they were replaced. */
export class MongoSnapshots implements Snapshots {
  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  private get pieces(): Collection<Piece> {
    return this.connection.collection('snapshot_pieces');
  }

  private get heads(): Collection<Head> {
    return this.connection.collection('snapshots');
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.connection, this.pieces.collectionName, [
      { name: 'set', key: { set: 1, index: 1 } },
      { name: 'at', key: { at: 1 } },
    ]);
  }

  async save(stream: string, { logId, version, revision, pieces }: Snapshot): Promise<void> {
    const set = randomUUID();
    for (const [index, bytes] of pieces.entries()) {
      const piece = { _id: `${set}/${index}`, set, index, at: this.clock.now(), bytes: Buffer.from(bytes) };
      await this.connection.write(() => this.pieces.insertOne(piece));
    }
    const replaced = await this.putHead({ _id: stream, logId, version, revision, set, pieces: pieces.length });
    if (replaced !== undefined) await this.connection.write(() => this.pieces.deleteMany({ set: replaced }));
  }

  async load(stream: string): Promise<Snapshot | undefined> {
    let last: string | undefined;
    for (;;) {
      const head = await this.connection.read(() => this.heads.findOne({ _id: stream }, { maxTimeMS }));
      // The same head again without its pieces: it will not become whole.
      if (!head || head.set === last) return undefined;
      const query = this.pieces.find({ set: head.set }, { sort: { index: 1 }, maxTimeMS });
      const pieces = await this.connection.read(() => query.toArray());
      const { logId, version, revision } = head;
      if (pieces.length === head.pieces) return { logId, version, revision, pieces: pieces.map(({ bytes }) => bytes) };
      last = head.set;
    }
  }

  /** Deletes the pieces of saves that were never finished. */
  async sweep(before: number): Promise<void> {
    const old = await this.connection.read(() => this.pieces.distinct('set', { at: { $lte: before } }));
    const used = await this.connection.read(() => this.heads.distinct('set', { set: { $in: old } }));
    const orphaned = old.filter((set) => !used.includes(set));
    await this.connection.write(() => this.pieces.deleteMany({ set: { $in: orphaned } }));
  }

  /** Gives the set of pieces that is of no use any more: the replaced one, or the given one when a newer head stands. */
  private async putHead(head: Head): Promise<string | undefined> {
    const replaced = await this.replaceHead(head);
    if (replaced) return replaced.set;
    try {
      await this.connection.write(() => this.heads.insertOne(head));
      return undefined;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    // There was a newer one, or one came just now that may be older.
    return ((await this.replaceHead(head)) ?? head).set;
  }

  private replaceHead({ _id, ...head }: Head): Promise<Head | null> {
    const { logId, version, revision } = head;
    const replaceable = [{ revision: { $lte: revision } }, { logId: { $ne: logId } }, { version: { $ne: version } }];
    return this.connection.write(() => this.heads.findOneAndReplace({ _id, $or: replaceable }, head));
  }
}
