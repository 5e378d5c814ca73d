import { pino } from 'pino';
import { serveAdministration } from './administration-socket.js';
import type { Config } from './config.js';
import { InvalidConfiguration, parseConfig } from './config.js';
import type { DemoCredentials } from './demo.js';
import { ensureDemo } from './demo.js';
import { listen } from './http/server.js';
import { systemClock } from './kernel/clock.js';
import { openService } from './service.js';

/** Starts what ROLES names, and stops it cleanly. */
async function main(): Promise<void> {
  const config = parseConfig(process.env);
  // Lines are written beside the work; a clean stop flushes them.
  const destination = pino.destination({ sync: false });
  const logger = pino({ level: config.LOG_LEVEL }, destination);
  const clock = systemClock();
  const service = await openService({ config, clock, logger });
  const { core } = service;
  const listening = await listen(service.app, { host: config.HOST, port: config.PORT });
  const embedded = !config.EVENTSTORE_URL && !config.MONGODB_URL;
  // Where servers hold everything, the command line needs nobody's help.
  const onServers = config.EVENTSTORE_URL && config.MONGODB_URL;
  const administration = onServers ? undefined : await serveAdministration(config.DATA_DIR, core.administration);

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    void (async () => {
      administration?.close();
      await listening.stop();
      await service.close();
      logger.info('stopped');
      destination.flushSync();
      process.exit(0);
    })();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  if (embedded && config.DEMO) {
    const demo = await ensureDemo(
      { ...core, ...core.engines, clock, dataDir: config.DATA_DIR },
      config.PUBLIC_URL ?? listening.url,
    );
    if (demo) printWelcome(demo, config);
  }
  logger.info({ url: listening.url, port: listening.port, roles: [...config.ROLES] }, 'ready');
}

function printWelcome(demo: DemoCredentials, { DATA_DIR }: Config): void {
  const { baseUrl, storeSlug, username, password, apiKey } = demo;
  process.stdout.write(
    [
      '',
      `  Store Management listens on ${baseUrl}  (documentation: ${baseUrl}/docs)`,
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

try {
  await main();
} catch (error) {
  // Those of a wrong setting, a busy folder or a server that is away say all there is to say in a line.
  const known =
    error instanceof InvalidConfiguration ||
    (error instanceof Error && ['DataFolderBusy', 'StoreUnavailable'].includes(error.name));
  process.stderr.write(`${known ? error.message : String(error instanceof Error ? (error.stack ?? error) : error)}\n`);
  process.exit(1);
}
