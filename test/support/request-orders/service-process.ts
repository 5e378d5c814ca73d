import type { Logger } from 'pino';
import { Authentication, HEARD_EVERYWHERE, isRevocation } from '../../../src/features/auth/authentication.js';
import type { FeatureServices } from '../../../src/features/contracts/feature.js';
import { LiveFeed } from '../../../src/features/live/live-feed.js';
import { storeDirectory } from '../../../src/features/stores/directory.js';
import type { Shell } from '../../../src/http/exchange/shell.js';
import { Idempotency } from '../../../src/http/idempotency/idempotency.js';
import { Acknowledged } from '../../../src/kernel/lanes/acknowledged.js';
import { sharedFreshness, recentFreshness } from '../../../src/kernel/lanes/freshness.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { LogFollower } from '../../../src/kernel/lanes/log-follower.js';
import type { Mail } from '../../../src/ports/mailer.js';
import { PageCursors } from '../../../src/kernel/routes/page-cursors.js';
import { PositionTokens } from '../../../src/kernel/routes/position-tokens.js';
import type { ContextServices, RequestFacts } from '../../../src/kernel/routes/request-context.js';
import { StoreContext, SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { WorkQueue } from '../../../src/kernel/reactors/work-queue.js';
import type { Route } from '../../../src/kernel/routes/route.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import { TurnsByKey } from '../../../src/kernel/values/turns.js';
import type { Actor } from '../fiscal-orders/schedule.js';
import type { Ground } from './ground.js';
import { TOKEN_SECRET } from './ground.js';
import { Ports } from './ports.js';

/** Where letters lie until they leave. */
export const MAIL = 'mail';

/** One process of the service, put together as `core.ts` does it, on ports whose calls wait for their turn. */
export class ServiceProcess implements Actor {
  isDead = false;
  readonly ports: Ports;
  readonly services: FeatureServices;
  readonly authentication: Authentication;
  readonly live: LiveFeed;
  readonly routes: readonly Route[];
  readonly shell: Shell;
  private readonly follower: LogFollower | undefined;
  private readonly running: readonly { close(): Promise<void> }[];
  private readonly queues: readonly Pick<WorkQueue<object>, 'wake' | 'idle' | 'close'>[];
  private readonly contexts: ContextServices;

  constructor(
    readonly ground: Ground,
    readonly name: string,
  ) {
    const { schedule, log, areServers, features, reads, outside } = ground;
    this.ports = new Ports(this, ground);
    const { eventStore, vault, hasher } = this.ports;
    const skew = outside.newSkew();
    const clock = { now: () => schedule.now + skew };
    const acknowledged = new Acknowledged(log.head);
    const follower = areServers ? new LogFollower(eventStore, log.head) : undefined;
    this.follower = follower;
    const lanes = new Lanes({
      store: eventStore,
      vault,
      ...(follower ? freshnessOf(sharedFreshness(eventStore, follower), follower, clock) : {}),
      onAppended: (stream, storeId, position, events) => {
        acknowledged.note(storeId, position);
        this.authentication.streamChanged(stream);
        if (!follower) for (const event of events) this.live.hear(event, position);
      },
      beforeAnswer: (events) =>
        areServers && events.some(isRevocation)
          ? schedule.wait(this, 'knows that all have heard', HEARD_EVERYWHERE)
          : undefined,
    });
    follower?.listen((event) => {
      lanes.hear(event);
    });
    const projections = { waitFor: () => Promise.resolve(true), pace: () => undefined, shared: false };
    const cursors = new PageCursors(TOKEN_SECRET);
    const beside = { eventStore, reads, cursors, projections, collections: [], touchedBy: () => [], acknowledged };
    this.contexts = { lanes, ...beside } as unknown as ContextServices;
    const services = {
      lanes,
      eventStore,
      vault,
      clock,
      head: () => eventStore.head(),
      projections,
      hasher,
      mail: {
        row: (mail: Mail) => ({ kind: MAIL, id: mail.id, value: { mail }, expected: 'any' }),
        wake: () => undefined,
      },
      poster: outside.posterOf(this),
      webhookRetryDelays: outside.retryDelays,
      onWorked: () => undefined,
      holder: name,
      tokenSecret: TOKEN_SECRET,
      stores: storeDirectory(lanes),
      reads,
      alone: !areServers,
      contextOf: (storeId: string) => this.contextOf(storeId),
      onError: ground.logged,
    } as unknown as FeatureServices;
    this.services = services;
    for (const feature of features) Object.assign(services, feature.provides?.(services));
    this.authentication = new Authentication(services, follower);
    this.live = new LiveFeed({
      viewing: new Map(features.flatMap(({ viewing = {} }) => Object.entries(viewing))),
      isRevocation,
      readmit: (principal) => this.authentication.readmit(principal),
      heardUpTo: (storeId) => follower?.reachedPosition ?? acknowledged.of(storeId),
      tokens: new PositionTokens(TOKEN_SECRET),
      isPosition: (token) => eventStore.isPosition(token),
      onError: ground.logged,
    });
    follower?.listen((event) => {
      this.live.hearStored(event);
    });
    this.routes = features.flatMap((feature) => feature.routes(services));
    const works = features.flatMap((feature) => Object.values(feature.work?.(services) ?? {}));
    this.running = works.flatMap(({ queues = [] }) => queues);
    this.queues = this.running.filter((queue) => queue instanceof WorkQueue);
    const logger = { warn: () => undefined, error: ground.logged, info: () => undefined } as unknown as Logger;
    this.shell = {
      options: {
        eventStore,
        services: { contextFor: (facts: RequestFacts) => new StoreContext(this.contexts, facts) },
      },
      positions: new PositionTokens(TOKEN_SECRET),
      idempotency: new Idempotency({ vault, storesRows: !areServers, clock, logger }),
      changes: new TurnsByKey(),
      clock,
    } as unknown as Shell;
  }

  /** As the administration and work that nobody asked for have it. */
  contextOf(storeId: string): StoreContext {
    return new StoreContext(this.contexts, {
      principal: { storeId, actor: SYSTEM, permissions: new Set() },
      requestId: 'administration',
      seed: newSeed(this.services.clock.now()),
      keyed: false,
      claim: undefined,
      repeatSince: undefined,
      client: { pagesUrl: undefined } as never,
      ifMatch: undefined,
      minPosition: undefined,
    });
  }

  /** Finishes what is due and was left undone, by whichever process. */
  async lookAgain(): Promise<void> {
    for (const queue of this.queues) {
      queue.wake();
      await queue.idle();
    }
  }

  close(): void {
    for (const queue of this.running) void (queue instanceof WorkQueue ? queue.close(0) : queue.close());
    this.live.close();
    void this.follower?.close();
  }
}

const freshnessOf = (
  freshness: ReturnType<typeof sharedFreshness>,
  follower: LogFollower,
  clock: { now(): number },
) => ({ freshness, recent: recentFreshness(follower, clock, freshness) });
