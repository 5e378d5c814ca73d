import type { IfMatch } from '../events/if-match.js';
import type { EventStore, Position } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type {
  AnyCollection,
  Beneath,
  KindOfKnown,
  KnownOfEach,
  LastRowsQuery,
  Link,
  MakeKnown,
  Page,
  PagedQuery,
  Query,
  ReadModels,
  RecordCollection,
  Resting,
  Row,
  RowCollection,
  Slice,
  SliceQuery,
  StoredRecord,
  Summary,
  SummaryWish,
} from '../../ports/read-models.js';
import type { Acknowledged } from '../lanes/acknowledged.js';
import type { CommandFacts } from '../lanes/command-context.js';
import type { Commands } from '../lanes/commands.js';
import { CommandContext } from '../lanes/command-context.js';
import type { Actor } from '../events/event.js';
import type { CommandLanes } from '../lanes/lanes.js';
import type { Permission } from '../values/permissions.js';
import type { Projections } from '../projections/projections.js';
import { Rejection, rejection } from '../events/rejection.js';
import type { PageCursors } from './page-cursors.js';

/** Queries of one store, after its last acknowledged write has become visible. */
export interface StoreReads {
  get(collection: RecordCollection<never>, id: string): Promise<StoredRecord | undefined>;
  getMany(collection: RecordCollection<never>, ids: readonly string[]): Promise<readonly StoredRecord[]>;
  getBodies(collection: RecordCollection<never>, ids: readonly string[]): Promise<readonly (string | undefined)[]>;
  getHidden(collection: RecordCollection<never>, ids: readonly string[]): Promise<readonly (string | undefined)[]>;
  getColumns<C extends string>(
    collection: RecordCollection<never>,
    ids: readonly string[],
    columns: readonly C[],
  ): Promise<readonly (Row<C> | undefined)[]>;
  find(collection: RecordCollection<never>, query: Omit<PagedQuery, 'store'>): Promise<Page<StoredRecord>>;
  findBodies(collection: RecordCollection<never>, query: Omit<PagedQuery, 'store'>): Promise<Page<string>>;
  slice(collection: RecordCollection<never>, query: Omit<SliceQuery, 'store'>): Promise<Slice>;
  findRows<C extends string, W extends C = C>(
    collection: RowCollection<C>,
    query: Omit<PagedQuery, 'store'>,
    wanted?: readonly W[],
  ): Promise<Page<Row<W>>>;
  lastRows<C extends string>(collection: RowCollection<C>, query: LastRowsQuery<C>): Promise<readonly Row<C>[]>;
  count(collection: RecordCollection<never> | RowCollection, query: Omit<Query, 'store'>): Promise<number>;
  countLinked(collection: RecordCollection<never>, query: Omit<Query, 'store' | 'words'>, link: Link): Promise<number>;
  summarise(collection: AnyCollection, query: Omit<Query, 'store'>, what: SummaryWish): Promise<Summary>;
  distinct(
    collection: AnyCollection,
    query: Omit<Query, 'store'>,
    column: string,
  ): Promise<readonly (string | number)[]>;
  kept<T>(beneath: Beneath, key: string, make: (resting: Resting) => Promise<T>): Promise<T>;
  knownOfEach<T>(kind: KindOfKnown<T>, make: MakeKnown<T>): KnownOfEach<T>;
}

/** Where a request comes from, as far as the connection and trusted proxies tell. */
export interface ClientFacts {
  readonly address: string;
  /** From the session's cookies. */
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** The service's own address as the client sees it: `https://shop.example`. */
  readonly baseUrl: string;
  /** Where its pages for people are, to be asked before anything is waited for: a connection that is gone says nothing. Undefined where it serves none. */
  readonly pagesUrl: string | undefined;
  /** As the program calls itself. */
  readonly userAgent: string | undefined;
  /** Accept-Language, as it was sent. */
  readonly acceptLanguage: string | undefined;
  /** The last event that the client got of an event stream that broke off. */
  readonly lastEventId: string | undefined;
  /** X-Store-Slug, where a route takes it without a credential. */
  readonly storeSlug: string | undefined;
}

/** A signed-in user's session. */
export interface SessionRef {
  readonly userId: string;
  readonly sessionId: string;
}

