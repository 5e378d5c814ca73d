import type { Writable } from 'node:stream';
import type { IfMatch } from '../events/if-match.js';
import type { z } from 'zod';
import type {
  AnyCollection,
  RecordCollection,
  RowCollection,
  Page,
  PagedQuery,
  LastRowsQuery,
  Query,
  Row,
  Slice,
  SliceQuery,
  StoredRecord,
  Summary,
  SummaryWish,
} from '../../ports/read-models.js';
import type { Position } from '../../ports/event-store.js';
import type { VaultWrite } from '../../ports/vault.js';
import type { StreamType } from '../events/decider.js';
import type { Actor, DomainEvent, Recorded } from '../events/event.js';
import type { Executed } from '../lanes/decision.js';
import type { Head } from '../lanes/head.js';
import type { Permission } from '../values/permissions.js';
import type { RejectionKind } from '../events/rejection.js';

/** A JSON text that is sent as it is. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** The same in bytes, for what is sent again and again. */
export class RawJsonBytes {
  constructor(readonly bytes: Buffer) {}
}

/** An answer of any length, sent in pieces as the client takes them. */
export class Streamed {
  constructor(
    readonly contentType: string,
    readonly pieces: AsyncIterable<string | Uint8Array>,
  ) {}
}

/** An answer that goes on until its client leaves or its writer ends it. */
export class Followed {
  constructor(
    readonly contentType: string,
    /** Called when the head of the answer is on its way. */
    readonly follow: (stream: OpenStream) => void,
  ) {}
}

/** The client's side of an answer without an end. */
export type OpenStream = Pick<Writable, 'write' | 'end' | 'once' | 'writableNeedDrain'>;

/** What a handler gives back; the route says the status. */
export interface Reply {
  readonly body?: unknown;
  /** Revision of the record's own last change; becomes the ETag. */
  readonly etag?: number;
  /** Sets the session's cookies, or clears them. */
  readonly session?: { readonly accessToken: string; readonly refreshToken: string } | 'ended';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Queries of one store, after its last acknowledged write has become visible. */
export interface StoreReads {
  get(collection: RecordCollection<never>, id: string): Promise<StoredRecord | undefined>;
  getMany(collection: RecordCollection<never>, ids: readonly string[]): Promise<readonly StoredRecord[]>;
  getBodies(collection: RecordCollection<never>, ids: readonly string[]): Promise<readonly (string | undefined)[]>;
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
  summarise(collection: AnyCollection, query: Omit<Query, 'store'>, what: SummaryWish): Promise<Summary>;
  kept(collections: readonly AnyCollection[], key: string, make: () => Promise<Buffer>): Promise<Buffer>;
}

/** Where a request comes from, as far as the connection and trusted proxies tell. */
export interface ClientFacts {
  readonly address: string;
  /** From the session's cookies. */
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** The service's own address as the client sees it: `https://shop.example`. */
  readonly baseUrl: string;
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

export interface CommandOptions {
  /** Vault rows for the same transaction, where the engine can. */
  readonly rows?: readonly VaultWrite[];
  /** Names the command among those of its request, where a repeat may send more or fewer before it. */
  readonly name?: string;
}

/** What a request and the administration have in common: they decide commands. */
export interface Commands {
  readonly storeId: string;
  readonly actor: Actor;
  readonly requestId: string;
  /** ISO time of the request; the same for a repeat with the same idempotency key. */
  readonly at: string;
  /** UUIDv7; the first, second … are the same for a repeat with the same idempotency key. */
  newId(): string;
  /** Decides a command in its stream's lane; the events are on disk when it resolves. `id` names the record where the stream holds one. */
  execute<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    command: C,
    options?: CommandOptions & { readonly id?: string },
  ): Promise<Executed<E>>;
  /** The same on a stream that belongs to no store or to another than the context's; `storeId` is what its events say. */
  executeOn<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    options: CommandOptions & { readonly storeId: string | null; readonly actor?: Actor },
  ): Promise<Executed<E>>;
  /** The state at the head of a stream. */
  current<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, options?: { readonly id?: string }): Promise<S>;
  currentOn<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Promise<S>;
  /** The state of the store's stream as this process knows it while it hears of everything: for what is only shown. */
  recent<S, C, E extends DomainEvent>(type: StreamType<S, C, E>): Promise<S>;
  /** The same, and which head it is. */
  head<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, options?: { readonly id?: string }): Promise<Head<S>>;
  /** Events of a stream by their revisions, in that order. */
  eventsAt<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    revisions: readonly number[],
    options?: { readonly id?: string },
  ): Promise<readonly Recorded<E>[]>;
}

/** One request, after it was authenticated: who asks, for which store, when, and what it may use. */
export interface RequestContext extends Commands {
  /** Undefined for API keys and without a credential. */
  readonly session: SessionRef | undefined;
  readonly permissions: ReadonlySet<Permission>;
  readonly client: ClientFacts;
  /** From If-Match; undefined when the request has none. */
  readonly ifMatch: IfMatch;
  may(permission: Permission): boolean;
  /** While it is the same nothing was written in the store; undefined where that can't be known. */
  readonly version: Position | undefined;
  readonly reads: StoreReads;
  /** Queries that need not see the last write, only what this position has. */
  readsPast(position: Position): StoreReads;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

export interface Input<
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
}

/** An endpoint as data: mounting, validation, permission, the OpenAPI document and the contract tests come from it. */
export interface Route<
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly method: Method;
  /** With parameters in braces: `/categories/{id}`. */
  readonly path: string;
  readonly tag: string;
  /** What generated clients call it, where method and path do not make a good name. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * The permission that it needs; `authenticated`: every credential of the store, `session`: signed-in users alone,
   * `public`: no credential (the context then has no store).
   */
  readonly permission: Permission | 'authenticated' | 'session' | 'public';
  readonly request: { readonly params?: P; readonly query?: Q; readonly body?: B };
  /** It signs somebody in, or makes a secret: it cannot be tried without doing it. */
  readonly dryRun?: 'not possible';
  /** Its answer tells of a person who may be erased: it is not kept for idempotency keys, but made anew. */
  readonly personal?: boolean;
  readonly response: {
    readonly status: 200 | 201 | 204;
    readonly schema?: z.ZodType;
    /** It answers with one record and its entity tag. */
    readonly etag?: boolean;
    /** It answers with a plain list, and says in X-Next-Cursor where it goes on. */
    readonly continued?: boolean;
    /** Content types that it can answer with beside JSON. */
    readonly alternatives?: readonly string[];
  };
  /** Whether If-Match counts; unless it is said, with what changes or deletes one record. */
  readonly ifMatch?: boolean;
  /** Refusals beside those that every route may give (400, 401, 403, 404 of a path id, 412, 429, 503). */
  readonly rejections?: readonly RejectionKind[];
  handle(input: Input<P, Q, B>, context: RequestContext): Promise<Reply> | Reply;
}

/** Infers the handler's input from the schemas. */
export function route<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(definition: Route<P, Q, B>): Route {
  return definition;
}

/** Whether a command may be tried without doing it. Signing in needs no credential, so it may not. */
export const mayBeTried = ({ method, permission, dryRun }: Pick<Route, 'method' | 'permission' | 'dryRun'>): boolean =>
  method !== 'get' && permission !== 'public' && dryRun === undefined;
