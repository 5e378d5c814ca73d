import { join } from 'node:path';
import type { Engines } from './compose.js';
import type { Config } from './config.js';
import { cardFeeBook } from './features/card-fees/book.js';
import type { FeatureServices, StoreDirectory } from './features/contracts/feature.js';
import { CustomerRecords } from './features/customers/directory.js';
import { keptDocuments } from './features/fiscal/documents/kept-documents.js';
import { officeOf } from './features/fiscal/office.js';
import { taxRuleDirectory } from './features/fiscal/rules/tax-rule-book.js';
import { SettingsKeeper } from './features/fiscal/settings-keeper.js';
import { features } from './features/index.js';
import { locationDirectory } from './features/inventory/locations/directory.js';
import { TaxedSales } from './features/inventory/sales/taxing.js';
import { stockKeeper } from './features/inventory/stock/keeper.js';
import { ProductCatalogue } from './features/products/catalogue.js';
import { recipeBook } from './features/recipes/recipe-book.js';
import type { CommandLanes } from './kernel/lanes/lanes.js';
import type { Projections } from './kernel/projections/projections.js';
import type { OutgoingMail } from './kernel/reactors/mail-queue.js';
import type { ContextServices } from './kernel/routes/request-context.js';
import { SYSTEM, StoreContext } from './kernel/routes/request-context.js';
import type { Clock } from './kernel/values/clock.js';
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
  onError(error: unknown): void;
}

export function featureServicesOf(ground: Ground): FeatureServices {
  const { engines, contexts, config, secrets, clock, stores, lanes, projections, mail, live } = ground;
  const { eventStore, vault, reads } = engines;
  const services: FeatureServices = {
    ...engines,
    lanes,
    clock,
    projections,
    mail,
    stores,
    live,
    head: () => eventStore.head(),
    auditing: { checkpointFolder: join(config.DATA_DIR, 'checkpoints'), mailTo: config.AUDIT_MAIL },
    webhookRetryDelays: config.WEBHOOK_RETRY_DELAYS,
    tokenSecret: secrets.tokenSecret,
    catalogue: new ProductCatalogue(reads, ground.knownVariants),
    recipes: recipeBook,
    stock: stockKeeper,
    customers: new CustomerRecords(vault),
    locations: locationDirectory,
    taxRules: taxRuleDirectory(stores),
    cardFees: cardFeeBook,
    auditedRecords: features.flatMap(({ records = [] }) => records),
    fiscalSettings: new SettingsKeeper(vault, clock),
    salesToTax: new TaxedSales(stores),
    documents: {
      statusOf: (context, documentId) => officeOf(services).statusOf(context, documentId),
      keptOf: keptDocuments,
    },
    contextOf: (storeId) => systemContext(contexts, clock, storeId),
    onError: (error) => {
      ground.onError(error);
    },
  };
  return services;
}

const NOBODY = new Set<Permission>();
const NO_CLIENT = {
  address: '',
  accessToken: undefined,
  refreshToken: undefined,
  baseUrl: '',
  storeSlug: undefined,
  userAgent: undefined,
  acceptLanguage: undefined,
  lastEventId: undefined,
};

/** For what the service does by itself in a store. */
const systemContext = (services: ContextServices, clock: Clock, storeId: string): StoreContext =>
  new StoreContext(services, {
    principal: { storeId, actor: SYSTEM, permissions: NOBODY },
    requestId: newId(clock.now()),
    seed: newSeed(clock.now()),
    keyed: false,
    claim: undefined,
    repeatSince: undefined,
    client: NO_CLIENT,
    ifMatch: undefined,
    minPosition: undefined,
  });
