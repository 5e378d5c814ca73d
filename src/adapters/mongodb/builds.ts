import { setTimeout as pause } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import type { Clock } from '../../kernel/values/clock.js';
import type { Position } from '../../ports/event-store.js';
import { START, StoreUnavailable } from '../../ports/event-store.js';
import type { AnyCollection, Checkpoint, Generation } from '../../ports/read-models.js';
import { RebuildReplaced } from '../../ports/read-models.js';
import type { Connection } from './connection.js';
import { insertEach } from './connection.js';

/** One build of a collection: a MongoDB collection of its own, and how far it has come. */
interface Build {
  readonly number: number;
  /** `null` until the first checkpoint. */
  readonly logId: string | null;
  readonly position: Position;
}

export interface CollectionBuilds {
  readonly _id: string;
  readonly name: string;
  readonly version: number;
  readonly live: Build;
  readonly next: Build | null;
  /** The last number that was given to a build. */
  readonly last: number;
  readonly changedAt: number;
}

interface Own {
  readonly live: number;
  readonly next: number | undefined;
  readonly reached: Position;
}

/**
 * For so many milliseconds a process believes what it has read of the builds: less while one is made that will take the place of another. A build
 * begins and is switched no faster than everybody hears of it.
 */
const TRUST = { usual: 1_000, whileBuilding: 80 } as const;
const BUILDS = 'read_model_builds';

type Versioned = Pick<AnyCollection, 'name' | 'version'> & { readonly totalsOf?: string };

/** Totals lie beside each build of their collection, so that they switch with it. */
const idOf = ({ name, version, totalsOf }: Versioned): string => `${totalsOf ?? name}_v${version}`;
const idOfCheckpoint = ({ collection, version }: Checkpoint): string => idOf({ name: collection, version });
const startOf = (number: number): Build => ({ number, logId: null, position: START });

export const nameOf = (id: string, number: number): string => `${id}_g${number}`;
export const totalsNameOf = (id: string, number: number): string => `${nameOf(id, number)}_totals`;

const nameIn = (collection: Versioned, number: number): string =>
  (collection.totalsOf === undefined ? nameOf : totalsNameOf)(idOf(collection), number);

const notPrepared = ({ name }: AnyCollection): Error => new Error(`the collection ${name} was not prepared`);

/** Which builds there are of each collection. A document each, so that a switch with its checkpoint is one write. */
export class Builds {
  private readonly prepared = new Set<string>();
  /** What this process writes to, which changes with its knowledge alone, and how far it has brought the live one. */
  private readonly own = new Map<string, Own>();
  private readonly live = new Map<string, number>();
  private readAt = -Infinity;
  private trust: number = TRUST.usual;
  private reading: Promise<unknown> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  private get documents(): Collection<CollectionBuilds> {
    return this.connection.collection(BUILDS);
  }

  async prepare(collections: readonly AnyCollection[]): Promise<void> {
    const changedAt = this.clock.now();
    const first = collections.map((collection): CollectionBuilds => {
      const { name, version } = collection;
      return { _id: idOf(collection), name, version, live: startOf(1), next: null, last: 1, changedAt };
    });
    // Those that are there already stay as they are.
    await insertEach(this.connection, this.documents, first);
    for (const { _id } of first) this.prepared.add(_id);
  }

  /** Takes over what other processes have built. */
  async refresh(): Promise<readonly CollectionBuilds[]> {
    const all = await this.readAll();
    for (const { _id, live, next } of all) {
      this.own.set(_id, { live: live.number, next: next?.number, reached: live.position });
    }
    return all.filter(({ _id }) => this.prepared.has(_id));
  }

  /** The name of the MongoDB collection that this process writes a generation to. */
  ownName(collection: AnyCollection, generation: Generation): string {
    return nameIn(collection, this.ownNumber(idOf(collection), generation));
  }

  /** The name of the MongoDB collection that is read. */
  async liveName(collection: AnyCollection): Promise<string> {
    const asked = performance.now();
    while (asked - this.readAt > this.trust) {
      this.reading ??= this.readAll().finally(() => (this.reading = undefined));
      await this.reading;
    }
    const number = this.live.get(idOf(collection));
    if (number === undefined) throw notPrepared(collection);
    return nameIn(collection, number);
  }

  /** Stores checkpoints; none ever goes back. */
  async reach(checkpoints: readonly Checkpoint[]): Promise<void> {
    if (checkpoints.length === 0) return;
    const moves = checkpoints.map((checkpoint) => ({ updateOne: this.moveOf(checkpoint) }));
    const { matchedCount } = await this.connection.write(() => this.documents.bulkWrite(moves, { ordered: false }));
    if (matchedCount < checkpoints.length) {
      const stored = new Map((await this.readAll()).map((builds) => [builds._id, builds]));
      for (const checkpoint of checkpoints) this.requireReached(checkpoint, stored.get(idOfCheckpoint(checkpoint)));
    }
    for (const checkpoint of checkpoints) this.noteReached(checkpoint);
  }

