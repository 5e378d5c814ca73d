import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { projectors } from '../projections/index.js';
import type { BcryptOptions } from './adapters/bcrypt/password-hasher.js';
import { BcryptPasswordHasher } from './adapters/bcrypt/password-hasher.js';
import { CheckpointFolder } from './adapters/checkpoint-folder.js';
import { openEmbeddedArchive } from './adapters/embedded/log/archive.js';
import type { EmbeddedLog } from './adapters/embedded/log/embedded-log.js';
import { openEmbeddedLog } from './adapters/embedded/log/embedded-log.js';
import { expectServerLog } from './adapters/embedded/log-check.js';
import { expectNoneBefore } from './adapters/embedded/log/log-before.js';
import { openEmbeddedReadModels } from './adapters/embedded/embedded-read-models.js';
import type { ScratchReadModels } from './adapters/embedded/scratch-copy.js';
import { openScratchReadModels, sweepScratchReadModels } from './adapters/embedded/scratch-copy.js';
import { linesPage, sealedPage } from './adapters/event-bytes.js';
import type { SimulatorOptions } from './adapters/fiscal-simulator/simulator.js';
import { FiscalSimulator } from './adapters/fiscal-simulator/simulator.js';
import { ChatCategoryAdviser } from './adapters/openai/category-adviser.js';
import { Outbox } from './adapters/smtp/outbox.js';
import { VaultLeases } from './adapters/vault-leases.js';
import type { Config } from './config.js';
import { expectNotMoved } from './adapters/embedded/moved-folder.js';
import { sharesOf } from './adapters/embedded/memory.js';
import type { OnDeleted } from './adapters/embedded/log/deleted-rows.js';
import { tellerHere } from './features/audit/events/told-page.js';
import { LogWalk } from './features/audit/verification/log-walk.js';
import { customerSearchPreparation } from './features/customers/search-preparation.js';
import type { Clock } from './kernel/values/clock.js';
import { toIso } from './kernel/values/clock.js';
import { storeApplier } from './kernel/projections/applier.js';
import { startProjections } from './kernel/projections/host.js';
import { preparedApplier } from './kernel/projections/preparation.js';
import type { Projections } from './kernel/projections/projections.js';
import { troubleTeller } from './log-lines.js';
import type { ScratchReplay } from './operations/projection-check.js';
import { SharedProjections } from './kernel/projections/shared-projections.js';
import type { EventStore, StoredEvent } from './ports/event-store.js';
import type { EventTeller } from './ports/event-teller.js';
import type { FiscalAuthority } from './ports/fiscal-authority.js';
import { START } from './ports/event-store.js';
import type { LogArchive } from './ports/log-archive.js';
import type { LogChecker } from './ports/log-checker.js';
import type { CategoryAdviser } from './ports/category-adviser.js';
import type { HttpPoster } from './ports/http-poster.js';
import type { KeptCheckpoints } from './ports/kept-checkpoints.js';
import type { Leases } from './ports/leases.js';
import type { Mailer } from './ports/mailer.js';
import type { PasswordHasher } from './ports/password-hasher.js';
import type { ReadModels } from './ports/read-models.js';
import type { Snapshots } from './ports/snapshots.js';
import type { Vault } from './ports/vault.js';
import type { ReadinessCheck } from './http/options.js';
import type { BackupServices } from './operations/backup/backups.js';
import type { Closing } from './opening.js';
import { opened } from './opening.js';
import type { Secrets } from './secrets.js';

export type { BcryptOptions };

const ARCHIVE_PAGE = 1_000;
const TELLING = new URL('./features/audit/events/told-page.js', import.meta.url);

/** The one place that knows which engine stands behind which port. What only some settings need is loaded when they ask for it: a start is felt. */

export interface Engines {
  readonly eventStore: EventStore;
  readonly teller: EventTeller;
  readonly checker: LogChecker;
  readonly vault: Vault;
  readonly reads: ReadModels;
  readonly snapshots: Snapshots;
  readonly hasher: PasswordHasher;
  readonly mailer: Mailer;
  readonly adviser: CategoryAdviser | undefined;
  readonly poster: HttpPoster;
  readonly leases: Leases;
  readonly checkpoints: KeptCheckpoints;
  /** Names this process where several share the work. */
  readonly holder: string;
  /** This process owns the data folder: no other can share its work while it runs. */
  readonly alone: boolean;
  readonly authority: FiscalAuthority;
  /** The simulated authority as it would have answered at another time; undefined where another one is spoken to. */
  readonly simulatedAt: ((clock: Clock) => FiscalAuthority) | undefined;
  /** Undefined where no backups are asked for, or none can be made. */
  readonly backups: Pick<BackupServices, 'backUp' | 'lastAt'> | undefined;
  startProjections(): Promise<Projections>;
  /** Read models of this log that are thrown away, on whatever engine the others are. */
  openScratchReadModels(): Promise<ScratchReadModels>;
  /** Deletes what nothing needs any more. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How slow hashes are; tests take cheaper ones. */
  readonly hashing?: BcryptOptions;
  /** What else must be so before the service calls itself ready. */
  readonly readiness?: Readonly<Record<string, ReadinessCheck>>;
  /** Where the simulated tax authority fails; tests say it. */
  readonly authorityFaults?: SimulatorOptions['faultAt'];
  /** How many milliseconds an answer waits for the tax authority's; tests wait longer, for the machine may be busy. */
  readonly authorityPatience?: number | undefined;
}