/** One request, after it was authenticated: who asks, for which store, when, and what it may use. */
export interface RequestContext extends Commands {
  /** Undefined for API keys and without a credential. */
  readonly session: SessionRef | undefined;
  readonly permissions: ReadonlySet<Permission>;
  readonly client: ClientFacts;
  /** From If-Match; undefined when the request has none. */
  readonly ifMatch: IfMatch;
  /** An earlier run with the same idempotency key was granted and found nothing to do; of routes whose answers are not kept. */
  readonly didNothing: boolean;
  may(permission: Permission): boolean;
  readonly reads: StoreReads;
  /** Queries that need not see the last write, only what this position has. */
  readsPast(position: Position): StoreReads;
}

export const PROJECTION_BEHIND = rejection(503, 'PROJECTION_BEHIND', 'The answer would be older than the last write');

const OWN_WRITE_PATIENCE = 2_000;
const NAMED_POSITION_PATIENCE = 5_000;

export interface Principal {
  readonly storeId: string;
  readonly actor: Actor;
  readonly permissions: ReadonlySet<Permission>;
  readonly session?: SessionRef;
}

/** Who asks a public route. */
export const ANONYMOUS: Principal = {
  storeId: '',
  actor: { kind: 'system', id: 'anonymous', name: 'Anonymous' },
  permissions: new Set(),
};

/** The collection with whose projector it moves on. */
const projectedWith = (collection: AnyCollection): string =>
  (collection.kind === 'records' && collection.totalsOf) || collection.name;

/** What one request brings along. */
export interface RequestFacts extends Omit<CommandFacts, 'storeId' | 'actor'> {
  readonly principal: Principal;
  readonly client: ClientFacts;
  readonly ifMatch: IfMatch;
  /** From X-Min-Position: reads must have passed it. */
  readonly minPosition: Position | undefined;
  readonly didNothing?: true | undefined;
}

export interface ContextServices {
  readonly lanes: CommandLanes;
  readonly eventStore: Pick<EventStore, 'exclusive' | 'storesRows'>;
  readonly reads: ReadModels;
  readonly cursors: PageCursors;
  readonly projections: Projections;
  readonly collections: readonly AnyCollection[];
  /** The names of those that events of some types touch. */
  readonly touchedBy: (types: Iterable<string>) => readonly string[];
  readonly acknowledged: Acknowledged;
}

/** One request's view of the system: its store alone, its own ids and time, and nothing older than its last write. */
export class StoreContext extends CommandContext implements RequestContext {
  readonly session: SessionRef | undefined;
  readonly permissions: ReadonlySet<Permission>;
  readonly client: ClientFacts;
  readonly ifMatch: IfMatch;
  readonly didNothing: boolean;
  readonly rightsAsked = new Map<Permission, boolean>();
  private ownReads: StoreReads | undefined;

  constructor(
    private readonly services: ContextServices,
    private readonly facts: RequestFacts,
  ) {
    const { principal, requestId, traceparent, seed, keyed, claim, claimLasts, repeatSince } = facts;
    const { storeId, actor } = principal;
    super(services.lanes, { storeId, actor, requestId, traceparent, seed, keyed, claim, claimLasts, repeatSince });
    this.session = principal.session;
    this.permissions = principal.permissions;
    this.client = facts.client;
    this.ifMatch = facts.ifMatch;
    this.didNothing = facts.didNothing === true;
  }

  /** Made when they are first asked for: few commands read. */
  get reads(): StoreReads {
    return (this.ownReads ??= this.storeReads(undefined));
  }

  /** Commands that come faster than the read models can follow are slowed down: their readers would be answered 503. */
  protected override held(): Promise<void> | undefined {
    return this.services.projections.pace();
  }

  may(permission: Permission): boolean {
    const has = this.permissions.has(permission);
    this.rightsAsked.set(permission, has);
    return has;
  }

  /** Another process that reads the same read models may be asked next: an answer waits until they show what the command recorded. */
  visibleEverywhere(): Promise<unknown> | undefined {
    const { eventStore, projections, collections, touchedBy } = this.services;
    const position = this.lastPosition();
    if (eventStore.exclusive || !projections.shared || position === undefined) return undefined;
    const types = this.recordedTypes();
    const names = types ? touchedBy(types) : collections.map(({ name }) => name);
    return projections.waitFor(names, position, OWN_WRITE_PATIENCE);
  }