  /** A new, empty build to be the next one. It lasts until everybody knows that a switch may come. */
  async begin(collection: AnyCollection): Promise<void> {
    const _id = idOf(collection);
    const counted = await this.connection.write(() =>
      this.documents.findOneAndUpdate({ _id }, { $inc: { last: 1 } }, { returnDocument: 'after' }),
    );
    if (!counted) throw notPrepared(collection);
    const next = startOf(counted.last);
    const changedAt = this.clock.now();
    await this.connection.write(() => this.documents.updateOne({ _id }, { $set: { next, changedAt } }));
    this.change(_id, { next: next.number });
    await pause(TRUST.usual);
  }

  /**
   * A switch whose answer was lost is found done when it is repeated. It lasts until nobody reads from the build before any more: what is written
   * afterwards is in the new one alone, and whoever wrote it is told that everybody sees it.
   */
  async switch(collection: AnyCollection): Promise<void> {
    const _id = idOf(collection);
    const number = this.ownNumber(_id, 'next');
    for (;;) {
      const stored = await this.connection.read(() => this.documents.findOne({ _id }));
      if (stored?.live.number === number) {
        this.own.set(_id, { live: number, next: undefined, reached: stored.live.position });
        this.live.set(_id, number);
        await pause(TRUST.whileBuilding);
        return;
      }
      const next = stored?.next;
      if (next?.number !== number) throw new RebuildReplaced(collection.name);
      const asRead = { _id, 'next.number': number, 'next.position': next.position };
      const change = { $set: { live: next, next: null, changedAt: this.clock.now() } };
      await this.connection.write(() => this.documents.updateOne(asRead, change));
    }
  }

  /** Gives up a next build that nobody has brought further since it was read: while there is one, every process looks for its switch again and again. */
  async giveUp({ _id, next }: CollectionBuilds): Promise<void> {
    const asRead = { _id, 'next.number': next?.number, 'next.position': next?.position };
    const change = { $set: { next: null, changedAt: this.clock.now() } };
    await this.connection.write(() => this.documents.updateOne(asRead, change));
  }

  /** Forgets a version that no process uses any more. */
  async forget(id: string): Promise<void> {
    await this.connection.write(() => this.documents.deleteOne({ _id: id }));
  }

  async readAll(): Promise<readonly CollectionBuilds[]> {
    const asked = performance.now();
    const all = await this.connection.read(() => this.documents.find().toArray());
    // Numbers only grow: what was read before this process's own switch must not undo it.
    for (const { _id, live } of all) this.live.set(_id, Math.max(live.number, this.live.get(_id) ?? 0));
    this.readAt = asked;
    this.trust = all.some(({ next }) => next !== null) ? TRUST.whileBuilding : TRUST.usual;
    return all;
  }

  private ownNumber(id: string, generation: Generation): number {
    const number = this.own.get(id)?.[generation];
    if (number === undefined) throw new Error(`there is no ${generation} build of ${id}`);
    return number;
  }

  private change(id: string, changes: Partial<Own>): void {
    const own = this.own.get(id);
    if (own) this.own.set(id, { ...own, ...changes });
  }

  private noteReached(checkpoint: Checkpoint): void {
    const id = idOfCheckpoint(checkpoint);
    const { generation, position } = checkpoint;
    if (generation === 'live' && position > (this.own.get(id)?.reached ?? START))
      this.change(id, { reached: position });
  }

  private moveOf(checkpoint: Checkpoint) {
    const { generation, logId, position } = checkpoint;
    const _id = idOfCheckpoint(checkpoint);
    const behind = { [`${generation}.logId`]: logId, [`${generation}.position`]: { $lt: position } };
    return {
      filter: {
        _id,
        [`${generation}.number`]: this.ownNumber(_id, generation),
        $or: [{ [`${generation}.logId`]: null }, behind],
      },
      update: { $set: { [`${generation}.logId`]: logId, [`${generation}.position`]: position } },
    };
  }

  /** A checkpoint that was not written is reached already, or the caller must hear why not. */
  private requireReached(checkpoint: Checkpoint, builds: CollectionBuilds | undefined): void {
    const { collection, generation, logId, position } = checkpoint;
    const id = idOfCheckpoint(checkpoint);
    const stored = builds?.[generation];
    if (stored?.number !== this.ownNumber(id, generation)) {
      if (generation === 'next' || !stored) throw new RebuildReplaced(collection);
      this.adopt(id, collection, stored);
    }
    if (stored.logId !== logId) throw new Error(`${collection} holds another log: it must be rebuilt`);
    if (stored.position < position) throw new Error(`the checkpoint of ${collection} could not be stored`);
  }

  /** Another process has switched the live build. This one writes to it too once it holds all that this one had written to the old one. */
  private adopt(id: string, collection: string, stored: Build): never {
    if (stored.position >= (this.own.get(id)?.reached ?? START)) this.change(id, { live: stored.number });
    throw new StoreUnavailable(`another process has switched the build of ${collection}`, false);
  }
}
