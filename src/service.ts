import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import { z } from 'zod';
import { projectors } from '../projections/index.js';
import type { Surroundings } from './compose.js';
import type { Config, Role } from './config.js';
import { holdsData } from './config.js';
import { dryRuns } from './dry-run/dry-runs.js';
import type { Ground } from './feature-services.js';
import { featureServicesOf, systemContext } from './feature-services.js';
import { Authentication, AUTHENTICATION_REJECTIONS, isRevocation } from './features/auth/authentication.js';
import type { LiveFeedServices } from './features/live/live-feed.js';
import { LiveFeed } from './features/live/live-feed.js';
import { features } from './features/index.js';
import { createApp } from './http/app.js';
import type { Feature, FeatureServices, Watch } from './features/contracts/feature.js';
import { Rejection } from './kernel/events/rejection.js';
import { RowConflict } from './ports/event-store.js';
import type { Seed } from './kernel/values/ids.js';
import { untakenAllowed } from './kernel/values/memory-allowed.js';
import type { Background, BackgroundWork } from './kernel/reactors/background.js';
import { startBackground } from './kernel/reactors/background.js';
import type { Projections } from './kernel/projections/projections.js';
import { collectionsTouched } from './kernel/projections/projector.js';
import { PageCursors } from './kernel/routes/page-cursors.js';
import { PositionTokens } from './kernel/routes/position-tokens.js';
import { PROJECTION_BEHIND, StoreContext } from './kernel/routes/request-context.js';
import type { RequestContext } from './kernel/routes/request-context.js';
import type { Route } from './kernel/routes/route.js';
import { troubleTeller } from './log-lines.js';
import type { Closing } from './opening.js';
import { opened } from './opening.js';
import { measuredPoster, registerMeasurements } from './operations/measurements.js';
import { Backups } from './operations/backup/backups.js';
import { ClockWatch } from './operations/clock-watch.js';
import { DiskWatch } from './operations/disk-watch.js';
import { tellEmptyVault } from './operations/empty-vault.js';
import { noteTokenSecret } from './operations/token-secret.js';
import type { Core } from './core.js';
import { openCore } from './core.js';

const DEMO_SLUG = 'demo';
const HALF_A_MINUTE = 30_000;
const MINUTE = 60_000;
/** It lies beside the compiled service. */
const CONSOLE_FOLDER = join(import.meta.dirname, '../console');
/** Says which version this is. */
const MANIFEST = join(import.meta.dirname, '../../package.json');
const manifest = z.object({ version: z.string() });

export interface Service {
  readonly core: Core;
  readonly app: Express;
  readonly routes: readonly Route[];
  readonly projections: Projections;
  readonly features: FeatureServices;
  /** What the service itself does in a store, as of a moment. */
  contextAt(storeId: string, seed: Seed): RequestContext;
  /**
   * Ends the answers that go on for ever, so that a server can stop, and begins no more of the work beside requests: what runs of it has as
   * long as they have. `close` waits for it.
   */
  beginStop(): void;
  close(): Promise<void>;
}

/** Everything but the listening socket. */
export function openService(surroundings: Surroundings): Promise<Service> {
  return opened((closing) => serviceOf(surroundings, closing));
}

