import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, flourLot, openConsole } from '../support/console-pages.js';
import { drawnIn, pagesOf } from '../support/pdf.js';
import { until } from '../support/until.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

inBrowser(`what goes to paper in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  /** The lot of a product with a price and a name like these, and the address of its label. */
  const labelOf = async (description: string, priceCash: number): Promise<string> => {
    const made = (await (
      await pages.call('POST', '/products', { description, priceCash, priceCredit: priceCash })
    ).json()) as {
      variants: [{ id: string }];
    };
    const item = {
      variantId: made.variants[0].id,
      quantity: 1,
      unitCost: 1,
      lotCode: 'F261127-BOL-0123',
      expiresAt: '2030-12-31',
    };
    const receipt = (await (await pages.call('POST', '/stock/receipts', { items: [item] })).json()) as {
      items: [{ lotId: string }];
    };
    return `/console/rotulos?lot=${receipt.items[0].lotId}`;
  };

  test('the rates of a card machine fit on a sheet: of brands without any there is no column', async () => {
    const { page, close } = await pages.open('/console/taxas', { width: 718 });
    await page.getByLabel('Débito, Visa, %', { exact: true }).first().fill('1,99');
    await page.emulateMedia({ media: 'print' });
    const grid = page.locator('table.rates').first();
    const heads = grid.locator('thead th:visible');
    expect(await heads.first().textContent()).toBe('Pagamento');
    expect(await heads.last().textContent()).not.toBe('Outros');
    expect(await heads.allTextContents()).toContain('Visa');
    expect(await grid.evaluate(({ parentElement }) => parentElement?.scrollWidth)).toBeLessThanOrEqual(718);
    await close();
  });

  test.each(['Folha A4 (3 × 8)', 'Rolo 60 × 40 mm'])(
    'no price covers the bars of a label, and no name its digits: %s',
    async (paper) => {
      for (const [name, price] of [
        ['Bolo', 8.5],
        ['Bolo de Cenoura com Cobertura de Chocolate', 138.9],
        ['Cento de Salgadinhos Sortidos para Festas de Aniversário e Casamentos', 1138.9],
      ] as const) {
        const { page, close } = await pages.open(await labelOf(name, price));
        await page.getByLabel('Papel', { exact: true }).selectOption({ label: paper });
        await page.emulateMedia({ media: 'print' });
        const box = async (part: string) => {
          const found = await page.locator(part).boundingBox();
          if (!found) throw new Error(`${part} is not shown`);
          return { ...found, right: found.x + found.width, bottom: found.y + found.height };
        };
        const [label, bars, digits, cost] = [
          await box('.label'),
          await box('.label .bars'),
          await box('.label-gtin'),
          await box('.label-price'),
        ];
        expect(bars.right).toBeLessThan(cost.x);
        expect(bars.height).toBeGreaterThan(18);
        for (const part of [bars, digits, cost]) {
          expect(part.bottom).toBeLessThan(label.bottom);
          expect(part.right).toBeLessThan(label.right);
        }
        const sticksOut =
          'document.querySelector(".label-price").scrollWidth > document.querySelector(".label-price").clientWidth';
        expect(await page.evaluate(sticksOut)).toBe(false);
        await close();
      }
    },
  );

  test('what customers took stands in few lines of the recall on a sheet, beside who they are', async () => {
    const { page, close } = await pages.open(`/console/recall?lot=${await flourLot(pages)}`);
    await page.getByRole('table', { name: /^Clientes a avisar/ }).waitFor();
    await page.emulateMedia({ media: 'print' });
    // As wide as A4 within its margins.
    await page.setViewportSize({ width: 688, height: 1016 });
    const took = page.getByRole('table', { name: /^Clientes a avisar/ }).locator('td:nth-child(3)');
    expect((await took.first().boundingBox())?.width).toBeGreaterThan(180);
    await close();
  });

  test('a receipt on the narrowest roll says what each line costs, and sticks out nowhere', async () => {
    const { items } = (await (await pages.call('GET', '/sales?limit=1')).json()) as {
      items: readonly { id: string }[];
    };
    const { page, close } = await pages.open(`/console/vendas/${items[0]?.id ?? ''}`);
    await page.getByRole('table').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    // 58 mm.
    await page.setViewportSize({ width: 219, height: 1000 });
    for (const table of await page.locator('main table').all()) {
      expect((await table.boundingBox())?.width).toBeLessThanOrEqual(219);
    }
    await page.locator('main table').first().getByText('Preço').locator('visible=true').first().waitFor();
    await close();
  });

  test('paper names the store, except on labels, which have no room for it', async () => {
    const { page, close } = await pages.open('/console/estoque/valor');
    await page.getByText(/^Valor do estoque em/).waitFor();
    const onPaper = page.locator('.letterhead');
    await onPaper.waitFor({ state: 'attached' });
    expect(await onPaper.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await onPaper.isVisible()).toBe(true);
    expect(await onPaper.textContent()).toMatch(/^Padaria Demonstração.* · CNPJ \d\d\.\d{3}\.\d{3}\/\d{4}-\d\d$/);
    await page.goto(pages.world.url + (await labelOf('Bolo', 8.5)));
    await page.locator('.label').waitFor();
    await onPaper.waitFor({ state: 'attached' });
    expect(await onPaper.isVisible()).toBe(false);
    await close();
  });

  test('a recall names each customer once, with all that they have, on the screen and on paper', async () => {
    const code = await flourLot(pages);
    const { sales, summary } = (await (
      await pages.call('GET', `/bakery-production/recall?lotCode=${code}&pageSize=500`)
    ).json()) as {
      sales: readonly { netQuantity: number; description: string; customer: { name: string; phone: string } | null }[];
      summary: { customers: number };
    };
    const { page, close } = await pages.open(`/console/recall?lot=${code}`);
    const shown = page.getByRole('table', { name: 'Clientes a avisar' }).locator('tbody tr[data-id]');
    await shown.first().waitFor();
    const all = page.getByRole('button', { name: `Mostrar todos os ${String(summary.customers)}` });
    if (summary.customers > (await shown.count())) await all.first().click();
    await shown.nth(summary.customers - 1).waitFor();
    expect(await shown.count()).toBe(summary.customers);
    expect(await shown.allTextContents()).not.toContainEqual(expect.stringContaining('sem cliente'));
    const one = sales.find(({ customer, netQuantity }) => customer?.phone && netQuantity > 0);
    const name = one?.customer?.name ?? '';
    const row = shown.filter({ hasText: name });
    expect(await row.count()).toBe(1);
    expect(await row.locator('a[href^="tel:"]').getAttribute('href')).toBe(`tel:${one?.customer?.phone ?? ''}`);
    for (const { customer, description, netQuantity } of sales)
      if (customer?.name === name && netQuantity > 0) expect(await row.textContent()).toContain(description);
    await page.evaluate(() => {
      const { body } = document;
      globalThis.print = () => {
        body.setAttribute('data-printed', document.querySelector('.paper')?.textContent ?? '');
      };
    });
    await page.getByRole('button', { name: 'Imprimir relatório' }).click();
    await page.locator('body[data-printed]').waitFor();
    expect(await page.locator('body').getAttribute('data-printed')).toMatch(/^Clientes a avisar.*O que resta.*Vendas/);
    await close();
  });

  /** What stands on paper where this button prints. */
  async function printedBy(page: Page, button: string): Promise<string> {
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => {
      globalThis.print = () => {
        document.body.setAttribute('data-printed', document.querySelector('main')?.innerText ?? '');
      };
    });
    await page.locator('button:not([disabled])', { hasText: button }).evaluate((element) => {
      (element as HTMLElement).click();
    });
    await page.locator('body[data-printed]').waitFor();
    return (await page.locator('body').getAttribute('data-printed')) ?? '';
  }

  test('a recall on paper names the suppliers, and has a heading once where its rows follow', async () => {
    const { page, close } = await pages.open(`/console/recall?lot=${await flourLot(pages)}`);
    await page.getByRole('table', { name: 'De onde veio' }).waitFor();
    const printed = await printedBy(page, 'Imprimir relatório');
    for (const heading of [/Clientes a avisar.*\n+Cliente/g, /O que resta.*\n+Produto/g, /\nVendas.*\n+Cliente/g])
      expect(printed.match(heading)).toHaveLength(1);
    expect(printed.match(/O que resta/g)).toHaveLength(1);
    expect(printed).toMatch(/De onde veio\s+Fornecedor/);
    await close();
  });

  test('a valuation on paper has its sums by category and by location', async () => {
    const { page, close } = await pages.open('/console/estoque/valor');
    await page.getByRole('table', { name: 'Por local' }).waitFor();
    const printed = await printedBy(page, 'Imprimir');
    expect(printed).toMatch(/Por categoria\s+Categoria/);
    expect(printed).toMatch(/Por local\s+Local/);
    expect(printed).not.toMatch(/Item por item/);
    await close();
  });

  test('a link in a table takes no more room on paper than its words', async () => {
    const { page, close } = await pages.open(`/console/recall?lot=${await flourLot(pages)}`);
    await page.getByRole('table', { name: /^Clientes a avisar/ }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 688, height: 1016 });
    const lines = page.getByRole('table', { name: /^Clientes a avisar/ }).locator('.contact');
    const contact = lines.filter({ has: page.locator('a') }).first();
    const [link, room] = [await contact.locator('a').first().boundingBox(), await contact.boundingBox()];
    const letters = await contact.evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
    expect(link?.height).toBeLessThan(2 * letters);
    expect(room?.height).toBeLessThan(5 * letters);
    await close();
  });

  test('the receipt of a sale names no document that failed, which the page itself does', async () => {
    type Document = { saleId: string; number: number | null };
    const failed = (await (await pages.call('GET', '/fiscal/documents?status=FAILED&limit=1')).json()) as {
      items: Document[];
    };
    const saleId = failed.items[0]?.saleId ?? '';
    const { page, close } = await pages.open(`/console/vendas/${saleId}`);
    await page.getByText('Falhou').first().waitFor();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.getByText('Falhou').first().waitFor({ state: 'detached' });
    expect(await page.getByRole('table', { name: 'Itens' }).isVisible()).toBe(true);
    expect(await page.getByRole('heading', { name: 'Documentos fiscais' }).count()).toBe(0);
    await close();
  });

  test('each sheet says which of how many it is, and a label does not', async () => {
    const textsOn = async (page: Page): Promise<number> => {
      const pdf = (await page.pdf({ preferCSSPageSize: true, tagged: false })).toString('latin1');
      return (
        drawnIn(pdf)
          .join('\n')
          .match(/\bT[jJ]\b/g)?.length ?? 0
      );
    };
    const without = (page: Page, isWithout: boolean) =>
      page.evaluate((is) => {
        const none = new CSSStyleSheet();
        none.replaceSync('@page { @bottom-right { content: none !important } }');
        document.adoptedStyleSheets = is ? [none] : [];
      }, isWithout);
    const numbersOn = async (path: string, part: string): Promise<number> => {
      const { page, close } = await pages.open(path);
      await page.locator(part).first().waitFor();
      let [all, others] = [0, 0];
      // A print asks for rows that are not there yet.
      await until('all of it is printed', async () => {
        all = await textsOn(page);
        await without(page, true);
        others = await textsOn(page);
        await without(page, false);
        return all === (await textsOn(page));
      });
      await close();
      expect(others).toBeGreaterThan(0);
      return all - others;
    };
    expect(await numbersOn('/console/estoque', '.table tbody tr')).toBeGreaterThan(0);
    expect(await numbersOn(await labelOf('Bolo', 8.5), '.label .bars')).toBe(0);
  });

  test('a sheet holds as many labels as it says', async () => {
    const { page, close } = await pages.open(await labelOf('Bolo', 8.5));
    const copies = page.getByLabel(/^Cópias/);
    const sheets = async (): Promise<number> => {
      const pdf = await page.pdf({ preferCSSPageSize: true });
      return pagesOf(pdf.toString('latin1'));
    };
    await copies.fill('24');
    await page.locator('.label').nth(23).waitFor();
    expect(await sheets()).toBe(1);
    await copies.fill('25');
    await page.locator('.label').nth(24).waitFor();
    expect(await sheets()).toBe(2);
    await close();
  });

  test('the names of many labels are asked for together, and a name that changes is on its labels', async () => {
    const { items } = (await (await pages.call('GET', '/stock/lots?limit=60')).json()) as {
      items: { lotId: string; variantId: string }[];
    };
    const lots = new Map(items.map((lot) => [lot.variantId, lot.lotId]));
    expect(lots.size).toBeGreaterThan(5);
    const { page, close } = await pages.open(await labelOf('Bolo sem nome', 8.5));
    await page.locator('.label').getByText('Bolo sem nome').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/products/variant-labels')) asked.push(request.url());
    });
    await page.goto(`${page.url()}${[...lots.values()].map((id) => `&lot=${id}`).join('')}`);
    await page.locator('.label').nth(lots.size).waitFor();
    expect(asked).toHaveLength(1);
    const found = (await (await pages.call('GET', '/products?q=Bolo%20sem%20nome')).json()) as {
      items: [{ id: string }];
    };
    const { id } = found.items[0];
    await pages.call('PATCH', `/products/${id}`, { description: 'Bolo com nome' });
    await page.locator('.label').getByText('Bolo com nome').waitFor();
    await close();
  });
});
