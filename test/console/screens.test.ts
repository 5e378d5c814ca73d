import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newProduct, sent } from '../support/console-goods.js';
import type { ConsolePages, Spoken } from '../support/console-pages.js';
import {
  browserPath,
  expectAccessible,
  expectNoOverflow,
  expectToldApart,
  flourLot,
  heightBetween,
  openConsole,
  settled,
  untilAnswered,
} from '../support/console-pages.js';

/** Every screen, as it opens, with what stands in its heading in each language. */
const SCREENS: readonly (readonly [path: string, portuguese: string, english: string])[] = [
  ['/console/hoje', 'Hoje', 'Today'],
  ['/console/estoque', 'Estoque', 'Stock'],
  ['/console/estoque/lotes', 'Estoque', 'Stock'],
  ['/console/estoque/locais', 'Estoque', 'Stock'],
  ['/console/estoque/movimentos', 'Estoque', 'Stock'],
  ['/console/estoque/entradas', 'Estoque', 'Stock'],
  ['/console/estoque/ajustes', 'Estoque', 'Stock'],
  ['/console/estoque/ajustes/novo', 'Novo ajuste', 'New adjustment'],
  ['/console/estoque/transferencias', 'Estoque', 'Stock'],
  ['/console/estoque/transferencias/nova', 'Nova transferência', 'New transfer'],
  ['/console/estoque/valor', 'Estoque', 'Stock'],
  ['/console/estoque/entradas/nova', 'Nova entrada', 'New receipt'],
  ['/console/estoque/contagem', 'Estoque', 'Stock'],
  ['/console/producao', 'Produção', 'Production'],
  ['/console/producao/ordens', 'Produção', 'Production'],
  ['/console/producao/planejar', 'Planejar', 'Plan'],
  ['/console/recall', 'Recall', 'Recall'],
  ['/console/recall?lot={flour}', 'Recall', 'Recall'],
  ['/console/produtos', 'Produtos', 'Products'],
  ['/console/receitas', 'Receitas', 'Recipes'],
  ['/console/receitas/nova', 'Nova receita', 'New recipe'],
  ['/console/categorias', 'Categorias', 'Categories'],
  ['/console/marcas', 'Marcas', 'Brands'],
  ['/console/etiquetas', 'Etiquetas', 'Tags'],
  ['/console/rotulos', 'Rótulos', 'Labels'],
  ['/console/rastreio?lot={flour}&direction=forward', 'Rastreio', 'Tracing'],
  ['/console/produtos/novo', 'Novo produto', 'New product'],
  ['/console/caixa', 'Caixa', 'Till'],
  ['/console/vendas', 'Vendas', 'Sales'],
  ['/console/vendas/resumo', 'Resumo', 'Summary'],
  ['/console/clientes', 'Clientes', 'Customers'],
  ['/console/clientes/novo', 'Novo cliente', 'New customer'],
  ['/console/configuracoes/conta', 'Sua conta', 'Your account'],
  ['/console/configuracoes/loja', 'Loja', 'Store'],
  ['/console/configuracoes/fiscal', 'Dados fiscais', 'Fiscal data'],
  ['/console/configuracoes/impostos', 'Regras de impostos', 'Tax rules'],
  ['/console/configuracoes/pessoas', 'Pessoas', 'People'],
  ['/console/configuracoes/chaves', 'Chaves de API', 'API keys'],
  ['/console/configuracoes/copias', 'Cópias de segurança', 'Backups'],
  ['/console/documentos', 'Documentos fiscais', 'Fiscal documents'],
  ['/console/documentos/ligacao', 'Documentos fiscais', 'Fiscal documents'],
  ['/console/documentos/mes', 'Documentos fiscais', 'Fiscal documents'],
  ['/console/auditoria', 'Auditoria', 'Audit'],
  ['/console/auditoria/inteira', 'Auditoria', 'Audit'],
  ['/console/webhooks', 'Webhooks', 'Webhooks'],
  ['/console/taxas', 'Taxas de cartão', 'Card fees'],
  ['/console/taxas/bandeiras', 'Taxas de cartão', 'Card fees'],
  ['/console/taxas/mes', 'Taxas de cartão', 'Card fees'],
  ['/console/taxas/faixas', 'Taxas de cartão', 'Card fees'],
];

