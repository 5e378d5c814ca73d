import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ConsolePages, Watched } from '../support/console-pages.js';
import { browserPath, openConsole, settled } from '../support/console-pages.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** In Safari a mouse gives the focus to fields alone, and to what says so by itself. */
const focusAsSafari = (): void => {
  addEventListener(
    'mousedown',
    (event) => {
      const control = event.target instanceof Element ? event.target.closest('a[href], button') : null;
      if (!control) return;
      event.preventDefault();
      const place = control.closest<HTMLElement>('[tabindex]');
      if (place) place.focus({ preventScroll: true });
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
    true,
  );
};

/** Firefox and Safari on a computer know no field for a month. */
const withoutMonths = (): void => {
  const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'type');
  Object.defineProperty(HTMLInputElement.prototype, 'type', {
    ...own,
    set(this: HTMLInputElement, type: string) {
      this.setAttribute('type', type === 'month' ? 'text' : type);
    },
  });
};

/** Whoever made the browser says that this is Safari, or one on an iPhone. */
const sayApple = (): void => {
  Object.defineProperty(Navigator.prototype, 'vendor', { get: () => 'Apple Computer, Inc.' });
};

/** In Safari a row of a table is no place that the link in it can fill. */
const withoutPlacedRows = (): void => {
  addEventListener('load', () => {
    const [sheet] = document.styleSheets;
    sheet?.insertRule('tr { position: static !important }', sheet.cssRules.length);
  });
};

/** What other browsers lack or do otherwise, taken from the one that is here before a page begins. */
inBrowser(`what Firefox and Safari do otherwise, in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  async function openAfter(change: () => void, path: string): Promise<Watched> {
    const watched = await pages.open('/console/categorias');
    await watched.page.addInitScript(change);
    await watched.page.goto(pages.world.url + path);
    return watched;
  }

  /** A hand keeps the button down for longer than the page needs to draw itself anew. */
  async function clickByHand(page: Page, selector: string): Promise<void> {
    await page.locator(selector).first().hover();
    await page.mouse.down();
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
    );
    await page.mouse.up();
  }

  test('a product is picked with a mouse that takes the focus from the box that it is searched in', async () => {
    const { page, close } = await openAfter(focusAsSafari, '/console/estoque/entradas/nova');
    await page.getByLabel('Produto').fill('Brigadeiro');
    await clickByHand(page, '.picker .hits button');
    await page.locator('.picked output').getByText('Brigadeiro').waitFor();
    await close();
  });

  test('what the search of the head finds is opened with such a mouse', async () => {
    const { page, close } = await openAfter(focusAsSafari, '/console/hoje');
    await page.getByRole('combobox', { name: 'Buscar ou ler código' }).fill('Brigadeiro');
    // Lots stand above products, and move them where they are found later.
    for (const place of ['estoque/lote', 'produtos']) {
      await page.locator(`.search .hits a[href*="/${place}/"]`, { hasText: 'Brigadeiro' }).first().waitFor();
    }
    await clickByHand(page, '.search .hits a[href*="/produtos/"]');
    await page.getByRole('heading', { level: 1, name: 'Brigadeiro' }).waitFor();
    await close();
  });

  test('a row leads where it says, and what stands above the table stays in reach, where a row is no place to be filled', async () => {
    const { page, close } = await openAfter(withoutPlacedRows, '/console/receitas');
    await page.getByRole('link', { name: 'Brigadeiro' }).waitFor();
    const first = page.locator('main tbody tr').first();
    const { width = 0, height = 0 } = (await first.boundingBox()) ?? {};
    await first.click({ position: { x: width / 2, y: height / 2 } });
    await page.getByRole('heading', { level: 1, name: 'Brigadeiro' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Nova receita' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nova receita' }).waitFor();
    await close();
  });

  test('where the browser has no field for a month it is typed as people write it, and what is no month is told', async () => {
    const { page, close } = await openAfter(withoutMonths, '/console/taxas/mes?month=2026-03');
    const month = page.getByLabel('Mês', { exact: true });
    expect(await month.inputValue()).toBe('03/2026');
    await month.fill('13/2026');
    await page.getByText('Escreva o mês assim: 11/2026.').waitFor();
    for (const typed of ['02/2026', '2-2026', '022026', '2026-02']) {
      await month.fill(typed);
      await page.waitForURL(/month=2026-02/);
      await month.fill('032026');
      await page.waitForURL(/month=2026-03/);
    }
    await close();
  });

  test.each(['/console/caixa', '/console/estoque/contagem', '/console/produtos/novo', '/console/taxas'])(
    'on a phone nothing is typed at %s into letters that Safari magnifies the page for',
    async (path) => {
      const { page, close } = await pages.open(path, { width: 390 });
      await settled(page);
      const small = await page
        .locator('input, select, textarea')
        .evaluateAll((fields) =>
          fields.filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16).map(({ outerHTML }) => outerHTML),
        );
      expect(small).toEqual([]);
      await close();
    },
  );

  test('the bars of a label have a height of their own, and each label of a roll is less high than its page', async () => {
    const answer = await pages.call('GET', '/stock/lots?limit=2');
    const { items } = (await answer.json()) as { items: readonly { lotId: string }[] };
    const query = items.map(({ lotId }) => `lot=${lotId}`).join('&');
    const { page, close } = await pages.open(`/console/rotulos?${query}`);
    await page.getByLabel('Papel', { exact: true }).selectOption('roll');
    const bars = page.locator('.labels.roll .bars').first();
    // Safari takes a share of a row's height for one of all rows: the bars covered their digits.
    expect(await bars.evaluate((drawn) => String(drawn.computedStyleMap().get('height')))).toMatch(/px$/);
    await page.emulateMedia({ media: 'print' });
    const label = await page.locator('.labels.roll .label').last().boundingBox();
    expect(label?.height).toBeLessThan((40 / 25.4) * 96 - 1);
    await close();
  });

  test('a document is shown without the PDF that Safari would show empty, and opens it in a tab', async () => {
    const answer = await pages.call('GET', '/fiscal/documents?status=AUTHORIZED&limit=1');
    const { items } = (await answer.json()) as { items: readonly { id: string }[] };
    const { page, close } = await openAfter(sayApple, `/console/documentos/${items[0]?.id ?? ''}`);
    await page.getByRole('button', { name: 'Abrir o PDF' }).waitFor();
    await settled(page);
    expect(await page.locator('iframe').count()).toBe(0);
    await close();
  });
});
