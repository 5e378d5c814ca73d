import { projectors } from '../../../projections/index.js';
import { inventory } from '../../../src/features/inventory/decider.js';
import type { Inventory } from '../../../src/features/inventory/ledger/state.js';
import { VaultLeases } from '../../../src/adapters/vault-leases.js';
import { dryRuns } from '../../../src/dry-run/dry-runs.js';
import type { Ground } from '../../../src/feature-services.js';
import { featureServicesOf, systemContext } from '../../../src/feature-services.js';
import { tellerHere } from '../../../src/features/audit/events/told-page.js';
import { LogWalk } from '../../../src/features/audit/verification/log-walk.js';
import { features } from '../../../src/features/index.js';
import { STORES_STREAM, stores } from '../../../src/features/stores/decider.js';
import { storeDirectory } from '../../../src/features/stores/directory.js';
import { PERMISSIONS } from '../../../src/features/permissions.js';
import { handlerRunner } from '../../../src/http/exchange/handler.js';
import type { Answer, Exchange } from '../../../src/http/exchange/exchange.js';
import { asRejection } from '../../../src/http/exchange/problem.js';
import type { Shell } from '../../../src/http/exchange/shell.js';
import { Idempotency } from '../../../src/http/idempotency/idempotency.js';
import { Acknowledged } from '../../../src/kernel/lanes/acknowledged.js';
import { recentFreshness, sharedFreshness } from '../../../src/kernel/lanes/freshness.js';
import { LaneSnapshots } from '../../../src/kernel/lanes/snapshots.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { LogFollower } from '../../../src/kernel/lanes/log-follower.js';
import { metaOf } from '../../../src/kernel/events/recorded.js';
import { collectionsTouched } from '../../../src/kernel/projections/projector.js';
import { PageCursors } from '../../../src/kernel/routes/page-cursors.js';
import { PositionTokens } from '../../../src/kernel/routes/position-tokens.js';
import type { ContextServices, Principal, RequestFacts } from '../../../src/kernel/routes/request-context.js';
import { StoreContext } from '../../../src/kernel/routes/request-context.js';
import type { Input, Route } from '../../../src/kernel/routes/route.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import { TurnsByKey } from '../../../src/kernel/values/turns.js';
import type { Position } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import { openedStore } from '../opened-store.js';
import type { Actor } from '../fiscal-orders/schedule.js';
import { Dead } from '../fiscal-orders/schedule.js';
import { DrawnPorts } from './drawn-ports.js';
import type { Shop } from './shop.js';
import { collections } from './shop.js';

const SECRET = Buffer.alloc(32, 7);

const principalOf = (storeId: string): Principal => ({
  storeId,
  actor: { kind: 'user', id: '01900000-0000-7000-8000-000000000002', name: 'Ana' },
  permissions: new Set(PERMISSIONS),
});

/** What a client asks of a process. */
export interface Asked {
  readonly id: string;
  readonly storeId: string;
  /** It is only tried. */
  readonly isDry?: boolean | undefined;
  readonly method: string;
  readonly path: string;
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly key?: string | undefined;
  readonly ifMatch?: string | undefined;
}

export interface Told {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: unknown;
  /** Where a list goes on that says so beside its items. */
  readonly next: string | undefined;
}

/** Whom nobody here asks: what they are asked for is no matter of goods. */
const ABSENT = {
  snapshots: undefined,
  hasher: undefined,
  mailer: undefined,
  adviser: undefined,
  poster: { refusalOf: () => undefined },
  authority: { name: 'simulator' },
  simulatedAt: undefined,
  backups: undefined,
  checkpoints: undefined,
} as const;

/** One process of the service, put together as `service.ts` does it: each of its calls to a store is an act that waits for its turn. */
export class GoodsProcess implements Actor {
  isDead = false;
  private readonly routes: readonly Route[];
  private readonly lanes: Lanes;
  private readonly follower: LogFollower | undefined;
  private readonly contexts: ContextServices;
  private readonly shell: Shell;
  readonly ports: DrawnPorts;