async function serviceOf(surroundings: Surroundings, closing: Closing): Promise<Omit<Service, 'close'>> {
  const { config, clock, logger } = surroundings;
  const core = await openCore(surroundings);
  closing.add(() => core.close());
  if (!core.engines.alone) await noteTokenSecret({ ...core.engines, logger }, core.secrets.tokenSecret);
  if (config.EVENTSTORE_URL || config.MONGODB_URL) await tellEmptyVault({ ...core.engines, logger });
  const { lanes, metrics } = core;
  const projections = await core.engines.startProjections();
  closing.add(() => projections.close());
  closing.add(() => lanes.snapshotIdle(0));
  const live = liveFeedOf(surroundings, core, (principal) => authentication.readmit(principal));
  closing.add(() => {
    live.close();
  });
  const ground = groundOf(surroundings, core, projections, live);
  const services = featureServicesOf(ground);
  const authentication = new Authentication(services, core.follower);
  core.onAppended((stream) => {
    authentication.streamChanged(stream);
  });
  hearChanges(live, core);
  const owners = ownersOfRoutes(config, services);
  closing.add(
    registerMeasurements(metrics, {
      lanes,
      caches: () => [...(core.engines.reads.cacheSizes?.() ?? []), ...authentication.cacheSizes()],
    }),
  );
  const watches: readonly Watch[] = [
    new ClockWatch(surroundings),
    new DiskWatch({ folders: foldersOf(config), holdsData: holdsData(config), logger }),
    ...backupsOf(surroundings, core),
    ...features.flatMap((feature) => feature.watch?.(services) ?? []),
  ];
  for (const watch of watches) watch.register(metrics);
  const works = features.flatMap((feature) => worksOf(feature.work?.(services) ?? {}, config.ROLES));
  let background: Background | undefined;
  const app = createApp({
    ...optionsOf(surroundings, core, projections),
    routes: [...owners.keys()],
    notifications: features.flatMap(({ notifications = [] }) => notifications),
    authenticate: (credentials) => authentication.authenticate(credentials),
    authenticationRejections: AUTHENTICATION_REJECTIONS,
    services: {
      contextFor: (request) => new StoreContext(ground.contexts, request),
      dryRun: dryRuns(ground, owners),
    },
    reactors: () => background?.reactors() ?? [],
    watched: () => Object.fromEntries(watches.map((watch) => [watch.name, watch.status()])),
  });
  const started = (background = startBackground(
    [...works, upkeep(core), ...watches.map((watch) => watch.background())],
    {
      ...core.engines,
      clock,
      onWorked: core.onWorked,
      onError: troubleTeller(logger),
    },
  ));
  closing.add(() => started.close());
  const beginStop = (): void => {
    live.close();
    started.close().catch((error: unknown) => {
      logger.warn({ err: error }, 'the work beside requests did not stop');
    });
  };
  return {
    core,
    app,
    routes: [...owners.keys()],
    projections,
    features: services,
    contextAt: (storeId, seed) => systemContext(ground.contexts, storeId, seed),
    beginStop,
  };
}

function liveFeedOf({ logger }: Surroundings, core: Core, readmit: LiveFeedServices['readmit']): LiveFeed {
  const { eventStore } = core.engines;
  return new LiveFeed({
    viewing: new Map(features.flatMap(({ viewing = {} }) => Object.entries(viewing))),
    isRevocation,
    readmit,
    heardUpTo: (storeId) => core.follower?.reachedPosition ?? core.acknowledged.of(storeId),
    tokens: new PositionTokens(core.secrets.tokenSecret),
    isPosition: (token) => eventStore.isPosition(token),
    onError(error) {
      logger.warn({ err: error }, 'live changes');
    },
  });
}

function groundOf(surroundings: Surroundings, core: Core, projections: Projections, live: LiveFeed): Ground {
  const { config, clock, logger } = surroundings;
  const { engines, lanes, acknowledged, secrets, mail, administration, metrics } = core;
  const { eventStore, reads } = engines;
  const tell = troubleTeller(logger);
  return {
    engines: { ...engines, poster: measuredPoster(engines.poster, metrics) },
    lanes,
    projections,
    contexts: {
      lanes,
      eventStore,
      reads,
      cursors: new PageCursors(secrets.tokenSecret),
      projections,
      acknowledged,
      collections: projectors.map(({ collection }) => collection),
      touchedBy: collectionsTouched(projectors),
    },
    config,
    clock,
    secrets,
    mail,
    stores: administration.stores,
    live,
    authorityPatience: surroundings.authorityPatience,
    onWorked: core.onWorked,
    onError(error) {
      // Read models that are being built, as after a restore, have caught up by one of the next tries.
      const isBehind = error instanceof Rejection && error.kind === PROJECTION_BEHIND;
      // Who stood still meanwhile finds the work taken by another process, and wrote nothing.
      const isTaken = error instanceof RowConflict;
      tell(error, 'after the answer', isBehind || isTaken ? 'warn' : 'error');
    },
  };
}