type WithSecrets = Surroundings & { readonly secrets: Secrets };

/** Throws StartRefused where the data folder is not one to begin or go on in. Nothing is written. */
export function expectFolderInOrder(config: Config): void {
  expectNotMoved(config.DATA_DIR, config);
  expectNoneBefore(config.DATA_DIR);
}

export function openEngines(surroundings: WithSecrets): Promise<Engines> {
  return opened((closing) => openAll(surroundings, closing));
}

async function openAll(surroundings: WithSecrets, closing: Closing): Promise<Omit<Engines, 'close'>> {
  const { config, clock } = surroundings;
  const data = await openData(surroundings, closing);
  const { mongo, log, eventStore, vault } = data;
  await sweepScratchReadModels(config.DATA_DIR);
  const outside = await openOutside(surroundings, vault, closing);
  const leases = new VaultLeases(vault, clock);
  const alone = log !== undefined;
  // Where the embedded log holds the events, and not only the vault, it has threads for what takes long.
  const here = config.EVENTSTORE_URL ? undefined : log;
  const teller = tellerHere(eventStore);
  const checker = new LogWalk(eventStore);
  const base = {
    ...outside,
    eventStore,
    teller: here?.openTeller(TELLING, teller) ?? teller,
    checker: here?.openChecker(checker) ?? checker,
    vault,
    leases,
    checkpoints: checkpointsOfDays(config),
    // Whoever owns the folder next takes over at once what this process leased.
    holder: alone ? 'owner of the data folder' : randomUUID(),
    alone,
    openScratchReadModels: () => openScratchReadModels(config.DATA_DIR, eventStore.logId),
    backups: here && !mongo ? await backupsOf(surroundings) : undefined,
  };
  const readModels = mongo
    ? await sharedReadModels(mongo, data, leases, surroundings)
    : await ownReadModels(data, surroundings, closing);
  return { ...base, ...readModels };
}

interface Data {
  readonly mongo: Awaited<ReturnType<typeof openServerData>> | undefined;
  /** Of events, vault or both, unless servers hold them. */
  readonly log: EmbeddedLog | undefined;
  readonly eventStore: EventStore;
  readonly vault: Vault;
}

/** The log and the vault, each in the data folder or on its server. */
async function openData(surroundings: WithSecrets, closing: Closing): Promise<Data> {
  const { config, secrets, clock } = surroundings;
  const mongo = config.MONGODB_URL ? await openServerData(config.MONGODB_URL, surroundings) : undefined;
  if (mongo) closing.add(mongo.close);
  const log =
    config.EVENTSTORE_URL && mongo
      ? undefined
      : await openEmbeddedLog({
          dataDir: config.DATA_DIR,
          secretsKey: secrets.secretsKey,
          clock,
          vaultElsewhere: mongo !== undefined,
          ...(config.BACKUP_DIR ? { onDeleted: erasuresOf(config.BACKUP_DIR, surroundings) } : {}),
        });
  if (log) closing.add(() => log.close());
  const eventStore = config.EVENTSTORE_URL ? await openServerLog(config.EVENTSTORE_URL, surroundings) : log?.eventStore;
  const vault = mongo?.vault ?? log?.vault;
  if (!eventStore || !vault) throw new Error('no engine was chosen');
  if (config.EVENTSTORE_URL) closing.add(() => eventStore.close());
  if (log && config.EVENTSTORE_URL && !mongo)
    await expectServerLog(config.DATA_DIR, vault, log.eventStore.logId, eventStore.logId);
  await mongo?.expectLog(eventStore.logId, config.EVENTSTORE_URL ? 'EVENTSTORE_URL' : 'DATA_DIR');
  return { mongo, log, eventStore, vault };
}

