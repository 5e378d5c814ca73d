import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { listenOptions, parseConfig } from '../src/config.js';
import { listen } from '../src/http/server.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { openService } from '../src/service.js';

/** Writes the OpenAPI document, as an empty installation of this version serves it, to standard output. */
const dataDir = await mkdtemp(join(tmpdir(), 'openapi-'));
try {
  const config = parseConfig({ DATA_DIR: dataDir, PORT: '0', DEMO: 'false' });
  const service = await openService({ config, clock: systemClock(), logger: pino({ level: 'silent' }) });
  const listening = await listen(service.app, listenOptions(config));
  const document = await (await fetch(`${listening.url}/openapi.json`)).text();
  await listening.stop();
  await service.close();
  process.stdout.write(document);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
