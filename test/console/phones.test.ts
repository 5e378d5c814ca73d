import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { newProduct, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import {
  browserPath,
  expectAccessible,
  expectNoOverflow,
  flourLot,
  openConsole,
  settled,
  signInOn,
} from '../support/console-pages.js';
import { until } from '../support/until.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** As narrow as a phone may be, or a page of 1280 px at four times its size. */
const NARROWEST = 320;
const LONG_WORD = 'Farinhamuitolonga'.repeat(4).slice(0, 60);
/** Eleven digits, six of them decimals, and eleven before them. */
const LARGE = { quantity: 99_999_999.123456, unitCost: 99_999.999999 };

/** Buttons that open something above the page, by the address where they stand. */
const OPENERS: readonly (readonly [path: string, ...buttons: string[]])[] = [
  ['hoje', 'Mais', 'Sua conta'],
  ['estoque/locais', 'Novo local', 'Editar'],
  ['estoque/lote/{lot}', 'Dar baixa', 'Bloquear', 'Por quê?'],
  ['recall?lot={code}', 'Bloquear tudo'],
  ['produtos/{product}', 'Adicionar variação', 'Editar', 'Excluir produto', 'Adicionar componente'],
  ['producao/{planned}', 'Concluir', 'Cancelar ordem'],
  ['producao/{completed}', 'Estornar', 'Por quê?'],
  ['categorias', 'Sugerir categorias', 'Editar'],
  ['marcas', 'Editar'],
  ['vendas/{sale}', 'Devolver', 'Cancelar venda', 'Por quê?'],
  ['clientes/{customer}', 'Eliminar dados'],
  ['taxas', 'Nova maquininha', 'Editar'],
  ['taxas/bandeiras', 'Nova bandeira', 'Editar'],
  ['webhooks', 'Novo destino'],
  ['webhooks/{destination}', 'Trocar o segredo', 'Excluir destino'],
  ['configuracoes/impostos', 'Nova regra'],
  ['configuracoes/pessoas', 'Adicionar pessoa'],
  ['configuracoes/chaves', 'Nova chave'],
];

const LISTS = [
  'hoje',
  'estoque',
  'estoque/lotes?q=Farinhamuitolonga',
  'estoque/movimentos',
  'estoque/valor',
  'estoque/lote/{lot}',
  'recall?lot={code}',
  'rastreio?lot={code}&direction=forward',
  'produtos?q=Farinhamuitolonga',
  'produtos/{product}',
  'producao/{planned}',
  'producao/{completed}',
  'vendas/{sale}',
  'clientes/{customer}',
  'estoque/entradas/{receipt}',
  'receitas/{recipe}',
  'receitas/{recipe}/custos',
  'receitas/{recipe}/versoes',
  'recall/simulados/{drill}',
  'webhooks',
  'auditoria/product/{product}',
] as const;

/** As WCAG 1.4.12 lets readers set it, on a page that is there already. */
const spaceOut = (): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};

/** What sticks out of a dialog, or makes it wider than it is. */
const outside = (dialog: Locator): Promise<readonly string[]> =>
  dialog.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    const stuck = [...element.querySelectorAll<HTMLElement>('*')].filter((part) => {
      const box = part.getBoundingClientRect();
      return part.checkVisibility() && box.width > 0 && (box.left < left - 0.5 || box.right > right + 0.5);
    });
    const isWider = element.scrollWidth > element.clientWidth || left < 0 || right > innerWidth;
    return [...(isWider ? [element] : []), ...stuck].map((part) => part.outerHTML.slice(0, 120));
  });

