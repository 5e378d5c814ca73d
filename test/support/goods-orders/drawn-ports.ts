import { KeptAnswers } from '../../../src/adapters/embedded/reading/kept-answers.js';
import { KnownSubjects } from '../../../src/adapters/embedded/reading/known-of-each.js';
import type { StoreReads } from '../../../src/kernel/routes/request-context.js';
import { KnownMeanwhile } from '../../../src/kernel/values/known-meanwhile.js';
import type { EventStore, Position, StoredEvent } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import type { ReadModels } from '../../../src/ports/read-models.js';
import { NOT_KEPT } from '../../../src/ports/read-models.js';
import type { Snapshots } from '../../../src/ports/snapshots.js';
import type { Vault, VaultWrite } from '../../../src/ports/vault.js';
import type { Actor } from '../fiscal-orders/schedule.js';
import type { Shop } from './shop.js';

const ROOM = 10_000_000;

const toldOf = ({ kind, value }: VaultWrite): string => `${kind}${value === undefined ? '-' : '+'}`;

/** The ports of one process: each call is an act that waits for its turn. */
export class DrawnPorts {
  private onEvents: ((events: readonly StoredEvent[]) => Promise<void>) | undefined;
  private heard: Position;

  constructor(
    private readonly shop: Shop,
    private readonly actor: Actor,
  ) {
    this.heard = shop.log.head;
  }

  get hasNews(): boolean {
    return !this.actor.isDead && this.onEvents !== undefined && this.heard < this.shop.log.head;
  }

  /** The subscription gives what is new, or some of it. */
  async hear(most = Infinity): Promise<void> {
    const events = this.shop.log.after(this.heard, most);
    const last = events.at(-1);
    if (!last || this.actor.isDead) return;
    this.heard = last.position;
    await this.onEvents?.(events);
  }

  private act<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    return this.shop.schedule.act(this.actor, what, work);
  }

  /** What writes may get lost on its way to a server, or its answer on the way back. */
  private async writes<T>(what: string, work: () => Promise<T>): Promise<T> {
    const { draws, lossy, isAlone } = this.shop;
    if (isAlone || !draws.chance(lossy)) return this.act(what, work);
    const arrives = draws.chance(0.5);
    await this.act(`${what} ${arrives ? 'WITHOUT AN ANSWER' : 'IN VAIN'}`, async () => {
      if (arrives) await work();
    });
    throw new StoreUnavailable('away', arrives || draws.chance(0.5));
  }

  eventStore(): EventStore {
    const { log, isAlone, schedule } = this.shop;
    const { store } = log;
    return {
      logId: 'log',
      exclusive: isAlone,
      storesRows: isAlone,
      append: (stream, expected, events, rows) => {
        const types = events.map(({ type }) => type).join('+');
        return this.writes(`appends ${types} after ${String(expected)}`, () =>
          log.append(stream, expected, events, rows),
        );
      },
      readStream: (stream, options) => this.act(`reads ${short(stream)}`, () => store.readStream(stream, options)),
      readAll: (after, limit) => this.act('reads the log', () => store.readAll(after, limit)),
      readAt: (positions) => this.act('reads events', () => store.readAt(positions)),
      head: () => this.act('asks for the head', () => store.head()),
      subscribe: (_after, onEvents) => {
        this.onEvents = onEvents;
        // Whoever has not heard of everything proved to be live before the first of that was appended.
        const provedLiveAt = () => {
          const next = log.events.findIndex(({ position }) => position > this.heard);
          return next < 0 ? schedule.now : (log.times[next] ?? 0) - 1;
        };
        return {
          stop: () => Promise.resolve(),
          get provedLiveAt() {
            return provedLiveAt();
          },
        };
      },
      isPosition: (token) => store.isPosition(token),
      close: () => Promise.resolve(),
    };
  }

  snapshots(): Snapshots {
    const { snapshots } = this.shop;
    return {
      save: (stream, snapshot) =>
        this.act('keeps a state', () => {
          const before = snapshots.get(stream);
          if (!before || before.revision <= snapshot.revision) snapshots.set(stream, snapshot);
        }),
      load: (stream) => this.act('looks for a state', () => snapshots.get(stream)),
    };
  }

  vault(): Vault {
    const { vault, isAlone } = this.shop;
    const writeOneByOne = async (rows: readonly VaultWrite[]): Promise<boolean> => {
      for (const row of rows) if (!(await vault.write([row]))) return false;
      return true;
    };
    return {
      atomic: isAlone,
      get: (kind, id) => this.act(`reads ${kind}`, () => vault.get(kind, id)),
      getMany: (kind, ids) => this.act(`reads ${kind}`, () => vault.getMany(kind, ids)),
      write: (rows) =>
        this.writes(`writes ${rows.map(toldOf).join()}`, () => (isAlone ? vault.write(rows) : writeOneByOne(rows))),
      list: (kind, options) => this.act(`lists ${kind}`, () => vault.list(kind, options)),
      due: (kind, before, limit) => this.act(`asks what is due of ${kind}`, () => vault.due(kind, before, limit)),
      sweep: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    };
  }

  readModels(): ReadModels {
    const { reads, isAlone } = this.shop;
    const from = <T>({ name }: { readonly name: string }, read: () => Promise<T>): Promise<T> =>
      this.act(`looks at ${name}`, read);
    const answers = new KeptAnswers(ROOM, reads.stamps);
    const subjects = new KnownSubjects(ROOM, reads.stamps);
    const own = (store: string): Omit<StoreReads, 'kept' | 'knownOfEach'> => reads.of(store);
    return {
      get: (of, store, id) => from(of, () => own(store).get(of, id)),
      getMany: (of, store, ids) => from(of, () => own(store).getMany(of, ids)),
      getBodies: (of, store, ids) => from(of, () => own(store).getBodies(of, ids)),
      getHidden: (of, store, ids) => from(of, () => own(store).getHidden(of, ids)),
      getColumns: (of, store, ids, columns) => from(of, () => own(store).getColumns(of, ids, columns)),
      find: (of, query) => from(of, () => own(query.store).find(of, query)),
      findBodies: (of, query) => from(of, () => own(query.store).findBodies(of, query)),
      slice: (of, query) => from(of, () => own(query.store).slice(of, query)),
      findRows: (of, query, wanted) => from(of, () => own(query.store).findRows(of, query, wanted)),
      lastRows: (of, store, query) => from(of, () => own(store).lastRows(of, query)),
      count: (of, query) => from(of, () => own(query.store).count(of as never, query)),
      countLinked: (of, query, link) => from(of, () => own(query.store).countLinked(of, query, link)),
      summarise: (of, query, what) => from(of, () => own(query.store).summarise(of, query, what)),
      distinct: (of, query, column) => from(of, () => own(query.store).distinct(of, query, column)),
      kept: (beneath, store, key, make) => (isAlone ? answers.getOrMake(beneath, store, key, make) : make(NOT_KEPT)),
      knownOfEach: (kind, store, make) => (isAlone ? subjects.ofKind(kind, store, make) : new KnownMeanwhile(make)),
      close: () => Promise.resolve(),
    };
  }
}

const short = (stream: string): string => stream.replace(/-[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
