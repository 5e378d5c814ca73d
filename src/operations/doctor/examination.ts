import { connect } from 'node:tls';
import type { LogArchive } from '../../ports/log-archive.js';
import type { Config } from '../../config.js';
import { copiedElsewhere } from '../backup/copied-elsewhere.js';
import { storeEvents } from '../../features/stores/events.js';
import { counted } from '../../kernel/events/history.js';
import { metaOf, recordedEvent } from '../../kernel/events/recorded.js';
import type { Finding } from './findings.js';
import { looked, note, ok, wrong } from './findings.js';
import { backupFolder, folder, nodeVersion, port, room } from './machine.js';
import { secretFindings } from './secrets.js';

type ServiceState = 'none' | 'answers' | 'silent';

/** What the examination asks of the engines. */
export interface Instruments {
  /** Whether a service runs on the data folder, and answers. */
  service(): Promise<ServiceState>;
  /** Opens the log; the vault's key is tried. Undefined where there is no log yet. */
  openLog(): Promise<LogArchive | undefined>;
  /** Goes through all that lies in the log that was opened, and in the vault beside it; throws at what is damaged. */
  expectSound(): Promise<void>;
  /** Each server with its version, or why it cannot be used. */
  servers(): Promise<readonly Finding[]>;
  lastBackupAt(directory: string): Promise<number | undefined>;
  now(): number;
}

const DAY = 86_400_000;
const SOON = 30 * DAY;
const LATE = 3;
const AHEAD = 60_000;
const PATIENCE = 5_000;

/** Looks at everything that keeps installations from working, and says what to do about it. */
export async function examine(config: Config, instruments: Instruments): Promise<readonly Finding[]> {
  const { DATA_DIR, HOST, PORT, BACKUP_DIR } = config;
  const service = await instruments.service().catch(() => 'none' as const);
  const looks = [
    looked('Node', () => nodeVersion()),
    looked('secrets', () => secretFindings(config)),
    looked('DATA_DIR', () => folder(DATA_DIR)),
    looked('disk of DATA_DIR', () => room('disk of DATA_DIR', DATA_DIR, 'commands are refused')),
    looked('HOST and PORT', () => serviceFinding(service) ?? port(HOST, PORT)),
    looked('servers', () => instruments.servers()),
    looked('log', () => logFindings(instruments)),
    looked('backups', () => backupFindings(config, instruments)),
    looked('PUBLIC_URL', () => publicAddresses(config, instruments.now())),
  ];
  if (BACKUP_DIR) {
    looks.push(
      looked('BACKUP_DIR', () => backupFolder(BACKUP_DIR)),
      looked('disk of BACKUP_DIR', () => room('disk of BACKUP_DIR', BACKUP_DIR, 'backups may fail')),
    );
  }
  return (await Promise.all(looks)).flat();
}

/** Undefined where none runs, so that its place is free for one. */
function serviceFinding(service: ServiceState): Finding | undefined {
  switch (service) {
    case 'none':
      return undefined;
    case 'answers':
      return ok('service', 'it runs on this data folder');
    case 'silent':
      return wrong(
        'service',
        'it runs on this data folder and does not answer: see its log, or end it and start it again',
      );
  }
}

async function logFindings(instruments: Instruments): Promise<readonly Finding[]> {
  const log = await instruments.openLog();
  if (!log) return [note('log', 'there is none yet: the first start makes it')];
  try {
    const stores = await log.stream('stores');
    const last = stores.at(-1);
    const at = last ? Date.parse(metaOf(last).at) : 0;
    const clock =
      at > instruments.now() + AHEAD
        ? wrong('clock', `the log has events of ${new Date(at).toISOString()}, which is later than now: set the clock`)
        : ok('clock', new Date(instruments.now()).toISOString());
    return [
      ok('log', `${log.logId}, and its key fits`),
      ...(await looked('events and vault', () => soundness(instruments))),
      clock,
      ...certificateFindings(stores, instruments.now()),
    ];
  } finally {
    await log.close();
  }
}