inBrowser(`phones in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  const made: Record<string, string> = { code: LONG_WORD };
  const addressOf = (path: string) => `/console/${path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? '')}`;
  const visit = (path: string) => pages.visit(addressOf(path), { width: NARROWEST });
  beforeAll(async () => {
    pages = await openConsole({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    const make = async <T = { id: string }>(path: string, body: object): Promise<T> => {
      const answer = await pages.call('POST', path, body);
      expect([path, answer.status]).toEqual([path, 201]);
      return (await answer.json()) as T;
    };
    const product = (description: string) =>
      make<{ id: string; variants: readonly [{ id: string }] }>('/products', {
        description,
        priceCash: 999_999_999.99,
        priceCredit: 999_999_999.99,
        saleUnit: 'KG',
      });
    const { id, variants } = await product(LONG_WORD);
    const variantId = variants[0].id;
    const receipt = await make<{ id: string; items: readonly [{ lotId: string }] }>('/stock/receipts', {
      supplier: LONG_WORD,
      document: LONG_WORD,
      items: [{ ...LARGE, variantId, lotCode: LONG_WORD, expiresAt: '2099-12-31' }],
    });
    const recipe = await make('/bakery-production/recipes', {
      name: LONG_WORD,
      finishedVariantId: (await product(`Assado ${LONG_WORD}`)).variants[0].id,
      stages: [LONG_WORD],
      items: [{ componentVariantId: variantId, quantity: 1_234_567.123456 }],
    });
    const batch = { recipeId: recipe.id, batches: 1 };
    const customer = await make('/customers', { name: LONG_WORD });
    Object.assign(made, {
      product: id,
      receipt: receipt.id,
      lot: receipt.items[0].lotId,
      recipe: recipe.id,
      planned: (await make('/bakery-production/orders/plan', { ...batch, expectedAt: '2099-12-31' })).id,
      completed: (await make('/bakery-production/orders', batch)).id,
      customer: customer.id,
      sale: (
        await make('/sales', {
          customerId: customer.id,
          items: [{ variantId, quantity: 9.999999, unitPrice: 999_999.99 }],
          payments: [{ method: 'CASH', amount: 9_999_998.9 }],
        })
      ).id,
      destination: (await make('/outbound-webhooks', { url: `http://127.0.0.1:9/${LONG_WORD}`, active: false })).id,
    });
    // A drill begins with what the projectors know of its lot.
    await pages.world.service.projections.caughtUp();
    made['drill'] = (await make('/recall-drills', { lotCode: LONG_WORD })).id;
    await make('/categories', { name: `A ${LONG_WORD}` });
    await make('/locations', { name: LONG_WORD });
    // On a busy machine a page would give up before all of this can be read.
    await pages.world.service.projections.caughtUp();
  });
  afterAll(() => pages.close());

  test.each(LISTS)('with long names and large figures %s is no wider than the narrowest phone', async (path) => {
    const { page } = await visit(path);
    await page.getByText(LONG_WORD.slice(0, 20)).filter({ visible: true }).first().waitFor();
    await settled(page);
    await expectNoOverflow(page);
  });

  test.each(LISTS)('with letters of twice the size %s is no wider than a phone', async (path) => {
    const { page } = await pages.visit(addressOf(path), { width: 360, large: true });
    await settled(page);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    await expectNoOverflow(page);
  });

  test('a finger tells the sale of a recall from the number of who bought it', async () => {
    const [{ id: variantId }] = (await newProduct(pages, 'Pão Francês Integral de Fermentação Natural')).variants;
    const item = { variantId, quantity: 3, unitCost: 2, lotCode: 'DEDO-261130-ING-001' };
    await sent(pages, 'POST', '/stock/receipts', { items: [item] });
    const customer = { name: 'Gustavo Pires', phone: '11987650108', email: 'gustavo@exemplo.com.br' };
    const { id: customerId } = await sent<{ id: string }>(pages, 'POST', '/customers', customer);
    const items = [{ variantId, quantity: 2, unitPrice: 4 }];
    await sent(pages, 'POST', '/sales', { customerId, items, payments: [{ method: 'PIX', amount: 8 }] });
    const { page } = await pages.visit('/console/recall?lot=DEDO-261130-ING-001', { width: 360 });
    await page.getByRole('link', { name: '(11) 98765-0108', exact: true }).last().waitFor();
    await expectAccessible(page);
  });

  test.each([1024, 1280])('all that a customer is to be told of is read at %i px', async (width) => {
    const { page } = await pages.visit(`/console/recall?lot=${await flourLot(pages)}`, { width });
    const goods = page.getByRole('table', { name: 'Clientes a avisar' }).locator('tbody td:nth-child(3)');
    await goods.first().waitFor();
    await settled(page);
    const cut = await goods.evaluateAll((cells) =>
      cells.flatMap((cell) => (cell.scrollWidth > cell.clientWidth ? [cell.textContent] : [])),
    );
    expect(cut).toEqual([]);
  });

  test.each([1024, 1280])(
    'letters that a reader spaces out leave no table wider than a screen of %i px',
    async (width) => {
      const { page } = await pages.visit(`/console/recall?lot=${await flourLot(pages)}`, { width });
      await page.getByRole('table', { name: 'Vendas' }).locator('tbody tr').first().waitFor();
      await settled(page);
      await page.evaluate(spaceOut);
      await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    },
  );

  test.each(OPENERS)(
    'what opens on %s fits the narrowest phone, keeps the focus, and gives it back',
    async (path, ...buttons) => {
      const { page } = await visit(path);
      await settled(page);
      for (const name of buttons) {
        const opener = page.getByRole('button', { name: new RegExp(`^${name.replace('?', '\\?')}`) }).first();
        await opener.focus();
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog');
        await dialog.waitFor();
        await dialog.locator('.loading').first().waitFor({ state: 'hidden' });
        await dialog.locator('details').evaluateAll((folded: HTMLDetailsElement[]) => {
          for (const one of folded) one.open = true;
        });
        expect({ name, outside: await outside(dialog) }).toEqual({ name, outside: [] });
        await page.keyboard.press('Shift+Tab');
        // Before the first of a dialog comes the browser's own frame, and never what is behind.
        expect(
          await page.evaluate(() => {
            const { activeElement: led, body } = document;
            return led === body || led?.closest('dialog') instanceof HTMLElement;
          }),
        ).toBe(true);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        await opener.and(page.locator(':focus')).waitFor();
      }
    },
  );

  /** How often something was sent to this address, each time refused as if the stock were short. */
  const refuse = async (page: Page, address: string): Promise<readonly unknown[]> => {
    const sent: unknown[] = [];
    await page.route(address, (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      sent.push(route.request().postDataJSON());
      const problem = { title: 'There is not enough in stock', status: 409, code: 'INSUFFICIENT_STOCK' };
      return route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    return sent;
  };

  test('in a low window, as one at twice its size, the keyboard is led to nothing that is hidden', async () => {
    const { page, close } = await pages.open('/console/estoque/contagem', { width: 683 });
    await page.setViewportSize({ width: 683, height: 384 });
    await settled(page);
    await page.locator('tbody input').nth(9).focus();
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press('Shift+Tab');
      expect(
        await page.evaluate(() => {
          const { activeElement: led } = document;
          const box = led?.getBoundingClientRect();
          const seen = box && document.elementFromPoint(box.left + box.width / 2, box.top + 4);
          return led?.contains(seen ?? null);
        }),
      ).toBe(true);
    }
    await close();
  });

  test('a drill that is on leaves a phone its screen, and the last of its steps above the bar at the foot', async () => {
    const lotCode = await flourLot(pages);
    const drill = (await (await pages.call('POST', '/recall-drills', { lotCode })).json()) as { id: string };
    const { page, close } = await pages.open(`/console/recall?lot=${lotCode}&drill=${drill.id}`, { width: 360 });
    await page.getByRole('timer').waitFor();
    await settled(page);
    const finish = page.getByRole('button', { name: 'Encerrar simulado' });
    await finish.scrollIntoViewIfNeeded();
    await finish.click();
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('.drill').evaluate((bar) => getComputedStyle(bar).position)).toBe('static');
    await close();
  });

  test('with letters twice as large by the settings of the browser a wide screen is laid out as a narrow one, and nothing of a list is cut', async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--blink-settings=defaultFontSize=32'];
    const browser = await chromium.launch({ executablePath: browserPath ?? '', args });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'pt-BR' });
    page.setDefaultTimeout(120_000);
    await signInOn(page, `${pages.world.url}/console/vendas`, pages.demo);
    await settled(page);
    await page.getByRole('cell', { name: /^R\$/ }).first().waitFor();
    const cut = await page
      .locator('.table td')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map(({ textContent }) => textContent),
      );
    expect(cut).toEqual([]);
    await page.locator('.table a').first().click();
    await page.getByRole('heading', { level: 1, name: /^Venda / }).waitFor();
    await settled(page);
    await expectNoOverflow(page);
    await browser.close();
  });

  test('a store whose name is one long word has it cut with a mark, and not through a letter', async () => {
    const name = 'Hortifrutigranjeirosdacidade';
    const { tradeName } = await sent<{ tradeName: string | null }>(pages, 'GET', '/store');
    await sent(pages, 'PATCH', '/store', { tradeName: name });
    const { page, close } = await pages.open('/console/hoje');
    const shown = page.locator('.store-name').getByText(name);
    expect(await shown.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await sent(pages, 'PATCH', '/store', { tradeName });
    await close();
  });

  test('on a tablet a finger meets who is to be called, and not the row around', async () => {
    const lotCode = await flourLot(pages);
    const { page, close } = await pages.open('/console/recall', { width: 1024 });
    const tablet = await page.context().newCDPSession(page);
    await tablet.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.goto(`${pages.world.url}/console/recall?lot=${lotCode}`);
    const { height = 0 } = (await page.locator('.contact a').first().boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(24);
    await close();
  });

  test('nothing lies over the picture of a recall', async () => {
    const lotCode = await flourLot(pages);
    const { page, close } = await pages.open(`/console/recall?lot=${lotCode}`, { width: 360 });
    const picture = (await page.locator('.way svg').boundingBox()) ?? { y: 0, height: 0 };
    const buttons = (await page.locator('.way .zoom').boundingBox()) ?? { y: 0 };
    expect(buttons.y).toBeGreaterThanOrEqual(picture.y + picture.height);
    await close();
  });

  test('with letters twice as large a rate and a count are read whole, and what is not counted yet says no difference', async () => {
    const rates = await pages.open('/console/taxas', { width: 360, large: true });
    const isReadWhole = (field: Locator) => field.evaluate((input) => input.scrollWidth <= input.clientWidth);
    const rate = rates.page.locator('.rates input').first();
    await rate.fill('12,34');
    // Columns find their place once letters and rows are there.
    await until('the rate is read whole', () => isReadWhole(rate));
    await rates.close();
    const { page, close } = await pages.open('/console/estoque/contagem', { width: 360, large: true });
    await settled(page);
    // What stands first, and what it is called, changes while further rows and the names of products come.
    const first = page
      .locator('.table tbody tr')
      .filter({ has: page.locator('.count-input') })
      .first();
    const row = page.locator(`.table tbody tr[data-id="${(await first.getAttribute('data-id')) ?? ''}"]`);
    const count = row.locator('.count-input');
    expect(await row.textContent()).not.toContain('Diferença');
    await count.fill('12,34');
    await until('the count is read whole', () => isReadWhole(count));
    await row.getByText('Diferença').waitFor();
    await close();
  });

  test('with letters twice as large the mark after a long state is not cut', async () => {
    const { page, close } = await pages.open('/console/clientes', { width: 360, large: true });
    await page.route('**/fiscal/documents?*', async (route) => {
      const answer = await route.fetch();
      const { items } = (await answer.json()) as { readonly items: readonly object[] };
      return route.fulfill({ json: { items: items.map((one) => ({ ...one, status: 'VOIDED' })), nextCursor: null } });
    });
    await page.goto(`${pages.world.url}/console/documentos`);
    await settled(page);
    const state = page.locator('.below > div').filter({ hasText: 'Numeração inutilizada' }).first();
    const roomFor = await state.evaluate((one) => {
      const cell = one.closest('td');
      return (cell?.getBoundingClientRect().right ?? 0) - one.getBoundingClientRect().right;
    });
    expect(roomFor).toBeGreaterThanOrEqual(12);
    await close();
  });

  test('on a tablet a finger meets the field of a count', async () => {
    const { page, close } = await pages.open('/console/estoque', { width: 1024 });
    const tablet = await page.context().newCDPSession(page);
    await tablet.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.goto(`${pages.world.url}/console/estoque/contagem`);
    // What stands first changes while further rows come.
    let height = 0;
    await until('there is a field to measure', async () => {
      ({ height = 0 } = (await page.locator('.count-input').first().boundingBox()) ?? {});
      return height > 0;
    });
    expect(height).toBeGreaterThanOrEqual(44);
    await close();
  });

  test('names in capitals stay within what they name in the picture of a way', async () => {
    const { variants } = await newProduct(pages, 'MOMENTO ESPECIAL COM AMENDOIM MOIDO 25KG');
    const lotCode = 'MMMMMMMMMMMMWWWWWWWWWWWW-25';
    const items = [{ variantId: variants[0].id, quantity: 3, unitCost: 2, lotCode }];
    await sent(pages, 'POST', '/stock/receipts', { items });
    const { page, close } = await pages.open(`/console/rastreio?lot=${lotCode}&direction=forward`, { width: 360 });
    await page.locator('.way .node').first().waitFor();
    const beyond = await page.locator('.way .node text').evaluateAll((texts) =>
      (texts as SVGTextElement[]).map((text) => {
        const { right: end = 0 } = text.parentElement?.querySelector('rect')?.getBoundingClientRect() ?? {};
        return text.getBoundingClientRect().right > end;
      }),
    );
    expect(beyond).toEqual([false, false]);
    await close();
  });

  test('two fingers bring the picture of the way as much nearer as they go apart', async () => {
    const lotCode = await flourLot(pages);
    const { page, close } = await pages.open(`/console/rastreio?lot=${lotCode}&direction=forward`, { width: 390 });
    await settled(page);
    const picture = page.locator('.way svg');
    await picture.scrollIntoViewIfNeeded();
    const { x = 0, y = 0 } = (await picture.boundingBox()) ?? {};
    const before = await picture.evaluate((drawn: SVGSVGElement) => drawn.viewBox.baseVal.width);
    const hand = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ends: readonly number[]) =>
      hand.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: ends.map((end, id) => ({ x: x + end, y: y + end, id })),
      });
    await touch('touchStart', 150, 190);
    for (const apart of [30, 40, 60]) await touch('touchMove', 170 - apart, 170 + apart);
    await touch('touchEnd');
    await page.waitForFunction((width) => {
      const drawn = document.querySelector<SVGSVGElement>('.way svg')?.viewBox.baseVal.width ?? 0;
      return Math.abs(drawn / width - 20 / 60) < 0.02;
    }, before);
    await close();
  });

  test('the button that makes a category stands below its field, or beside it', async () => {
    const { page, close } = await pages.open('/console/categorias', { width: 360 });
    await settled(page);
    for (const width of [360, 390, 430, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const field = await page.getByLabel('Novo nome').boundingBox();
      const button = await page.getByRole('button', { name: 'Criar' }).boundingBox();
      expect(field && button && button.y - field.y >= -1).toBe(true);
    }
    await close();
  });

  test('two taps send a form once; who is refused reads why, and finds what was typed and the focus where it was', async () => {
    const { page, close } = await pages.open(addressOf('estoque/lote/{lot}'), { width: NARROWEST });
    const sent = await refuse(page, '**/stock/adjustments');
    await page.getByRole('button', { name: 'Dar baixa' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Motivo').fill(LONG_WORD);
    const submit = dialog.getByRole('button', { name: 'Dar baixa' });
    // In one turn, as they come while the page is busy.
    await submit.evaluate((button: HTMLButtonElement) => {
      button.focus();
      button.click();
      button.click();
    });
    await dialog.getByRole('alert').waitFor();
    expect(sent).toHaveLength(1);
    await submit.and(page.locator(':focus')).waitFor();
    expect(await dialog.getByLabel('Motivo').inputValue()).toBe(LONG_WORD);
    expect(await outside(dialog)).toEqual([]);
    await close();
  });
});
