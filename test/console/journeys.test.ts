import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Dialog, Page } from 'playwright-core';
import { newGoodsInPlenty, newProduct, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import {
  browserPath,
  expectAccessible,
  expectNoOverflow,
  expectToldApart,
  flourLot,
  hold,
  openConsole,
  settled,
  untilAnswered,
} from '../support/console-pages.js';
import { until } from '../support/until.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

interface Named {
  readonly id: string;
  readonly description: string;
  readonly name: string;
}

/** It shows that it is ticked once that is on its way, which on a busy machine may be a moment after the touch. */
async function tick(stage: Locator): Promise<void> {
  await stage.click();
  await until('the stage is ticked', () => stage.isChecked());
}

inBrowser(`journeys in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const firstProduct = async (q: string): Promise<Named> => {
    const { items } = (await (await pages.call('GET', `/products?q=${q}`)).json()) as { items: Named[] };
    if (!items[0]) throw new Error(`no product ${q}`);
    return items[0];
  };

  const plannedOrder = async (expectedAt = '2030-01-02') => {
    const recipes = (await (await pages.call('GET', '/bakery-production/recipes')).json()) as Named[];
    const recipeId = recipes.find(({ name }) => name === 'Pão Francês')?.id;
    const made = await pages.call('POST', '/bakery-production/orders/plan', {
      recipeId,
      batches: 1,
      expectedAt,
    });
    return (await made.json()) as { readonly id: string };
  };
  const statusOf = async (id: string) =>
    ((await (await pages.call('GET', `/bakery-production/orders/${id}`)).json()) as { status: string }).status;

  test('a lot is recalled, what is left of it blocked, and the drill kept as a record', async () => {
    const { page, close } = await pages.open('/console/recall');
    const { items } = (await (await pages.call('GET', '/stock/lots?limit=50&includeEmpty=true')).json()) as {
      items: { lotCode: string; origin: string }[];
    };
    const code = items.find(({ origin, lotCode }) => origin === 'RECEIPT' && lotCode)?.lotCode ?? '';
    await page.getByLabel('Código do lote').fill(code);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Recall do lote ${code}` }).waitFor();
    await page.getByRole('button', { name: 'Começar um simulado' }).click();
    await page.getByRole('timer').waitFor();
    await page.getByLabel('Lotes encontrados').check();
    await page.getByRole('button', { name: 'Bloquear tudo' }).click();
    await page.getByLabel('Motivo').fill('Simulado');
    await page.getByRole('dialog').getByRole('button', { name: 'Bloquear tudo' }).click();
    await page.getByText('Tudo o que resta está bloqueado.').waitFor();
    await page.getByRole('button', { name: 'Encerrar simulado' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Encerrar simulado' }).click();
    await page.getByRole('heading', { name: /^Simulado de/ }).waitFor();
    await page.getByText('100 %').waitFor();
    // What a drill blocked is sold again.
    await page.goto(`${pages.world.url}/console/recall?lot=${encodeURIComponent(code)}`);
    await page.getByRole('button', { name: 'Liberar o que está bloqueado' }).click();
    await page.getByLabel('Motivo').fill('Fim do simulado');
    await page.getByRole('dialog').getByRole('button', { name: 'Liberar o que está bloqueado' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Bloquear tudo' }).waitFor();
    const left = (await (await pages.call('GET', `/stock/lots?q=${encodeURIComponent(code)}`)).json()) as {
      items: { status: string }[];
    };
    expect(left.items.filter(({ status }) => status === 'BLOCKED')).toEqual([]);
    await close();
  });

  /** The code of a lot of which more was made, and lies there, than is shown at first, and less was sold than a page holds. */
  async function madeOfMany(): Promise<string> {
    const [dough, cake] = await Promise.all(['Massa de Papel', 'Bolo de Papel'].map((name) => newProduct(pages, name)));
    const [componentVariantId, finishedVariantId] = [dough?.variants[0].id, cake?.variants[0].id];
    const lotCode = 'PAPEL-1';
    await sent(pages, 'POST', '/stock/receipts', {
      items: [{ variantId: componentVariantId, quantity: 20, unitCost: 1, lotCode }],
    });
    const { id: recipeId } = await sent<Named>(pages, 'POST', '/bakery-production/recipes', {
      name: 'Bolo de Papel',
      finishedVariantId,
      items: [{ componentVariantId, quantity: 1 }],
    });
    for (let count = 0; count < 12; count++) {
      await sent(pages, 'POST', '/bakery-production/orders', { recipeId, batches: 1 });
    }
    for (let count = 0; count < 40; count++) {
      await sent(pages, 'POST', '/sales', {
        items: [{ variantId: finishedVariantId, quantity: 0.05, unitPrice: 4 }],
        payments: [{ method: 'CASH', amount: 0.2 }],
      });
    }
    return lotCode;
  }

  test('a recall goes to paper whole from the menu of the browser too, and says so where it cannot', async () => {
    const code = await madeOfMany();
    const path = `/bakery-production/recall?lotCode=${code}`;
    const found = (await (await pages.call('GET', path)).json()) as { total: number; remainingCount: number };
    const { page, close } = await pages.open(`/console/recall?lot=${code}`);
    const rows = (table: string) =>
      page.getByRole('table', { name: table, exact: true }).locator('tbody tr[data-id]:visible');
    const print = async (): Promise<void> => {
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    };
    const unfinished = page.getByText('Impressão incompleta');
    await rows('Vendas').first().waitFor();
    await settled(page);
    // Beside the number of sales, that of rows, which are more where one sale took of several lots, has a name of its own.
    await page.getByRole('heading', { name: `Vendas por lote (${String(found.total)})` }).waitFor();
    // What is left begins with a few rows.
    expect(await rows('O que resta').count()).toBeLessThan(found.remainingCount);
    await print();
    expect(await rows('Vendas').count()).toBe(found.total);
    expect(await rows('O que resta').count()).toBe(found.remainingCount);
    expect(await unfinished.count()).toBe(0);
    const bars = page.locator('.balance');
    expect(await bars.count()).toBeGreaterThan(1);
    expect(await bars.filter({ visible: true }).count()).toBe(await bars.count());
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await until('few rows are drawn again', async () => (await rows('O que resta').count()) < found.remainingCount);

    await page.route(`**${path}**`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), total: 250 } });
    });
    await page.reload();
    await page.getByText('(250)').waitFor();
    await settled(page);
    expect(await unfinished.count()).toBe(0);
    await print();
    await page
      .getByText(`Impressão incompleta: ${String(found.total)} de 250 linhas. O botão “Imprimir relatório”`)
      .waitFor();
    await close();
  });

  test('what the search shows opens with Enter, whether one waits for it or not', async () => {
    const { page, close } = await pages.open('/console/hoje');
    const search = page.getByRole('search').getByRole('combobox');
    await search.fill('baguete');
    await page
      .getByRole('search')
      .locator('..')
      .getByRole('link', { name: /^Baguete/ })
      .first()
      .waitFor();
    // What Enter opens is shown first, although lots of it are found as well.
    await page.locator('.hits').getByRole('heading', { name: 'Lotes' }).waitFor();
    expect(await page.locator('.hits a').first().innerText()).toMatch(/^Baguete/);
    await search.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Baguete/ }).waitFor();
    await close();
  });

  test('what an order took below zero leads to no lot, and says so', async () => {
    const [flour, cake] = [await newProduct(pages, 'Farinha Devida'), await newProduct(pages, 'Bolo Devido')];
    const { id: recipeId } = await sent<Named>(pages, 'POST', '/bakery-production/recipes', {
      name: 'Bolo Devido',
      finishedVariantId: cake.variants[0].id,
      items: [{ componentVariantId: flour.variants[0].id, quantity: 1 }],
    });
    const order = { recipeId, batches: 1, allowNegativeStock: true };
    const { id } = await sent<Named>(pages, 'POST', '/bakery-production/orders', order);
    const { page, close } = await pages.open(`/console/producao/${id}`);
    const row = page.getByRole('table', { name: 'Insumos' }).getByRole('row').filter({ hasText: 'Farinha Devida' });
    await row.getByText('abaixo de zero').waitFor();
    expect(await row.getByRole('link').count()).toBe(0);
    await close();
  });

  test('the search leads first to what is called so, and not to what bears the word in a code alone', async () => {
    const { id, variants } = await newProduct(pages, 'Aveia Solta');
    await sent(pages, 'PATCH', `/products/${id}/variants/${variants[0].id}`, { sku: 'ROCAMBOLE-1' });
    await newProduct(pages, 'Rocambole de Coco');
    await pages.world.service.projections.caughtUp();
    const { page, close } = await pages.open('/console/hoje');
    await page.getByRole('search').getByRole('combobox').fill('rocambole');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Rocambole de Coco' }).waitFor();
    await close();
  });

  test('a lot that is added to the labels asks for nothing of those that are there', async () => {
    const { items } = await sent<{ items: { lotId: string; lotCode: string }[] }>(pages, 'GET', '/stock/lots?limit=2');
    const [first, second] = items;
    const { page, close } = await pages.open(`/console/rotulos?lot=${first?.lotId ?? ''}`);
    await page.locator('.label').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const [, lotId] = /\/stock\/lots\/([0-9a-f-]{36})$/.exec(request.url()) ?? [];
      if (lotId !== undefined) asked.push(lotId);
    });
    await page.getByLabel('Procurar lote').fill(second?.lotCode ?? '');
    await page.keyboard.press('Enter');
    await page.locator('.label').nth(1).waitFor();
    expect(asked).toEqual([second?.lotId]);
    await close();
  });

  test('a code that is scanned into the search opens its own product, whatever was opened before', async () => {
    const broa = await newProduct(pages, 'Broa Lida');
    const cuca = await newProduct(pages, 'Cuca Lida');
    const { page, close } = await pages.open('/console/hoje');
    const search = page.getByRole('search').getByRole('combobox');
    for (const { id, variants } of [broa, cuca, broa, cuca]) {
      await search.focus();
      await page.keyboard.type(variants[0].gtin);
      await page.keyboard.press('Enter');
      await until('the search is over', async () => (await search.inputValue()) === '');
      expect(page.url()).toBe(`${pages.world.url}/console/produtos/${id}`);
    }
    await close();
  });

  test.each(['Escape', 'Enter'])('by keyboard, a dialog left with %s gives the focus back', async (key) => {
    const { page, close } = await pages.open('/console/estoque/locais');
    const opener = page.getByRole('button', { name: 'Novo local' });
    await opener.press('Enter');
    await page.getByRole('dialog').waitFor();
    if (key === 'Enter') await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).first().focus();
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await opener.evaluate((button) => button.matches(':focus'))).toBe(true);
    await close();
  });

  test('a filter and a lot code with a percent sign are looked for as they were typed', async () => {
    const chocolate = { description: 'Chocolate 70%Cacau', priceCash: 9, priceCredit: 9 };
    const made = await pages.call('POST', '/products', chocolate);
    const { variants } = (await made.json()) as { variants: readonly { id: string }[] };
    const item = { variantId: variants[0]?.id, quantity: 1, unitCost: 4, lotCode: 'CH-70%41' };
    await pages.call('POST', '/stock/receipts', { items: [item] });
    const { page, close } = await pages.open('/console/produtos');
    await page.getByLabel('Buscar por nome, SKU ou código de barras').fill('70%cacau');
    await page.waitForURL(/q=70%25cacau/);
    await page.reload();
    await page.getByRole('link', { name: chocolate.description }).waitFor();
    await page.goto(`${pages.world.url}/console/recall`);
    await page.getByLabel('Código do lote').fill(item.lotCode);
    await page.getByLabel('Código do lote').press('Enter');
    await page.getByRole('heading', { name: /CH-70%41/ }).waitFor();
    await close();
  });

  test('an order of one stage says so of one', async () => {
    const [made, flour] = [
      await newProduct(pages, 'Pão de Uma Etapa'),
      await newGoodsInPlenty(pages, 'Farinha de Uma Etapa', { saleUnit: 'KG' }),
    ];
    const recipe = await sent<{ id: string }>(pages, 'POST', '/bakery-production/recipes', {
      name: 'Pão de Uma Etapa',
      finishedVariantId: made.variants[0].id,
      yieldQty: 16,
      items: [{ componentVariantId: flour.variants[0].id, quantity: 10 }],
      stages: [{ name: 'Assar', required: true }],
    });
    const planned = { recipeId: recipe.id, batches: 1, expectedAt: '2026-01-01' };
    const { id } = await sent<{ id: string }>(pages, 'POST', '/bakery-production/orders/plan', planned);
    await sent(pages, 'POST', `/bakery-production/orders/${id}/start`);
    for (const [language, said] of [
      ['pt-BR', '0 de 1 etapa'],
      ['en', '0 of 1 stage'],
    ] as const) {
      const { page, close } = await pages.open('/console/hoje', { language });
      const order = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Pão de Uma Etapa' }).first();
      await settled(page);
      expect(await order.textContent()).toMatch(new RegExp(`${said}(?!s)`));
      await close();
    }
  });

  test('an order is planned, started, its stages ticked, completed with its loss, and its label shown', async () => {
    const [made, flour] = [
      await newProduct(pages, 'Pão de Etapas'),
      await newGoodsInPlenty(pages, 'Farinha de Etapas', { saleUnit: 'KG' }),
    ];
    await sent<unknown>(pages, 'POST', '/bakery-production/recipes', {
      name: 'Pão de Etapas',
      finishedVariantId: made.variants[0].id,
      yieldQty: 16,
      expectedLossPercent: 14,
      items: [{ componentVariantId: flour.variants[0].id, quantity: 10 }],
      stages: ['Amassar', 'Modelar', 'Assar'].map((name) => ({ name, required: true })),
    });
    const { page, close } = await pages.open('/console/producao/planejar');
    await page.getByLabel('Receita').selectOption({ label: 'Pão de Etapas' });
    await page.getByRole('button', { name: 'Planejar' }).click();
    await page.getByRole('heading', { name: /Pão de Etapas · Ordem/ }).waitFor();
    await page.getByRole('button', { name: 'Iniciar' }).click();
    const stages = page.getByRole('main').getByRole('checkbox');
    await stages.first().waitFor();
    for (let place = 1; place < (await stages.count()); place++) await tick(stages.nth(place));
    await page.getByRole('button', { name: 'Concluir' }).click();
    await page.getByRole('dialog').getByText('Ainda há etapas obrigatórias abertas.').waitFor();
    await tick(page.getByRole('dialog').getByLabel('Amassar'));
    await page.getByLabel('Quanto saiu').fill('13');
    await page.getByText(/Perda de/).waitFor();
    await page.getByText(/^Custo: R\$/).waitFor();
    expect(await page.getByRole('dialog').getByLabel('Amassar').isChecked()).toBe(true);
    await page.getByText('Usei outras quantidades').click();
    const used = page.getByLabel('Farinha de Etapas');
    await used.waitFor();
    const letGo = await hold(page, '**/complete');
    await used.fill('10,5');
    await page.locator('.outdated', { hasText: /Custo: R\$/ }).waitFor();
    letGo();
    await expectAccessible(page);
    const order = page.url().split('/').at(-1) ?? '';
    await page.getByRole('dialog').getByRole('button', { name: 'Concluir' }).click();
    await page.getByRole('heading', { name: 'Rótulos' }).waitFor();
    await page.locator('.label', { hasText: 'Pão de Etapas' }).waitFor();
    const { inputs } = (await (await pages.call('GET', `/bakery-production/orders/${order}`)).json()) as {
      inputs: { quantity: number }[];
    };
    expect(inputs.map(({ quantity }) => quantity)).toContain(10.5);
    await close();
  });

  test('the recipe of today is offered to a plan that was made with another one alone', async () => {
    const [made, flour] = [await newProduct(pages, 'Pão do Dia'), await newProduct(pages, 'Farinha do Dia')];
    const formula = (quantity: number) => ({
      yieldQty: 10,
      items: [{ componentVariantId: flour.variants[0].id, quantity }],
    });
    const recipe = { name: 'Pão do Dia', finishedVariantId: made.variants[0].id, ...formula(1) };
    const { id: recipeId } = await sent<{ id: string }>(pages, 'POST', '/bakery-production/recipes', recipe);
    const plan = { recipeId, batches: 1, expectedAt: '2030-01-02' };
    const { id } = await sent<{ id: string }>(pages, 'POST', '/bakery-production/orders/plan', plan);
    const { page, close } = await pages.open(`/console/producao/${id}`);
    await page.getByText(/^Rende 10\sKG/).waitFor();
    const refresh = page.getByRole('button', { name: 'Usar a receita atual' });
    expect(await refresh.count()).toBe(0);
    const changed = { ...formula(2), changeReason: 'Mais farinha' };
    await sent<unknown>(pages, 'PUT', `/bakery-production/recipes/${recipeId}`, changed);
    await refresh.click();
    await refresh.waitFor({ state: 'detached' });
    await page
      .getByRole('cell', { name: /^2\sKG$/ })
      .first()
      .waitFor();
    await close();
  });

  test('a lot that is typed wrong for an order stays where it is mended', async () => {
    const { id } = await plannedOrder();
    const { page, close } = await pages.open(`/console/producao/${id}`);
    await page.getByRole('button', { name: 'Iniciar' }).click();
    const stages = page.getByRole('main').getByRole('checkbox');
    await stages.first().waitFor();
    for (const stage of await stages.all()) await tick(stage);
    await page.getByRole('button', { name: 'Concluir' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByText('Usei outras quantidades').click();
    const lot = dialog.getByLabel('Só do lote').first();
    await lot.fill('nenhum');
    await dialog.getByText('Nenhum lote tem este código.').waitFor();
    await lot.fill('');
    await dialog.getByText('Nenhum lote tem este código.').waitFor({ state: 'detached' });
    await close();
  });

  test('the board says how much each open order is to give', async () => {
    const { id } = await plannedOrder();
    const order = (await (await pages.call('GET', `/bakery-production/orders/${id}`)).json()) as {
      number: number;
      expectedQty: number;
    };
    await plannedOrder();
    const { page, close } = await pages.open('/console/producao');
    const card = page.locator('.card').filter({ has: page.locator(`a[href$="${id}"]`) });
    await card
      .getByText(new RegExp(`^Ordem ${String(order.number)} · .* · ${String(order.expectedQty).replace('.', ',')}\\s`))
      .waitFor();
    // Another order of the same is planned beside it.
    await expectToldApart(page);
    await close();
  });

  test('cancelling an order is tried before it is asked for, and says what it would do', async () => {
    const { id } = await plannedOrder();
    const { page, close } = await pages.open(`/console/producao/${id}`);
    await page.getByRole('button', { name: 'Cancelar ordem' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A ordem sai do quadro. Nada foi consumido.').waitFor();
    expect(await statusOf(id)).toBe('PLANNED');
    await dialog.getByRole('button', { name: 'Cancelar ordem' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await statusOf(id)).toBe('CANCELLED');
    await close();
  });

  test('the board begins with what is due first, says how many there are, and shows the rest when asked', async () => {
    for (let count = 0; count < 55; count++) await plannedOrder('2030-02-02');
    await plannedOrder('2020-01-01');
    const { page, close } = await pages.open('/console/producao');
    const planned = page.locator('.board > section', { has: page.getByRole('heading', { name: /^Planejadas/ }) });
    const cards = planned.getByRole('article');
    await cards.first().getByText('atrasada: era para 01/01/2020').waitFor();
    expect(await cards.count()).toBe(50);
    const total = Number(/\d+/.exec((await planned.getByRole('heading', { level: 2 }).textContent()) ?? '')?.[0]);
    expect(total).toBeGreaterThan(55);
    await planned.getByRole('button', { name: `Mostrar mais (faltam ${String(total - 50)})` }).click();
    await planned.getByRole('button', { name: /^Mostrar mais/ }).waitFor({ state: 'detached' });
    expect(await cards.count()).toBe(total);
    await close();
  });

  test('what cannot be cancelled any more is refused before anybody confirms it', async () => {
    const { id } = await plannedOrder();
    const { page, close } = await pages.open(`/console/producao/${id}`);
    const button = page.getByRole('button', { name: 'Cancelar ordem' });
    await button.waitFor();
    await page.route('**/cancel', async (route) => {
      await pages.call('POST', `/bakery-production/orders/${id}/cancel`);
      await route.continue();
    });
    await button.click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Cancelar ordem' }).isDisabled()).toBe(true);
    await close();
  });

  test('a lot is blocked and released alone, each after its rehearsal', async () => {
    const { variants } = await newGoodsInPlenty(pages, 'Queijo em Dúvida');
    const { items } = await sent<{ items: [{ lotId: string }] }>(
      pages,
      'GET',
      `/stock/lots?variantId=${variants[0].id}`,
    );
    const { page, close } = await pages.open(`/console/estoque/lote/${items[0].lotId}`);
    for (const [name, said] of [
      ['Bloquear', /deixam de poder ser vendidos/],
      ['Liberar', /podem de novo ser vendidos/],
    ] as const) {
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(said).waitFor();
      await dialog.getByLabel('Motivo').fill('Conferência');
      await dialog.getByRole('button', { name }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Bloquear' }).waitFor();
    await close();
  });

  test('categories that the store has already are not suggested once more: as many are made as the button says', async () => {
    const { page, close } = await pages.open('/console/categorias');
    await page.getByRole('button', { name: 'Sugerir categorias' }).click();
    const dialog = page.getByRole('dialog');
    const suggest = async (profile: string) => {
      await dialog.getByLabel('Tipo de loja').selectOption({ label: profile });
      await dialog.getByRole('button', { name: 'Sugerir', exact: true }).click();
    };
    await suggest('Padaria e Confeitaria');
    await dialog.getByText('A loja já tem todas as que se sugerem.').waitFor();
    await suggest('Restaurante, Lanchonete e Bar');
    const create = dialog.getByRole('button', { name: /^Criar \d+ categoria/ });
    await create.waitFor();
    const count = /\d+/.exec((await create.textContent()) ?? '')?.[0] ?? '';
    await create.click();
    await dialog.getByText(`${count} criadas, 0 já existiam.`).waitFor();
    await close();
  });

  test('products are narrowed to a category that stands in the address, and lead there from the categories', async () => {
    const { page, close } = await pages.open('/console/categorias');
    const row = page.getByRole('row', { name: /Pães/ }).first();
    const count = await row.getByRole('link').textContent();
    await row.getByRole('link').click();
    await page.getByText(`${count ?? ''} produtos`).waitFor();
    expect(page.url()).toMatch(/categoryId=[0-9a-f-]{36}/);
    await page.getByLabel('Categoria').selectOption({ label: 'Todas' });
    await page.waitForURL(/^(?!.*categoryId)/);
    await close();
  });

  test('the taxable unit of a product is changed where it is folded away, and what is wrong there unfolds it', async () => {
    const product = await firstProduct('baguete');
    const { page, close } = await pages.open(`/console/produtos/${product.id}`);
    const folded = page.getByText('Fiscal: unidade tributável', { exact: false });
    await folded.click();
    await page.getByLabel('Unidade tributável (uTrib)').fill('KG');
    await expectAccessible(page);
    await page.getByLabel('Tributáveis por unidade vendida').fill('muito');
    await folded.click();
    await page.getByRole('button', { name: 'Salvar' }).click();
    const factor = page.getByLabel('Tributáveis por unidade vendida');
    await factor.and(page.locator(':focus')).waitFor();
    await factor.fill('0,25');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('button', { name: 'Salvo.' }).waitFor();
    expect(await (await pages.call('GET', `/products/${product.id}`)).json()).toMatchObject({
      tribUnit: 'KG',
      tribUnitFactor: '0.25',
    });
    await close();
  });

  test('the beginning of a code leads first to the lots whose codes go on like it, however many words begin with a part of it', async () => {
    const product = await pages.call('POST', '/products', {
      description: 'Doce de Goiaba',
      priceCash: 9,
      priceCredit: 9,
    });
    const { variants } = (await product.json()) as { variants: { id: string }[] };
    const items = [{ variantId: variants[0]?.id, quantity: 3, unitCost: 2, lotCode: 'F-3525-9' }];
    expect((await pages.call('POST', '/stock/receipts', { items })).status).toBe(201);
    const { page, close } = await pages.open('/console/recall?lot=f-35');
    const found = page.locator('section', { hasText: 'Lotes parecidos' }).getByRole('link');
    await found.first().waitFor();
    expect(await found.first().textContent()).toBe('F-3525-9');
    await close();
  });

  test.each([
    ['without its signs', 'Q77126319'],
    ['with letters for digits', 'q77126-3l9'],
    ['without its first letter', '77126-319'],
    ['with a letter that was heard wrong', 'K77126-319'],
  ])('a code that is told %s leads to its lot', async (_, told) => {
    const { variants } = await newProduct(pages, `Pão de Telefone ${told}`);
    const items = ['Q77126-319', 'Q77126-320', 'Q55126-319'].map((lotCode) => ({
      variantId: variants[0].id,
      quantity: 3,
      unitCost: 2,
      lotCode,
    }));
    await sent<unknown>(pages, 'POST', '/stock/receipts', { items });
    const { page } = await pages.visit(`/console/recall?lot=${told}`);
    const found = page.locator('section', { hasText: 'Lotes parecidos' }).getByRole('link');
    await found.first().waitFor();
    expect(await found.first().textContent()).toBe('Q77126-319');
  });

  test('a code in which letters and digits were taken for one another from the first sign on leads to its lot', async () => {
    const { variants } = await newProduct(pages, 'Pão Mal Lido');
    const items = ['IO7126-LX-OO9', 'IO7126-LX-OO8', 'J07126-LX-OO9'].map((lotCode) => ({
      variantId: variants[0].id,
      quantity: 3,
      unitCost: 2,
      lotCode,
    }));
    await sent<unknown>(pages, 'POST', '/stock/receipts', { items });
    const { page } = await pages.visit('/console/recall?lot=107126-1X-009');
    const found = page.locator('section', { hasText: 'Lotes parecidos' }).getByRole('link');
    await found.first().waitFor();
    expect(await found.first().textContent()).toBe('IO7126-LX-OO9');
  });

  test('a label that is scanned leads to the recall of its lot, and a code that is mistyped to lots like it', async () => {
    const lotCode = await flourLot(pages);
    const { page, close } = await pages.open('/console/recall');
    const code = page.getByLabel('Código do lote');
    await code.fill(`${lotCode.slice(0, -2)}O1`);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: lotCode }).waitFor();
    await code.fill(`(01)07891000100103(17)270131(10)${lotCode}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Recall do lote ${lotCode}` }).waitFor();
    await page.getByRole('button', { name: new RegExp(`· ${lotCode}$`) }).press('Enter');
    await page
      .getByRole('complementary', { name: /^Farinha de Trigo/ })
      .getByText(lotCode, { exact: true })
      .waitFor();
    await close();
  });

  test('of goods that were bought it is said that they were not made here, not that they were not used', async () => {
    const { page } = await pages.visit(`/console/rastreio?lot=${await flourLot(pages)}`);
    await page.getByText('Nenhuma ordem: este lote não foi feito aqui.').waitFor();
  });

  test('an order on the way of a lot is opened beside the picture, at an address of its own', async () => {
    const { page, close } = await pages.open(`/console/rastreio?lot=${await flourLot(pages)}&direction=forward`);
    const group = page.getByRole('button', { name: /^Pão Francês · \d+ lotes/ });
    await group.focus();
    await page.keyboard.press('Enter');
    const beside = page.getByRole('complementary', { name: /^Pão Francês/ });
    const lot = beside.getByRole('button', { name: /^\d{6}-\d+$/ }).first();
    const lotCode = (await lot.textContent()) ?? '';
    await lot.click();
    await page.getByRole('complementary').getByRole('link', { name: 'Abrir lote' }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('complementary').getByText(lotCode, { exact: true }).waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNoOverflow(page);
    await close();
  });

  test('what an expired lot still holds is written off from this very lot', async () => {
    const { variants } = await newProduct(pages, 'Queijo Vencido');
    const expired = {
      variantId: variants[0].id,
      quantity: 2,
      unitCost: 3,
      lotCode: 'VENCIDO-1',
      expiresAt: '2020-01-31',
    };
    const { items } = await sent<{ items: [{ lotId: string }] }>(pages, 'POST', '/stock/receipts', {
      items: [expired],
    });
    const { lotId } = items[0];
    const { page, close } = await pages.open(`/console/estoque/lote/${lotId}`);
    await page.getByRole('button', { name: 'Dar baixa' }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page);
    await dialog.getByLabel('Motivo').fill('Venceu');
    await dialog.getByRole('button', { name: 'Dar baixa' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await (await pages.call('GET', `/stock/lots/${lotId}`)).json()).toMatchObject({ quantity: 0 });
    await close();
  });

  test('what another one changes appears, and what was typed on top of it is explained', async () => {
    const product = await firstProduct('baguete');
    const { page, close } = await pages.open(`/console/produtos/${product.id}`);
    await page.getByLabel('Preço à vista').waitFor();
    await pages.call('PATCH', `/products/${product.id}`, { priceCash: 9.5 });
    await expectValue(page.getByLabel('Preço à vista'), '9,50');
    await page.getByLabel('Descrição', { exact: true }).fill('Baguete da casa');
    await pages.call('PATCH', `/products/${product.id}`, { priceCash: 9.75 });
    await page.getByText('Este registro mudou enquanto você editava').waitFor();
    await page.getByRole('button', { name: 'Manter as duas' }).click();
    await expectValue(page.getByLabel('Preço à vista'), '9,75');
    await pages.call('PATCH', `/products/${product.id}`, { description: 'Baguete de ontem', priceCash: 9.8 });
    await page.getByText('agora Baguete de ontem; você tem Baguete da casa').waitFor();
    await page.getByText(/perde-se o que você digitou em: Descrição\.$/).waitFor();
    expect(await page.getByText(/: agora /).count()).toBe(1);
    await page.getByRole('button', { name: 'Manter o meu por cima' }).click();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Baguete da casa' }).waitFor();
    const kept = (await (await pages.call('GET', `/products/${product.id}`)).json()) as { priceCash: number };
    expect(kept.priceCash).toBe(9.8);
    await close();
  });

  test('a record that another one deletes says so, and what was typed stays to be read', async () => {
    const made = await pages.call('POST', '/products', {
      description: 'Bolo Passageiro',
      priceCash: 5,
      priceCredit: 5,
    });
    const { id } = (await made.json()) as { id: string };
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    const description = page.getByLabel('Descrição', { exact: true });
    await description.fill('Bolo que Fica');
    expect((await pages.call('DELETE', `/products/${id}`)).status).toBe(204);
    await page.getByRole('alert').getByText('Não existe mais').waitFor();
    expect(await description.inputValue()).toBe('Bolo que Fica');
    await close();
  });

  /** What the page reads by itself may ask who is there before the click does, which then waits until that is answered. */
  const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Salvar' }).click();

  test('a session that ends in the middle of a form loses nothing', async () => {
    const { page, close } = await pages.open('/console/produtos/novo');
    await page.getByLabel('Descrição', { exact: true }).fill('Sonho da visita');
    await page.getByLabel('Preço à vista').fill('7,50');
    await untilAnswered(page, 'description-match');
    await page.context().clearCookies();
    const saving = save(page);
    const dialog = page.getByRole('dialog', { name: 'Sua sessão terminou' });
    await dialog.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
    expect(await dialog.getByRole('heading').allTextContents()).toEqual(['Sua sessão terminou']);
    await dialog.getByLabel('Senha').fill(pages.demo.password);
    await page.keyboard.press('Enter');
    await saving;
    await page.getByRole('heading', { level: 1, name: 'Sonho da visita' }).waitFor();
    const { total } = (await (await pages.call('GET', '/products?q=sonho%20visita')).json()) as { total: number };
    expect(total).toBe(1);
    await close();
  });

  test('who signs in again in another tab goes on in this one as well', async () => {
    const { page, close } = await pages.open('/console/produtos/novo');
    await page.getByLabel('Descrição', { exact: true }).fill('Sonho de duas abas');
    await page.getByLabel('Preço à vista').fill('7,50');
    await untilAnswered(page, 'description-match');
    await page.context().clearCookies();
    const saving = save(page);
    await page.getByRole('dialog', { name: 'Sua sessão terminou' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${pages.world.url}/console/`);
    await other.getByLabel('Usuário ou e-mail').fill(pages.demo.username);
    await other.getByLabel('Senha').fill(pages.demo.password);
    await other.keyboard.press('Enter');
    await other.locator('.workplace').waitFor();
    // A browser without a screen lets all its tabs believe that they have the focus.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await saving;
    await page.getByRole('heading', { level: 1, name: 'Sonho de duas abas' }).waitFor();
    await close();
  });

  test('what one person has begun is not done in the name of another who signed in beside them', async () => {
    const other = { username: 'outra-pessoa', password: 'uma senha de outra pessoa' };
    const email = 'outra-pessoa@padaria.example';
    await pages.call('POST', '/users', { ...other, email, name: 'Outra Pessoa', role: 'MANAGER' });
    const { page, close } = await pages.open('/console/produtos/novo');
    await page.getByLabel('Descrição', { exact: true }).fill('Rosca de quem começou');
    await page.getByLabel('Preço à vista').fill('7,50');
    await untilAnswered(page, 'description-match');
    const origin = new URL(page.url()).origin;
    await page.context().request.post(`${origin}/auth/login`, { data: other, headers: { origin } });
    const saving = save(page);
    const dialog = page.getByRole('dialog', { name: 'Sua sessão terminou' });
    await dialog.getByLabel('Senha').fill(pages.demo.password);
    await page.keyboard.press('Enter');
    await saving;
    await page.getByRole('heading', { level: 1, name: 'Rosca de quem começou' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { items } = (await (await pages.call('GET', `/audit/entities/product/${id}`)).json()) as {
      items: readonly { text: string; actor: { name: string } }[];
    };
    expect(items[0]?.text).toContain('Rosca de quem começou');
    expect(items[0]?.actor.name).not.toBe('Outra Pessoa');
    await close();
  });

  test('a recipe is changed, compared with its last version, and its costs are followed', async () => {
    const { page, close } = await pages.open('/console/receitas');
    await page.getByRole('link', { name: 'Pão de Queijo' }).click();
    await page.getByRole('link', { name: 'Editar fórmula' }).click();
    const cost = page.getByText(/^Com o que está digitado: R\$/);
    await cost.waitFor();
    const before = await cost.textContent();
    const first = page.getByRole('textbox', { name: 'Quantidade' }).first();
    const old = await first.inputValue();
    await first.fill('');
    await page.getByRole('button', { name: 'Salvar nova versão' }).click();
    await page.getByText('Preencha este campo.').waitFor();
    await first.fill('9,875');
    await page.getByText('Preencha este campo.').waitFor({ state: 'detached' });
    await page.waitForFunction(
      (then) => ![...document.querySelectorAll('.note')].some(({ textContent }) => textContent === then),
      before,
    );
    await page.getByLabel('Motivo da mudança').fill('Mais polvilho');
    await page.getByLabel('Observações').fill('Escaldar o polvilho');
    await page.getByRole('button', { name: 'Salvar nova versão' }).click();
    await page.getByText(/Mais polvilho/).waitFor();
    await page.locator('del', { hasText: old }).waitFor();
    await page.locator('ins', { hasText: /^9,875\sKG/ }).waitFor();
    await page.getByRole('link', { name: 'Fórmula', exact: true }).click();
    await page.getByText('Escaldar o polvilho').waitFor();
    await page.getByRole('link', { name: 'Custos' }).click();
    await page.getByRole('button', { name: 'Recalcular custo padrão' }).click();
    await page.locator('.big-figure', { hasText: /^R\$/ }).waitFor();
    await page.getByRole('img', { name: 'Custo real das últimas ordens' }).waitFor();
    await close();
  });

  test('what a recipe in percents costs and lacks follows what is typed, not what is in force', async () => {
    const { page, close } = await pages.open('/console/receitas');
    await page.getByRole('link', { name: 'Pão de Forma Tradicional' }).click();
    await page.getByRole('link', { name: 'Editar fórmula' }).click();
    const cost = page.getByText(/^Com o que está digitado: R\$/);
    await cost.waitFor();
    const before = await cost.textContent();
    await page.getByLabel('Rende por batelada').fill('8000');
    await page.getByText(/^Farinha de Trigo Especial 25 kg: precisa de [\d.]+\sKG/).waitFor();
    const figure = (text: string | null) => Number(/R\$\s([\d.]+),/.exec(text ?? '')?.[1]?.replaceAll('.', ''));
    expect(figure(await cost.textContent())).toBeGreaterThan(50 * figure(before));
    await close();
  });

  test('what a recipe in percents cost before is told apart until what it costs by now has come', async () => {
    const { page, close } = await pages.open('/console/receitas');
    await page.getByRole('link', { name: 'Pão de Forma Tradicional' }).click();
    await page.getByRole('link', { name: 'Editar fórmula' }).click();
    const cost = page.getByText(/^Com o que está digitado: R\$/);
    await cost.waitFor();
    await page.locator('.outdated').first().waitFor({ state: 'detached' });
    const before = await cost.textContent();
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isAsked = new Promise<void>((resolve) => {
      void page.route('**/bakery-production/recipes/*', async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        resolve();
        await isReleased;
        return route.continue();
      });
    });
    await page.getByLabel('Rende por batelada').fill('16');
    await isAsked;
    await cost.and(page.locator('.outdated')).waitFor();
    release();
    await cost.and(page.locator('.outdated')).waitFor({ state: 'detached' });
    expect(await cost.textContent()).not.toBe(before);
    await close();
  });

  test('what was mistyped is said in the language of the page, beside its field', async () => {
    const { page, close } = await pages.open('/console/producao/planejar');
    await page.getByLabel('Bateladas').fill('muitas');
    await page.getByText(/^Escreva um número/).waitFor();
    await page.getByLabel('Bateladas').fill('0');
    await page.getByRole('button', { name: 'Planejar' }).click();
    const refused = page.getByText('deve ser mais de 0', { exact: true });
    await refused.waitFor();
    await page.getByLabel('Bateladas').fill('2');
    await refused.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Bateladas').getAttribute('aria-invalid')).toBe('false');
    const note = page.locator('form').getByRole('alert');
    await note.waitFor();
    await page.getByLabel('Bateladas').fill('muitas');
    await page.getByRole('button', { name: 'Planejar' }).click();
    await note.waitFor({ state: 'detached' });
    await close();
  });

  test('a screen that was never open says without a connection that it cannot come, and comes with it', async () => {
    const { page, close } = await pages.open('/console/caixa');
    // The words for all that the service refuses come after the screen: the connection goes before they are there.
    await page.route('**/part-refusals*', (route) => route.abort());
    await page.reload();
    await page.getByRole('combobox', { name: 'Leia o código ou digite o nome' }).waitFor();
    await page.context().setOffline(true);
    const menu = page.getByRole('navigation');
    await menu.getByRole('link', { name: 'Clientes' }).click();
    await page.getByText('O serviço não respondeu.').waitFor();
    await menu.getByRole('link', { name: 'Caixa' }).click();
    await page.getByRole('combobox', { name: 'Leia o código ou digite o nome' }).waitFor();
    await menu.getByRole('link', { name: 'Clientes' }).click();
    await page.getByRole('button', { name: 'Tentar de novo' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('textbox', { name: /^Buscar por nome/ }).waitFor();
    await close();
  });

  test('a link does not throw away what was typed without asking', async () => {
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    const supplier = page.getByLabel('Fornecedor');
    const products = page.getByRole('navigation').getByRole('link', { name: 'Produtos' });
    await supplier.fill('Moinho do Sul');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await products.click();
    expect(asked).toEqual(['O que você digitou ainda não foi salvo. Sair desta página mesmo assim?']);
    expect(await supplier.inputValue()).toBe('Moinho do Sul');
    page.once('dialog', (dialog) => void dialog.accept());
    await products.click();
    await page.getByRole('heading', { level: 1, name: 'Produtos' }).waitFor();
    await products.click();
    await close();
  });

  test('a new store says what it needs first, and no longer when it has sold', async () => {
    const store = await pages.world.newStore();
    const owner = { username: 'dona.nova', email: 'dona.nova@exemplo.com.br', name: 'Dona Nova', role: 'OWNER' };
    await store.call('POST', '/users', { ...owner, password: 'uma senha bem longa 77' });
    const { page, close } = await pages.open('/console/hoje');
    await page.context().clearCookies();
    await page.goto(`${pages.world.url}/console/hoje`);
    await page.getByLabel('Usuário ou e-mail').fill(owner.username);
    await page.getByLabel('Senha').fill('uma senha bem longa 77');
    await page.keyboard.press('Enter');
    const steps = page.locator('section', { has: page.getByRole('heading', { name: 'Comece por aqui' }) });
    await steps.getByRole('link', { name: /^Dados fiscais/ }).click();
    // A certificate is of a CNPJ, which is written down elsewhere.
    await page.getByRole('link', { name: 'Informe antes o CNPJ' }).click();
    await page.getByLabel(/^CNPJ/).waitFor();
    await page.goto(`${pages.world.url}/console/estoque/lotes`);
    await page.getByText('Nenhum lote em estoque.').waitFor();
    await page.goto(`${pages.world.url}/console/hoje`);
    const first = steps.getByRole('listitem').filter({ hasText: 'O primeiro produto' });
    await first.getByText('a fazer').waitFor();
    const { body } = await store.call('POST', '/products', { description: 'Pão', priceCash: 8, priceCredit: 8 });
    await first.getByText('feito').waitFor();
    await store.call('POST', '/card-fees/accounts', { name: 'Maquininha Nova' });
    await steps.getByRole('listitem').filter({ hasText: 'As maquininhas' }).getByText('feito').waitFor();
    const { variants } = body as { variants: readonly { id: string }[] };
    const items = [{ variantId: variants[0]?.id, quantity: 1, unitPrice: 8 }];
    await store.call('POST', '/sales', { items, payments: [{ method: 'PIX', amount: 8 }], allowNegativeStock: true });
    await steps.waitFor({ state: 'hidden' });
    await close();
  });

  test('what somebody may no longer do is no longer offered after it was refused', async () => {
    const username = 'rita.gerente';
    const password = 'uma senha bem longa 77';
    const manager = { username, password, email: 'rita@exemplo.com.br', name: 'Rita', role: 'MANAGER' };
    const made = await pages.call('POST', '/users', manager);
    const { id } = (await made.json()) as { readonly id: string };
    const { page, close } = await pages.open('/console/produtos/novo');
    await page.context().clearCookies();
    await page.goto(`${pages.world.url}/console/produtos/novo`);
    await page.getByLabel('Usuário ou e-mail').fill(username);
    await page.getByLabel('Senha').fill(password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Descrição', { exact: true }).fill('Pão');
    await page.getByLabel('Preço à vista').fill('8');
    const audit = page.getByRole('navigation').getByRole('link', { name: 'Auditoria' });
    await audit.waitFor();
    await pages.call('PATCH', `/users/${id}`, { role: 'CASHIER' });
    await page.getByRole('button', { name: 'Salvar' }).click();
    await audit.waitFor({ state: 'hidden' });
    // What was typed stays for as long as nobody leaves it, and nothing else of its screen can be opened.
    await page.getByRole('alert').getByText('Você não tem permissão para isto.').waitFor();
    expect(await page.getByLabel('Descrição', { exact: true }).inputValue()).toBe('Pão');
    await pages.call('PATCH', `/users/${id}`, { role: 'BAKER', permissions: ['sales.view'] });
    await page.getByRole('button', { name: 'Salvar' }).click();
    const products = page.getByRole('navigation').getByRole('link', { name: 'Produtos' });
    await products.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Descrição', { exact: true }).inputValue()).toBe('Pão');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('navigation').getByRole('link', { name: 'Vendas' }).click();
    await page.getByRole('heading', { level: 1, name: 'Vendas' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Você não tem permissão para ver esta página.' }).waitFor();
    await close();
  });

  test('what is made after its form was left leads nobody away from where they are by then', async () => {
    const { page, close } = await pages.open('/console/clientes/novo');
    let answer: () => void = () => undefined;
    const isElsewhere = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/customers', async (route) => {
      await isElsewhere;
      return route.continue();
    });
    await page.getByLabel('Nome', { exact: true }).fill('Ana que Saiu');
    const answered = page.waitForResponse('**/customers');
    await page.getByRole('button', { name: 'Salvar' }).click();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('navigation').getByRole('link', { name: 'Marcas' }).click();
    await page.getByRole('heading', { level: 1, name: 'Marcas' }).waitFor();
    answer();
    await (await answered).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(new URL(page.url()).pathname).toBe('/console/marcas');
    await close();
  });

  test('what is made after its form was left leads nobody away from the next one that is begun', async () => {
    const { page, close } = await pages.open('/console/clientes/novo');
    let answer: () => void = () => undefined;
    const isBegun = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/customers', async (route) => {
      await isBegun;
      return route.continue();
    });
    const name = page.getByLabel('Nome', { exact: true });
    await name.fill('Bia que Demora');
    const answered = page.waitForResponse('**/customers');
    await page.getByRole('button', { name: 'Salvar' }).click();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('navigation').getByRole('link', { name: 'Clientes' }).click();
    await page.getByRole('link', { name: 'Novo cliente' }).click();
    await name.fill('Caio que Vem Depois');
    answer();
    await (await answered).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(new URL(page.url()).pathname).toBe('/console/clientes/novo');
    expect(await name.inputValue()).toBe('Caio que Vem Depois');
    await close();
  });

  test('neither Back nor Forward throws away what was typed without asking', async () => {
    const { page, close } = await pages.open('/console/produtos');
    await page.getByRole('link', { name: 'Novo produto' }).click();
    const description = page.getByLabel('Descrição', { exact: true });
    await description.fill('Pão que ainda não existe');
    const goBack = async (): Promise<Dialog> => {
      const asked = page.waitForEvent('dialog');
      await page.evaluate('history.back()');
      return asked;
    };
    await (await goBack()).dismiss();
    await page.waitForFunction("location.pathname.endsWith('/novo')");
    expect(await description.inputValue()).toBe('Pão que ainda não existe');
    await (await goBack()).accept();
    await page.getByRole('heading', { level: 1, name: 'Produtos' }).waitFor();
    await close();
  });

  test('what was counted outlives a reload, and what is sold meanwhile is no difference', async () => {
    const inStock = async () => {
      const answer = await pages.call('GET', '/products?q=agua%20mineral%20sem%20gas');
      const { items } = (await answer.json()) as { items: { stockQty: number; variants: { id: string }[] }[] };
      if (!items[0]?.variants[0]) throw new Error('the demonstration has no water');
      return { ...items[0], variantId: items[0].variants[0].id };
    };
    const { variantId } = await inStock();
    await sent(pages, 'POST', '/stock/receipts', { items: [{ variantId, quantity: 10, unitCost: 1 }] });
    const { page, close } = await pages.open('/console/estoque/contagem');
    await settled(page);
    const water = page.getByRole('textbox', { name: 'Contado: Água Mineral sem Gás 500 ml' });
    const row = page.getByRole('row').filter({ has: water });
    await water.fill('abc');
    await row.getByText('não é uma quantidade').waitFor();
    const found = await inStock();
    await water.fill(String(found.stockQty - 2));
    await row.getByText('-2', { exact: true }).waitFor();
    const sold = await pages.call('POST', '/sales', {
      items: [{ variantId, quantity: 3, unitPrice: 1 }],
      payments: [{ method: 'CASH', amount: 3 }],
    });
    expect(sold.status).toBe(201);
    await page.reload();
    await row.getByText('-2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Registrar diferenças' }).click();
    await page.getByText('1 diferença registrada.').waitFor();
    expect((await inStock()).stockQty).toBe(found.stockQty - 5);
    await close();
  });

  test('a count whose answer was lost is booked once, also after a reload and beside another tab', async () => {
    const { page, close } = await pages.open('/console/estoque/contagem');
    await settled(page);
    const field = (tab: Page) => tab.getByRole('textbox', { name: 'Contado: Água Mineral sem Gás 500 ml' });
    const inStock = async () => {
      const answer = await pages.call('GET', '/products?q=agua%20mineral%20sem%20gas');
      return ((await answer.json()) as { items: { stockQty: number }[] }).items[0]?.stockQty ?? 0;
    };
    const wanted = Math.floor(await inStock()) + 5;
    await field(page).fill(String(wanted));
    await page.route('**/stock/adjustments', async (route) => {
      await route.fetch();
      return route.abort('connectionreset');
    });
    const book = (tab: Page) => tab.getByRole('button', { name: 'Registrar diferenças' });
    await book(page).click();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/stock/adjustments');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await until('another tab has the count', async () => (await field(other).inputValue()) === String(wanted));
    await page.reload();
    await book(page).click();
    await page.getByText('1 diferença registrada.').waitFor();
    await until('it is booked in the other tab too', async () => (await field(other).inputValue()) === '');
    expect(await inStock()).toBe(wanted);
    await book(page).and(page.locator(':focus')).waitFor();
    await close();
  });

  test('what another one counts and books of the same goods meanwhile is missing once', async () => {
    const { id, variants } = await newProduct(pages, 'Bala Contada por Dois');
    const items = [{ variantId: variants[0].id, quantity: 50, unitCost: 1 }];
    await sent(pages, 'POST', '/stock/receipts', { items });
    const { page, close } = await pages.open('/console/estoque/contagem');
    const sweets = page.getByRole('textbox', { name: 'Contado: Bala Contada por Dois' });
    const row = page.getByRole('row').filter({ has: sweets });
    await page.getByLabel('Filtrar por produto').fill('Bala Contada');
    await sweets.fill('46');
    await row.getByText('-4', { exact: true }).waitFor();
    await sent(pages, 'POST', '/stock/adjustments', {
      reason: 'Contagem de outra pessoa',
      countId: randomUUID(),
      items: [{ variantId: variants[0].id, quantity: -3 }],
    });
    await row.getByText('-1', { exact: true }).waitFor();
    await page.reload();
    await page.getByLabel('Filtrar por produto').fill('Bala Contada');
    await page.getByRole('button', { name: 'Registrar diferenças' }).click();
    await page.getByText('1 diferença registrada.').waitFor();
    const counted = await (await pages.call('GET', `/products/${id}`)).json();
    expect(counted).toMatchObject({ stockQty: 46 });
    await close();
  });

  test('a count books its differences together', async () => {
    const { page, close } = await pages.open('/console/estoque/contagem');
    await settled(page);
    const first = page.getByRole('textbox', { name: /^Contado: / }).first();
    await first.fill('7');
    await page.getByText(/^1 diferença/).waitFor();
    await page.getByRole('button', { name: 'Registrar diferenças' }).click();
    await page.getByText('1 diferença registrada.').waitFor();
    await close();
  });
});

type Locator = ReturnType<Awaited<ReturnType<ConsolePages['open']>>['page']['getByLabel']>;

/** A field's value comes by itself when the record changes. */
async function expectValue(field: Locator, wanted: string): Promise<void> {
  await until(`the field shows ${wanted}`, async () => (await field.inputValue()) === wanted);
}
