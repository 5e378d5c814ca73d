import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, noonInStore, openConsole, settled, STORE_ZONE } from '../support/console-pages.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

const DAY_MILLISECONDS = 86_400_000;

/** Pages that nobody looks at for a while. */
inBrowser(`pages left open in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const dayWritten = (at: number): string =>
    new Intl.DateTimeFormat('pt-BR', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      timeZone: STORE_ZONE,
    }).format(at);

  test('a new day begins on a page that is open over midnight, and what it shows of the store is read anew', async () => {
    const { page, close } = await pages.open('/console/hoje');
    const now = noonInStore();
    await page.clock.install({ time: now });
    await page.reload();
    await settled(page);
    await page.getByText(dayWritten(now)).waitFor();
    const isReadAnew = page.waitForRequest((request) => request.url().includes('/stock/expiring'));
    await page.clock.fastForward(DAY_MILLISECONDS);
    await page.getByText(dayWritten(now + DAY_MILLISECONDS)).waitFor();
    await isReadAnew;
    await close();
  });

  test('the day that is proposed for a plan is the next one also on the morning after, and one that was chosen stays', async () => {
    const { page, close } = await pages.open('/console/producao/planejar');
    const now = noonInStore();
    await page.clock.install({ time: now });
    await page.reload();
    await settled(page);
    const day = page.getByLabel('Para quando');
    const proposed = await day.inputValue();
    await page.clock.fastForward(DAY_MILLISECONDS);
    await page.waitForFunction(([field, before]) => (field as HTMLInputElement).value > before, [
      await day.elementHandle(),
      proposed,
    ] as const);
    const next = await day.inputValue();
    expect(Date.parse(next) - Date.parse(proposed)).toBe(DAY_MILLISECONDS);
    await day.fill('2031-03-04');
    const isReadAnew = page.waitForRequest((request) => request.url().includes('/bakery-production/recipes'));
    await page.clock.fastForward(DAY_MILLISECONDS);
    await isReadAnew;
    await settled(page);
    expect(await day.inputValue()).toBe('2031-03-04');
    await close();
  });

  test('the month that is proposed to an accountant is the one that ended last, also once another has ended', async () => {
    const { page, close } = await pages.open('/console/documentos/mes');
    const now = noonInStore();
    await page.clock.install({ time: now });
    await page.reload();
    await settled(page);
    const month = page.getByLabel('Mês');
    const proposed = await month.inputValue();
    await page.clock.fastForward(31 * DAY_MILLISECONDS);
    await page.waitForFunction(([field, before]) => (field as HTMLInputElement).value > before, [
      await month.elementHandle(),
      proposed,
    ] as const);
    await close();
  });

  test('a device whose clock is a day behind is told so until it is set right', async () => {
    const { page, close } = await pages.open('/console/hoje');
    const isTold = page.getByText(/^O relógio deste aparelho está errado: aqui são /);
    await settled(page);
    expect(await isTold.count()).toBe(0);
    await page.clock.install({ time: Date.now() - DAY_MILLISECONDS });
    await page.reload();
    await isTold.waitFor();
    await page.clock.setSystemTime(Date.now());
    await page.clock.runFor('01:00');
    await isTold.waitFor({ state: 'detached' });
    await close();
  });

  test('a page that loses the service says since when it may show what was, until it is there again and all is read anew', async () => {
    const { page, close } = await pages.open('/console/categorias');
    await settled(page);
    const isTold = page.getByText(/^O serviço não responde desde .*O que está nesta página pode ter mudado/);
    expect(await isTold.count()).toBe(0);
    await page.route('**/auth/presence', (route) => route.fulfill({ status: 502, body: '' }));
    // Of what happens meanwhile it hears nothing.
    await page.route('**/live', (route) => route.abort());
    await page.reload();
    await isTold.waitFor();
    expect((await pages.call('POST', '/categories', { name: 'Feita no silêncio' })).status).toBe(201);
    await page.unroute('**/auth/presence');
    await isTold.waitFor({ state: 'detached' });
    await page.getByText('Feita no silêncio').waitFor();
    await close();
  });
});
