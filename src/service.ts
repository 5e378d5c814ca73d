import type { Express } from 'express';
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { projectors } from '../projections/index.js';
import { Administration } from './administration.js';
import type { Engines } from './compose.js';
import { openEngines } from './compose.js';
import type { Config } from './config.js';
import { AccessCache } from './features/auth/access/access-cache.js';
import type { KnownKey } from './features/auth/access/authentication.js';
import { ApiKeyAuthentication } from './features/auth/access/authentication.js';
import {
  CREDENTIAL_INVALID,
  KEY_OF_ANOTHER_STORE,
  PLAN_WITHOUT_API,
  STORE_SLUG_REQUIRED,
  STORE_SWITCHED,
} from './features/auth/access/rejections.js';
import { signInKeys } from './features/auth/sign-in/keys.js';
import type { KnownSession } from './features/auth/sign-in/session-authentication.js';
import { SessionAuthentication } from './features/auth/sign-in/session-authentication.js';
import { Sessions } from './features/auth/sign-in/sessions.js';
import { features } from './features/index.js';
import { createApp } from './http/app.js';
import type { Credentials } from './http/credentials.js';
import { Acknowledged } from './kernel/acknowledged.js';
import type { Clock } from './kernel/clock.js';
import type { FeatureServices } from './kernel/feature.js';
import { LaneSnapshots } from './kernel/lane-snapshots.js';
import { Lanes } from './kernel/lanes.js';
import { MailQueue } from './kernel/mail-queue.js';
import type { Principal } from './kernel/request-context.js';
import { StoreContext } from './kernel/request-context.js';
import type { Secrets } from './secrets.js';
import { loadSecrets } from './secrets.js';

const EVERY_HALF_MINUTE = '*/30 * * * * *';
const EVERY_MINUTE = '0 * * * * *';
/** Where other processes write too, what was cached counts for this long after the log last proved to be live. */
const TRUST = 1_000;

export interface Core {
  readonly engines: Engines;
  readonly secrets: Secrets;
  readonly lanes: Lanes;
  readonly administration: Administration;
  readonly mail: MailQueue;
  readonly acknowledged: Acknowledged;
  readonly metrics: Registry;
  /** Called with the name of every stream that this process appends to, before the append is answered. */
  onAppended(listener: (stream: string) => void): void;
  close(): Promise<void>;
}

export interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Engines, lanes and administration: what the command line needs as well. */
export async function openCore({ config, clock, logger }: Surroundings): Promise<Core> {
  const secrets = await loadSecrets(config);
  const engines = await openEngines({ config, secrets, clock, logger });
  const metrics = new Registry();
  const registers = [metrics];
  const commands = new Counter({ name: 'commands_recorded_total', help: 'Commands that were appended', registers });
  const conflicts = new Counter({
    name: 'append_conflicts_total',
    help: 'Appends that others were faster than',
    registers,
  });
  const acknowledged = new Acknowledged();
  const listeners: ((stream: string) => void)[] = [];
  const lanes = new Lanes({
    store: engines.eventStore,
    vault: engines.vault,
    snapshots: new LaneSnapshots(engines.snapshots, engines.eventStore.logId, clock, (error) => {
      logger.warn({ err: error }, 'a snapshot was not kept');
    }),
    onAppended(stream, storeId, position) {
      commands.inc();
      acknowledged.note(storeId, position);
      for (const listener of listeners) listener(stream);
    },
    onConflict() {
      conflicts.inc();
    },
  });
  const mail = new MailQueue({ ...engines, clock }, (error) => {
    logger.warn({ err: error }, 'a mail did not leave');
  });
  const baseUrl = config.PUBLIC_URL ?? `http://${config.HOST}:${String(config.PORT)}`;
  return {
    engines,
    secrets,
    lanes,
    administration: new Administration({ ...engines, lanes, clock, mail, baseUrl }),
    mail,
    acknowledged,
    metrics,
    onAppended: (listener) => listeners.push(listener),
    async close() {
      await mail.close();
      await engines.close();
    },
  };
}

export interface Service {
  readonly core: Core;
  readonly app: Express;
  close(): Promise<void>;
}

