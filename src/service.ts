import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { Registry } from 'prom-client';
import { projectors } from '../projections/index.js';
import { Administration } from './operations/administration.js';
import type { Engines, Surroundings } from './compose.js';
import { openEngines, openReplay } from './compose.js';
import type { Config, Role } from './config.js';
import { dryRuns } from './dry-run/dry-runs.js';
import type { Ground } from './feature-services.js';
import { featureServicesOf } from './feature-services.js';
import { Authentication, HEARD_EVERYWHERE } from './features/auth/authentication.js';
import {
  CREDENTIAL_INVALID,
  KEY_OF_ANOTHER_STORE,
  PLAN_WITHOUT_API,
  STORE_SLUG_REQUIRED,
  STORE_SWITCHED,
} from './features/auth/access/rejections.js';
import { isRevocation } from './features/auth/access/revocations.js';
import { LiveFeed } from './features/live/live-feed.js';
import { features } from './features/index.js';
import { createApp } from './http/app.js';
import { Acknowledged } from './kernel/lanes/acknowledged.js';
import type { Feature } from './features/contracts/feature.js';
import { recentFreshness, sharedFreshness } from './kernel/lanes/freshness.js';
import { LogFollower } from './kernel/lanes/log-follower.js';
import type { Clock } from './kernel/values/clock.js';
import { LaneSnapshots } from './kernel/lanes/snapshots.js';
import type { SealedEvent } from './kernel/lanes/decision.js';
import { Lanes } from './kernel/lanes/lanes.js';
import type { Background, BackgroundWork } from './kernel/reactors/background.js';
import { startBackground } from './kernel/reactors/background.js';
import { MailQueue } from './kernel/reactors/mail-queue.js';
import type { Projections } from './kernel/projections/projections.js';
import { collectionsTouched } from './kernel/projections/projector.js';
import type { EventStore, Position } from './ports/event-store.js';
import { PositionTokens } from './kernel/routes/position-tokens.js';
import { StoreContext } from './kernel/routes/request-context.js';
import type { Route } from './kernel/routes/route.js';
import type { ProjectionCheck } from './operations/projection-check.js';
import { checkProjections } from './operations/projection-check.js';
import type { Closing } from './opening.js';
import { opened } from './opening.js';
import type { Secrets } from './secrets.js';
import { closeDataFolder } from './private-folder.js';
import { FiscalWatch } from './features/fiscal/watching/fiscal-watch.js';
import { WorkRows } from './features/fiscal/issuing/work-rows.js';
import { AppendMeasurements, measuredPoster, registerMeasurements } from './operations/measurements.js';
import { Backups } from './operations/backup/backups.js';
import { loadSecrets } from './secrets.js';

const DEMO_SLUG = 'demo';
const EVERY_HALF_MINUTE = '*/30 * * * * *';
const EVERY_MINUTE = '0 * * * * *';
/** Beside the compiled service. */
const CONSOLE_FOLDER = join(import.meta.dirname, '../console');

type AppendListener = (stream: string, events: readonly SealedEvent[], position: Position) => void;

export interface Core {
  readonly engines: Engines;
  readonly secrets: Secrets;
  readonly lanes: Lanes;
  readonly administration: Administration;
  readonly mail: MailQueue;
  readonly acknowledged: Acknowledged;
  readonly metrics: Registry;
  /** Undefined where no other process can append. */
  readonly follower: LogFollower | undefined;
  /** Called with all that this process appends to a stream for one command, before that is answered. */
  onAppended(listener: AppendListener): void;
  close(): Promise<void>;
}

/** Engines, lanes and administration: what the command line needs as well. */
export function openCore(surroundings: Surroundings): Promise<Core> {
  return opened((closing) => coreOf(surroundings, closing));
}

