import { afterAll, beforeAll, describe, test } from '@jest/globals';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, openConsole, settled } from '../support/console-pages.js';

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
      timeZone: 'America/Sao_Paulo',
    }).format(at);

  test('a new day begins on a page that is open over midnight, and what it shows of the store is read anew', async () => {
    const { page, close } = await pages.open('/console/hoje');
    const now = Date.now();
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
});