/** Everything but the listening socket. */
export async function openService(surroundings: Surroundings): Promise<Service> {
  const { config, clock, logger } = surroundings;
  const core = await openCore(surroundings);
  const { engines, lanes, administration, acknowledged, metrics } = core;
  const { eventStore, vault, reads } = engines;
  const projections = await engines.startProjections();
  const caches = accessCaches(core, clock);
  const featureServices: FeatureServices = {
    ...engines,
    lanes,
    clock,
    mail: core.mail,
    tokenSecret: core.secrets.tokenSecret,
    stores: {
      byId: (id) => administration.storeById(id),
      bySlug: (slug) => administration.storeBySlug(slug),
    },
    onError(error) {
      logger.error({ err: error }, 'after the answer');
    },
  };
  const services = { lanes, eventStore, reads, projections, acknowledged };
  const contextServices = { ...services, collections: projectors.map(({ collection }) => collection) };
  const app = createApp({
    routes: config.ROLES.has('api') ? features.flatMap((feature) => feature.routes(featureServices)) : [],
    authenticate: authentication(featureServices, caches),
    authenticationRejections: [
      CREDENTIAL_INVALID,
      STORE_SLUG_REQUIRED,
      KEY_OF_ANOTHER_STORE,
      PLAN_WITHOUT_API,
      STORE_SWITCHED,
    ],
    services: { contextFor: (request) => new StoreContext(contextServices, request) },
    vault,
    eventStore,
    projections,
    readiness: {
      eventStore: () => eventStore.head().then(() => undefined),
      vault: () => vault.get('readiness', 'probe').then(() => undefined),
      projections: () => {
        const waiting = projections.health().filter(({ state }) => state === 'catching-up');
        return waiting.length === 0 ? undefined : `catching up: ${waiting.map(({ name }) => name).join(', ')}`;
      },
    },
    clock,
    logger,
    metrics,
    metricsToken: config.METRICS_TOKEN,
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrl: config.PUBLIC_URL,
    limits: { requestsPerSecond: config.RATE_LIMIT_PER_KEY },
  });
  const upkeep = startUpkeep(core, logger);
  return {
    core,
    app,
    async close() {
      await upkeep.stop();
      await caches.stop();
      await lanes.snapshotIdle();
      await projections.close();
      await core.close();
    },
  };
}

interface AccessCaches {
  readonly keys: AccessCache<KnownKey>;
  readonly sessions: AccessCache<KnownSession>;
  stop(): Promise<void>;
}

/** They forget what changed: at once for what this process writes, by subscription for what others write. */
function accessCaches(core: Core, clock: Clock): AccessCaches {
  const { eventStore } = core.engines;
  let provedLiveAt = () => Infinity;
  const isCurrent = () => clock.now() - provedLiveAt() < TRUST;
  const keys = new AccessCache<KnownKey>(isCurrent);
  const sessions = new AccessCache<KnownSession>(isCurrent);
  const forget = (stream: string) => {
    keys.streamChanged(stream);
    sessions.streamChanged(stream);
  };
  core.onAppended(forget);
  if (eventStore.exclusive) return { keys, sessions, stop: () => Promise.resolve() };
  provedLiveAt = () => -Infinity;
  const subscribing = eventStore.head().then((head) => {
    const subscription = eventStore.subscribe(head, (events) => {
      for (const { stream } of events) forget(stream);
      return Promise.resolve();
    });
    provedLiveAt = () => subscription.provedLiveAt;
    return subscription;
  });
  return { keys, sessions, stop: () => subscribing.then((subscription) => subscription.stop()) };
}

/** An API key, or the cookie of a session; where both are sent the key alone counts. */
function authentication(services: FeatureServices, caches: AccessCaches) {
  const byKey = new ApiKeyAuthentication(services, caches.keys);
  const keys = signInKeys(services.tokenSecret);
  const sessions = new Sessions({ ...services, keys });
  const bySession = new SessionAuthentication({ ...services, keys, sessions }, caches.sessions);
  return (credentials: Credentials): Principal | Promise<Principal> => {
    const { accessToken, bearer, storeSlug } = credentials;
    if (bearer === undefined && accessToken !== undefined) return bySession.authenticate(accessToken, storeSlug);
    return byKey.authenticate(credentials);
  };
}

/** Small regular work: snapshots of idle lanes, sweeping what has expired, mail that has not left. */
function startUpkeep({ lanes, engines, mail }: Core, logger: Logger) {
  const running = new Set<Promise<void>>();
  const task = (name: string, when: string, work: () => void | Promise<void>) =>
    schedule(
      when,
      () => {
        const done = Promise.resolve(work())
          .catch((error: unknown) => {
            logger.warn({ err: error }, name);
          })
          .finally(() => running.delete(done));
        running.add(done);
        return done;
      },
      { name, noOverlap: true },
    );
  const tasks = [
    task('snapshots', EVERY_HALF_MINUTE, () => lanes.snapshotIdle()),
    task('sweep', EVERY_MINUTE, () => engines.sweep()),
    task('mail', EVERY_HALF_MINUTE, () => {
      mail.wake();
    }),
  ];
  mail.wake(); // what an earlier process left
  return {
    async stop() {
      for (const one of tasks) await one.destroy();
      await Promise.all(running);
    },
  };
}