async function coreOf(surroundings: Surroundings, closing: Closing): Promise<Omit<Core, 'close'>> {
  const { config, clock, logger } = surroundings;
  closeDataFolder(config.DATA_DIR, { logger, production: config.NODE_ENV === 'production' });
  const secrets = await loadSecrets(config);
  const engines = await openEngines({ ...surroundings, secrets });
  closing.add(() => engines.close());
  const metrics = new Registry();
  const appends = new AppendMeasurements(metrics);
  const { eventStore } = engines;
  const headAtStart = await eventStore.head();
  const acknowledged = new Acknowledged(headAtStart);
  const follower = eventStore.exclusive
    ? undefined
    : new LogFollower(eventStore, headAtStart, (stream) => {
        lanes.doubt(stream);
      });
  if (follower) closing.add(() => follower.close());
  const listeners: AppendListener[] = [];
  const lanes: Lanes = new Lanes({
    store: eventStore,
    ...(follower ? freshnessOf(eventStore, follower, clock) : {}),
    vault: engines.vault,
    snapshots: new LaneSnapshots(engines.snapshots, eventStore.logId, clock, (error) => {
      logger.warn({ err: error }, 'a snapshot was not kept');
    }),
    onAppended(stream, storeId, position, events) {
      appends.recorded();
      acknowledged.note(storeId, position);
      for (const listener of listeners) listener(stream, events, position);
    },
    onConflict() {
      appends.conflicted();
    },
    onGroup(count, milliseconds) {
      appends.appended(count, milliseconds);
    },
    onShortened(error) {
      logger.error({ stream: error.stream }, error.message);
    },
    beforeAnswer(events) {
      return !eventStore.exclusive && events.some(isRevocation) ? pause(HEARD_EVERYWHERE) : undefined;
    },
  });
  follower?.listen((event) => {
    lanes.hear(event);
  });
  const mail = new MailQueue({
    ...engines,
    clock,
    onError(error) {
      logger.warn({ err: error }, 'a mail did not leave');
    },
  });
  closing.add(() => mail.close());
  const baseUrl = config.PUBLIC_URL?.[0] ?? `http://${config.HOST}:${String(config.PORT)}`;
  return {
    engines,
    secrets,
    lanes,
    administration: new Administration({ ...engines, lanes, clock, mail, baseUrl }),
    mail,
    acknowledged,
    metrics,
    follower,
    onAppended: (listener) => listeners.push(listener),
  };
}

function freshnessOf(eventStore: EventStore, follower: LogFollower, clock: Clock) {
  const freshness = sharedFreshness(eventStore, follower);
  return { freshness, recent: recentFreshness(follower, clock, freshness) };
}