  constructor(
    private readonly shop: Shop,
    readonly name: string,
  ) {
    const { log, isAlone, schedule } = shop;
    const ports = (this.ports = new DrawnPorts(shop, this));
    const clock = { now: () => schedule.now };
    const eventStore = ports.eventStore();
    const vault = ports.vault();
    this.follower = isAlone ? undefined : new LogFollower(eventStore, log.head);
    const { follower } = this;
    const freshness = follower && sharedFreshness(eventStore, follower);
    const acknowledged = new Acknowledged(log.head, clock.now);
    this.lanes = new Lanes(
      {
        store: eventStore,
        snapshots: new LaneSnapshots(ports.snapshots(), 'log', clock, shop.logged),
        ...(follower && freshness ? { freshness, recent: recentFreshness(follower, clock, freshness) } : {}),
        vault,
        onAppended: (_stream, storeId, position) => {
          acknowledged.note(storeId, position);
        },
      },
      shop.laneRoom,
    );
    follower?.listen((event) => {
      this.lanes.hear(event);
      acknowledged.hear(metaOf(event).storeId, event.position, clock.now() - follower.provedLiveAt);
    });
    const reads = ports.readModels();
    const projections = {
      shared: !isAlone,
      waitFor: (names: readonly string[], position: Position, patience: number) =>
        shop.waitFor(this, names, position, patience),
      pace: () => undefined,
    } as unknown as ContextServices['projections'];
    this.contexts = {
      lanes: this.lanes,
      eventStore,
      reads,
      cursors: new PageCursors(SECRET),
      projections,
      collections,
      touchedBy: collectionsTouched(projectors),
      acknowledged,
    };
    const ground = {
      engines: {
        ...ABSENT,
        eventStore,
        teller: tellerHere(eventStore),
        checker: new LogWalk(eventStore),
        vault,
        reads,
        leases: new VaultLeases(vault, clock),
        holder: name,
        alone: isAlone,
      },
      lanes: this.lanes,
      projections,
      contexts: this.contexts,
      mail: { row: () => undefined, wake: () => undefined },
      stores: storeDirectory(this.lanes),
      live: {},
      config: { WEBHOOK_RETRY_DELAYS: [60_000] },
      secrets: { tokenSecret: SECRET },
      clock,
      onWorked: () => undefined,
      onError: shop.logged,
    } as unknown as Ground;
    const services = featureServicesOf(ground);
    const owners = new Map(features.flatMap((feature) => feature.routes(services).map((route) => [route, feature])));
    this.routes = [...owners.keys()];
    this.shell = {
      options: {
        eventStore,
        services: {
          contextFor: (facts: RequestFacts) => new StoreContext(this.contexts, facts),
          dryRun: dryRuns(ground, owners),
        },
      },
      positions: new PositionTokens(SECRET),
      idempotency: new Idempotency({
        vault,
        storesRows: isAlone,
        clock,
        logger: {
          warn: ({ err }: { readonly err: unknown }) => {
            this.warned(err);
          },
        } as never,
      }),
      changes: new TurnsByKey(),
      clock,
    } as unknown as Shell;
  }

  /** A store that somebody else has opened. */
  newStore(storeId: string, slug: string): Promise<unknown> {
    const store = openedStore(storeId, slug);
    const context = systemContext(this.contexts, storeId, newSeed(this.shop.schedule.now));
    return context.executeOn(stores, STORES_STREAM, { type: 'create', store }, { storeId });
  }

  private warned(error: unknown): void {
    if (!(error instanceof StoreUnavailable)) this.shop.logged(error);
  }

  async leave(): Promise<void> {
    await this.follower?.close();
  }

  /** As the shell answers a request, without its transport. */
  async ask({ id, storeId, isDry, method, path, params, query, body, key, ifMatch }: Asked): Promise<Told> {
    const route = this.routes.find((one) => one.method === method && one.path === path);
    if (!route) throw new Error(`no route ${method} ${path}`);
    const problem = (error: unknown): Answer => {
      if (error instanceof Dead) throw error;
      const rejection = asRejection(error);
      const { status, code } = rejection.kind;
      if (status === 500) this.shop.logged(error);
      return { status, headers: [], body: JSON.stringify({ ...rejection.extra, code }) };
    };
    const request = {
      headers: {
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(isDry === true ? { prefer: 'dry-run' } : {}),
      },
      method,
      originalUrl: path + JSON.stringify(params ?? {}),
    };
    const client = { address: '', baseUrl: 'http://loja.example', pagesUrl: undefined };
    const exchange = { request, requestId: id, traceparent: undefined, client, problem } as unknown as Exchange;
    let answer: Answer;
    try {
      const { params: ofPath, query: ofQuery, body: ofBody } = route.request;
      const input = {
        params: ofPath?.parse(params ?? {}),
        query: ofQuery?.parse(query ?? {}),
        body: ofBody?.parse(body),
      } as Input;
      answer = await handlerRunner(route, this.shell)(exchange, principalOf(storeId), input);
    } catch (error) {
      answer = problem(error);
    }
    if (this.isDead) throw new Dead();
    const text = answer.body?.toString();
    const parsed = text === undefined ? undefined : (JSON.parse(text) as { readonly code?: string });
    const next = answer.headers[answer.headers.indexOf('X-Next-Cursor') + 1];
    return {
      status: answer.status,
      code: answer.status >= 400 ? parsed?.code : undefined,
      body: parsed,
      next: answer.headers.includes('X-Next-Cursor') ? next : undefined,
    };
  }

  /** Keeps the states of lanes that nobody uses now. */
  keepStates(): Promise<void> {
    return this.lanes.snapshotIdle(0);
  }

  /** What the process itself knows of the stock. */
  async stock(storeId: string): Promise<Inventory> {
    return (await this.lanes.current(inventory, `inventory-${storeId}`)).state;
  }
}
