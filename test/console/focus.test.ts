import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import type { Locator, Page } from 'playwright-core';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, flourLot, openConsole } from '../support/console-pages.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

const hasFocus = (element: Locator): Promise<void> => element.and(element.page().locator(':focus')).waitFor();

/** Opens with the keyboard, as who has no mouse does. */
const press = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).first().press('Enter');
};

/** Where the keyboard goes on. */
inBrowser(`the focus in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const firstId = async (path: string): Promise<string> => {
    const { items } = (await (await pages.call('GET', path)).json()) as { items: readonly { id: string }[] };
    if (!items[0]) throw new Error(`nothing at ${path}`);
    return items[0].id;
  };

  test('a dialog begins at its first field, and closing it leads back to the button that opened it', async () => {
    const { page, close } = await pages.open('/console/taxas');
    await press(page, 'Nova maquininha');
    await hasFocus(page.getByRole('dialog').getByLabel('Nome', { exact: true }));
    await page.keyboard.press('Escape');
    await hasFocus(page.getByRole('button', { name: 'Nova maquininha' }));
    await close();
  });

  test('a dialog whose field comes after its opening leads there', async () => {
    const { page, close } = await pages.open('/console/configuracoes/impostos');
    await press(page, 'Nova regra');
    await hasFocus(page.getByRole('dialog').getByRole('textbox').first());
    await close();
  });

  test('a dialog that asks before it destroys begins at the reason, or at the button that leaves everything as it is', async () => {
    const { page, close } = await pages.open(`/console/vendas/${await firstId('/sales?status=COMPLETED&limit=1')}`);
    await press(page, 'Cancelar venda');
    await hasFocus(page.getByRole('dialog').getByLabel('Motivo'));
    await page.goto(`${pages.world.url}/console/produtos/${await firstId('/products?take=1')}`);
    await press(page, 'Excluir produto');
    await page.getByRole('dialog').locator('.note').waitFor();
    const safe = page.getByRole('dialog').locator('.form-foot').getByRole('button', { name: 'Fechar' });
    await hasFocus(safe);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await pages.call('GET', `/products/${await firstId('/products?take=1')}`)).status).toBe(200);
    await close();
  });

  test('where a dialog only shows the way, the first way has the focus', async () => {
    const { page, close } = await pages.open('/console/hoje', { width: 360 });
    await press(page, 'Mais');
    await hasFocus(page.getByRole('dialog').getByRole('link').first());
    await close();
  });

  const lines = (page: Page): Locator => page.locator('.line');

  test('a stage that is added takes the focus, and one that is removed hands it to the next, or to the one before', async () => {
    const { page, close } = await pages.open('/console/receitas/nova');
    const name = page.getByLabel('Etapa', { exact: true });
    for (const stage of ['Misturar', 'Descansar', 'Assar']) {
      await press(page, 'Adicionar etapa');
      await hasFocus(name.last());
      await page.keyboard.type(stage);
    }
    await press(page, 'Remover etapa 2');
    await hasFocus(name.nth(1));
    expect(await name.nth(1).inputValue()).toBe('Assar');
    await press(page, 'Remover etapa 2');
    await hasFocus(name.first());
    expect(await name.first().inputValue()).toBe('Misturar');
    await press(page, 'Remover etapa 1');
    await hasFocus(page.getByRole('button', { name: 'Adicionar etapa' }));
    await close();
  });

  test('a line of goods that is removed takes along what was half typed in it, and the last one is emptied', async () => {
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    const product = page.getByRole('combobox', { name: 'Produto' });
    await product.fill('far');
    await press(page, 'Adicionar item');
    await hasFocus(product.nth(1));
    await page.keyboard.type('man');
    await press(page, 'Remover item 1');
    await hasFocus(product);
    expect(await product.inputValue()).toBe('man');
    await press(page, 'Remover item 1');
    await hasFocus(product);
    expect(await product.inputValue()).toBe('');
    await close();
  });

  test('a tier of the fees is added and removed by keyboard alone', async () => {
    const { page, close } = await pages.open('/console/taxas/faixas');
    await page.getByRole('button', { name: 'Adicionar faixa' }).waitFor();
    const before = await lines(page).count();
    await press(page, 'Adicionar faixa');
    await hasFocus(lines(page).nth(before).getByRole('textbox'));
    await press(page, `Remover a faixa ${String(before + 1)}`);
    await page.waitForFunction(() => document.activeElement?.closest('.lines') !== null);
    expect(await lines(page).count()).toBe(before);
    await close();
  });

  test('a label that is chosen leads to its copies, and one that is taken out back to the search', async () => {
    const { page, close } = await pages.open('/console/rotulos');
    const search = page.getByLabel('Procurar lote');
    // On a slow line the heading has it meanwhile, because what was chosen from is gone.
    await page.route(/\/stock\/lots\/[0-9a-f-]{36}$/, async (route) => {
      await hasFocus(page.getByRole('heading', { level: 1 }));
      await route.continue();
    });
    await search.fill('farinha');
    await page.getByRole('list', { name: 'Lotes encontrados' }).getByRole('button').first().press('Enter');
    await hasFocus(lines(page).getByRole('textbox'));
    await lines(page).getByRole('button').press('Enter');
    await hasFocus(search);
    await close();
  });

  test('what is typed takes the place of the number that the focus was led to', async () => {
    const { page, close } = await pages.open('/console/rotulos');
    await page.getByLabel('Procurar lote').fill('farinha');
    await page.getByRole('list', { name: 'Lotes encontrados' }).getByRole('button').first().press('Enter');
    const copies = lines(page).getByRole('textbox');
    await hasFocus(copies);
    expect(await copies.inputValue()).toBe('1');
    await page.keyboard.type('24');
    expect(await copies.inputValue()).toBe('24');
    await close();
  });

  test('a field that has to be filled in is shown with its label, not behind the top of the screen', async () => {
    const { page, close } = await pages.open('/console/produtos/novo');
    await page.getByLabel('Descrição', { exact: true }).fill('Farinha de teste');
    await page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight);
    });
    await page.getByRole('button', { name: 'Salvar' }).click();
    const price = page.getByLabel('Preço à vista', { exact: true });
    await hasFocus(price);
    const label = await page.getByText('Preço à vista', { exact: true }).boundingBox();
    const top = await page.locator('.top').boundingBox();
    expect(label?.y).toBeGreaterThan((top?.y ?? 0) + (top?.height ?? 0));
    await close();
  });

  test('a product that is not there yet is created in a tab beside the form, which finds it then', async () => {
    const { page, close } = await pages.open('/console/receitas/nova');
    await page.getByLabel('Nome').fill('Bolo de milho verde');
    const made = page.getByRole('combobox', { name: 'Produto feito' });
    await made.fill('Bolo de milho verde');
    const [beside] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Cadastrar “Bolo de milho verde” em outra aba' }).click(),
    ]);
    expect(await beside.getByLabel('Descrição', { exact: true }).inputValue()).toBe('Bolo de milho verde');
    await beside.getByLabel('Preço à vista', { exact: true }).fill('12');
    await beside.getByRole('button', { name: 'Salvar' }).click();
    await beside.getByRole('heading', { level: 1, name: 'Bolo de milho verde' }).waitFor();
    await beside.close();
    await made.fill('Bolo de milho');
    await page.getByRole('button', { name: /^Bolo de milho verde/ }).click();
    expect(await page.getByLabel('Nome').inputValue()).toBe('Bolo de milho verde');
    await page.getByText('Trocar').first().waitFor();
    await close();
  });

  test('lots are scanned onto labels one after the other, and what is not found is said', async () => {
    const { items } = (await (await pages.call('GET', '/stock/lots?limit=2')).json()) as {
      items: readonly { lotCode: string }[];
    };
    const { page, close } = await pages.open('/console/rotulos');
    const search = page.getByLabel('Procurar lote');
    await search.fill('nenhum lote se chama assim');
    await page.getByRole('status').getByText('Nada encontrado.').waitFor();
    for (const [place, { lotCode }] of items.entries()) {
      await search.fill(lotCode);
      await search.press('Enter');
      await lines(page).nth(place).waitFor();
      await page.getByText(`Lote ${lotCode}`, { exact: true }).waitFor();
      await hasFocus(search);
    }
    await close();
  });

  test('signing in says which step one is in, each begins at its field, and all lead to the heading of the first page', async () => {
    const { username, password } = { username: 'segundo-fator', password: 'uma senha com segundo fator' };
    const email = 'segundo-fator@padaria.example';
    await pages.call('POST', '/users', { username, password, email, name: 'Segundo Fator', role: 'MANAGER' });
    const { page, close } = await pages.open('/console/hoje');
    const requireFactor = async (requireTwoFactor: boolean): Promise<void> => {
      expect((await pages.call('PATCH', '/store', { requireTwoFactor })).status).toBe(200);
    };
    const step = async (name: string): Promise<void> => {
      await page.getByRole('heading', { level: 1, name }).waitFor();
      // The window is named once the step is drawn.
      await page.waitForFunction((title) => document.title.startsWith(title), name);
    };
    const enter = async (): Promise<void> => {
      await page.context().clearCookies();
      await page.goto(`${pages.world.url}/console/`);
      await step('Entrar');
      await hasFocus(page.getByLabel('Usuário ou e-mail'));
      await page.keyboard.type(username);
      await page.keyboard.press('Tab');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
    };
    await requireFactor(true);
    try {
      await enter();
      await step('Ativar o segundo fator (passo 2 de 3)');
      const secret = (await page.locator('.hint code').textContent()) ?? '';
      await page.getByLabel('Código do aplicativo').fill(generateSync({ secret }));
      await page.keyboard.press('Enter');
      await step('Guardar os códigos de reserva (passo 3 de 3)');
      const [backup] = await page.locator('.codes code').allTextContents();
      await page.getByRole('button', { name: 'Guardei os códigos' }).press('Enter');
      await hasFocus(page.getByRole('heading', { level: 1, name: 'Hoje' }));
      await enter();
      await step('Código do aplicativo (passo 2 de 2)');
      await hasFocus(page.getByLabel('Código do aplicativo'));
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      const refused = page.getByText('O código não confere, ou já foi usado.');
      await refused.waitFor();
      await press(page, 'Usar um código de reserva');
      await step('Código de reserva (passo 2 de 2)');
      // What was said of the other code is not said of this one.
      expect(await refused.count()).toBe(0);
      await hasFocus(page.getByLabel('Código de reserva'));
      await page.keyboard.type(backup ?? '');
      await page.keyboard.press('Enter');
      await page.locator('.workplace').waitFor();
    } finally {
      await requireFactor(false);
    }
    await close();
  });

  test('a password that was refused is typed anew, and not behind the one before', async () => {
    const { page, close } = await pages.open('/console/hoje');
    await page.context().clearCookies();
    await page.goto(`${pages.world.url}/console/`);
    await page.getByLabel('Usuário ou e-mail').fill(pages.demo.username);
    const password = page.getByLabel('Senha');
    await password.focus();
    await page.keyboard.type('mistyped');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await hasFocus(password);
    await page.keyboard.type(pages.demo.password);
    await page.keyboard.press('Enter');
    await page.locator('.workplace').waitFor();
    await close();
  });

  test('what the keyboard leads to in the picture of a recall is shown, also on a phone that shows a part of it', async () => {
    const { page, close } = await pages.open(`/console/recall?lot=${await flourLot(pages)}`, { width: 360 });
    const nodes = page.locator('.way svg > :is(a, [role="button"])');
    await nodes.first().waitFor();
    await nodes.first().focus();
    const isShown = (): boolean => {
      const [node, picture] = [document.activeElement, document.activeElement?.closest('svg')];
      const [{ x = NaN, right = NaN } = {}, all] = [node?.getBoundingClientRect(), picture?.getBoundingClientRect()];
      return all !== undefined && x >= all.x - 1 && right <= all.right + 1;
    };
    for (let count = await nodes.count(); count > 1; count -= 1) {
      await page.waitForFunction(isShown);
      await page.keyboard.press('Tab');
    }
    await page.waitForFunction(isShown);
    await close();
  });

  test('what the keyboard does goes on where it was done, also where the button for it goes away', async () => {
    const [recipe] = (await (await pages.call('GET', '/bakery-production/recipes')).json()) as { id: string }[];
    const plan = { recipeId: recipe?.id, batches: 1, expectedAt: '2030-01-02' };
    const order = (await (await pages.call('POST', '/bakery-production/orders/plan', plan)).json()) as { id: string };
    const { page, close } = await pages.open(`/console/producao/${order.id}`);
    await press(page, 'Iniciar');
    await hasFocus(page.getByRole('heading', { level: 1 }));
    const stage = page.locator('.stages input').first();
    await stage.press('Space');
    await page.waitForFunction(() => document.querySelector('.stages [aria-disabled="true"]') === null);
    await hasFocus(stage);
    expect(await stage.isChecked()).toBe(true);
    await close();
  });

  test('a tag that is put on with the keyboard keeps the focus while that is on its way', async () => {
    await pages.call('POST', '/product-tags', { name: 'Sem Açúcar' });
    const made = await pages.call('POST', '/products', { description: 'Etiquetado', priceCash: 1, priceCredit: 1 });
    const { id } = (await made.json()) as { id: string };
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    const tag = page.getByLabel('Sem Açúcar');
    let answer: () => void = () => undefined;
    const isSeen = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/products/${id}/tags`, async (route) => {
      await isSeen;
      return route.continue();
    });
    const change = page.waitForRequest(`**/products/${id}/tags`);
    await tag.press('Space');
    await change;
    await page.locator('label.check input:is(:disabled, [aria-disabled="true"])').first().waitFor();
    await hasFocus(tag);
    // What is under way is not changed once more.
    await tag.press('Space');
    answer();
    await page.waitForResponse(`**/products/${id}/tags`);
    await tag.and(page.locator(':not([aria-disabled="true"])')).waitFor();
    expect(await tag.isChecked()).toBe(true);
    await close();
  });

  test('what is made in a list leads to the next one, and is told to who does not see it', async () => {
    const { page, close } = await pages.open('/console/marcas');
    const name = page.getByLabel('Novo nome');
    for (const made of ['Moinho Ouvido', 'Moinho Ouvido Também']) {
      await name.fill(made);
      await page.keyboard.press('Enter');
      await page
        .getByRole('status')
        .filter({ hasText: /^Salvo\.$/ })
        .waitFor({ state: 'attached' });
      await hasFocus(name);
    }
    await close();
  });

  test('a name that is typed while the one before it is on its way stays, and is made next', async () => {
    const { page, close } = await pages.open('/console/marcas');
    const name = page.getByLabel('Novo nome');
    let answer: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/brands', async (route) => {
      if (route.request().method() === 'POST') await isTyped;
      return route.continue();
    });
    await name.fill('Moinho Lento');
    const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/brands'));
    await page.keyboard.press('Enter');
    await asked;
    await name.fill('Moinho Seguinte');
    answer();
    await page.getByRole('button', { name: 'Editar Moinho Lento' }).waitFor();
    await page.locator('form .button.main[aria-disabled="false"]').waitFor();
    expect(await name.inputValue()).toBe('Moinho Seguinte');
    await name.press('Enter');
    await page.getByRole('button', { name: 'Editar Moinho Seguinte' }).waitFor();
    await close();
  });

  test('Enter that is pressed once more does not put away a secret that is shown this one time', async () => {
    for (const [path, begin, field, text, seen] of [
      ['configuracoes/chaves', 'Nova chave', 'Para que serve', 'Loja virtual', 'Guardei a chave'],
      ['webhooks', 'Novo destino', 'Endereço', 'https://example.com/avisos', 'Guardei o segredo'],
    ] as const) {
      const { page, close } = await pages.open(`/console/${path}`);
      await press(page, begin);
      await page.getByRole('dialog').getByLabel(field).fill(text);
      await page.keyboard.press('Enter');
      const done = page.getByRole('button', { name: seen });
      await done.waitFor();
      await page.locator('dialog button:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      expect(await done.count()).toBe(1);
      await close();
    }
  });

  test('an address that is pasted after its beginning is not begun twice', async () => {
    const { page, close } = await pages.open('/console/webhooks');
    await press(page, 'Novo destino');
    const address = page.getByRole('dialog').getByLabel('Endereço');
    await hasFocus(address);
    await page.keyboard.insertText('https://sistema.example/avisos');
    expect(await address.inputValue()).toBe('https://sistema.example/avisos');
    await close();
  });

  test('arrows lead through what a search found, and Escape leaves it but not the dialog around it', async () => {
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    const product = page.getByRole('combobox', { name: 'Produto' });
    const hits = page.locator('.picker .hits button');
    await product.fill('a');
    await hits.nth(1).waitFor();
    const second = (await hits.nth(1).locator('strong').textContent()) ?? '';
    await product.press('ArrowDown');
    await hasFocus(hits.first());
    await page.keyboard.press('ArrowUp');
    await hasFocus(product);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await hasFocus(page.getByLabel('Quantidade'));
    await page.getByText(second, { exact: true }).waitFor();

    await page.goto(`${pages.world.url}/console/produtos/${await firstId('/products?take=1')}`);
    await press(page, 'Adicionar componente');
    const dialog = page.getByRole('dialog');
    await hasFocus(dialog.getByRole('combobox'));
    await page.keyboard.type('a');
    await hits.first().waitFor();
    await page.keyboard.press('ArrowDown');
    await hasFocus(hits.first());
    await page.keyboard.press('Escape');
    await hits.first().waitFor({ state: 'detached' });
    await hasFocus(dialog.getByRole('combobox'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await close();
  });
});
