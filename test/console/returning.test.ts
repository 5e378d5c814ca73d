import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, openConsole, settled } from '../support/console-pages.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** Lists that somebody comes back to from what they opened there. */
inBrowser(`the way back in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const isAgainAt = (page: Page, top: number) => page.waitForFunction((wanted) => Math.abs(scrollY - wanted) <= 1, top);
  /** The list is there again, and has the focus: what scrolls by itself has scrolled by then. */
  const isBack = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: 'Vendas' }).and(page.locator(':focus')).waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  };
  /** Scrolls down to a sale, opens it, and gives how far down that was. */
  const openFarDown = async (page: Page): Promise<number> => {
    await settled(page);
    await page.evaluate('scrollTo(0, 1500)');
    await isAgainAt(page, 1500);
    // Rows are drawn after the page was scrolled to them.
    const seen = await page.waitForFunction(() =>
      [...document.querySelectorAll('table a')]
        .filter((one) => one.getBoundingClientRect().top > 200 && one.getBoundingClientRect().top < 700)
        .map(({ textContent }) => textContent.trim())
        .find((text) => /^\d+$/.test(text)),
    );
    const far = (await seen.jsonValue()) ?? '';
    await page.getByRole('table').getByText(far, { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: `Venda ${far}` }).waitFor();
    return 1500;
  };

  test('Back leads to where the list was scrolled to, and another screen begins at its top', async () => {
    const { page, close } = await pages.open('/console/vendas');
    const top = await openFarDown(page);
    await isAgainAt(page, 0);
    await page.goBack();
    await isBack(page);
    await isAgainAt(page, top);
    await page.getByRole('link', { name: 'Clientes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
    await isAgainAt(page, 0);
    await close();
  });

  test('Back leaves no navigation and no account open over the page that it leads to', async () => {
    for (const [width, name] of [
      [360, 'Mais'],
      [1280, /^Sua conta/],
    ] as const) {
      const { page, close } = await pages.open('/console/clientes', { width });
      await settled(page);
      await page.getByRole('main').getByRole('link', { name: 'Novo cliente' }).click();
      await page.getByRole('heading', { level: 1, name: 'Novo cliente' }).waitFor();
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await close();
    }
  });

  test('the way back on a page leads to the list with its filters, where it was scrolled to', async () => {
    const { page, close } = await pages.open('/console/vendas');
    await settled(page);
    await page.getByLabel('Situação').selectOption({ label: 'Concluída' });
    await page.waitForFunction("location.search.includes('status=')");
    const { search } = new URL(page.url());
    const top = await openFarDown(page);
    await page.getByRole('main').locator('a.back').click();
    await isBack(page);
    expect(new URL(page.url()).search).toBe(search);
    await isAgainAt(page, top);
    await close();
  });

  test('what happens before a page can follow changes, as on a slow line, is shown once it can', async () => {
    const { page, close } = await pages.open('/console/categorias');
    let follow: () => void = () => undefined;
    const hasChanged = new Promise<void>((resolve) => (follow = resolve));
    await page.route('**/live', async (route) => {
      await hasChanged;
      return route.continue();
    });
    await page.reload();
    await page
      .getByRole('button', { name: /^Editar / })
      .first()
      .waitFor();
    expect((await pages.call('POST', '/categories', { name: 'Feita antes' })).status).toBe(201);
    follow();
    await page.getByText('Feita antes').waitFor();
    await close();
  });

  describe('a page that nobody sees', () => {
    /** A page whose streams of changes are counted, and which is told whether somebody sees it. It never asks by a timer: what it shows, it was told. */
    async function openFollowing() {
      const { page, close } = await pages.open('/console/categorias');
      await page.addInitScript(() => {
        const streams: EventSource[] = [];
        const Own = EventSource;
        Object.assign(globalThis, {
          streams,
          setInterval: () => 0,
          EventSource: class extends Own {
            constructor(address: string) {
              super(address);
              streams.push(this);
            }
          },
        });
      });
      await page.reload();
      await settled(page);
      /** Waits until so many streams are open. */
      const follows = (count: 0 | 1) =>
        page.waitForFunction((wanted) => {
          const { streams } = globalThis as unknown as { readonly streams: readonly EventSource[] };
          const open = streams.filter(({ readyState }) => readyState === EventSource.OPEN);
          return streams.length > 0 && open.length === wanted;
        }, count);
      const beSeen = (visibilityState: 'visible' | 'hidden') =>
        page.evaluate((now) => {
          Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
          document.dispatchEvent(new Event('visibilitychange'));
        }, visibilityState);
      await follows(1);
      await beSeen('hidden');
      await follows(0);
      return { page, follows, beSeen, close };
    }

    test('leaves its connection to others, and shows what happened meanwhile to who looks again', async () => {
      const { page, beSeen, close } = await openFollowing();
      expect((await pages.call('POST', '/categories', { name: 'Feita por trás' })).status).toBe(201);
      await beSeen('visible');
      await page.getByText('Feita por trás').waitFor();
      await close();
    });

    test('follows again at once where its token ran out meanwhile', async () => {
      const { page, follows, beSeen, close } = await openFollowing();
      await page.context().clearCookies({ name: 'sm_access' });
      await beSeen('visible');
      await follows(1);
      expect((await pages.call('POST', '/categories', { name: 'Feita depois' })).status).toBe(201);
      await page.getByText('Feita depois').waitFor();
      await close();
    });
  });
});
