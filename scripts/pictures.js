// Takes the pictures of the README from a fresh demo store, in light and dark: `npm run pictures`. It needs a Chromium,
// Debian's or one that CHROMIUM names.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FOLDER = 'docs/pictures';
const SIZE = { width: 1200, height: 750 };
const MOST_BYTES = 150_000;
const QUALITY = 0.9;
const START_MILLISECONDS = 180_000;
const PATIENCE_MILLISECONDS = 120_000;

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

/** What each picture shows, and what is done before it is taken. */
const pictures = [
  { name: 'today', path: () => 'hoje' },
  { name: 'production', path: () => 'producao' },
  { name: 'recall', path: ({ lotCode }) => `recall?lot=${lotCode}` },
  { name: 'till', path: () => 'caixa', prepare: sellSomething },
  { name: 'why', path: ({ orderId }) => `producao/${orderId}`, prepare: askWhy },
  { name: 'audit', path: ({ productId }) => `auditoria/product/${productId}` },
];

async function sellSomething(page, { gtins }) {
  for (const gtin of gtins) {
    const code = page.getByRole('main').getByRole('combobox');
    await code.fill(`2*${gtin}`);
    await code.press('Enter');
    await pause();
  }
}

/** The tree of a figure, opened down to a receipt. */
async function askWhy(page) {
  await page
    .getByRole('button', { name: /^Por quê\?/ })
    .first()
    .click();
  await page.locator('.why-total').waitFor();
  await page.locator('.why details').first().locator('summary').first().click();
}

/** Waits until what was asked for is shown. */
async function settled(page) {
  await page.locator('main h1').first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.locator('main :is(.loading, tr.waiting)').first().waitFor({ state: 'hidden' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

async function startDemo(dataDir) {
  const { BACKUP_DIR: _, EVENTSTORE_URL: _log, MONGODB_URL: _models, ...rest } = process.env;
  const env = { ...rest, DATA_DIR: dataDir, PORT: '0', DEMO: 'true', LOG_LEVEL: 'error' };
  const service = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const credentials = join(dataDir, 'demo-credentials.json');
  const until = Date.now() + START_MILLISECONDS;
  while (!existsSync(credentials)) {
    if (service.exitCode !== null || Date.now() > until) throw new Error('the demo store did not start');
    await pause();
  }
  await pause();
  return { service, demo: JSON.parse(await readFile(credentials, 'utf8')) };
}

async function stop(service) {
  if (service.exitCode !== null) return;
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  await ended;
}

/** Records worth a picture, found by what the demo store has; a price is changed, so that a history has something to tell. */
async function findRecords({ baseUrl, apiKey, storeSlug }) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'x-store-slug': storeSlug,
    'content-type': 'application/json',
  };
  const read = async (path) => (await fetch(baseUrl + path, { headers })).json();
  const orders = await read('/bakery-production/orders?status=COMPLETED&limit=1');
  const [order] = orders.items ?? orders;
  const { lines } = await read(`/explain/orders/${order.id}`);
  const lot = await read(`/stock/lots/${lines.find(({ ref }) => ref).ref}`);
  const products = await read('/products?take=100&active=true');
  const sold = products.items.filter(
    ({ isFavorite, saleUnit, stockQty, variants }) =>
      isFavorite && saleUnit === 'UN' && stockQty >= 2 && variants[0]?.gtin,
  );
  const [product] = sold;
  const dearer = (price, cents) => (Math.round(price * 100) + cents) / 100;
  const { priceCash, priceCredit } = product;
  const change = JSON.stringify({ priceCash: dearer(priceCash, 40), priceCredit: dearer(priceCredit, 50) });
  const changed = await fetch(`${baseUrl}/products/${product.id}`, { method: 'PATCH', headers, body: change });
  if (!changed.ok) throw new Error(`the price could not be changed: ${await changed.text()}`);
  return {
    orderId: order.id,
    lotCode: lot.lotCode,
    productId: product.id,
    gtins: sold.slice(0, 3).map(({ variants }) => variants[0].gtin),
  };
}

async function signedIn(browser, { baseUrl, username, password }) {
  const context = await browser.newContext({ locale: 'pt-BR' });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/console/`);
  await page.getByLabel('Usuário ou e-mail').fill(username);
  await page.getByLabel('Senha').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.workplace').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** The browser itself makes a small WebP of what it shows. */
async function webp(browser, png) {
  const page = await browser.newPage();
  const address = await page.evaluate(
    async ([data, quality]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality);
    },
    [png.toString('base64'), QUALITY],
  );
  await page.close();
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}

async function take(browser, storageState, { baseUrl, records }, colorScheme) {
  const look = { locale: 'pt-BR', reducedMotion: 'reduce', colorScheme };
  const context = await browser.newContext({ ...look, storageState, viewport: SIZE });
  context.setDefaultTimeout(PATIENCE_MILLISECONDS);
  for (const { name, path, prepare } of pictures) {
    const page = await context.newPage();
    await page.goto(`${baseUrl}/console/${path(records)}`);
    await settled(page);
    await prepare?.(page, records);
    const picture = await webp(browser, await page.screenshot());
    if (picture.length > MOST_BYTES) throw new Error(`${name} takes ${picture.length} bytes`);
    const file = `${FOLDER}/${name}-${colorScheme}.webp`;
    await writeFile(file, picture);
    process.stdout.write(`${file} ${picture.length}\n`);
    await page.close();
  }
  await context.close();
}

const executablePath = BROWSERS.find((path) => path !== undefined && existsSync(path));
if (executablePath === undefined) throw new Error('no Chromium is installed here: name one with CHROMIUM');
const dataDir = await mkdtemp(join(tmpdir(), 'pictures-'));
await mkdir(FOLDER, { recursive: true });
const { service, demo } = await startDemo(dataDir);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const state = await signedIn(browser, demo);
  const records = await findRecords(demo);
  for (const colorScheme of ['light', 'dark']) {
    await take(browser, state, { baseUrl: demo.baseUrl, records }, colorScheme);
  }
} finally {
  await browser.close();
  await stop(service);
  await rm(dataDir, { recursive: true, force: true });
}