/** Whom the service speaks to, and what hashes beside it. */
async function openOutside(surroundings: Surroundings, vault: Vault, closing: Closing) {
  const { config, clock } = surroundings;
  const hasher = new BcryptPasswordHasher(surroundings.hashing);
  closing.add(() => hasher.close());
  const mailer = await openMailer(config, clock);
  closing.add(() => mailer.close());
  const authority = await openAuthority(surroundings, vault);
  closing.add(() => authority.close());
  const poster = await openPoster(config);
  closing.add(() => poster.close());
  const simulatedAt =
    config.FISCAL_AUTHORITY === 'simulator' ? (at: Clock) => new FiscalSimulator({ vault, clock: at }) : undefined;
  return { hasher, mailer, authority, simulatedAt, adviser: openAdviser(config), poster };
}

type OpenReadModels = Pick<Engines, 'reads' | 'snapshots' | 'startProjections' | 'sweep'>;

const onErrorOf =
  ({ logger }: Surroundings, tell = troubleTeller(logger)) =>
  (error: unknown): void => {
    tell(error, 'projections', 'error');
  };

/** In MongoDB: one process of all projects for them. */
async function sharedReadModels(
  mongo: NonNullable<Data['mongo']>,
  { eventStore, vault }: Data,
  leases: Leases,
  surroundings: Surroundings,
): Promise<OpenReadModels> {
  const { config, clock } = surroundings;
  const onError = onErrorOf(surroundings);
  const stored = await storeApplier(mongo.projectionStore, projectors, eventStore.logId);
  const applier = preparedApplier(stored, customerSearchPreparation(vault));
  return {
    reads: mongo.reads,
    snapshots: mongo.snapshots,
    startProjections: () =>
      Promise.resolve(
        new SharedProjections({
          leases,
          vault,
          holder: randomUUID(),
          works: config.ROLES.has('projections'),
          collections: applier.collections,
          logId: eventStore.logId,
          clock,
          head: () => eventStore.head(),
          checkpoints: () => applier.checkpoints(),
          start: () => startProjections({ eventStore, applier, clock, onError }),
          onError,
        }),
      ),
    sweep: async () => {
      await vault.sweep(clock.now());
      await mongo.sweep();
    },
  };
}

/** In the data folder, which this process alone has. */
async function ownReadModels(
  { eventStore, vault }: Data,
  surroundings: Surroundings,
  closing: Closing,
): Promise<OpenReadModels> {
  const { config, clock } = surroundings;
  const readModels = await openEmbeddedReadModels({
    dataDir: config.DATA_DIR,
    logId: eventStore.logId,
    memory: sharesOf(config.MEMORY),
  });
  closing.add(() => readModels.close());
  const applier = preparedApplier(readModels.applier, customerSearchPreparation(vault));
  return {
    reads: readModels.reads,
    snapshots: readModels.snapshots,
    startProjections: () => startProjections({ eventStore, applier, clock, onError: onErrorOf(surroundings) }),
    sweep: async () => {
      await vault.sweep(clock.now());
    },
  };
}

/** Replays the whole log into read models that are thrown away. */
export async function openReplay(engines: Engines, clock: Clock): Promise<ScratchReplay> {
  const { eventStore, vault } = engines;
  const scratch = await engines.openScratchReadModels();
  try {
    const applier = preparedApplier(scratch.applier, customerSearchPreparation(vault));
    const projections = await startProjections({ eventStore, applier, clock });
    return {
      reads: scratch.reads,
      every: scratch.every,
      projections,
      close: () => projections.close().finally(() => scratch.close()),
    };
  } catch (error) {
    await scratch.close();
    throw error;
  }
}

/** The embedded read models alone, of whatever projectors, in a folder that no service has. */
export const openReadModelsIn = openEmbeddedReadModels;