async function soundness(instruments: Instruments): Promise<Finding> {
  await instruments.expectSound();
  return ok('events and vault', 'all is as it was recorded');
}

/** The certificates with which stores sign, as their settings have them. */
function certificateFindings(events: Awaited<ReturnType<LogArchive['stream']>>, now: number): readonly Finding[] {
  const ends = new Map<string, string>();
  for (const stored of events) {
    if (stored.type !== 'StoreFiscalSettingsChanged') continue;
    const event = recordedEvent(storeEvents, stored);
    if (event.type !== 'StoreFiscalSettingsChanged') continue;
    const { id, fiscal } = event.data;
    if (fiscal.certificate) ends.set(id, fiscal.certificate.expiresAt);
    else ends.delete(id);
  }
  return [...ends].map(([id, end]) => endingOf(`certificate of store ${id}`, Date.parse(end), now));
}

function endingOf(about: string, end: number, now: number): Finding {
  const day = new Date(end).toISOString().slice(0, 10);
  if (end <= now) return wrong(about, `it ended on ${day}: put a new one in place`);
  if (end - now < SOON) return wrong(about, `it ends on ${day}: get the next one now`);
  return ok(about, `it is good until ${day}`);
}

async function backupFindings(config: Config, instruments: Instruments): Promise<Finding> {
  const { BACKUP_DIR, BACKUP_EVERY } = config;
  const elsewhere = copiedElsewhere(config);
  if (elsewhere !== undefined) {
    return BACKUP_DIR ? wrong('backups', `BACKUP_DIR makes none: ${elsewhere}`) : note('backups', elsewhere);
  }
  if (!BACKUP_DIR) return note('backups', 'none are made: set BACKUP_DIR to a folder on another disk');
  const at = await instruments.lastBackupAt(BACKUP_DIR);
  if (at === undefined) return wrong('backups', `there is none in ${BACKUP_DIR}: run npm run backup -- ${BACKUP_DIR}`);
  if (at > instruments.now() + AHEAD) {
    const says = `the last one bears the time ${new Date(at).toISOString()}, which is later than now`;
    return wrong('backups', `${says}: see that the clock is right, and run npm run backup -- ${BACKUP_DIR}`);
  }
  const minutes = Math.round((instruments.now() - at) / 60_000);
  const says = `the last one was made ${counted(minutes, 'minute', 'minutes')} ago`;
  return instruments.now() - at > LATE * BACKUP_EVERY
    ? wrong('backups', `${says}: look for "the backup failed" in the log`)
    : ok('backups', says);
}

/** Looks at the certificates of addresses with https, as clients meet them. */
function publicAddresses({ PUBLIC_URL = [], SMTP_URL }: Config, now: number): Promise<readonly Finding[]> {
  if (SMTP_URL && PUBLIC_URL.length === 0) {
    return Promise.resolve([
      note('PUBLIC_URL', 'links in mails lead to this machine alone: set it to the address that people use'),
    ]);
  }
  const secure = PUBLIC_URL.filter((address) => address.startsWith('https:'));
  return Promise.all(secure.map((address) => certificateAt(new URL(address), now)));
}

function certificateAt({ hostname, port: number, origin }: URL, now: number): Promise<Finding> {
  const about = `certificate of ${origin}`;
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(number || 443), servername: hostname, timeout: PATIENCE });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    socket.once('secureConnect', () => {
      end(endingOf(about, Date.parse(socket.getPeerCertificate().valid_to), now));
    });
    socket.once('timeout', () => {
      end(note(about, 'the address does not answer from this machine'));
    });
    socket.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const isCertificate = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code);
      end(
        isCertificate
          ? wrong(about, message)
          : note(about, `the address cannot be reached from this machine (${code})`),
      );
    });
  });
}