  readsPast(position: Position): StoreReads {
    return this.storeReads(position);
  }

  answerPosition(): Position {
    return this.lastPosition() ?? this.services.acknowledged.of(this.storeId);
  }

  private passed(collection: AnyCollection, enough: Position | undefined): Promise<void> {
    return this.allPassed([collection], enough);
  }

  private async allPassed(collections: readonly AnyCollection[], enough: Position | undefined): Promise<void> {
    const minPosition = this.facts.minPosition ?? START;
    const own = enough ?? this.lastSeen();
    const position = own > minPosition ? own : minPosition;
    if (position === START) return;
    const patience = minPosition === START ? OWN_WRITE_PATIENCE : NAMED_POSITION_PATIENCE;
    const seen = await this.services.projections.waitFor(collections.map(projectedWith), position, patience);
    if (!seen) throw new Rejection(PROJECTION_BEHIND);
  }

  /** What this process was told is recorded, and what a command of this request has found there: another process may have appended it. */
  private lastSeen(): Position {
    const [acknowledged, found = START] = [this.services.acknowledged.of(this.storeId), this.lastPosition()];
    return found > acknowledged ? found : acknowledged;
  }

  private storeReads(enough: Position | undefined): StoreReads {
    const store = this.storeId;
    const { reads, cursors } = this.services;
    return {
      get: async (collection, id) => {
        await this.passed(collection, enough);
        return reads.get(collection, store, id);
      },
      getMany: async (collection, ids) => {
        await this.passed(collection, enough);
        return reads.getMany(collection, store, ids);
      },
      getBodies: async (collection, ids) => {
        await this.passed(collection, enough);
        return reads.getBodies(collection, store, ids);
      },
      getHidden: async (collection, ids) => {
        await this.passed(collection, enough);
        return reads.getHidden(collection, store, ids);
      },
      getColumns: async (collection, ids, columns) => {
        await this.passed(collection, enough);
        return reads.getColumns(collection, store, ids, columns);
      },
      find: async (collection, query) => {
        await this.passed(collection, enough);
        return cursors.paged(collection, { ...query, store }, (paged) => reads.find(collection, paged));
      },
      findBodies: async (collection, query) => {
        await this.passed(collection, enough);
        return cursors.paged(collection, { ...query, store }, (paged) => reads.findBodies(collection, paged));
      },
      slice: async (collection, query) => {
        await this.passed(collection, enough);
        return reads.slice(collection, { ...query, store });
      },
      findRows: async (collection, query, wanted) => {
        await this.passed(collection, enough);
        return cursors.paged(collection, { ...query, store }, (paged) => reads.findRows(collection, paged, wanted));
      },
      lastRows: async (collection, query) => {
        await this.passed(collection, enough);
        return reads.lastRows(collection, store, query);
      },
      count: async (collection, query) => {
        await this.passed(collection, enough);
        return reads.count(collection, { ...query, store });
      },
      countLinked: async (collection, query, link) => {
        await this.allPassed([collection, link.to], enough);
        return reads.countLinked(collection, { ...query, store }, link);
      },
      summarise: async (collection, query, what) => {
        await this.passed(collection, enough);
        return reads.summarise(collection, { ...query, store }, what);
      },
      distinct: async (collection, query, column) => {
        await this.passed(collection, enough);
        return reads.distinct(collection, { ...query, store }, column);
      },
      kept: async (beneath, key, make) => {
        const { collections = [], lists = [], records = [], about = [] } = beneath;
        await this.allPassed([...collections, ...lists, ...records, ...about], enough);
        return reads.kept(beneath, store, key, make);
      },
      knownOfEach: (kind, make) => {
        const known = reads.knownOfEach(kind, store, make);
        return {
          of: async (subjects) => {
            await this.allPassed(kind.about, enough);
            return known.of(subjects);
          },
        };
      },
    };
  }
}

export const SYSTEM: Actor = { kind: 'system', id: 'system', name: 'Administration' };
