import { parseArgs } from 'node:util';
import { destination, pino } from 'pino';
import { createApiKeyInput, createOwnedStoreInput } from '../src/operations/administration.js';
import { parseConfig } from '../src/config.js';
import { listen } from '../src/http/server.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { openService } from '../src/service.js';
import { asksForHelp } from './help.js';
import { fillStore } from './large-store/fill.js';
import { makeRegisters } from './large-store/registers.js';

/** Builds a data folder with one store that has a long history: what recalls and busy lanes are measured on. */

/** With fewer orders some bread would be sold before it is baked. */
const FEWEST = 1000;

const USAGE = `usage: npm run -s large-store -- --data-dir D [--orders N] [--lines N] [--slug S]
N is ${FEWEST} or more
`;
if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    orders: { type: 'string', default: '100000' },
    lines: { type: 'string', default: '1000000' },
    slug: { type: 'string', default: 'large' },
  },
});
const size = { orders: Number(values.orders), lines: Number(values.lines) };
const isSensible = (count: number): boolean => Number.isSafeInteger(count) && count >= FEWEST;
if (values['data-dir'] === undefined || !isSensible(size.orders) || !isSensible(size.lines)) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const config = parseConfig({
  ...process.env,
  DATA_DIR: values['data-dir'],
  PORT: '0',
  DEMO: 'false',
  RATE_LIMIT_PER_KEY: '0',
});
const logger = pino({ level: 'warn' }, destination({ fd: process.stderr.fd, sync: true }));
const service = await openService({ config, clock: systemClock(), logger });
const listening = await listen(service.app, { host: config.HOST, port: config.PORT });
const { administration, lanes } = service.core;
const { slug } = values;

const owner = { username: slug, email: `${slug}@store.example`, password: `${slug} store password` };
const store = createOwnedStoreInput.parse({ slug, name: 'Large store', segment: 'BAKERY', plan: 'api', ...owner });
const { storeId } = await administration.createOwnedStore(store);
const { key } = await administration.createApiKey(
  createApiKeyInput.parse({ store: slug, name: 'Large store', permissions: 'all' }),
);
const registers = await makeRegisters(async (path, body) => {
  const answer = await fetch(listening.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'X-Store-Slug': slug, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
});
const report = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
await fillStore({ lanes, storeId, registers, report }, size);
report('waiting for the projections');
await service.projections.caughtUp();
await listening.stop();
await service.close();
process.stdout.write(`${JSON.stringify({ storeId, slug, apiKey: key })}\n`);
