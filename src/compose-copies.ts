import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.js';
import type { Clock } from './kernel/values/clock.js';
import type { MovingFolder } from './adapters/embedded/backup/moving.js';
import type { Closing } from './opening.js';
import { opened } from './opening.js';
import { copiedElsewhere } from './operations/backup/copied-elsewhere.js';
import type { Instruments } from './operations/doctor/examination.js';
import type { Finding } from './operations/doctor/findings.js';
import { looked, ok, wrong } from './operations/doctor/findings.js';
import type { Move, Moved } from './operations/move/move.js';
import type { RowSeal } from './ports/moving.js';
import { StartRefused } from './ports/start-refused.js';
import { loadSecrets } from './secrets.js';

/** Copies of an installation, and its moves from one engine to another: beside `compose.ts` the place that knows the engines. */

interface RestoreAsked {
  readonly directory: string;
  /** To be restored to; the whole backup without it. */
  readonly at: { readonly time: number } | { readonly position: number } | undefined;
}

/** Copies what is new into a folder, while the service runs or without one. */
export async function backUp(config: Config, directory: string, clock: Clock) {
  expectEmbedded(config, 'a backup');
  const { expectNotMoved } = await import('./adapters/embedded/moved-folder.js');
  expectNotMoved(config.DATA_DIR, config);
  const { backUp: copy } = await import('./adapters/embedded/backup/backing-up.js');
  return copy({ dataDir: config.DATA_DIR, directory, secretsKey: config.SECRETS_KEY, now: clock.now() });
}

/** Makes an empty data folder what it was when it was backed up, or before. */
export async function restore(config: Config, asked: RestoreAsked, clock: Clock) {
  expectEmbedded(config, 'a restore');
  const { restore: make } = await import('./adapters/embedded/backup/restoring.js');
  const { restoreRules: rules } = await import('./operations/backup/restore-rules.js');
  return make({ ...asked, dataDir: config.DATA_DIR, secretsKey: config.SECRETS_KEY, now: clock.now(), rules });
}

function expectEmbedded(config: Config, what: string): void {
  const elsewhere = copiedElsewhere(config);
  if (elsewhere === undefined) return;
  const name = config.EVENTSTORE_URL ? 'EVENTSTORE_URL' : 'MONGODB_URL';
  throw new StartRefused(`${what} is of all in the data folder, and ${name} is set: ${elsewhere}`);
}

export interface MoveAsked {
  readonly direction: 'to' | 'from';
  /** At least one of them is there. */
  readonly eventStoreUrl: string | undefined;
  readonly mongoUrl: string | undefined;
}

/** Brings log, vault or both from the data folder to servers, or back. Either side keeps what it has until all of it has arrived. */
export async function moveInstallation(
  config: Config,
  asked: MoveAsked,
  onProgress: Move['onProgress'],
): Promise<Moved> {
  const { SECRETS_KEY, DATA_DIR } = config;
  if (!SECRETS_KEY && !existsSync(join(DATA_DIR, 'secrets.json'))) {
    throw new StartRefused('SECRETS_KEY is missing: the vault cannot be opened without it');
  }
  const { secretsKey } = await loadSecrets(config);
  const { move } = await import('./operations/move/move.js');
  const { rowSeal } = await import('./adapters/row-seal.js');
  const seal = rowSeal(secretsKey);
  const { refuseForDisk } = await import('./adapters/embedded/own-file.js');
  const refused = (error: unknown): never => {
    refuseForDisk(error, DATA_DIR);
    throw error;
  };
  const parts = await opened((closing) => partsOf(config, asked, { secretsKey, seal }, closing)).catch(refused);
  try {
    // Whoever uses a vault on a server need not have this folder.
    const isShared = asked.direction === 'from' && asked.mongoUrl !== undefined;
    const now = isShared ? () => Date.now() : undefined;
    return await move({ ...parts, seal, now, onProgress }).catch(refused);
  } finally {
    await parts.close();
  }
}

type Parts = Pick<Move, 'log' | 'vault' | 'logId'>;

interface Key {
  readonly secretsKey: Buffer;
  readonly seal: RowSeal;
}

