import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, flourLot, openConsole, settled } from '../support/console-pages.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** The system paints all that is behind letters in one colour, as who sees little has it do. */
inBrowser(`forced colours in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const openForced = async (path: string) => {
    const watched = await pages.open('/console/');
    await watched.page.emulateMedia({ forcedColors: 'active' });
    await watched.page.goto(pages.world.url + path);
    await settled(watched.page);
    return watched;
  };
  const paintOf = (element: Locator, part = ''): Promise<string> =>
    element.evaluate((one, pseudo) => getComputedStyle(one, pseudo).backgroundColor, part);

  test('the bar of a recall and the lines of a chart are told apart', async () => {
    const { page, close } = await openForced(`/console/recall?lot=${encodeURIComponent(await flourLot(pages))}`);
    const paper = await paintOf(page.locator('body'));
    expect(await paintOf(page.locator('.balance-bar > span').first())).not.toBe(paper);
    await page.goto(`${pages.world.url}/console/hoje`);
    const keys = page.locator('.key');
    await keys.nth(1).waitFor();
    const paints = new Set([await paintOf(keys.first(), '::before'), await paintOf(keys.nth(1), '::before'), paper]);
    expect(paints.size).toBe(3);
    await close();
  });

  test('the part that is open is told apart from the others', async () => {
    const { page, close } = await openForced('/console/estoque');
    const lineOf = (name: string) =>
      page
        .getByRole('main')
        .getByRole('link', { name, exact: true })
        .evaluate((tab) => getComputedStyle(tab).borderBottomColor);
    expect(await lineOf('Saldos')).not.toBe(await lineOf('Lotes'));
    await close();
  });
});
