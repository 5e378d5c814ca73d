import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MadeProduct } from '../support/console-goods.js';
import { newProduct, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import {
  browserPath,
  heightBetween,
  hold,
  openConsole,
  pasteInto,
  readByScanner,
  refusing,
  settled,
} from '../support/console-pages.js';
import { until } from '../support/until.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** What people type, scan and leave half done. */
inBrowser(`entries in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const inStock = async (description: string): Promise<MadeProduct['variants'][0]> => {
    const [variant] = (await newProduct(pages, description)).variants;
    await sent(pages, 'POST', '/stock/receipts', { items: [{ variantId: variant.id, quantity: 10, unitCost: 2 }] });
    return variant;
  };
  const newRecipe = async (name: string): Promise<{ readonly id: string; readonly input: string }> => {
    const [made, input] = [await inStock(name), await inStock(`Farinha de ${name}`)];
    const items = [{ componentVariantId: input.id, quantity: 2 }];
    const recipe = { name, finishedVariantId: made.id, yieldQty: 10, items };
    return {
      id: (await sent<{ id: string }>(pages, 'POST', '/bakery-production/recipes', recipe)).id,
      input: input.id,
    };
  };

  test('the recipe that a plan begins with stays, also where another comes before it in the list', async () => {
    const { page, close } = await pages.open('/console/producao/planejar');
    const chosen = page.getByLabel('Receita').locator('option:checked');
    const before = await chosen.textContent();
    await newRecipe('A Primeira de Todas');
    await page.getByRole('option', { name: 'A Primeira de Todas' }).waitFor({ state: 'attached' });
    expect(await chosen.textContent()).toBe(before);
    await close();
  });

  test('an open order shows what it takes by the version that it keeps, where it takes it', async () => {
    const recipe = await newRecipe('Pão de Ordem');
    const plan = { recipeId: recipe.id, batches: 1, expectedAt: '2030-01-31' };
    const order = await sent<{ id: string }>(pages, 'POST', '/bakery-production/orders/plan', plan);
    const elsewhere = await sent<{ id: string }>(pages, 'POST', '/locations', { name: 'Depósito de Ordem' });
    const there = await sent<{ id: string }>(pages, 'POST', '/bakery-production/orders/plan', {
      ...plan,
      locationId: elsewhere.id,
    });
    await sent(pages, 'PUT', `/bakery-production/recipes/${recipe.id}`, {
      items: [{ componentVariantId: recipe.input, quantity: 7 }],
    });
    const { page, close } = await pages.open(`/console/producao/${order.id}`);
    const needed = page.getByRole('row').filter({ hasText: 'Farinha de Pão de Ordem' });
    await needed.getByText('2 KG', { exact: true }).waitFor();
    await page.goto(page.url().replace(order.id, there.id));
    await needed.getByText('0 KG', { exact: true }).waitFor();
    expect(await needed.getByText('2 KG', { exact: true }).count()).toBe(2);
    await close();
  });

  test('goods are not sent to the place that they leave, whichever of the two was chosen last', async () => {
    await sent<unknown>(pages, 'POST', '/locations', { name: 'Depósito de Ida e Volta' });
    const { page, close } = await pages.open('/console/estoque/transferencias/nova');
    const [from, to] = [page.getByLabel('De', { exact: true }), page.getByLabel('Para', { exact: true })];
    await to.selectOption({ label: 'Depósito de Ida e Volta' });
    await from.selectOption({ label: 'Depósito de Ida e Volta' });
    await to.locator('option', { hasText: 'Depósito de Ida e Volta' }).waitFor({ state: 'detached' });
    expect(await to.inputValue()).not.toBe('');
    expect(await to.inputValue()).not.toBe(await from.inputValue());
    await close();
  });

  test('goods are counted with a scanner alone: each code leads to its count, also from the count before', async () => {
    const [one, two] = [await inStock('Contado Um'), await inStock('Contado Dois')];
    const { page, close } = await pages.open('/console/estoque/contagem');
    const count = (name: string) => page.getByLabel(`Contado: ${name}`);
    const filter = page.getByLabel('Filtrar por produto');
    await filter.fill('Contado');
    await count('Contado Dois').waitFor();
    await filter.fill('');
    const scan = (code: string) => readByScanner(page, code);
    await scan(one.gtin);
    await count('Contado Um').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('12');
    // The next is scanned without a key between.
    await scan(two.gtin);
    await count('Contado Dois').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('9,5');
    await page.keyboard.press('Enter');
    await filter.and(page.locator(':focus')).waitFor();
    await scan(one.gtin);
    await count('Contado Um').and(page.locator(':focus')).waitFor();
    expect(await count('Contado Um').inputValue()).toBe('12');
    await scan('7891234567895');
    await page.getByText('Nada encontrado.').waitFor();
    await filter.and(page.locator(':focus')).waitFor();
    const sale = {
      items: [{ variantId: one.id, quantity: 1, unitPrice: 4 }],
      payments: [{ method: 'PIX', amount: 4 }],
    };
    await sent(pages, 'POST', '/sales', sale);
    await scan(one.gtin);
    await count('Contado Um').and(page.locator(':focus')).waitFor();
    expect(await count('Contado Um').inputValue()).toBe('12');
    // What stood there still stands, held against the balance of then.
    await scan(two.gtin);
    await count('Contado Dois').and(page.locator(':focus')).waitFor();
    await filter.fill('Contado');
    await page.getByRole('row', { name: 'Contado Um' }).getByText('+2', { exact: true }).waitFor();
    await page.getByText('2 diferenças').waitFor();
    await page.getByRole('button', { name: 'Apagar a contagem' }).click();
    await page.getByRole('dialog', { name: 'Apagar tudo o que foi contado e ainda não foi registrado?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Registrar diferenças' }).click();
    await page.getByText('2 diferenças registradas.').waitFor();
    const { items } = await sent<{ items: readonly { variantId: string; quantity: number }[] }>(
      pages,
      'GET',
      '/stock/balances?limit=200',
    );
    const left = (id: string) => items.find(({ variantId }) => variantId === id)?.quantity;
    expect([left(one.id), left(two.id)]).toEqual([11, 9.5]);
    await close();
  });

  test('a count takes what is missing from more lots than one adjustment names', async () => {
    const [{ id: variantId }] = (await newProduct(pages, 'Fermento de Muitos Lotes')).variants;
    for (const lots of [200, 2]) {
      const items = Array.from({ length: lots }, () => ({ variantId, quantity: 1, unitCost: 1 }));
      await sent<unknown>(pages, 'POST', '/stock/receipts', { items });
    }
    const { page, close } = await pages.open('/console/estoque/contagem');
    await page.getByLabel('Filtrar por produto').fill('Fermento de Muitos');
    await page.getByRole('textbox', { name: 'Contado: Fermento de Muitos Lotes' }).fill('1');
    await page.getByRole('button', { name: 'Registrar diferenças' }).click();
    await page.getByText('1 diferença registrada.').waitFor();
    const answer = await pages.call('GET', `/stock/lots?variantId=${variantId}`);
    expect(((await answer.json()) as { items: readonly unknown[] }).items).toHaveLength(1);
    await close();
  });

  test('the focus stays with its row where another row comes before it: what is counted is not put to other goods', async () => {
    await inStock('Fileira B');
    const { page, close } = await pages.open('/console/estoque/contagem');
    await page.getByLabel('Filtrar por produto').fill('Fileira');
    const count = page.getByLabel('Contado: Fileira B');
    await count.focus();
    await page.keyboard.type('1');
    await inStock('Fileira A');
    await page.getByLabel('Contado: Fileira A').waitFor();
    await page.keyboard.type('2');
    expect(await count.inputValue()).toBe('12');
    expect(await page.getByLabel('Contado: Fileira A').inputValue()).toBe('');
    await close();
  });

  test('what is counted while differences are on their way to be booked stays on the sheet', async () => {
    const [one, two] = [await inStock('Apurado Um'), await inStock('Apurado Dois')];
    const { page, close } = await pages.open('/console/estoque/contagem');
    let answer: () => void = () => undefined;
    const isCounted = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/stock/adjustments', async (route) => {
      await isCounted;
      return route.continue();
    });
    const count = (name: string) => page.getByLabel(`Contado: ${name}`);
    await page.getByLabel('Filtrar por produto').fill('Apurado');
    await count('Apurado Um').fill('12');
    const asked = page.waitForRequest('**/stock/adjustments');
    await page.getByRole('button', { name: 'Registrar diferenças' }).click();
    await asked;
    await count('Apurado Dois').fill('7');
    answer();
    await until('the first is booked', async () => (await count('Apurado Um').inputValue()) === '');
    await page.getByRole('button', { name: 'Apagar a contagem' }).waitFor();
    expect(await count('Apurado Dois').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Registrar diferenças' }).click();
    await until('the second is booked', async () => (await count('Apurado Dois').inputValue()) === '');
    const left = async (id: string) => {
      const { items } = await sent<{ items: readonly { quantity: number }[] }>(
        pages,
        'GET',
        `/stock/balances?variantId=${id}`,
      );
      return items[0]?.quantity;
    };
    expect([await left(one.id), await left(two.id)]).toEqual([12, 7]);
    await close();
  });

  test('a form that goes away with its answer takes nothing more while it is sent, and goes on where it was if it stays', async () => {
    const { page, close } = await pages.open('/console/clientes/novo');
    let answer: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/customers', async (route) => {
      await isTyped;
      return route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } });
    });
    const name = page.getByLabel('Nome', { exact: true });
    await name.fill('Clara');
    const asked = page.waitForRequest('**/customers');
    await name.press('Enter');
    await asked;
    await page.locator('form [aria-busy="true"]').waitFor();
    await page.keyboard.type(' dos Anjos');
    expect(await name.inputValue()).toBe('Clara');
    answer();
    await page.getByRole('alert').waitFor();
    await name.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type(' dos Anjos');
    expect(await name.inputValue()).toBe('Clara dos Anjos');
    await close();
  });

  test('a product that is read while the focus is on a quantity is a line of its own, and a lot is read where it belongs', async () => {
    const [one, two] = [await inStock('Recebida Um'), await inStock('Recebida Dois')];
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    const booked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/stock/receipts')) booked.push(request.url());
    });
    await page.getByLabel('Produto').focus();
    await readByScanner(page, one.gtin);
    const quantity = page.getByLabel('Quantidade');
    await quantity.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('5');
    await readByScanner(page, two.gtin);
    await page.locator('output').getByText('Recebida Dois').waitFor();
    await quantity.nth(1).and(page.locator(':focus')).waitFor();
    expect(await quantity.first().inputValue()).toBe('5');
    await page.getByLabel('Lote').first().fill('');
    await page.keyboard.type(two.gtin);
    expect(await page.getByLabel('Lote').first().inputValue()).toBe(two.gtin);
    expect(await page.locator('.line').count()).toBe(2);
    // A scanner's Enter presses no button that has the focus, and what is read beside all fields is a product too.
    for (const lines of [3, 4]) {
      if (lines === 3) await page.getByRole('button', { name: 'Registrar', exact: true }).focus();
      else await page.getByRole('heading', { level: 1 }).click();
      await readByScanner(page, one.gtin);
      await quantity
        .nth(lines - 1)
        .and(page.locator(':focus'))
        .waitFor();
      expect(await page.locator('.line').count()).toBe(lines);
    }
    const expires = page.getByLabel('Validade').last();
    await expires.fill('2026-12-31');
    await readByScanner(page, two.gtin);
    await quantity.nth(4).and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Validade').nth(3).inputValue()).toBe('2026-12-31');
    expect(booked).toEqual([]);
    await close();
  });

  test('a product that is read while the focus is on a number of a recipe is a line of the list that it was read in', async () => {
    const [flour, crumbs] = [await newProduct(pages, 'Farinha Lida'), await newProduct(pages, 'Farelo Lido')];
    const { page, close } = await pages.open('/console/receitas/nova');
    const yields = page.getByLabel('Rende por batelada');
    await yields.fill('20');
    await readByScanner(page, flour.variants[0].gtin);
    await page.locator('.line').first().getByText('Farinha Lida').waitFor();
    expect(await yields.inputValue()).toBe('20');
    await page.getByRole('button', { name: 'Adicionar subproduto' }).click();
    const share = page.getByLabel('Parte do custo');
    await share.fill('5');
    await readByScanner(page, crumbs.variants[0].gtin);
    await page.locator('.line').last().getByText('Farelo Lido').waitFor();
    expect(await share.first().inputValue()).toBe('5');
    expect(await page.locator('.line').count()).toBe(3);
    await close();
  });

  test('fields of a line are of one height beside a long name, and what takes a lot from the labels stands beside its copies', async () => {
    const { id, gtin } = await inStock('Pão de Forma Integral com Grãos e Castanhas sem Açúcar');
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    await page.getByLabel('Produto').focus();
    await readByScanner(page, gtin);
    await page.locator('output').getByText('Pão de Forma Integral').waitFor();
    const heights = await page
      .locator('.line input')
      .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
    const answer = await pages.call('GET', `/stock/lots?variantId=${id}`);
    const { items } = (await answer.json()) as { items: readonly { lotId: string }[] };
    await page.goto(`${pages.world.url}/console/rotulos?lot=${items[0]?.lotId ?? ''}`);
    const line = page.locator('main .line').first();
    await line.waitFor();
    expect(Math.abs(await heightBetween(line.locator('button'), line.locator('input')))).toBeLessThan(2);
    await close();
  });

  test('a number is taken with its unit or its money as it is pasted, and not with another unit', async () => {
    const variant = await inStock('Pesada com Unidade');
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    await page.getByLabel('Produto').focus();
    await readByScanner(page, variant.gtin);
    const quantity = page.getByLabel('Quantidade');
    await quantity.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('1,5 kg');
    expect(await quantity.inputValue()).toBe('1,5');
    await quantity.fill('1.234,5Kg ');
    expect(await quantity.inputValue()).toBe('1.234,5');
    await page.getByLabel('Custo unitário').fill(' r$ 8,50');
    await quantity.fill('500 g');
    await page.getByRole('button', { name: 'Registrar', exact: true }).click();
    await page.getByText('Escreva um número').waitFor();
    expect(await page.locator('.field.wrong').count()).toBe(1);
    await close();
  });

  test('what is sold and what is counted is taken with its unit as it is pasted', async () => {
    const variant = await inStock('Pesada no Caixa');
    const { page, close } = await pages.open('/console/caixa');
    await page.getByRole('combobox', { name: 'Leia o código ou digite o nome' }).fill(variant.gtin);
    await page.keyboard.press('Enter');
    const sold = page.getByLabel('Quantidade de Pesada no Caixa');
    await sold.fill('1,5 kg');
    expect(await sold.inputValue()).toBe('1,5');
    await page.getByRole('button', { name: 'Esvaziar' }).click();
    await page.goto(`${pages.world.url}/console/estoque/contagem`);
    await page.getByLabel('Filtrar por produto').fill('Pesada no Caixa');
    const counted = page.getByLabel('Contado: Pesada no Caixa');
    await counted.fill('9,5 Kg ');
    await page.getByRole('row').filter({ has: counted }).getByText('-0,5', { exact: true }).waitFor();
    await counted.fill('');
    await close();
  });

  test('a draft with what is no number is not saved, and says which field it is', async () => {
    const recipe = await newRecipe('Pão de Rascunho');
    const { page, close } = await pages.open(`/console/receitas/${recipe.id}/editar`);
    const loss = page.getByLabel('Perda esperada (%)');
    await loss.fill('cinco');
    await page.getByRole('button', { name: 'Salvar como rascunho' }).click();
    await loss.and(page.locator(':focus')).waitFor();
    await page.getByText('Escreva um número, por exemplo 1,5').waitFor();
    await loss.fill('5');
    await page.getByRole('button', { name: 'Salvar como rascunho' }).click();
    await page.getByRole('button', { name: 'Excluir rascunho' }).waitFor();
    const found = await sent<object>(pages, 'GET', `/bakery-production/recipes/${recipe.id}/versions`);
    expect(found).toMatchObject({
      currentVersion: 1,
      versions: [{ status: 'DRAFT', snapshot: { expectedLossPercent: 5 } }, {}],
    });
    await close();
  });

  test('versions stay compared where the draft that was compared comes into force', async () => {
    const recipe = await newRecipe('Pão Comparado');
    for (const [quantity, saveAsDraft] of [
      [3, false],
      [4, true],
    ] as const) {
      const items = [{ componentVariantId: recipe.input, quantity }];
      await sent(pages, 'PUT', `/bakery-production/recipes/${recipe.id}`, { items, saveAsDraft });
    }
    const { page, close } = await pages.open(`/console/receitas/${recipe.id}/versoes`);
    await page.locator('ins', { hasText: /^4\sKG/ }).waitFor();
    await page.getByRole('button', { name: 'Pôr em vigor' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pôr em vigor' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Versão 3').first().waitFor();
    await page.locator('ins', { hasText: /^4\sKG/ }).waitFor();
    expect(await page.getByLabel('Depois').locator('option:checked').textContent()).toBe('Versão 3');
    await close();
  });

  test('a receipt that is repeated costs what it did, to the last decimal', async () => {
    const { variants } = await newProduct(pages, 'Fermento por Grama');
    const items = [{ variantId: variants[0].id, quantity: 500, unitCost: 0.00459 }];
    const { id } = await sent<{ id: string }>(pages, 'POST', '/stock/receipts', { items });
    const { page, close } = await pages.open(`/console/estoque/entradas/nova?like=${id}`);
    await until('the receipt is there', async () => (await page.getByLabel('Quantidade').inputValue()) === '500');
    expect(await page.getByLabel('Custo unitário').inputValue()).toBe('0,00459');
    await close();
  });

  test('what is typed of a receipt before the one that it is to be like has come stays', async () => {
    const { variants } = await newProduct(pages, 'Recebido Devagar');
    const items = [{ variantId: variants[0].id, quantity: 500, unitCost: 2 }];
    const { id } = await sent<{ id: string }>(pages, 'POST', '/stock/receipts', { items });
    const { page, close } = await pages.open('/console/marcas');
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/stock/receipts/${id}`, async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.goto(`${pages.world.url}/console/estoque/entradas/nova?like=${id}`);
    await page.getByLabel('Fornecedor').fill('Moinho Novo');
    release();
    // It has come where it can be taken over.
    const repeat = page.getByRole('button', { name: 'Repetir a última entrada' });
    await repeat.waitFor();
    expect(await page.getByLabel('Fornecedor').inputValue()).toBe('Moinho Novo');
    await repeat.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Repetir' }).click();
    await until('it is taken over', async () => (await page.getByLabel('Quantidade').inputValue()) === '500');
    await close();
  });

  test('all that is left of a lot is proposed to be written off, also when some of it was sold meanwhile, until something is typed', async () => {
    const { id: variantId } = await inStock('Mofado aos Poucos');
    const { items } = await sent<{ items: { lotId: string }[] }>(pages, 'GET', `/stock/lots?variantId=${variantId}`);
    const sell = () =>
      sent(pages, 'POST', '/sales', {
        items: [{ variantId, quantity: 2, unitPrice: 4 }],
        payments: [{ method: 'PIX', amount: 8 }],
      });
    const { page, close } = await pages.open(`/console/estoque/lote/${items[0]?.lotId ?? ''}`);
    await page.getByRole('button', { name: 'Dar baixa' }).click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Quantidade');
    await dialog.getByText('Há 10 KG').waitFor();
    expect(await amount.inputValue()).toBe('10');
    await sell();
    await dialog.getByText('Há 8 KG').waitFor();
    expect(await amount.inputValue()).toBe('8');
    await amount.fill('7');
    await sell();
    await dialog.getByText('Há 6 KG').waitFor();
    expect(await amount.inputValue()).toBe('7');
    await close();
  });

  test('a recipe whose by-product bears no cost is changed without saying so again', async () => {
    const [made, input, rest] = await Promise.all(
      ['Pão de Sobras', 'Massa de Sobras', 'Sobras'].map((name) => newProduct(pages, name)),
    );
    const recipe = await sent<{ id: string }>(pages, 'POST', '/bakery-production/recipes', {
      name: 'Pão de Sobras',
      finishedVariantId: made?.variants[0].id,
      yieldQty: 1,
      items: [{ componentVariantId: input?.variants[0].id, quantity: 1 }],
      byproducts: [{ variantId: rest?.variants[0].id, quantityPerBatch: 0.1, costSharePercent: 0 }],
    });
    const { page, close } = await pages.open(`/console/receitas/${recipe.id}/editar`);
    await page.getByLabel('Nome', { exact: true }).fill('Pão de Boas Sobras');
    await page.getByRole('button', { name: 'Salvar nova versão' }).click();
    await page.waitForURL(`**/receitas/${recipe.id}/versoes`);
    await close();
  });

  test('a margin that is typed is the one that is kept, and a cost leaves the price as it is', async () => {
    const { id } = await newProduct(pages, 'Pão de Margem');
    await sent(pages, 'PATCH', `/products/${id}`, { managerialCost: 3.33 });
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    const save = async () => {
      await page.getByRole('button', { name: 'Salvar', exact: true }).first().click();
      await page.getByRole('button', { name: 'Salvo.' }).first().waitFor();
      return sent<object>(pages, 'GET', `/products/${id}`);
    };
    await page.getByLabel('Margem (%)').fill('50');
    expect(await save()).toMatchObject({ managerialCost: 3.33, profitMargin: 50, priceCash: 5 });
    await page.getByLabel('Preço à vista').fill('45000,01');
    expect(await save()).toMatchObject({ priceCash: 45_000.01 });
    await page.getByLabel('Custo gerencial').fill('30000');
    expect(await save()).toMatchObject({ managerialCost: 30_000, priceCash: 45_000.01 });
    await close();
  });

  test('what is typed of a new destination is not lost unasked', async () => {
    const { page, close } = await pages.open('/console/webhooks');
    await page.getByRole('button', { name: 'Novo destino' }).click();
    await page.getByRole('dialog').getByLabel('Descrição').fill('Para o contador');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Fechar e perder o que você digitou?' }).waitFor();
    await close();
  });

  test('a secret that is shown this one time is not lost unasked by Back', async () => {
    for (const [path, begin, field, text, seen] of [
      ['configuracoes/chaves', 'Nova chave', 'Para que serve', 'Loja do bairro', 'Guardei a chave'],
      ['webhooks', 'Novo destino', 'Endereço', 'https://example.com/segredo', 'Guardei o segredo'],
    ] as const) {
      const { page, close } = await pages.open('/console/produtos');
      await page.locator(`nav.side a[href="/console/${path.split('/')[0] ?? ''}"]`).click();
      if (path.includes('/')) await page.locator(`main a[href="/console/${path}"]`).click();
      await page.getByRole('button', { name: begin }).click();
      await page.getByRole('dialog').getByLabel(field).fill(text);
      await page.keyboard.press('Enter');
      const done = page.getByRole('button', { name: seen });
      await done.waitFor();
      const asked = refusing(page);
      const here = page.url();
      await page.evaluate('history.back()');
      await until('it is asked', () => Promise.resolve(asked.length === 1));
      expect(asked[0]).toContain('só é mostrado esta vez');
      await page.waitForURL(here);
      await done.click();
      await done.waitFor({ state: 'detached' });
      await page.evaluate('history.back()');
      await page.waitForURL((address) => address.href !== here);
      expect(asked.length).toBe(1);
      await close();
    }
  });

  test('a secret that is made when its dialog was closed already is shown all the same', async () => {
    const { id } = await sent<{ id: string }>(pages, 'POST', '/outbound-webhooks', {
      url: 'https://example.com/troca',
    });
    for (const [path, begin, field, text, send, address, shown] of [
      [
        'configuracoes/chaves',
        'Nova chave',
        'Para que serve',
        'Balança',
        'Criar chave',
        '**/api-keys',
        'Guardei a chave',
      ],
      [
        'webhooks',
        'Novo destino',
        'Endereço',
        'example.com/tarde',
        'Salvar',
        '**/outbound-webhooks',
        'Guardei o segredo',
      ],
      [`webhooks/${id}`, 'Trocar o segredo', '', '', 'Trocar o segredo', '**/rotate-secret', 'Guardei o segredo'],
    ] as const) {
      const { page, close } = await pages.open(`/console/${path}`);
      await page.getByRole('button', { name: begin }).click();
      const dialog = page.getByRole('dialog');
      if (field !== '') await dialog.getByLabel(field).fill(`https://${text}`);
      const letGo = await hold(page, address);
      await dialog.getByRole('button', { name: send }).click();
      await dialog.getByRole('button', { name: 'Cancelar' }).click();
      await dialog.waitFor({ state: 'detached' });
      letGo();
      await page.getByRole('button', { name: shown }).click();
      await dialog.waitFor({ state: 'detached' });
      await close();
    }
  });

  test('who closes a dialog while what was typed is on its way is told so, and asked no more once it is answered', async () => {
    const { page, close } = await pages.open('/console/estoque/locais');
    await page.getByRole('button', { name: 'Novo local' }).click();
    const dialog = page.getByRole('dialog', { name: 'Novo local' });
    await dialog.getByLabel('Nome do local').fill('Câmara Fria');
    const letGo = await hold(page, '**/locations');
    await page.keyboard.press('Enter');
    await dialog.locator('[aria-busy="true"]').waitFor();
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Fechar antes da resposta?' });
    await question.getByText('O que você digitou foi enviado, e ainda não se sabe se foi salvo.').waitFor();
    letGo();
    await dialog.waitFor({ state: 'detached' });
    await question.waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('Câmara Fria').waitFor();
    await close();
  });

  test('who leaves a form while it is on its way is told that it is not known yet, not that it is not saved', async () => {
    const { id } = await newProduct(pages, 'Pão a Caminho');
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    const asked = refusing(page);
    await page.getByLabel('Descrição', { exact: true }).first().fill('Pão que Chega');
    const letGo = await hold(page, `**/products/${id}`);
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await page.getByRole('navigation').getByRole('link', { name: 'Vendas' }).click();
    await until('it was asked about', () => Promise.resolve(asked.length > 0));
    expect(asked).toEqual(['Ainda não se sabe se o que você digitou foi salvo. Sair desta página mesmo assim?']);
    letGo();
    await page.getByRole('button', { name: 'Salvo.' }).first().waitFor();
    await close();
  });

  test('fiscal data that is pasted with blanks around it is taken, and a certificate that is chosen is not lost unasked', async () => {
    const { page, close } = await pages.open('/console/configuracoes/fiscal');
    const contact = page.getByRole('group', { name: 'Responsável técnico' });
    for (const [field, pasted] of [
      ['CNPJ', ' 11.222.333/0001-81\t'],
      ['Nome', ' José da Silva '],
      ['E-mail', ' jose@exemplo.com.br '],
      ['Telefone', ' (11) 98765-4321 '],
    ] as const)
      await contact.getByLabel(field).fill(pasted);
    await page.getByLabel('Identificador do CSC').fill(' 1 ');
    await page.getByLabel(/^CSC/).fill(' ABCDEF0123456789\t');
    await page.getByRole('button', { name: 'Salvar' }).last().click();
    await page.getByRole('button', { name: 'Salvo.' }).waitFor();
    expect((await sent<{ fiscal: object }>(pages, 'GET', '/store')).fiscal).toMatchObject({
      technicalContact: { taxId: '11222333000181', name: 'José da Silva', email: 'jose@exemplo.com.br' },
    });
    await page.getByRole('button', { name: 'Enviar certificado' }).click();
    const file = { name: 'loja.pfx', mimeType: 'application/x-pkcs12', buffer: Buffer.from('PFX') };
    await page.getByRole('dialog').getByLabel('Arquivo').setInputFiles(file);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Fechar e perder o que você digitou?' }).waitFor();
    await close();
  });

  test('what another one added to a kit meanwhile stays in it', async () => {
    const [one, two] = [await inStock('Geleia'), await inStock('Torrada')];
    const { id } = await newProduct(pages, 'Cesta');
    const path = `/products/${id}`;
    const parts = async () =>
      (await sent<{ components: readonly { componentVariantId: string }[] }>(pages, 'GET', path)).components.map(
        ({ componentVariantId }) => componentVariantId,
      );
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    await page.route(`**${path}`, async (route) => {
      const isFirst = route.request().method() === 'PATCH' && (await parts()).length === 0;
      const components = [{ componentVariantId: one.id, quantity: 1 }];
      if (isFirst) await sent(pages, 'PATCH', path, { isComposite: true, components });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Adicionar componente' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill(two.gtin);
    await page.keyboard.press('Enter');
    await dialog.getByText('Torrada').waitFor();
    await dialog.getByRole('button', { name: 'Adicionar', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await parts()).toEqual([one.id]);
    await page.getByRole('table', { name: 'Componentes do kit' }).getByText('Geleia').waitFor();
    await dialog.getByRole('button', { name: 'Adicionar', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await parts()).toEqual([one.id, two.id]);
    await close();
  });

  test('a sale of a kit names the part with each of its lots, and so does what would come back', async () => {
    const [jam, toast] = [await inStock('Geleia do Kit'), await inStock('Torrada do Kit')];
    const components = [jam, toast].map(({ id }, index) => ({ componentVariantId: id, quantity: index + 1 }));
    const { id: productId, variants } = await newProduct(pages, 'Kit da Manhã');
    await sent(pages, 'PATCH', `/products/${productId}`, { isComposite: true, components });
    const items = [{ variantId: variants[0].id, quantity: 2, unitPrice: 5 }];
    const sale = { items, payments: [{ method: 'PIX', amount: 10 }] };
    const { id } = await sent<{ id: string }>(pages, 'POST', '/sales', sale);
    const { page, close } = await pages.open(`/console/vendas/${id}`);
    const lots = page.getByRole('table', { name: 'Itens' });
    await lots.getByText('Geleia do Kit, sem código: 2').waitFor();
    await lots.getByText('Torrada do Kit, sem código: 4').waitFor();
    await page.getByRole('button', { name: 'Devolver', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kit da Manhã').fill('1');
    await dialog.getByText('Volta para Torrada do Kit, sem código: 2').waitFor();
    await close();
  });

  test('a till says which line is wrong and leads there, and asks before it forgets what was read', async () => {
    const [one, two] = [await inStock('Lido Um'), await inStock('Lido Dois')];
    const { page, close } = await pages.open('/console/caixa');
    const field = page.getByRole('main').getByRole('combobox');
    await field.waitFor();
    for (const { gtin } of [one, two]) {
      await field.fill(gtin);
      await page.keyboard.press('Enter');
    }
    const quantity = page.getByLabel('Quantidade de Lido Um');
    await quantity.fill('dois');
    await page.getByText('Corrija a quantidade ou o desconto marcado.').waitFor();
    await field.focus();
    await page.keyboard.press('F9');
    await quantity.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Esvaziar' }).click();
    await page.getByRole('dialog', { name: 'Tirar os 2 itens desta venda?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await quantity.fill('2');
    await page.keyboard.press('F9');
    await page.getByRole('dialog', { name: /12,00/ }).waitFor();
    await close();
  });

  test.each([
    ['configuracoes/chaves', 'Nova chave', 'Para que serve'],
    ['estoque/locais', 'Novo local', 'Nome do local'],
  ])(
    'a dialog of %s in which something was typed asks before it closes, and Enter goes on',
    async (place, begin, field) => {
      const { page, close } = await pages.open(`/console/${place}`);
      await page.getByRole('button', { name: begin }).click();
      const dialog = page.getByRole('dialog', { name: begin });
      const name = dialog.getByLabel(field);
      const question = page.getByRole('dialog', { name: 'Fechar e perder o que você digitou?' });
      await name.fill('Balança');
      await page.keyboard.press('Escape');
      await question.waitFor();
      await page.keyboard.press('Enter');
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Balança');
      expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
      await dialog.getByRole('button', { name: 'Fechar' }).click();
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Balança');
      await dialog.getByRole('button', { name: 'Fechar' }).click();
      await question.getByRole('button', { name: 'Fechar mesmo assim' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: begin }).click();
      await name.fill('Balança');
      await name.fill('');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await question.count()).toBe(0);
      await close();
    },
  );

  test('a code in the search box asks before it leads away from what was typed elsewhere on the page', async () => {
    const { id } = await newProduct(pages, 'Pão pela Metade');
    const { gtin } = await inStock('Pão Procurado');
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    const asked = refusing(page);
    const description = page.getByLabel('Descrição', { exact: true }).first();
    await description.fill('Pão Inteiro');
    await page.getByRole('combobox', { name: 'Buscar ou ler código' }).focus();
    await readByScanner(page, gtin);
    await until('it was asked about', () => Promise.resolve(asked.length > 0));
    expect(asked).toEqual(['O que você digitou ainda não foi salvo. Sair desta página mesmo assim?']);
    expect(await description.inputValue()).toBe('Pão Inteiro');
    await close();
  });

  test('a field that holds something unfit says what is wrong with it, not that it is empty', async () => {
    const { page, close } = await pages.open('/console/clientes/novo');
    await page.getByLabel('Nome').fill('Ana Entrada');
    await page.getByLabel('E-mail').fill('ana@');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Escreva um e-mail, por exemplo ana@exemplo.com.br').waitFor();
    await page.getByLabel('E-mail').fill('ana.entrada@exemplo.com.br ');
    // Pasted with the spaces around it, none of its digits is cut off.
    await page.getByLabel('CPF ou CNPJ').focus();
    await page.keyboard.insertText('  12.ABC.345/01DE-35 ');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ana Entrada' }).waitFor();
    const id = page.url().split('/').pop()?.split('?')[0] ?? '';
    expect(await sent(pages, 'GET', `/customers/${id}`)).toMatchObject({
      email: 'ana.entrada@exemplo.com.br',
      document: '12ABC34501DE35',
    });
    await close();
  });

  test('a day that does not exist is told as such, and a year has four digits', async () => {
    const { page, close } = await pages.open('/console/configuracoes/chaves');
    await page.getByRole('button', { name: 'Nova chave' }).click();
    await page.getByLabel('Para que serve').fill('Balança');
    const lastDay = page.getByLabel('Vale até');
    await lastDay.focus();
    await page.keyboard.type('02');
    await page.getByRole('button', { name: 'Criar chave' }).click();
    await page.getByText('Escreva um dia que existe: dia, mês e ano.').waitFor();
    await lastDay.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('0203' + '20305');
    expect(await lastDay.inputValue()).toMatch(/^\d{4}-0[23]-0[23]$/);
    await close();
  });

  test('a day that is pasted as people write it is that day, and one that does not exist is none', async () => {
    const { page, close } = await pages.open('/console/producao/planejar');
    const day = page.getByLabel('Para quando');
    await pasteInto(day, ' 31/12/2030 ');
    await page.waitForFunction(
      (field) => (field as HTMLInputElement).value === '2030-12-31',
      await day.elementHandle(),
    );
    await pasteInto(day, '30/02/2031');
    await pasteInto(day, '1/3/2031');
    await page.waitForFunction(
      (field) => (field as HTMLInputElement).value === '2031-03-01',
      await day.elementHandle(),
    );
    await close();
  });

  test('a day that is half typed keeps its field and what is shown, until it is a day again', async () => {
    const { page, complaints } = await pages.visit('/console/estoque/valor?on=2026-10-31');
    const day = page.getByLabel('Fim do dia');
    await day.press('Backspace');
    expect(await day.inputValue()).toBe('');
    await settled(page);
    expect(new URL(page.url()).searchParams.get('on')).toBe('2026-10-31');
    await day.press('ArrowUp');
    await page.waitForFunction('/[?&]on=[0-9-]{10}/.test(location.search) && !/on=2026-10-31/.test(location.search)');
    expect(complaints).toEqual([]);
  });

  test('a day that two states of a record are compared at can be typed part by part', async () => {
    const { id } = await newProduct(pages, 'Pão de Dois Dias');
    const { page } = await pages.visit(`/console/auditoria/product/${id}?b=2026-10-31`);
    const day = page.getByLabel('Dia', { exact: true });
    await day.press('Backspace');
    await settled(page);
    expect(await day.inputValue()).toBe('');
    await day.press('ArrowUp');
    await page.waitForFunction('/[?&]b=[0-9-]{10}/.test(location.search) && !/b=2026-10-31/.test(location.search)');
    expect(await day.inputValue()).toBe(new URL(page.url()).searchParams.get('b'));
  });
});
