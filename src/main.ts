import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { runCommand, runProjectionCommand, serveAdministration } from './operations/administration-socket.js';
import type { Config } from './config.js';
import { dampCrashLoop, endOnUncaught, forgetCrashes } from './crashes.js';
import { holdsData, InvalidConfiguration, listenOptions, parseConfig } from './config.js';
import { misspeltLine, misspeltSettings } from './misspelt-settings.js';
import type { DemoCredentials } from './demo/store.js';
import { ensureDemo } from './demo/store.js';
import { requestsInFlight } from './http/exchange/in-flight.js';
import type { Listening } from './http/server.js';
import { listen } from './http/server.js';
import { systemClock } from './kernel/values/clock.js';
import { openLog } from './log-lines.js';
import { boundMemory } from './memory-bound.js';
import { StoreUnavailable } from './ports/event-store.js';
import { isStartRefused } from './ports/start-refused.js';
import { copiedElsewhere } from './operations/backup/copied-elsewhere.js';
import { projectionCommands } from './operations/projection-commands.js';
import { closeWhatIsMade } from './private-folder.js';
import type { Service } from './service.js';
import { checkOf } from './core.js';
import { openService } from './service.js';

const PARENT_LOOK = 1_000;

/** Starts what ROLES names, and stops it cleanly. */
async function main(): Promise<void> {
  closeWhatIsMade();
  const config = parseConfig(process.env);
  boundMemory(config.MEMORY);
  const asked = stopSignal();
  const log = openLog(config.LOG_LEVEL, process.stdout);
  const { logger } = log;
  for (const slip of misspeltSettings(Object.keys(process.env))) logger.warn(misspeltLine(slip));
  const clock = systemClock();
  endOnUncaught({
    dataDir: config.DATA_DIR,
    logger,
    flush: () => {
      log.flush();
    },
    requests: requestsInFlight,
  });
  await dampCrashLoop(config.DATA_DIR, logger, asked);
  const hasDemo = config.DEMO && !config.EVENTSTORE_URL && !config.MONGODB_URL;
  let isWelcoming = hasDemo;
  // Who waits until the service is ready finds the demo store and its credentials.
  const readiness = { demoStore: () => (isWelcoming ? 'being made' : undefined) };
  const service = await openService({ config, clock, logger, readiness });
  const { core } = service;
  // Threads of the service that still run when the process exits may abort it.
  const orClosed = async (error: unknown): Promise<never> => {
    await service.close().catch(() => undefined);
    throw error;
  };
  const listening = await listenAsConfigured(service, config).catch(orClosed);
  core.listensAt(listening.url);
  if (config.SMTP_URL && !config.PUBLIC_URL) {
    logger.warn(
      { url: listening.url },
      'links in mails lead to this machine alone: set PUBLIC_URL to the address that people use',
    );
  }
  const elsewhere = copiedElsewhere(config);
  if (config.BACKUP_DIR && elsewhere !== undefined) {
    logger.warn(`BACKUP_DIR is set, and no backups are made: ${elsewhere}`);
  }
  // Who owns the data folder alone can change what is in it. Where servers hold everything, the command line needs nobody's help.
  const administration = holdsData(config) ? await serveCommands(service, config, logger).catch(orClosed) : undefined;
  const demo = { ...core, ...core.engines, ...service, clock, dataDir: config.DATA_DIR };
  const welcoming = hasDemo
    ? ensureDemo(demo, config.PUBLIC_URL?.[0] ?? listening.url, () => {
        logger.info({ url: listening.url }, 'making the demo store; this takes up to half a minute');
      })
    : Promise.resolve(undefined);

  void asked.then(async (signal) => {
    logger.info({ signal }, 'stopping');
    service.beginStop();
    await Promise.all([administration?.close(), listening.stop()]);
    await Promise.allSettled([welcoming]);
    await service.close();
    forgetCrashes(config.DATA_DIR);
    logger.info('stopped');
    log.flush();
    process.exit(0);
  });

  const welcomed = await welcoming;
  isWelcoming = false;
  if (welcomed?.made === true) printWelcome(welcomed.credentials, config);
  else if (process.stdout.isTTY) printAddress(listening.url, welcomed?.credentials, config);
  logger.info({ url: listening.url, port: listening.port, roles: [...config.ROLES] }, 'ready');
}

/** The first signal to stop. It is heard from now on: what comes during the start is followed right after it. */
const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, resolve);
    if (process.env['npm_lifecycle_event'] !== undefined) void endedParent().then(resolve);
  });

/** Whoever ends npm alone, even with SIGKILL, wants no service that stays behind. */
async function endedParent(): Promise<string> {
  const shell = process.ppid;
  const npm = parentOf(shell);
  for (;;) {
    await pause(PARENT_LOOK, undefined, { ref: false });
    if (process.ppid !== shell || (parentOf(shell) ?? npm) !== npm) return 'the end of npm';
  }
}

/** npm starts a shell that starts the service; the shell may outlive npm. Undefined where the system does not say, as while no file can be opened. */
function parentOf(pid: number): number | undefined {
  try {
    const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')) ?? [];
    return parent === undefined ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

async function listenAsConfigured({ app }: Service, config: Config): Promise<Listening> {
  try {
    return await listen(app, listenOptions(config));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new InvalidConfiguration(`wrong setting: HOST or PORT: ${error.message}`, { cause: error });
  }
}

const serveCommands = ({ core, projections }: Service, { DATA_DIR }: Config, logger: Logger) =>
  serveAdministration(DATA_DIR, (name, input) =>
    Object.hasOwn(projectionCommands, name)
      ? runProjectionCommand({ projections, logger, check: checkOf(core, projections, systemClock()) }, name, input)
      : runCommand(core.administration, name, input),
  );

const placesOf = (url: string, console: boolean): string =>
  `${console ? `console: ${url}/console/  ` : ''}documentation: ${url}/docs`;

function printWelcome(demo: DemoCredentials, { DATA_DIR, CONSOLE }: Config): void {
  const { baseUrl, storeSlug, username, password, apiKey } = demo;
  process.stdout.write(
    [
      '',
      `  Store Management listens on ${baseUrl}  (${placesOf(baseUrl, CONSOLE)})`,
      '',
      `  A demo store was made. Its credentials are in ${DATA_DIR}/demo-credentials.json:`,
      `    user:          ${username}`,
      `    password:      ${password}`,
      `    X-Store-Slug:  ${storeSlug}`,
      `    Authorization: Bearer ${apiKey}`,
      '',
      `  Try:  curl -H "X-Store-Slug: ${storeSlug}" -H "Authorization: Bearer ${apiKey}" ${baseUrl}/categories`,
      '',
      '',
    ].join('\n'),
  );
}

/** What somebody at a terminal wants to know of every start. */
function printAddress(url: string, demo: DemoCredentials | undefined, { DATA_DIR, PUBLIC_URL, CONSOLE }: Config): void {
  const address = PUBLIC_URL?.[0] ?? url;
  const lines = [`  Store Management listens on ${address}  (${placesOf(address, CONSOLE)})`];
  if (demo) {
    lines.push(`  Demo store: user ${demo.username}; password and API key are in ${DATA_DIR}/demo-credentials.json`);
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

try {
  await main();
} catch (error) {
  // Those of a wrong setting, a busy folder or a server that is away say all there is to say in a line.
  const known = isStartRefused(error) || error instanceof StoreUnavailable;
  const said = known ? error.message : String(error instanceof Error ? (error.stack ?? error) : error);
  process.stderr.write(`${said}\n`);
  process.exit(1);
}
