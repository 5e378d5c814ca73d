import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { SHELVES } from '../../src/demo/catalogue.js';
import { CUSTOMERS } from '../../src/demo/customers.js';
import { DAYS } from '../../src/demo/trade.js';
import { callStore } from '../support/category-load.js';
import {
  demoCredentials,
  freshFolder,
  logOf,
  startProcess,
  startService,
  stopAll,
  stopService,
} from '../support/service-process.js';
import { storedEvents } from '../support/stored-log.js';
import { until } from '../support/until.js';
import { callService } from '../support/world.js';

const DEMO = { DEMO: 'true' };
const CREDENTIALS = 'demo-credentials.json';
const PRODUCTS = SHELVES.reduce((sum, { products }) => sum + products.length, 0);

afterEach(stopAll);

/** The read models that do not show all of the log yet. */
async function behind(url: string): Promise<readonly string[]> {
  const { body } = await callService(`${url}/healthz`, 'GET', undefined, {});
  const { projections } = body as {
    readonly projections: readonly { readonly name: string; readonly lagEvents: number }[];
  };
  return projections.filter(({ lagEvents }) => lagEvents > 0).map(({ name }) => name);
}

/** The demo store is there once, whole, and its credentials work. */
async function expectDemo(dataDir: string, url: string): Promise<void> {
  const { storeSlug, username, password, apiKey } = await demoCredentials(dataDir);
  expect((await stat(join(dataDir, CREDENTIALS))).mode & 0o777).toBe(0o600);
  const listed = await callStore(url, { slug: storeSlug, key: apiKey }, 'GET', '/categories');
  expect(listed.status).toBe(200);
  const names = (listed.body as readonly { readonly name: string }[]).map(({ name }) => name);
  expect(new Set(names).size).toBe(14);
  expect(names).toHaveLength(14);
  const products = await callStore(url, { slug: storeSlug, key: apiKey }, 'GET', '/products');
  expect(products.body).toMatchObject({ total: PRODUCTS, inactiveCount: 1, missingCreditCount: 2 });
  const kit = await callStore(url, { slug: storeSlug, key: apiKey }, 'GET', '/products?q=KIT-001');
  expect((kit.body as { items: readonly { components: readonly object[] }[] }).items[0]?.components).toHaveLength(5);
  const recipes = await callStore(url, { slug: storeSlug, key: apiKey }, 'GET', '/bakery-production/recipes');
  const rows = recipes.body as readonly { readonly name: string; readonly currentVersion: number; drafts: object }[];
  expect(rows).toHaveLength(8);
  expect(rows.find(({ name }) => name === 'Pão Francês')).toMatchObject({ currentVersion: 3, drafts: ['draft-1'] });
  const sales = await callStore(url, { slug: storeSlug, key: apiKey }, 'GET', '/sales?limit=200&status=COMPLETED');
  const sold = (sales.body as { items: { number: number; customerName: string | null }[] }).items;
  expect(sold).toHaveLength(200);
  expect(sold.some(({ customerName }) => customerName !== null)).toBe(true);
  const fees = await callStore(url, { slug: storeSlug, key: apiKey }, 'GET', '/card-fees');
  const { accounts } = fees.body as { accounts: { name: string; active: boolean }[] };
  expect(accounts.map(({ name, active }) => [name, active]).sort()).toEqual([
    ['Balcão', false],
    ['Entrega', true],
  ]);
  expect(fees.body).toMatchObject({ autoAdjust: { enabled: true, tiers: { length: 2 } } });
  const jobs = await callStore(url, { slug: storeSlug, key: apiKey }, 'GET', '/card-fees/calc-jobs');
  const [job] = (jobs.body as { items: { month: string; progress: { matched: number } }[] }).items;
  expect(job).toMatchObject({ status: 'DONE', progress: { failed: 0 } });
  const again = await callStore(url, { slug: storeSlug, key: apiKey }, 'POST', '/card-fees/recalc-month/preview', {
    month: job?.month,
  });
  // What the demonstration wrote down is what a recalculation would have come to.
  expect(again.body).toMatchObject({ totalMatched: job?.progress.matched, updated: 0, failed: 0 });
  const login = await callService(`${url}/auth/login`, 'POST', { username, password }, {});
  expect(login.status).toBe(200);
}

