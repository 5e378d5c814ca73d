import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '../kernel/values/clock.js';
import type { Projections } from '../kernel/projections/projections.js';
import type { ReactorHealth } from '../kernel/reactors/reactor.js';
import type { RejectionKind } from '../kernel/events/rejection.js';
import type { Credentials } from '../kernel/routes/credentials.js';
import type { Principal, RequestContext, RequestFacts } from '../kernel/routes/request-context.js';
import type { Notification } from '../kernel/routes/notification.js';
import type { Route } from '../kernel/routes/route.js';
import type { Permission } from '../kernel/values/permissions.js';
import type { EventStore, Position } from '../ports/event-store.js';
import type { Vault } from '../ports/vault.js';
import type { AddressOptions } from './exchange/own-addresses.js';
import type { OperationExamples } from './openapi/openapi.js';

export interface ShellContext extends RequestContext {
  /** The position of the last command's events; undefined when there was none. */
  lastPosition(): Position | undefined;
  /** The same, or what was acknowledged before where there was none: a query that has seen it is not older than the answer. */
  answerPosition(): Position;
  /** Whether any event was appended, or found from an earlier run. */
  recorded(): boolean;
  /** The permissions that the answer was made by, and whether the caller has them. */
  readonly rightsAsked: ReadonlyMap<Permission, boolean>;
  /** Resolves when every process sees what was recorded, or that takes too long; undefined where they all do. */
  visibleEverywhere(): Promise<unknown> | undefined;
}

/** A command that is tried and not done. */
export interface DryRun {
  /** The route, on services that write nothing. */
  readonly route: Route;
  contextFor(request: RequestFacts): ShellContext;
  /** What would have been recorded, as the asker may see it. */
  events(context: RequestContext): readonly DryEvent[];
  /** What still runs after the answer finds nothing any more. */
  end(): void;
}

export interface DryEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: unknown;
}

/** Undefined for a route that is none of this service. */
export type DryRunStarter = (route: Route) => DryRun | undefined;

interface RequestServices {
  contextFor(request: RequestFacts): ShellContext;
  /** Left out where commands cannot be tried. */
  readonly dryRun?: DryRunStarter | undefined;
}

/** Gives why it is not usable, or undefined when it is. */
export type ReadinessCheck = () => Promise<string | undefined> | string | undefined;

/** Degraded where it is not in order. */
type Watched = { readonly ok: boolean } & Readonly<Record<string, unknown>>;

interface HttpLimits {
  readonly bodyBytes: number;
  /** Requests a second for one credential, twice that at once; 0 switches it off. */
  readonly requestsPerSecond: number;
  /** Requests a minute for one address on what needs no credential; 0 switches it off. */
  readonly openRequestsPerMinute: number;
  /** How long a body may take to arrive. */
  readonly bodyMilliseconds: number;
  /** How long a client may take nothing of an answer. */
  readonly stalledMilliseconds: number;
  /** What clients that are slow may leave in memory of their answers, all together. */
  readonly untakenBytes: number;
  /** After how long a client is slow that has not taken its answer. */
  readonly slowMilliseconds: number;
}

/** Examples for the OpenAPI document, which name records of a store where one is there to be tried. */
interface ExampleSource {
  storeId(): Promise<string | undefined>;
  of(storeId: string | undefined): Promise<OperationExamples>;
}

export interface HttpOptions extends AddressOptions {
  /** The interface's version, for the OpenAPI document. */
  readonly version: string;
  readonly routes: readonly Route[];
  /** What the service sends to others, for the OpenAPI document. */
  readonly notifications?: readonly Notification[] | undefined;
  /** Throws a Rejection. Answers at once where it can, so that most requests wait for nothing. */
  authenticate(credentials: Credentials): Principal | Promise<Principal>;
  /** With what `authenticate` may refuse, for the OpenAPI document. */
  readonly authenticationRejections?: readonly RejectionKind[] | undefined;
  readonly examples?: ExampleSource | undefined;
  readonly services: RequestServices;
  readonly vault: Vault;
  readonly eventStore: Pick<EventStore, 'exclusive' | 'storesRows' | 'isPosition'>;
  /** Seals what clients may carry but not read. */
  readonly tokenSecret: Uint8Array;
  readonly projections: Pick<Projections, 'health'>;
  /** What this process turns events into work with. */
  readonly reactors?: (() => readonly ReactorHealth[]) | undefined;
  /** Streams that lack events and so take no commands. */
  readonly shortened?: (() => readonly string[]) | undefined;
  /** What else concerns those who watch the service, by its name in their answer: backups, certificates. */
  readonly watched?: (() => Readonly<Record<string, Watched>>) | undefined;
  /** By the name of what they look at. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Asked for by /metrics, from wherever; without one it is open to this machine alone. */
  readonly metricsToken?: string | undefined;
  /** Addresses whose X-Forwarded-For and X-Forwarded-Proto count. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  /** Where the built pages for people lie; undefined serves none. */
  readonly consoleFolder?: string | undefined;
}
