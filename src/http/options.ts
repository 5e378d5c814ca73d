import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.js';
import type { Actor } from '../kernel/event.js';
import type { Seed } from '../kernel/ids.js';
import type { Projections } from '../kernel/projections.js';
import type { RequestContext, Route } from '../kernel/route.js';
import type { EventStore, Position } from '../ports/event-store.js';
import type { Vault, VaultWrite } from '../ports/vault.js';
import type { Credentials } from './credentials.js';

/** Who asks, for which store, with which permissions. */
export interface Principal {
  readonly storeId: string;
  readonly actor: Actor;
  readonly permissions: ReadonlySet<string>;
}

/** What one request brings to its context. */
export interface ContextRequest {
  readonly principal: Principal;
  readonly requestId: string;
  readonly seed: Seed;
  readonly ifMatch: number | undefined;
  /** From X-Min-Position: reads must have passed it, else PROJECTION_BEHIND. */
  readonly minPosition: Position | undefined;
  /** It came with an idempotency key. */
  readonly keyed: boolean;
  /** Goes into the transaction of the first append. */
  readonly claim: VaultWrite | undefined;
  /** An earlier run with the same seed began then (milliseconds since 1970); what it recorded is found, not repeated. */
  readonly repeatSince: number | undefined;
}

export interface ShellContext extends RequestContext {
  /** Of the last command that was executed; undefined before the first. */
  lastPosition(): Position | undefined;
  /** Whether any event was appended, or found from an earlier run. */
  recorded(): boolean;
}

export interface RequestServices {
  contextFor(request: ContextRequest): ShellContext;
}

/** Gives why it is not usable, or undefined when it is. */
export type ReadinessCheck = () => Promise<string | undefined> | string | undefined;

export interface HttpLimits {
  readonly bodyBytes: number;
  /** Requests a second for one credential, twice that at once; 0 switches it off. */
  readonly requestsPerSecond: number;
}

export interface HttpOptions {
  readonly routes: readonly Route[];
  /** Throws a Rejection. Answers at once where it can, so that most requests wait for nothing. */
  authenticate(credentials: Credentials): Principal | Promise<Principal>;
  readonly services: RequestServices;
  readonly vault: Vault;
  readonly eventStore: Pick<EventStore, 'exclusive' | 'storesRows' | 'isPosition'>;
  readonly projections: Pick<Projections, 'health'>;
  /** By the name of what they look at. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Opens /metrics beyond loopback. */
  readonly metricsToken?: string | undefined;
  /** Addresses whose X-Forwarded-For and X-Forwarded-Proto count. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The public address is https. */
  readonly https?: boolean | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
}