test('the first start makes the demo store and says how to use it, a later one changes nothing', async () => {
  const dataDir = await freshFolder();
  const first = await startService(dataDir, DEMO);
  const { baseUrl, apiKey } = await demoCredentials(dataDir);
  expect(baseUrl).toBe(first.url);
  expect(first.out).toContain(first.url);
  expect(first.out).toContain(apiKey);
  expect(await behind(first.url)).toEqual([]);
  await expectDemo(dataDir, first.url);
  await stopService(first);
  const [events, kept] = [await storedEvents(dataDir), await readFile(join(dataDir, CREDENTIALS), 'utf8')];

  const second = await startService(dataDir, DEMO);
  expect(second.out).not.toContain(apiKey);
  expect(logOf(second.out).some(({ msg }) => msg === 'ready')).toBe(true);
  await stopService(second);
  expect(await storedEvents(dataDir)).toEqual(events);
  // The address follows the service, and nothing else changes.
  expect(await readFile(join(dataDir, CREDENTIALS), 'utf8')).toBe(kept.replace(first.url, second.url));
});

test('a first start is not ready before the demo store and its credentials are there', async () => {
  const dataDir = await freshFolder();
  const first = startProcess(dataDir, DEMO);
  const lineOfMaking = () => logOf(first.out).find(({ msg }) => String(msg).startsWith('making the demo store'));
  await until('it makes the demo store', () => lineOfMaking() !== undefined);
  const url = String(lineOfMaking()?.['url']);
  const ready = () => callService(`${url}/readyz`, 'GET', undefined, {});
  expect(await ready()).toMatchObject({
    status: 503,
    body: { code: 'NOT_READY', missing: { demoStore: 'being made' } },
  });
  await until('it is ready', async () => (await ready()).status === 200);
  await expectDemo(dataDir, url);
  await stopService(first);
});

test('DEMO=false makes none', async () => {
  const dataDir = await freshFolder();
  await stopService(await startService(dataDir, { DEMO: 'false' }));
  expect(await storedEvents(dataDir)).toEqual([]);
  expect(existsSync(join(dataDir, CREDENTIALS))).toBe(false);
});

/** What exists in the data folder when the first start is killed, and how long after it came. */
test.each([
  ['secrets.json', 0],
  ['admin.sock', 0],
  ['admin.sock', 200],
  [CREDENTIALS, 0],
])('a first start killed once there is %s, after %d ms, is finished by the next', async (file, milliseconds) => {
  const dataDir = await freshFolder();
  const first = startProcess(dataDir, DEMO);
  await until(`there is ${file}`, () => existsSync(join(dataDir, file)));
  await pause(milliseconds);
  first.kill('SIGKILL');
  await first.ended;

  const second = await startService(dataDir, DEMO);
  await until('what the first start wrote is projected', async () => (await behind(second.url)).length === 0);
  await expectDemo(dataDir, second.url);
  await stopService(second);
  const events = await storedEvents(dataDir);
  const ofType = (wanted: string) => events.filter(({ type }) => type === wanted);
  const counted = {
    StoreCreated: 1,
    AccountRegistered: 1,
    ProductCreated: PRODUCTS,
    KitComponentsReplaced: 1,
    RecipeCreated: 8,
    RecipeVersionActivated: 2,
    RecipeDraftSaved: 1,
    CustomerRegistered: CUSTOMERS.length,
  };
  expect(Object.fromEntries(Object.keys(counted).map((type) => [type, ofType(type).length]))).toEqual(counted);
  const sales = ofType('SaleCompleted');
  const ids = sales.map(({ data }) => (JSON.parse(data) as { readonly saleId: string }).saleId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(DAYS * 10);
});

test('a stop during the first start ends it in order, and the next goes on', async () => {
  const dataDir = await freshFolder();
  const first = startProcess(dataDir, DEMO);
  await until('it listens', () => existsSync(join(dataDir, 'admin.sock')));
  await stopService(first);
  expect(first.err).toBe('');
  await expectDemo(dataDir, (await startService(dataDir, DEMO)).url);
});
