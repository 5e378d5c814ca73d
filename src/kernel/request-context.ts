import type { EventStore, Position } from '../ports/event-store.js';
import { START } from '../ports/event-store.js';
import type { AnyCollection, ReadModels } from '../ports/read-models.js';
import type { VaultWrite } from '../ports/vault.js';
import type { Acknowledged } from './acknowledged.js';
import { toIso } from './clock.js';
import type { StreamType } from './decider.js';
import { streamName } from './decider.js';
import type { Actor, DomainEvent } from './event.js';
import type { Seed } from './ids.js';
import { idsOf } from './ids.js';
import type { Lanes } from './lanes.js';
import type { Permission } from './permissions.js';
import type { Projections } from './projections.js';
import { Rejection, rejection } from './rejection.js';
import type { Executed } from './lane.js';
import type { ClientFacts, RequestContext, SessionRef, StoreReads } from './route.js';

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

/** What one request brings along. */
export interface RequestFacts {
  readonly principal: Principal;
  readonly client: ClientFacts;
  readonly requestId: string;
  readonly seed: Seed;
  readonly ifMatch: number | undefined;
  /** From X-Min-Position: reads must have passed it. */
  readonly minPosition: Position | undefined;
  /** It came with an idempotency key. */
  readonly keyed: boolean;
  /** The key's row, to be stored with the first events of the request. */
  readonly claim: VaultWrite | undefined;
  /** The key was used before, first at this time (milliseconds since 1970). */
  readonly repeatSince: number | undefined;
}

export interface ContextServices {
  readonly lanes: Lanes;
  readonly eventStore: Pick<EventStore, 'exclusive'>;
  readonly reads: ReadModels;
  readonly projections: Projections;
  readonly collections: readonly AnyCollection[];
  readonly acknowledged: Acknowledged;
}

/** One request's view of the system: its store alone, its own ids and time, and nothing older than its last write. */
export class StoreContext implements RequestContext {
  readonly storeId: string;
  readonly actor: Actor;
  readonly session: SessionRef | undefined;
  readonly permissions: ReadonlySet<Permission>;
  readonly client: ClientFacts;
  readonly requestId: string;
  readonly at: string;
  readonly ifMatch: number | undefined;
  readonly newId: () => string;
  readonly reads: StoreReads;
  private readonly newCommandId: () => string;
  private claim: VaultWrite | undefined;
  private executed: Position | undefined;
  private hasRecorded = false;

  constructor(
    private readonly services: ContextServices,
    private readonly facts: RequestFacts,
  ) {
    const { principal, seed } = facts;
    this.storeId = principal.storeId;
    this.actor = principal.actor;
    this.session = principal.session;
    this.permissions = principal.permissions;
    this.client = facts.client;
    this.requestId = facts.requestId;
    this.at = toIso(seed.at);
    this.ifMatch = facts.ifMatch;
    this.newId = idsOf(seed);
    this.newCommandId = idsOf(seed, 'command');
    this.claim = facts.claim;
    this.reads = this.storeReads();
  }

  /** Of the last command; undefined when there was none. */
  lastPosition(): Position | undefined {
    return this.executed;
  }

  /** Whether any event was appended, or found from an earlier run. */
  recorded(): boolean {
    return this.hasRecorded;
  }

  may(permission: Permission): boolean {
    return this.facts.principal.permissions.has(permission);
  }

  execute<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    command: C,
    options: { readonly id?: string; readonly rows?: readonly VaultWrite[] } = {},
  ): Promise<Executed<E>> {
    const { id, ...rest } = options;
    return this.executeOn(type, this.stream(type, id), command, { storeId: this.storeId, ...rest });
  }

  async executeOn<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    options: { readonly storeId: string | null; readonly actor?: Actor; readonly rows?: readonly VaultWrite[] },
  ): Promise<Executed<E>> {
    const rows = [...(this.claim ? [this.claim] : []), ...(options.rows ?? [])];
    const executed = await this.services.lanes.execute(type, stream, command, {
      commandId: this.newCommandId(),
      storeId: options.storeId,
      actor: options.actor ?? this.actor,
      requestId: this.requestId,
      at: this.at,
      keyed: this.facts.keyed,
      ...(this.facts.repeatSince === undefined ? {} : { repeatSince: toIso(this.facts.repeatSince) }),
      ...(rows.length > 0 ? { rows } : {}),
    });
    if (executed.events.length > 0) {
      this.claim = undefined;
      this.hasRecorded = true;
    }
    if (executed.position > (this.executed ?? START)) this.executed = executed.position;
    if (!this.services.eventStore.exclusive) await this.visibleEverywhere(executed.position);
    return executed;
  }

  async current<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    options: { readonly id?: string } = {},
  ): Promise<S> {
    return (await this.services.lanes.current(type, this.stream(type, options.id))).state;
  }

  private stream(type: { readonly category: string }, id: string | undefined): string {
    return id === undefined ? streamName(type.category, this.storeId) : streamName(type.category, this.storeId, id);
  }

  /** Another process may be asked next: the command waits for the projections as well. */
  private async visibleEverywhere(position: Position): Promise<void> {
    const names = this.services.collections.map(({ name }) => name);
    await this.services.projections.waitFor(names, position, OWN_WRITE_PATIENCE);
  }

  private async passed(collection: AnyCollection): Promise<void> {
    const minPosition = this.facts.minPosition ?? START;
    const own = this.services.acknowledged.of(this.storeId);
    const position = own > minPosition ? own : minPosition;
    if (position === START) return;
    const patience = minPosition === START ? OWN_WRITE_PATIENCE : NAMED_POSITION_PATIENCE;
    const seen = await this.services.projections.waitFor([collection.name], position, patience);
    if (!seen) throw new Rejection(PROJECTION_BEHIND);
  }

  private storeReads(): StoreReads {
    const store = this.storeId;
    const { reads } = this.services;
    return {
      get: async (collection, id) => {
        await this.passed(collection);
        return reads.get(collection, store, id);
      },
      getMany: async (collection, ids) => {
        await this.passed(collection);
        return reads.getMany(collection, store, ids);
      },
      find: async (collection, query) => {
        await this.passed(collection);
        return reads.find(collection, { ...query, store });
      },
      findRows: async (collection, query) => {
        await this.passed(collection);
        return reads.findRows(collection, { ...query, store });
      },
      count: async (collection, query) => {
        await this.passed(collection);
        return reads.count(collection, { ...query, store });
      },
    };
  }
}

export const SYSTEM: Actor = { kind: 'system', id: 'system', name: 'Administration' };