/** The log, to be read from its beginning; the service may run meanwhile. */
async function* allEvents(store: Pick<EventStore, 'readAll'>): AsyncGenerator<readonly StoredEvent[], void> {
  let after = START;
  for (;;) {
    const page = await store.readAll(after, ARCHIVE_PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.position;
  }
}

async function* mapped<A, B>(items: AsyncIterable<A>, map: (item: A) => B): AsyncGenerator<B, void> {
  for await (const item of items) yield map(item);
}

export const checkpointsOfDays = (config: Config) => new CheckpointFolder(join(config.DATA_DIR, 'checkpoints'));

/** A log to be read as it is, whoever writes to it: nothing is written. */
export async function openArchive({ config, clock, logger }: Surroundings): Promise<LogArchive> {
  const { EVENTSTORE_URL: url, DATA_DIR } = config;
  if (!url) return openEmbeddedArchive(DATA_DIR);
  const { openEventStoreDbToRead } = await import('./adapters/eventstoredb/event-store.js');
  const store = await openEventStoreDbToRead({ url, clock, log: logger });
  return {
    logId: store.logId,
    sealed: () => mapped(allEvents(store), sealedPage),
    lines: () => mapped(allEvents(store), linesPage),
    stream: (name) => store.readStream(name, { limit: Number.MAX_SAFE_INTEGER }),
    close: () => store.close(),
  };
}

async function backupsOf({ config, clock }: Surroundings): Promise<Engines['backups']> {
  const { BACKUP_DIR: directory, DATA_DIR: dataDir, SECRETS_KEY: secretsKey } = config;
  if (directory === undefined) return undefined;
  const { backUpBeside, lastBackupAt } = await import('./adapters/embedded/backup/beside-service.js');
  return {
    backUp: (signal) => backUpBeside({ dataDir, directory, secretsKey, now: clock.now() }, signal),
    lastAt: () => lastBackupAt(directory),
  };
}

/** Rows whose end is the end of what they opened. */
const ERASED: ReadonlySet<string> = new Set(['customer-key', 'fiscal-document-key']);

function erasuresOf(directory: string, { clock, logger }: Surroundings): OnDeleted {
  return async (deleted) => {
    const rows = deleted.filter(({ kind }) => ERASED.has(kind));
    if (rows.length === 0) return;
    const { noteErasures } = await import('./adapters/embedded/backup/beside-service.js');
    // The erasure itself stands: the next backup lacks the row.
    await noteErasures(directory, rows, toIso(clock.now())).catch((error: unknown) => {
      logger.error({ err: error }, 'an erasure could not be written into the list of BACKUP_DIR');
    });
  };
}

async function openServerLog(url: string, { clock, logger }: Surroundings) {
  const { openEventStoreDb } = await import('./adapters/eventstoredb/event-store.js');
  return openEventStoreDb({ url, clock, log: logger });
}

async function openServerData(url: string, { clock, secrets: { secretsKey } }: WithSecrets) {
  const { openMongo } = await import('./adapters/mongodb/open-mongo.js');
  return openMongo({ url, secretsKey, clock });
}

async function openMailer({ SMTP_URL, MAIL_FROM, DATA_DIR }: Config, clock: Clock): Promise<Mailer> {
  if (SMTP_URL) {
    const { SmtpMailer } = await import('./adapters/smtp/smtp-mailer.js');
    return new SmtpMailer({ url: SMTP_URL, sender: MAIL_FROM });
  }
  return new Outbox({ folder: join(DATA_DIR, 'outbox'), sender: MAIL_FROM, clock });
}

/** In production nothing but https to public addresses, whatever the settings say. */
async function openPoster({ NODE_ENV, WEBHOOK_ALLOW_PRIVATE }: Config): Promise<HttpPoster> {
  const { SafeHttpPoster } = await import('./adapters/safe-http/http-poster.js');
  return new SafeHttpPoster({ allowPrivate: WEBHOOK_ALLOW_PRIVATE && NODE_ENV !== 'production' });
}

/** Who takes fiscal documents: the authorities themselves, a transmitter, or a simulation. */
async function openAuthority(surroundings: Surroundings, vault: Vault): Promise<FiscalAuthority> {
  const { config, clock, logger, authorityFaults: faultAt } = surroundings;
  const { FISCAL_AUTHORITY, FISCAL_GATEWAY_URL: url, FISCAL_GATEWAY_TOKEN: token } = config;
  const { SEFAZ_ADDRESSES: addresses, SEFAZ_CA_FILE: authorities } = config;
  const onChange = (authority: string, change: string) => {
    logger.warn({ authority }, `the tax authority ${change}`);
  };
  const options = { vault, clock, onChange };
  if (FISCAL_AUTHORITY === 'sefaz') {
    const { openSefaz } = await import('./adapters/sefaz/open-sefaz.js');
    return openSefaz({ addresses, authorities }, options);
  }
  if (FISCAL_AUTHORITY === 'http' && url !== undefined) {
    const { openGateway } = await import('./adapters/fiscal-gateway/gateway-transport.js');
    return openGateway({ url, token, addresses, authorities }, options);
  }
  return new FiscalSimulator({ vault, clock, ...(faultAt ? { faultAt } : {}) });
}

function openAdviser({ AI_BASE_URL, AI_API_KEY, AI_MODEL }: Config): CategoryAdviser | undefined {
  if (!AI_BASE_URL || !AI_MODEL) return undefined;
  return new ChatCategoryAdviser({ baseUrl: AI_BASE_URL, apiKey: AI_API_KEY, model: AI_MODEL });
}