async function partsOf(config: Config, asked: MoveAsked, { secretsKey, seal }: Key, closing: Closing): Promise<Parts> {
  const { direction, eventStoreUrl, mongoUrl } = asked;
  const { MovingFolder: Folder } = await import('./adapters/embedded/backup/moving.js');
  const fresh = direction === 'from' && eventStoreUrl !== undefined && mongoUrl !== undefined;
  const folder = new Folder(config.DATA_DIR, secretsKey, fresh);
  closing.add(() => {
    folder.close();
  });
  const log = eventStoreUrl === undefined ? undefined : await movingLog(eventStoreUrl, closing);
  const vault = mongoUrl === undefined ? undefined : await movingVault(mongoUrl, closing);
  if (direction === 'from') await log?.identify();
  const logParts =
    log && (direction === 'to' ? { from: folder.logToMove(), to: log } : { from: log, to: folder.logTarget() });
  const logId = logParts?.from.logId ?? folder.followedLogId;
  if (direction === 'from') await vault?.identify(logId, log ? 'EVENTSTORE_URL' : 'DATA_DIR', seal);
  return {
    log: logParts,
    vault: vault ? vaultParts(folder, vault, direction) : folder.vaultThatStays(),
    logId,
  };
}

type MovingVault = Awaited<ReturnType<typeof movingVault>>;

const vaultParts = (folder: MovingFolder, vault: MovingVault, direction: MoveAsked['direction']): Move['vault'] =>
  direction === 'to' ? { from: folder.vaultToMove(), to: vault } : { from: vault, to: folder.vaultTarget() };

async function movingLog(url: string, closing: Closing) {
  const { openMovingLog } = await import('./adapters/eventstoredb/event-store.js');
  const opened = openMovingLog(url);
  closing.add(() => opened.close());
  return opened.log;
}

async function movingVault(url: string, closing: Closing) {
  const { openMovingVault } = await import('./adapters/mongodb/open-mongo.js');
  const opened = openMovingVault(url);
  closing.add(() => opened.close());
  return opened.vault;
}

/** One that begins, or is busy, takes some seconds. */
const PATIENCE_WITH_SERVICE = 15_000;

/** What the doctor asks of the engines. */
export function openInstruments(config: Config, clock: Clock, patience = PATIENCE_WITH_SERVICE): Instruments {
  const { EVENTSTORE_URL, MONGODB_URL, DATA_DIR } = config;
  return {
    now: () => clock.now(),
    async service() {
      const { askRunningService } = await import('./operations/administration-socket.js');
      const late = AbortSignal.timeout(patience);
      try {
        const answer = await askRunningService(DATA_DIR, 'projections status', {}, late);
        return answer === undefined ? 'none' : 'answers';
      } catch (error) {
        if (late.aborted) return 'silent';
        throw error;
      }
    },
    async openLog() {
      if (EVENTSTORE_URL) return undefined; // said with the servers
      const { expectNotMoved } = await import('./adapters/embedded/moved-folder.js');
      expectNotMoved(DATA_DIR, config);
      const { expectKey, openEmbeddedArchive } = await import('./adapters/embedded/log/archive.js');
      const { expectNoneBefore, lacksLog } = await import('./adapters/embedded/log/log-before.js');
      expectNoneBefore(DATA_DIR);
      if (lacksLog(DATA_DIR)) return undefined;
      expectKey(DATA_DIR, (await loadSecrets(config)).secretsKey);
      return openEmbeddedArchive(DATA_DIR);
    },
    async expectSound() {
      const { expectSound } = await import('./adapters/embedded/log/soundness.js');
      const { vaultCipher } = await import('./adapters/vault-cipher.js');
      expectSound(DATA_DIR, vaultCipher((await loadSecrets(config)).secretsKey));
    },
    servers: async () => [
      ...(EVENTSTORE_URL ? await looked('EVENTSTORE_URL', () => lookAtEventStore(EVENTSTORE_URL)) : []),
      ...(MONGODB_URL ? await looked('MONGODB_URL', () => lookAtMongo(MONGODB_URL)) : []),
    ],
    async lastBackupAt(directory) {
      const { lastBackupAt } = await import('./adapters/embedded/backup/beside-service.js');
      return lastBackupAt(directory);
    },
  };
}

async function lookAtEventStore(url: string): Promise<Finding> {
  const { logIdAt } = await import('./adapters/eventstoredb/event-store.js');
  const logId = await logIdAt(url);
  return ok(
    'EVENTSTORE_URL',
    logId === undefined ? 'it answers, and holds no log yet' : `it answers, with the log ${logId}`,
  );
}

const OLDEST_MONGO = [4, 4] as const;

async function lookAtMongo(url: string): Promise<Finding> {
  const { mongoVersion } = await import('./adapters/mongodb/open-mongo.js');
  const version = await mongoVersion(url);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_MONGO;
  const suffices = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return suffices
    ? ok('MONGODB_URL', `it answers, version ${version}`)
    : wrong('MONGODB_URL', `version ${version} is too old: ${OLDEST_MONGO.join('.')} or newer is needed`);
}
