import { inventory } from '../../../src/features/inventory/decider.js';
import type { Inventory } from '../../../src/features/inventory/ledger/state.js';
import { inventoryFeature } from '../../../src/features/inventory/feature.js';
import { planningFeature } from '../../../src/features/planning/feature.js';
import { productsFeature } from '../../../src/features/products/feature.js';
import { recipesFeature } from '../../../src/features/recipes/feature.js';
import { traceabilityFeature } from '../../../src/features/traceability/feature.js';
import type { CustomerFacts } from '../../../src/features/contracts/customer-directory.js';
import type { FeatureServices } from '../../../src/features/contracts/feature.js';
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
import { TurnsByKey } from '../../../src/kernel/values/turns.js';
import type { Position } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import type { Actor } from '../fiscal-orders/schedule.js';
import { Dead } from '../fiscal-orders/schedule.js';
import { DrawnPorts } from './drawn-ports.js';
import type { Shop } from './shop.js';
import { STORE, collections, projectors } from './shop.js';

const SECRET = Buffer.alloc(32, 7);

const PRINCIPAL: Principal = {
  storeId: STORE,
  actor: { kind: 'user', id: '01900000-0000-7000-8000-000000000002', name: 'Ana' },
  permissions: new Set(PERMISSIONS),
};

const FEATURES = [productsFeature, inventoryFeature, recipesFeature, traceabilityFeature, planningFeature];

/** What a client asks of a process. */
export interface Asked {
  readonly id: string;
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
}

const customerOf = (id: string): CustomerFacts => ({ id, name: id, document: null, phone: null, email: null });

/** One process of the service, as far as it is about goods: each of its calls to a store is an act that waits for its turn. */
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
    this.contexts = {
      lanes: this.lanes,
      eventStore,
      reads,
      cursors: new PageCursors(SECRET),
      projections: {
        shared: !isAlone,
        waitFor: (names: readonly string[], position: Position) => shop.waitFor(this, names, position),
        pace: () => undefined,
      } as unknown as ContextServices['projections'],
      collections,
      touchedBy: collectionsTouched(projectors),
      acknowledged,
    };
    const store = () => Promise.resolve(shop.storeFacts);
    const services = {
      lanes: this.lanes,
      eventStore,
      vault,
      clock,
      reads,
      stores: { byId: store, bySlug: store, all: () => Promise.resolve([shop.storeFacts]) },
      customers: {
        has: () => Promise.resolve(true),
        byIds: (_: unknown, ids: readonly string[]) => Promise.resolve(new Map(ids.map((id) => [id, customerOf(id)]))),
        unseal: (_: unknown, people: readonly CustomerFacts[]) => Promise.resolve(people),
      },
      cardFees: {},
      documents: {},
      taxRules: {},
      projections: this.contexts.projections,
      alone: isAlone,
      onError: shop.logged,
    } as unknown as FeatureServices;
    for (const feature of FEATURES) Object.assign(services, feature.provides?.(services));
    this.routes = FEATURES.flatMap((feature) => feature.routes(services));
    this.shell = {
      options: {
        eventStore,
        services: { contextFor: (facts: RequestFacts) => new StoreContext(this.contexts, facts) },
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

  private warned(error: unknown): void {
    if (!(error instanceof StoreUnavailable)) this.shop.logged(error);
  }

  async leave(): Promise<void> {
    await this.follower?.close();
  }

  /** As the shell answers a request, without its transport. */
  async ask({ id, method, path, params, query, body, key, ifMatch }: Asked): Promise<Told> {
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
      answer = await handlerRunner(route, this.shell)(exchange, PRINCIPAL, input);
    } catch (error) {
      answer = problem(error);
    }
    if (this.isDead) throw new Dead();
    const text = answer.body?.toString();
    const parsed = text === undefined ? undefined : (JSON.parse(text) as { readonly code?: string });
    return { status: answer.status, code: answer.status >= 400 ? parsed?.code : undefined, body: parsed };
  }

  /** Keeps the states of lanes that nobody uses now. */
  keepStates(): Promise<void> {
    return this.lanes.snapshotIdle(0);
  }

  /** What the process itself knows of the stock. */
  async stock(): Promise<Inventory> {
    return (await this.lanes.current(inventory, `inventory-${STORE}`)).state;
  }
}