const foldersOf = ({ DATA_DIR, BACKUP_DIR }: Config) => ({
  data: DATA_DIR,
  ...(BACKUP_DIR ? { backup: BACKUP_DIR } : {}),
});

/** None where no folder for them is named, or the engine makes none. */
const backupsOf = ({ config, clock, logger }: Surroundings, { engines: { backups } }: Core): readonly Watch[] =>
  backups ? [new Backups({ ...backups, every: config.BACKUP_EVERY, clock, logger })] : [];

/** The routes that this process answers, each with its feature. */
function ownersOfRoutes({ ROLES }: Config, services: FeatureServices): ReadonlyMap<Route, Feature> {
  const owners = new Map<Route, Feature>();
  for (const feature of ROLES.has('api') ? features : []) {
    for (const route of feature.routes(services)) owners.set(route, feature);
  }
  return owners;
}

/** The parts of the interface's shell that are the same whatever the features are. */
function optionsOf({ config, clock, logger, readiness }: Surroundings, core: Core, projections: Projections) {
  const { engines, lanes, metrics, secrets, administration } = core;
  const { eventStore, vault } = engines;
  return {
    version: manifest.parse(JSON.parse(readFileSync(MANIFEST, 'utf8'))).version,
    vault,
    eventStore,
    projections,
    shortened: () => lanes.shortened(),
    readiness: {
      ...readiness,
      eventStore: () => eventStore.head().then(() => undefined),
      vault: () => vault.get('readiness', 'probe').then(() => undefined),
      streams: () => {
        const { length } = lanes.shortened();
        return length === 0 ? undefined : `not whole: ${String(length)}, named in the log`;
      },
      projections: () => {
        const waiting = projections.health().filter(({ state }) => state === 'catching-up');
        return waiting.length === 0 ? undefined : `catching up: ${waiting.map(({ name }) => name).join(', ')}`;
      },
    },
    clock,
    logger,
    metrics,
    examples: {
      storeId: async () => (config.DEMO ? (await administration.stores.bySlug(DEMO_SLUG))?.id : undefined),
      of: async (storeId: string | undefined) =>
        (await import('./demo/examples/operation-examples.js')).operationExamples(storeId),
    },
    metricsToken: config.METRICS_TOKEN,
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrls: config.PUBLIC_URL,
    tokenSecret: secrets.tokenSecret,
    onlyPublic: config.NODE_ENV === 'production',
    listensOn: config.HOST,
    consoleFolder: config.CONSOLE ? CONSOLE_FOLDER : undefined,
    limits: {
      requestsPerSecond: config.RATE_LIMIT_PER_KEY,
      openRequestsPerMinute: config.RATE_LIMIT_OPEN,
      bodyMilliseconds: config.BODY_TIMEOUT,
      stalledMilliseconds: config.STALL_TIMEOUT,
      untakenBytes: untakenAllowed(config.MEMORY),
    },
  };
}

/** Whoever else may append is heard through the log; where nobody may, what this process appends is all there is. */
function hearChanges(live: LiveFeed, core: Core): void {
  const { follower } = core;
  if (follower) {
    follower.listen((event) => {
      live.hearStored(event);
    });
    return;
  }
  core.onAppended((_stream, events, position) => {
    for (const event of events) live.hear(event, position);
  });
}

/** What a process with these roles has to do of a feature's work. */
const worksOf = (works: ReturnType<NonNullable<Feature['work']>>, roles: Config['ROLES']): readonly BackgroundWork[] =>
  Object.entries(works).flatMap(([role, work]) => (role === 'everywhere' || roles.has(role as Role) ? [work] : []));

/** Small regular work: snapshots of idle lanes, sweeping what has expired, mail that has not left. */
const upkeep = ({ lanes, engines, mail }: Core): BackgroundWork => ({
  queues: [mail],
  schedules: [
    { name: 'snapshots', when: HALF_A_MINUTE, everywhere: true, run: () => lanes.snapshotIdle() },
    { name: 'sweep', when: MINUTE, everywhere: true, run: () => engines.sweep() },
  ],
});
