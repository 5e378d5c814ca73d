import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newGoodsInPlenty, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, flourLot, hold, openConsole, settled } from '../support/console-pages.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** What a browser's makers call good: the share of what is seen that moves, by the share of the screen that it moves. */
const MOST_MOVED = 0.1;

const noteMoves = (): void => {
  const notes = { moved: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) notes.moved += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  Object.assign(globalThis, { notes });
};

inBrowser(`what comes late, in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  let product = '';
  beforeAll(async () => {
    pages = await openConsole();
    const { items } = await sent<{ items: { id: string }[] }>(pages, 'GET', '/products?take=1');
    product = items[0]?.id ?? '';
  });
  afterAll(() => pages.close());

  /** How much moves when the answer of one address comes after all others. */
  async function movedBy(page: Page, path: string, late: RegExp, answer?: object): Promise<number> {
    await page.context().addInitScript(noteMoves);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isAsked = new Promise<void>((resolve) => {
      void page.route(late, async (route) => {
        resolve();
        await isReleased;
        await (answer ? route.fulfill({ json: answer }) : route.continue());
      });
    });
    await page.goto(`${pages.world.url}/console/${path}`);
    await isAsked;
    await page.waitForFunction(() => document.querySelectorAll('main .loading').length === 1);
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    release();
    await settled(page);
    // What moved is told of with the picture that shows it.
    await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
    return page.evaluate('notes.moved');
  }

  test.each<readonly [string, RegExp, number]>([
    ['hoje', /\/sales\/summary\?by=day/, 1280],
    ['hoje', /\/sales\/summary\?by=day/, 390],
    ['producao', /\/orders\?status=IN_PROGRESS/, 390],
    ['configuracoes/fiscal', /\/fiscal\/status/, 390],
    ['taxas', /\/card-fees\/accounts\//, 390],
    ['taxas/mes', /\/card-fees\/summary/, 390],
    ['taxas/faixas', /\/card-fees\/auto-adjust/, 390],
    ['auditoria/product/{product}', /\/state\?at=/, 390],
  ])('on %s nothing goes down that is read when %s is answered late at %i px', async (path, late, width) => {
    const { page, close } = await pages.open('/console/marcas', { width });
    expect(await movedBy(page, path.replace('{product}', product), late)).toBeLessThanOrEqual(MOST_MOVED);
    await close();
  });

  test('a count is begun once all goods are there by their names: rows that come later would go between', async () => {
    const { page, close } = await pages.open('/console/marcas');
    // A page of few, as a store with thousands of products has many.
    await page.route('**/stock/balances?*', (route) =>
      route.continue({ url: route.request().url().replace('limit=200', 'limit=20') }),
    );
    const isLaterPage = /\/stock\/balances\?.*cursor=/;
    const asked = page.waitForRequest(isLaterPage);
    const letPagesGo = await hold(page, isLaterPage);
    const letNamesGo = await hold(page, /\/variant-labels/);
    await page.goto(`${pages.world.url}/console/estoque/contagem`);
    const count = page.locator('.count-input');
    const loading = page.locator('main .loading');
    await asked;
    await loading.waitFor();
    expect(await count.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Registrar' }).getAttribute('aria-disabled')).toBe('true');
    letPagesGo();
    await page.waitForResponse((response) => isLaterPage.test(response.url()));
    expect(await count.count()).toBe(0);
    letNamesGo();
    await count.first().waitFor();
    const names = await count.evaluateAll((fields) => fields.map((field) => field.getAttribute('aria-label')));
    expect(names.filter((name) => name === 'Contado: ')).toEqual([]);
    await close();
  });

  test('a lot is headed by its name from the first', async () => {
    const { page, close } = await pages.open('/console/marcas', { width: 390 });
    const { items } = await sent<{ items: { lotId: string }[] }>(pages, 'GET', '/stock/lots?limit=1');
    const letGo = await hold(page, /\/variant-labels/);
    const isAsked = page.waitForRequest(/\/variant-labels/);
    await page.goto(`${pages.world.url}/console/estoque/lote/${items[0]?.lotId ?? ''}`);
    await isAsked;
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
    letGo();
    await page.getByRole('heading', { level: 1, name: /^[^…]+ · / }).waitFor();
    await close();
  });

  test.each([1280, 390])('at the head of a recall nothing makes room for what comes late at %i px', async (width) => {
    const { page, close } = await pages.open('/console/marcas', { width });
    const lot = encodeURIComponent(await flourLot(pages));
    const letGo = await hold(page, /bakery-production\/recall/);
    await page.goto(`${pages.world.url}/console/recall?lot=${lot}`);
    const [block, print] = ['Bloquear tudo', 'Imprimir relatório'].map((name) => page.getByRole('button', { name }));
    await print?.waitFor();
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    const before = await print?.boundingBox();
    letGo();
    await settled(page);
    await block?.click();
    await page.getByRole('dialog').waitFor();
    expect(await print?.boundingBox()).toEqual(before);
    await close();
  });

  test('what a recipe needs keeps its place above its stages', async () => {
    const [recipe] = (await (await pages.call('GET', '/bakery-production/recipes')).json()) as { id: string }[];
    const { page, close } = await pages.open('/console/marcas', { width: 390 });
    expect(await movedBy(page, `receitas/${recipe?.id ?? ''}`, /\/preview\?/)).toBeLessThanOrEqual(MOST_MOVED);
    await page.getByRole('heading', { name: 'Etapas' }).waitFor();
    await close();
  });

  test('the first steps of a new store push nothing down', async () => {
    const { page, close } = await pages.open('/console/marcas', { width: 390 });
    expect(await movedBy(page, 'hoje', /\/sales\?limit=1$/, { items: [], nextCursor: null })).toBeLessThanOrEqual(
      MOST_MOVED,
    );
    await page.getByRole('heading', { name: 'Comece por aqui' }).waitFor();
    await close();
  });

  test('the second click of two does nothing to what has come to its place with the first', async () => {
    const { page, close } = await pages.open('/console/caixa');
    const removes = page.locator('.till-lines').getByRole('button', { name: /^Retirar / });
    for (const n of [1, 2, 3]) {
      const { variants } = await newGoodsInPlenty(pages, `Pão Clicado ${String(n)}`);
      await page.getByRole('combobox', { name: 'Leia o código ou digite o nome' }).fill(variants[0].gtin);
      await page.keyboard.press('Enter');
      await removes.nth(n - 1).waitFor();
    }
    await settled(page);
    const box = await removes.first().boundingBox();
    if (!box) throw new Error('the button is not drawn');
    const press = async (clickCount: number) => {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
    };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await press(1);
    await removes.nth(2).waitFor({ state: 'detached' });
    // The next one is there by now.
    expect(await removes.first().boundingBox()).toEqual(box);
    await press(2);
    await press(1);
    await removes.nth(1).waitFor({ state: 'detached' });
    expect(await removes.getAttribute('aria-label')).toBe('Retirar Pão Clicado 1');
    await close();
  });
});