export interface Service {
  readonly core: Core;
  readonly app: Express;
  readonly routes: readonly Route[];
  readonly projections: Projections;
  /** Ends the answers that go on for ever, so that a server can stop. */
  endStreams(): void;
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
  const { engines, lanes, administration, acknowledged, metrics } = core;
  const { eventStore, vault, reads } = engines;
  const projections = await engines.startProjections();
  closing.add(() => projections.close());
  closing.add(() => lanes.snapshotIdle(0));
  const services = { lanes, eventStore, reads, projections, acknowledged };
  const contextServices = {
    ...services,
    collections: projectors.map(({ collection }) => collection),
    touchedBy: collectionsTouched(projectors),
  };
  const live = new LiveFeed({
    viewing: new Map(features.flatMap(({ viewing = {} }) => Object.entries(viewing))),
    isRevocation,
    readmit: (principal) => authentication.readmit(principal),
    heardUpTo: (storeId) => core.follower?.reachedPosition ?? acknowledged.of(storeId),
    tokens: new PositionTokens(core.secrets.tokenSecret),
    isPosition: (token) => eventStore.isPosition(token),
    onError(error) {
      logger.warn({ err: error }, 'live changes');
    },
  });
  closing.add(() => {
    live.close();
  });
  const ground: Ground = {
    engines,
    lanes,
    projections,
    contexts: contextServices,
    config,
    clock,
    secrets: core.secrets,
    mail: core.mail,
    stores: administration.stores,
    live,
    onError(error) {
      logger.error({ err: error }, 'after the answer');
    },
  };
  const poster = measuredPoster(engines.poster, metrics);
  const featureServices = { ...featureServicesOf(ground), poster };
  const authentication = new Authentication(featureServices, core.follower);
  core.onAppended((stream) => {
    authentication.streamChanged(stream);
  });
  hearChanges(live, core);
  const owners = new Map<Route, Feature>();
  for (const feature of config.ROLES.has('api') ? features : []) {
    for (const route of feature.routes(featureServices)) owners.set(route, feature);
  }
  const routes = [...owners.keys()];
  const backups = engines.backups && new Backups({ ...engines.backups, every: config.BACKUP_EVERY, clock, logger });
  backups?.register(metrics);
  closing.add(
    registerMeasurements(metrics, {
      lanes,
      folders: { data: config.DATA_DIR, ...(config.BACKUP_DIR ? { backup: config.BACKUP_DIR } : {}) },
    }),
  );
  const fiscalWatch = new FiscalWatch({
    stores: () => administration.stores.all(),
    work: new WorkRows(vault, clock),
    clock,
  });
  fiscalWatch.register(metrics);
  let background: Background | undefined;
  const app = createApp({
    routes,
    notifications: features.flatMap(({ notifications = [] }) => notifications),
    authenticate: (credentials) => authentication.authenticate(credentials),
    authenticationRejections: [
      CREDENTIAL_INVALID,
      STORE_SLUG_REQUIRED,
      KEY_OF_ANOTHER_STORE,
      PLAN_WITHOUT_API,
      STORE_SWITCHED,
    ],
    services: { contextFor: (request) => new StoreContext(contextServices, request), dryRun: dryRuns(ground, owners) },
    vault,
    eventStore,
    projections,
    reactors: () => background?.reactors() ?? [],
    shortened: () => lanes.shortened(),
    watched: () => ({ ...(backups ? { backup: backups.status() } : {}), fiscal: fiscalWatch.status() }),
    readiness: {
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
      storeId: async () => (config.DEMO ? (await core.administration.stores.bySlug(DEMO_SLUG))?.id : undefined),
      of: async (storeId) => (await import('./demo/examples/operation-examples.js')).operationExamples(storeId),
    },
    metricsToken: config.METRICS_TOKEN,
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrls: config.PUBLIC_URL,
    tokenSecret: core.secrets.tokenSecret,
    onlyPublic: config.NODE_ENV === 'production',
    listensOn: config.HOST,
    consoleFolder: config.CONSOLE ? CONSOLE_FOLDER : undefined,
    limits: {
      requestsPerSecond: config.RATE_LIMIT_PER_KEY,
      openRequestsPerMinute: config.RATE_LIMIT_OPEN,
      bodyMilliseconds: config.BODY_TIMEOUT,
      stalledMilliseconds: config.STALL_TIMEOUT,
    },
  });
  const works = features.flatMap((feature) => worksOf(feature.work?.(featureServices) ?? {}, config.ROLES));
  const started = (background = startBackground([...works, upkeep(core), fiscalWatch.background()], {
    ...engines,
    clock,
    onError(error, name) {
      logger.warn({ err: error }, name);
    },
  }));
  closing.add(() => started.close());
  backups?.start();
  if (backups) closing.add(() => backups.close());
  const endStreams = (): void => {
    live.close();
  };
  return { core, app, routes, projections, endStreams };
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
    { name: 'snapshots', when: EVERY_HALF_MINUTE, everywhere: true, run: () => lanes.snapshotIdle() },
    { name: 'sweep', when: EVERY_MINUTE, everywhere: true, run: () => engines.sweep() },
  ],
});

/** Compares the read models with a replay of the whole log. */
export const checkOf =
  ({ engines }: Pick<Core, 'engines'>, projections: Projections, clock: Clock) =>
  (): Promise<ProjectionCheck> =>
    checkProjections({
      projections,
      reads: engines.reads,
      collections: projectors.map(({ collection }) => collection),
      openReplay: () => openReplay(engines, clock),
    });