/** What is headed by the record that it shows. */
const RECORDS = [
  '/console/estoque/lote/{lot}',
  '/console/estoque/entradas/{receipt}',
  '/console/producao/{order}',
  '/console/recall/simulados/{drill}',
  '/console/produtos/{product}',
  '/console/receitas/{recipe}',
  '/console/receitas/{recipe}/editar',
  '/console/receitas/{recipe}/versoes',
  '/console/receitas/{recipe}/custos',
  '/console/vendas/{sale}',
  '/console/clientes/{customer}',
  '/console/documentos/{document}',
  '/console/auditoria/{kind}/{product}',
  '/console/webhooks/{destination}',
  '/console/webhooks/{destination}/entregas/{delivery}',
  '/console/configuracoes/pessoas/{person}',
];

const LOOKS: readonly { readonly width: number; readonly language: Spoken; readonly dark: boolean }[] = [
  { width: 1280, language: 'pt-BR', dark: false },
  { width: 360, language: 'en', dark: true },
];

const inBrowser = browserPath === undefined ? describe.skip : describe;

inBrowser(`screens in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  let flour: string;
  const known: Record<string, string> = { kind: 'product' };
  beforeAll(async () => {
    pages = await openConsole({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    flour = await flourLot(pages);
    await findRecords();
  });
  afterAll(() => pages.close());

  async function findRecords(): Promise<void> {
    interface Made {
      readonly id: string;
    }
    interface Listed {
      readonly id?: string;
      readonly lotId?: string;
    }
    const first = async (path: string): Promise<string> => {
      const answer = (await (await pages.call('GET', path)).json()) as
        readonly Listed[] | { readonly items: readonly Listed[] };
      const [found] = 'items' in answer ? answer.items : answer;
      if (!found) throw new Error(`nothing at ${path}`);
      return found.id ?? found.lotId ?? '';
    };
    const destination = await sent<Made>(pages, 'POST', '/outbound-webhooks', { url: 'http://127.0.0.1:9/' });
    const deliveries = `/outbound-webhooks/${destination.id}`;
    await sent(pages, 'POST', `${deliveries}/test`);
    await pages.world.service.projections.caughtUp();
    Object.assign(known, {
      flour,
      lot: await first('/stock/lots?limit=1'),
      receipt: await first('/stock/receipts?limit=1'),
      order: await first('/bakery-production/orders?status=COMPLETED&limit=1'),
      drill: (await sent<Made>(pages, 'POST', '/recall-drills', { lotCode: flour })).id,
      product: await first('/products?take=1'),
      recipe: await first('/bakery-production/recipes'),
      sale: await first('/sales?status=COMPLETED&limit=1'),
      customer: await first('/customers?limit=1'),
      document: await first('/fiscal/documents?status=REJECTED&limit=1'),
      destination: destination.id,
      delivery: await first(`${deliveries}/deliveries?limit=1`),
      person: await first('/users?limit=1'),
    });
  }

  const pathsLedTo = new Set<string>();

  async function lookAt(path: string, look: (typeof LOOKS)[number], heading?: string): Promise<void> {
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '');
    const { page, complaints } = await pages.visit(address, look);
    await page.getByRole('heading', { level: 1, ...(heading === undefined ? {} : { name: heading }) }).waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await expectToldApart(page);
    expect(complaints).toEqual([]);
    const links = await page
      .locator('a[href^="/console/"]')
      .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).pathname));
    for (const link of links) pathsLedTo.add(link);
  }

  for (const look of LOOKS) {
    for (const [path, portuguese, english] of SCREENS) {
      test(`${path} at ${look.width} px in ${look.language}`, () =>
        lookAt(path, look, look.language === 'en' ? english : portuguese));
    }
    for (const path of RECORDS) {
      test(`${path} at ${look.width} px in ${look.language}`, () => lookAt(path, look));
    }
  }

  test('movements of one lot within a minute are told apart by what they left', async () => {
    const { variants } = await newProduct(pages, 'Pão de um Minuto');
    const items = [{ variantId: variants[0].id, quantity: 9, unitCost: 2, lotCode: 'MINUTO-1' }];
    await sent(pages, 'POST', '/stock/receipts', { items });
    const sale = {
      items: [{ variantId: variants[0].id, quantity: 1, unitPrice: 3 }],
      payments: [{ method: 'PIX', amount: 3 }],
      occurredAt: new Date().toISOString(),
    };
    for (let count = 0; count < 2; count += 1) await sent(pages, 'POST', '/sales', sale);
    const { page } = await pages.visit(`/console/estoque/movimentos?variantId=${variants[0].id}`);
    await page.getByRole('row').nth(2).waitFor();
    await expectToldApart(page);
  });

  test('sessions that browsers of one kind began within one second are told apart', async () => {
    const { page, close } = await pages.open('/console/clientes');
    await page.route('**/auth/sessions', async (route) => {
      const response = await route.fetch();
      const { items } = (await response.json()) as { items: readonly object[] };
      const others = ['here', 'there'].map((id) => ({ ...items[0], id, current: false }));
      await route.fulfill({ response, json: { items: [...items, ...others] } });
    });
    await page.goto(`${pages.world.url}/console/configuracoes/conta`);
    await page.getByRole('table', { name: 'Onde você está conectado' }).getByRole('button').nth(1).waitFor();
    await expectToldApart(page);
    await close();
  });

  test('every address that has a route, or that a screen leads to, is among those that are looked at', () => {
    const looked = [...SCREENS.map(([path]) => path.replace(/\?.*/, '')), ...RECORDS];
    const isLookedAt = (address: string, isAny: (part: string, looked: string) => boolean) =>
      looked.some((path) => {
        const [parts, others] = [path.split('/'), address.split('/')];
        return (
          parts.length === others.length &&
          parts.every((part, at) => part === others[at] || isAny(others[at] ?? '', part))
        );
      });
    const routes = readdirSync('src/console/screens', { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => [...readFileSync(`src/console/screens/${file}`, 'utf8').matchAll(/<Route path="([^"]+)"/g)])
      .map(([, route = '']) => `/console${route.replace(/\/:\w+\?$/, '')}`);
    expect(routes.length).toBeGreaterThan(30);
    expect(routes.filter((route) => !isLookedAt(route, (part) => part.startsWith(':')))).toEqual([]);
    // These lead on at once to one that is.
    for (const beginning of ['/console/', '/console/configuracoes']) pathsLedTo.delete(beginning);
    expect([...pathsLedTo].filter((link) => !isLookedAt(link, (_, part) => part.startsWith('{')))).toEqual([]);
  });

  for (const path of ['/console/taxas/mes', '/console/estoque/lotes', '/console/vendas']) {
    test(`on a phone no two rows of ${path} read alike`, async () => {
      const { page, close } = await pages.open(path, { width: 360 });
      await page.locator('tbody tr').first().waitFor();
      await settled(page);
      const rows = await page.locator('tbody tr').allInnerTexts();
      const told = rows.map((row) => row.replace(/R\$\s[\d.,]+|[\d.,]+\s(?:KG|UN|L)\b/g, ''));
      expect(new Set(told).size).toBe(told.length);
      await close();
    });
  }

  test.each([
    '/console/hoje',
    '/console/producao',
    '/console/categorias',
    '/console/auditoria',
    '/console/produtos/novo',
  ])('on a phone a finger finds what is touched on %s', async (path) => {
    const { page, close } = await pages.open(path, { width: 360 });
    await settled(page);
    const missed = await page.getByRole('main').evaluate((main) =>
      [...main.querySelectorAll<HTMLElement>('a, button, summary, input[type=checkbox]')].flatMap((element) => {
        const target = element.closest('label') ?? element;
        target.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = target.getBoundingClientRect();
        if (!element.checkVisibility() || element.closest('p')) return [];
        const isThere = (y: number) => target.contains(document.elementFromPoint(left + Math.min(width / 2, 20), y));
        const middle = top + height / 2;
        return isThere(middle - 20) && isThere(middle + 20) ? [] : [target.outerHTML.slice(0, 200)];
      }),
    );
    expect(missed).toEqual([]);
    await close();
  });

  test('a sale and the movements of its lot fit on a phone, and say what each row needs', async () => {
    const { items } = (await (await pages.call('GET', '/sales?limit=50')).json()) as {
      items: { id: string; items: { lots: { lotId: string; quantity: number }[] }[]; payments: { fee: number }[] }[];
    };
    const sale = items.find(({ payments }) => payments.some(({ fee }) => fee > 0));
    const lotId = sale?.items[0]?.lots[0]?.lotId ?? '';
    const { page, close } = await pages.open(`/console/vendas/${sale?.id ?? ''}`, { width: 360 });
    await page.getByRole('row', { name: /Taxa R\$/ }).waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page);
    const lot = (await (await pages.call('GET', `/stock/lots/${lotId}`)).json()) as { quantity: number };
    await page.goto(`${pages.world.url}/console/estoque/lote/${lotId}`);
    const newest = page.getByRole('table').locator('tbody tr:not(.waiting)').first().locator('td').last();
    // The screen shows three decimals; what the demo store weighs may have more.
    expect(Number((await newest.innerText()).replace('.', '').replace(',', '.'))).toBeCloseTo(lot.quantity, 3);
    await expectNoOverflow(page);
    await close();
  });

  test('fields of one line stand beside each other, also where the label of one takes two lines', async () => {
    const { page, close } = await pages.open('/console/receitas/nova');
    await page.getByRole('button', { name: 'Adicionar etapa' }).click();
    const label = (text: string) => page.locator('.line label', { hasText: text }).first();
    const field = (text: string) => page.getByLabel(text).first();
    await label('Custo por hora').waitFor();
    const heights = await Promise.all(
      ['Minutos', 'Custo por hora'].map(async (text) => (await label(text).boundingBox())?.height),
    );
    expect(heights[1]).toBeGreaterThan(heights[0] ?? Infinity);
    expect(await heightBetween(field('Custo por hora'), field('Minutos'))).toBe(0);
    await close();
  });

  test('an order says on a tablet how much there is of what it takes, and a recipe asks for no taxable unit', async () => {
    const [recipe] = (await (await pages.call('GET', '/bakery-production/recipes')).json()) as { id: string }[];
    const recipeId = recipe?.id ?? '';
    const order = { recipeId, batches: 1, expectedAt: '2030-01-31' };
    const { id } = (await (await pages.call('POST', '/bakery-production/orders/plan', order)).json()) as { id: string };
    const { page, close } = await pages.open(`/console/producao/${id}`, { width: 820 });
    await page.getByRole('table', { name: 'Insumos' }).locator('tbody').getByText(/^Há/).first().waitFor();
    await page.goto(`${pages.world.url}/console/receitas/${recipeId}`);
    await untilAnswered(page, 'tributary-suggestion');
    await settled(page);
    expect(await page.getByRole('heading', { name: 'Unidade tributável na NF-e' }).count()).toBe(0);
    await close();
  });

  test.each([768, 360])('the code of a lot is neither cut off nor broken at %i px', async (width) => {
    type Listed<T> = { items: readonly T[] };
    const read = async <T>(path: string) => (await (await pages.call('GET', path)).json()) as T;
    type Sale = { id: string; items: readonly { lots: readonly { lotCode: string | null }[] }[] };
    const sales = await read<Listed<Sale>>('/sales?limit=50');
    const sale = sales.items.find(({ items }) => items.some(({ lots }) => lots.some(({ lotCode }) => lotCode)));
    const [order] = await read<readonly { id: string }[]>('/bakery-production/orders?status=COMPLETED&limit=1');
    const receipts = await read<Listed<{ id: string }>>('/stock/receipts?limit=1');
    const { page, close } = await pages.open('/console/recall', { width });
    for (const path of [
      'estoque/lotes',
      'estoque/movimentos',
      `estoque/entradas/${receipts.items[0]?.id ?? ''}`,
      `producao/${order?.id ?? ''}`,
      `vendas/${sale?.id ?? ''}`,
      `recall?lot=${flour}`,
    ]) {
      await page.goto(`${pages.world.url}/console/${path}`);
      await page.locator('span.whole:visible').first().waitFor();
      await settled(page);
      const codes = await page.locator('.table span.whole:visible').evaluateAll((found) =>
        found.map((code) => {
          const { height, right } = code.getBoundingClientRect();
          return {
            code: code.textContent,
            isCut: right > (code.closest('td')?.getBoundingClientRect().right ?? 0),
            isBroken: height > 2 * parseFloat(getComputedStyle(code).fontSize),
          };
        }),
      );
      expect(codes.filter(({ isCut, isBroken }) => isCut || isBroken)).toEqual([]);
      await expectNoOverflow(page);
    }
    await close();
  });

  test('why a document of a sale was refused fits on a phone, and is read to its end', async () => {
    const refused = await pages.call('GET', '/fiscal/documents?status=REJECTED&limit=20');
    const { items } = (await refused.json()) as { items: { saleId: string; rejection: { message: string } }[] };
    expect(items.length).toBeGreaterThan(0);
    const { page, close } = await pages.open('/console/vendas', { width: 360 });
    for (const { saleId, rejection } of items) {
      await page.goto(`${pages.world.url}/console/vendas/${saleId}`);
      await page.getByText(rejection.message).first().waitFor();
      await expectNoOverflow(page);
    }
    await close();
  });

  test.each([360, 1280])('names as long as they may be leave nothing outside of a screen of %d px', async (width) => {
    const name = `${'Umnomemuitolongo'.repeat(5)} ${String(width)}`;
    const make = async <T>(path: string, body: object) => (await (await pages.call('POST', path, body)).json()) as T;
    const product = (description: string) =>
      make<{ id: string; variants: readonly [{ id: string }] }>('/products', {
        description,
        priceCash: 8,
        priceCredit: 8,
        saleUnit: 'KG',
      });
    const { id, variants } = await product(name);
    const variantId = variants[0].id;
    const item = { variantId, quantity: 134.249, unitCost: 3, lotCode: `${'L'.repeat(40)}${String(width)}` };
    const receipt = await make<{ items: readonly [{ lotId: string }] }>('/stock/receipts', {
      supplier: name,
      items: [item],
    });
    const recipe = await make<{ id: string }>('/bakery-production/recipes', {
      name,
      finishedVariantId: (await product(`${name} assado`)).variants[0].id,
      items: [{ componentVariantId: variantId, quantity: 1 }],
    });
    const sale = await make<{ id: string }>('/sales', {
      items: [{ variantId, quantity: 1, unitPrice: 8 }],
      payments: [{ method: 'CASH', amount: 8 }],
    });
    const customer = await make<{ id: string }>('/customers', {
      name,
      email: `${'e'.repeat(60)}@${'m'.repeat(60)}.${String(width)}.example`,
    });
    for (const path of [
      `/console/estoque/lotes?q=${String(width)}`,
      '/console/estoque/movimentos',
      '/console/clientes',
      `/console/produtos/${id}`,
      `/console/receitas/${recipe.id}/editar`,
      `/console/rotulos?lot=${receipt.items[0].lotId}`,
    ]) {
      const { page, close } = await pages.open(path, { width });
      await page.getByText(name).first().waitFor();
      await settled(page);
      await expectNoOverflow(page);
      await close();
    }
    for (const [path, action] of [
      [`/console/vendas/${sale.id}`, 'Devolver'],
      [`/console/clientes/${customer.id}`, 'Eliminar dados'],
    ] as const) {
      const { page, close } = await pages.open(path, { width });
      await page.getByRole('button', { name: action }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(name).first().waitFor();
      expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
      await close();
    }
  });

  test('the way in is as accessible as the rest', async () => {
    const { page, close } = await pages.open('/console/reset-password#token=abc', { width: 360 });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(page);
    await close();
  });
});
