import type { Engines } from './compose.js';
import type { Config } from './config.js';
import type { Feature, FeatureServices, Provided, StoreDirectory } from './features/contracts/feature.js';
import { features } from './features/index.js';
import type { CommandLanes } from './kernel/lanes/lanes.js';
import type { Projections } from './kernel/projections/projections.js';
import type { OnWorked } from './kernel/reactors/work-line.js';
import type { OutgoingMail } from './kernel/reactors/mail-queue.js';
import type { ContextServices } from './kernel/routes/request-context.js';
import { SYSTEM, StoreContext } from './kernel/routes/request-context.js';
import type { Clock } from './kernel/values/clock.js';
import type { Seed } from './kernel/values/ids.js';
import { newId, newSeed } from './kernel/values/ids.js';
import type { Permission } from './kernel/values/permissions.js';
import type { Secrets } from './secrets.js';

/** What the features stand on: the engines as they are, or as a dry run shows them. */
export interface Ground {
  readonly engines: Engines;
  readonly lanes: CommandLanes;
  readonly projections: Pick<Projections, 'waitFor'>;
  readonly mail: OutgoingMail;
  readonly stores: StoreDirectory;
  readonly contexts: ContextServices;
  readonly live: FeatureServices['live'];
  readonly config: Config;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** How many owners of variants the catalogue may remember; as many as it likes unless it is said. */
  readonly knownVariants?: number;
  readonly authorityPatience?: number | undefined;
  readonly onWorked: OnWorked;
  onError(error: unknown): void;
}

type OwnServices = Omit<FeatureServices, keyof Provided>;

export function featureServicesOf(ground: Ground): FeatureServices {
  const { engines, contexts, config, secrets, clock } = ground;
  const own: OwnServices = {
    ...engines,
    lanes: ground.lanes,
    clock,
    projections: ground.projections,
    mail: ground.mail,
    stores: ground.stores,
    live: ground.live,
    head: () => engines.eventStore.head(),
    auditMail: config.AUDIT_MAIL,
    webhookRetryDelays: config.WEBHOOK_RETRY_DELAYS,
    tokenSecret: secrets.tokenSecret,
    knownVariants: ground.knownVariants,
    authorityPatience: ground.authorityPatience,
    auditedRecords: features.flatMap(({ records = [] }) => records),
    contextOf: (storeId) => systemContext(contexts, storeId, newSeed(clock.now())),
    onWorked: ground.onWorked,
    onError: (error) => {
      ground.onError(error);
    },
  };
  return withProvided(own, features);
}

/** Adds what the features provide; test/features/provided holds that it is all there is to provide, each by one of them. */
function withProvided(own: OwnServices, providers: readonly Feature[]): FeatureServices {
  const services = own as FeatureServices;
  for (const feature of providers) Object.assign(services, feature.provides?.(services));
  return services;
}

const NOBODY = new Set<Permission>();
const NO_CLIENT = {
  address: '',
  accessToken: undefined,
  refreshToken: undefined,
  baseUrl: '',
  pagesUrl: undefined,
  storeSlug: undefined,
  userAgent: undefined,
  acceptLanguage: undefined,
  lastEventId: undefined,
};

/** For what the service does by itself in a store. */
export const systemContext = (services: ContextServices, storeId: string, seed: Seed): StoreContext =>
  new StoreContext(services, {
    principal: { storeId, actor: SYSTEM, permissions: NOBODY },
    requestId: newId(seed.at),
    seed,
    keyed: false,
    claim: undefined,
    repeatSince: undefined,
    client: NO_CLIENT,
    ifMatch: undefined,
    minPosition: undefined,
  });
