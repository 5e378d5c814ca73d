import { parseArgs } from 'node:util';
import { destination, pino } from 'pino';
import { createApiKeyInput, createOwnedStoreInput } from '../src/operations/administration.js';
import { parseConfig } from '../src/config.js';
import { listen } from '../src/http/server.js';
import type { Clock } from '../src/kernel/values/clock.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { messageOf } from '../src/kernel/values/message-of.js';
import { openCore } from '../src/core.js';
import type { Service } from '../src/service.js';
import { openService } from '../src/service.js';
import { asksForHelp } from './help.js';
import { bakeryDays, fillBakery } from './large-store/bakery.js';
import { fillStore } from './large-store/fill.js';
import { makeRegisters } from './large-store/registers.js';

/** Builds a data folder with one store that has a long history: what recalls and busy lanes are measured on. */

/** With fewer orders some bread would be sold before it is baked. */
const FEWEST = 1000;

const DAY = 86_400_000;

const USAGE = `usage: npm run -s large-store -- --data-dir D [--orders N] [--lines N] [--slug S]
       npm run -s large-store -- --data-dir D --events N [--slug S]   years of a bakery, written without a service: quicker
N is ${FEWEST} or more
`;
if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const text = { type: 'string' } as const;
const options = {
  'data-dir': text,
  orders: { ...text, default: '100000' },
  lines: { ...text, default: '1000000' },
  events: text,
  slug: { ...text, default: 'large' },
};

function asked() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}`);
    process.exit(2);
  }
}

const values = asked();
const size = { orders: Number(values.orders), lines: Number(values.lines) };
const events = values.events === undefined ? undefined : Number(values.events);
const isSensible = (count: number): boolean => Number.isSafeInteger(count) && count >= FEWEST;
if (
  values['data-dir'] === undefined ||
  !isSensible(size.orders) ||
  !isSensible(size.lines) ||
  !isSensible(events ?? FEWEST)
) {
  process.stderr.write(USAGE);
  process.exit(2);
}

// Of the installation whose settings these may be the keys alone are meant, not its servers, addresses and backups.
const { SECRETS_KEY, JWT_SECRET } = process.env;
const config = parseConfig({
  SECRETS_KEY,
  JWT_SECRET,
  DATA_DIR: values['data-dir'],
  PORT: '0',
  DEMO: 'false',
  RATE_LIMIT_PER_KEY: '0',
});
const logger = pino({ level: 'warn' }, destination({ fd: process.stderr.fd, sync: true }));
const surroundings = { config, clock: systemClock(), logger };
const { slug } = values;
const report = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** A new store with its products, made over HTTP. */
async function makeStore({ app, core: { administration } }: Service) {
  const listening = await listen(app, { host: config.HOST, port: config.PORT });
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
  await listening.stop();
  return { storeId, registers, apiKey: key };
}

/** What a store sells was there before it sold any of it. */
const beginning = (): Clock => {
  const ago = events === undefined ? 0 : (bakeryDays(events) + 1) * DAY;
  return systemClock(() => Date.now() - ago);
};

let service = await openService({ ...surroundings, clock: beginning() });
const { storeId, registers, apiKey } = await makeStore(service);
const filling = { storeId, registers, report };
if (events === undefined) {
  await fillStore({ ...filling, lanes: service.core.lanes }, size);
} else {
  // Nothing is projected while the log is written: afterwards it goes in greater batches.
  await service.close();
  const core = await openCore(surroundings);
  await fillBakery({ ...filling, lanes: core.lanes }, events);
  await core.lanes.snapshotIdle(0);
  await core.close();
  service = await openService(surroundings);
}
report('waiting for the projections');
await service.projections.caughtUp();
await service.close();
process.stdout.write(`${JSON.stringify({ storeId, slug, apiKey })}\n`);
