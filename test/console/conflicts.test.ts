import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import type { Locator, Page } from 'playwright-core';
import { Browser } from '../support/browser.js';
import { newGoodsInPlenty, newProduct } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, flourLot, openConsole, settled, signInOn } from '../support/console-pages.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** Two people at the same record: one in the browser, the other by the interface. */
inBrowser(`what two change at the same time, in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  });
  afterAll(() => pages.close());

  const read = async <T>(path: string): Promise<T> => (await (await pages.call('GET', path)).json()) as T;
  const change = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await pages.call(method, path, body);
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as T;
  };
  const save = (place: Page | Locator) => place.getByRole('button', { name: 'Salvar', exact: true }).last().click();
  const clash = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor();

  test('permissions and roles are called by their names', async () => {
    const person = {
      name: 'Nina Nova',
      username: 'nina-nova',
      email: 'nina@padaria.example',
      password: 'uma senha longa',
    };
    const made = { ...person, role: 'CASHIER', permissions: ['sales.view'] };
    const { id } = await change<{ id: string }>('POST', '/users', made);
    const { page, close } = await pages.open(`/console/configuracoes/pessoas/${id}`);
    await page.getByLabel('Ver clientes').check();
    await page.getByLabel('Papel', { exact: true }).selectOption('BAKER');
    await change('PATCH', `/users/${id}`, { role: 'MANAGER', permissions: ['sales.view', 'stock.view'] });
    await clash(page, 'Permissões: agora Ver estoque, Ver vendas; você tem Ver vendas, Ver clientes');
    await clash(page, 'Papel: agora Gerente; você tem Padeiro');
    await close();
  });

  test('the inputs of a recipe are called by their names', async () => {
    interface Recipe {
      readonly id: string;
      readonly name: string;
      readonly items: readonly { readonly componentVariantId: string; readonly quantity: number }[];
    }
    const recipes = await read<readonly Recipe[]>('/bakery-production/recipes');
    const id = recipes.find(({ name }) => name === 'Brigadeiro')?.id ?? '';
    const { items } = await read<Recipe>(`/bakery-production/recipes/${id}`);
    const { page, close } = await pages.open(`/console/receitas/${id}/editar`);
    await page.getByLabel('Motivo da mudança').fill('Menos perda');
    await page.getByLabel('Perda (%)').first().fill('1');
    await change('PUT', `/bakery-production/recipes/${id}`, {
      items: items.map(({ componentVariantId, quantity }) => ({ componentVariantId, quantity, lossPercent: 2 })),
    });
    const told = page.getByRole('alert').getByText(/^Insumos: agora .*2\u00a0%.*; você tem .*1\u00a0%/);
    expect(await told.textContent()).not.toMatch(/[{"]|[0-9a-f]{8}-/);
    await clash(page, 'Motivo da mudança');
    await close();
  });

  test('what is typed in the moment in which another one’s change is shown is kept, and saved', async () => {
    const { id } = await change<{ id: string }>('POST', '/brands', { name: 'Marca do Momento' });
    const { page, close } = await pages.open('/console/marcas?q=Momento');
    await page.getByRole('button', { name: 'Editar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Editar Marca do Momento' }).waitFor();
    await dialog.evaluate((shown) => {
      const field = shown.querySelector('input');
      const typing = new MutationObserver(() => {
        typing.disconnect();
        if (field) field.value = 'Marca Digitada';
        field?.dispatchEvent(new Event('input', { bubbles: true }));
      });
      typing.observe(shown.querySelector('h2') ?? shown, { subtree: true, childList: true, characterData: true });
    });
    await change('PATCH', `/brands/${id}`, { name: 'Momento de Outro' });
    await dialog.getByRole('heading', { name: 'Editar Momento de Outro' }).waitFor();
    await save(dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(await read<object>(`/brands/${id}`)).toMatchObject({ name: 'Marca Digitada' });
    await close();
  });

  test('a tax rule is explained where it happened, and nothing that was typed is lost', async () => {
    const { items } = await read<{ items: { id: string; name: string }[] }>('/fiscal/tax-rules');
    const { id, name } = items[0] ?? { id: '', name: '' };
    const { page, close } = await pages.open('/console/configuracoes/impostos');
    await page.getByRole('button', { name: `Editar: ${name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('CFOP no estado').fill('5405');
    await dialog.getByLabel('PIS: CST').fill('06');
    await change('PATCH', `/fiscal/tax-rules/${id}`, { cfopInState: '5403' });
    await clash(page, 'CFOP no estado: agora 5403; você tem 5405');
    await dialog.getByRole('button', { name: 'Manter o meu por cima' }).click();
    await save(dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(await read(`/fiscal/tax-rules/${id}`)).toMatchObject({ cfopInState: '5405', pis: { cst: '06' } });
    await close();
  });

  test('tiers are not written over unseen, also where the page has not heard of the others', async () => {
    const { accounts } = await read<{ accounts: { id: string }[] }>('/card-fees');
    const [account] = accounts;
    const { page, close } = await pages.open('/console/taxas/faixas');
    const lowest = page.getByLabel('A partir de').first();
    await lowest.fill('5');
    await page.route('**/live', (route) => route.abort());
    await page.route('**/card-fees/auto-adjust', async (route) => {
      if (route.request().method() === 'PUT') {
        const tiers = [{ accountId: account?.id, minGross: 7 }];
        await change('PUT', '/card-fees/auto-adjust', { enabled: true, tiers });
      }
      await route.continue();
    });
    await save(page);
    await clash(page, 'A partir de R$ 7,00');
    await close();
  });

  test('rates of a machine are not written over unseen, also where the page has not heard of the others', async () => {
    const { accounts } = await read<{ accounts: { id: string; active: boolean }[] }>('/card-fees');
    const id = accounts.find(({ active }) => active)?.id ?? '';
    const { page, close } = await pages.open('/console/taxas');
    const rates = page.locator('form', { has: page.locator('table.rates') });
    const debit = rates.getByLabel(/^Débito/);
    await debit.first().fill('1,11');
    await page.route('**/live', (route) => route.abort());
    await page.route(`**/card-fees/accounts/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') {
        await change('PATCH', `/card-fees/accounts/${id}`, { debitFeePercent: 2.22 });
      }
      await route.continue();
    });
    await save(rates);
    await clash(page, 'agora 2,22; você tem 1,11');
    await page.unroute(`**/card-fees/accounts/${id}`);
    await page.getByRole('button', { name: 'Manter o meu por cima' }).click();
    await debit.nth(1).fill('3,33');
    await save(rates);
    await rates.getByRole('button', { name: 'Salvo' }).waitFor();
    expect(await read(`/card-fees/accounts/${id}`)).toMatchObject({
      debitFeePercent: 1.11,
      brandRates: expect.arrayContaining([
        expect.objectContaining({ rates: expect.arrayContaining([expect.objectContaining({ feePercent: 3.33 })]) }),
      ]),
    });
    await close();
  });

  test('a brand is not written over unseen, also where the page has not heard of the others', async () => {
    interface Brands {
      readonly brands: readonly { readonly id: string; readonly name: string; readonly active: boolean }[];
    }
    const name = 'Vale da Esquina';
    const { brands } = await change<Brands>('POST', '/card-fees/brands', { name });
    const id = brands.find((one) => one.name === name)?.id ?? '';
    const { page, close } = await pages.open('/console/taxas/bandeiras');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: `Editar ${name}` }).click();
    await dialog.getByLabel('Nome').fill('Vale Meu');
    await page.route('**/live', (route) => route.abort());
    await page.route(`**/card-fees/brands/${id}`, async (route) => {
      await change('PATCH', `/card-fees/brands/${id}`, { name: 'Vale Deles' });
      await route.continue();
    });
    await save(dialog);
    await clash(page, 'agora Vale Deles; você tem Vale Meu');
    await page.unroute(`**/card-fees/brands/${id}`);
    await dialog.getByRole('button', { name: 'Manter o meu por cima' }).click();
    await save(dialog);
    await dialog.waitFor({ state: 'detached' });
    expect((await read<Brands>('/card-fees')).brands.find((one) => one.id === id)).toMatchObject({ name: 'Vale Meu' });
    await close();
  });

  test('a secret that somebody else has just made is not ended unseen', async () => {
    const { id } = await change<{ id: string }>('POST', '/outbound-webhooks', { url: 'http://127.0.0.1:9/avisos' });
    const { page, close } = await pages.open(`/console/webhooks/${id}`);
    await page.getByRole('button', { name: 'Trocar o segredo' }).click();
    await page.getByRole('dialog').getByText('O segredo de agora deixa de valer na hora').waitFor();
    await change('POST', `/outbound-webhooks/${id}/rotate-secret`);
    await page.getByRole('dialog').getByRole('button', { name: 'Trocar o segredo' }).click();
    await clash(page, 'Este registro mudou depois que você o abriu.');
    await close();
  });

  test('what somebody else changes while a deletion is asked about is looked at anew, and can be deleted', async () => {
    const { id } = await change<{ id: string }>('POST', '/products', {
      description: 'Pão Passageiro',
      priceCash: 1,
      priceCredit: 1,
    });
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    await page.getByRole('button', { name: 'Excluir produto' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.note').waitFor();
    await change('PATCH', `/products/${id}`, { description: 'Pão Mudado' });
    await page.getByRole('heading', { level: 1, name: 'Pão Mudado', includeHidden: true }).waitFor();
    await dialog.getByRole('button', { name: 'Excluir produto' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await pages.call('GET', `/products/${id}`)).status).toBe(404);
    await close();
  });

  test('what cannot be done any more, as somebody else has done it, says so where it is asked about', async () => {
    const { items } = await read<{ items: { id: string }[] }>('/fiscal/documents?status=AUTHORIZED');
    await change('PATCH', '/store', { fiscal: { cancelMinutes: { '65': 10_000 } } });
    const { page, close } = await pages.open(`/console/documentos/${items[0]?.id ?? ''}`);
    await page.getByRole('button', { name: 'Cancelar documento' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.note.warn').waitFor();
    await change('POST', `/fiscal/documents/${items[0]?.id ?? ''}/cancel`, { reason: 'Cliente desistiu da compra' });
    await dialog.getByRole('alert').waitFor();
    await close();
  });

  test('a lot that somebody else blocks while that is asked about is not released by who meant to block it', async () => {
    const { variants } = await newGoodsInPlenty(pages, 'Presunto em Dúvida');
    const { items } = await read<{ items: { lotId: string }[] }>(`/stock/lots?variantId=${variants[0].id}`);
    const lot = `/stock/lots/${items[0]?.lotId ?? ''}`;
    const { page, close } = await pages.open(`/console/estoque/lote/${items[0]?.lotId ?? ''}`);
    await page.getByRole('button', { name: 'Bloquear' }).click();
    const dialog = page.getByRole('dialog', { name: 'Bloquear' });
    await dialog.getByText(/deixam de poder ser vendidos/).waitFor();
    await dialog.getByLabel('Motivo').fill('Cheiro estranho');
    await change('POST', `${lot}/block`, { reason: 'Outra pessoa viu antes' });
    await page.locator('main .status').getByText('Bloqueado').waitFor();
    await dialog.getByText('O lote já está bloqueado.').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Liberar' }).count()).toBe(0);
    await close();
  });

  test('what a reversal would do is told no more once somebody else has reversed the order', async () => {
    const [input, made] = [await newProduct(pages, 'Massa Estornada'), await newProduct(pages, 'Pão Estornado')];
    const [{ id: inputId }, { id: madeId }] = [input.variants[0], made.variants[0]];
    await change('POST', '/stock/receipts', { items: [{ variantId: inputId, quantity: 10, unitCost: 1 }] });
    const recipe = await change<{ id: string }>('POST', '/bakery-production/recipes', {
      name: 'Pão Estornado',
      finishedVariantId: madeId,
      yieldQty: 10,
      items: [{ componentVariantId: inputId, quantity: 5 }],
    });
    const plan = { recipeId: recipe.id, batches: 1, expectedAt: '2030-01-31' };
    const { id } = await change<{ id: string }>('POST', '/bakery-production/orders/plan', plan);
    await change('POST', `/bakery-production/orders/${id}/start`);
    await change('POST', `/bakery-production/orders/${id}/complete`, { actualOutputQty: 9 });
    const { page, close } = await pages.open(`/console/producao/${id}`);
    await page.getByRole('button', { name: 'Estornar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('O que vai acontecer:').waitFor();
    await change('POST', `/bakery-production/orders/${id}/reverse`, { reason: 'Farinha ruim', partial: false });
    await dialog.getByText('Esta ordem já foi estornada.').waitFor();
    expect(await dialog.getByText('O que vai acontecer:').count()).toBe(0);
    await close();
  });

  test('what somebody else blocks while all of a recall is asked about leaves what was typed, and says that all is blocked', async () => {
    const code = await flourLot(pages);
    const { page, close } = await pages.open(`/console/recall?lot=${code}`);
    const path = `/bakery-production/recall/remaining?lotCode=${code}`;
    const { items } = await read<{ items: { lotId: string }[] }>(`${path}&limit=200`);
    const lotIds = [...new Set(items.map(({ lotId }) => lotId))];
    await page.getByRole('button', { name: 'Bloquear tudo' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Motivo').fill('Fornecedor avisou');
    await change('POST', '/stock/lots/block', { lotIds, reason: 'Já feito' });
    await dialog.getByText('Tudo o que resta está bloqueado.').waitFor();
    expect(await dialog.getByLabel('Motivo').inputValue()).toBe('Fornecedor avisou');
    expect(await dialog.getByRole('button', { name: 'Bloquear tudo' }).isDisabled()).toBe(true);
    await change('POST', '/stock/lots/release', { lotIds, reason: 'Engano' });
    await dialog.getByText(/deixam? de poder/).waitFor();
    await close();
  });

  test('a change that is heard of before it is answered is nobody else’s', async () => {
    const { id } = await change<{ id: string }>('POST', '/customers', { name: 'Rita Rápida' });
    const { page, close } = await pages.open(`/console/clientes/${id}`);
    let answer: () => void = () => undefined;
    const isHeard = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/customers/${id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      const response = await route.fetch();
      await isHeard;
      return route.fulfill({ response });
    });
    await page.getByLabel('Nome', { exact: true }).fill('Rita Serena');
    await save(page);
    await page.getByRole('heading', { level: 1, name: 'Rita Serena' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    answer();
    await page.getByRole('button', { name: 'Salvo.' }).waitFor();
    await close();
  });

  test('a variant is not written over unseen: what only one of two changed stays, and where both did it is asked', async () => {
    const product = { description: 'Bolo de Duas Mãos', priceCash: 1, priceCredit: 1 };
    const made = await change<{ id: string; variants: readonly { id: string }[] }>('POST', '/products', product);
    const path = `/products/${made.id}/variants/${made.variants[0]?.id ?? ''}`;
    const { page, close } = await pages.open(`/console/produtos/${made.id}`);
    await page.getByRole('button', { name: 'Editar: Bolo de Duas Mãos' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('SKU').fill('MEU-1');
    await dialog.getByLabel('Variação').fill('Minha');
    await change('PATCH', path, { label: 'Deles', division: 'Inverno' });
    await clash(page, 'Variação: agora Deles; você tem Minha');
    await dialog.getByRole('button', { name: 'Manter o meu por cima' }).click();
    await save(dialog);
    await dialog.waitFor({ state: 'detached' });
    const { variants } = await read<{ variants: readonly object[] }>(`/products/${made.id}`);
    expect(variants).toMatchObject([{ label: 'Minha', division: 'Inverno', sku: 'MEU-1' }]);
    await close();
  });

  test('a name that two change is asked about, and the dialog stays where the list no longer has it', async () => {
    const { id } = await change<{ id: string }>('POST', '/categories', { name: 'Salgados Fritos' });
    const { page, close } = await pages.open('/console/categorias?q=Fritos');
    await page.getByRole('button', { name: 'Editar Salgados Fritos' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome').fill('Salgados Quentes');
    await change('PATCH', `/categories/${id}`, { name: 'Salgados de Festa', defaultNcm: '19059090' });
    await clash(page, 'Nome: agora Salgados de Festa; você tem Salgados Quentes');
    await dialog.getByRole('button', { name: 'Manter o meu por cima' }).click();
    await save(dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(await read(`/categories/${id}`)).toMatchObject({ name: 'Salgados Quentes', defaultNcm: '19059090' });
    await close();
  });

  test('what was chosen and somebody else deletes is no longer offered for deletion', async () => {
    const { id } = await change<{ id: string }>('POST', '/categories', { name: 'Logo Apagada' });
    const { page, close } = await pages.open('/console/categorias?q=Apagada');
    await page.getByLabel('Escolher Logo Apagada').check();
    const remove = page.getByRole('button', { name: 'Excluir escolhidos' });
    await remove.waitFor();
    expect((await pages.call('DELETE', `/categories/${id}`)).status).toBe(204);
    await remove.waitFor({ state: 'detached' });
    await close();
  });

  test('a machine that somebody else deletes leaves what is typed of it, and says that it is gone', async () => {
    const { id } = await change<{ id: string }>('POST', '/card-fees/accounts', { name: 'Maquininha de Passagem' });
    const { page, close } = await pages.open(`/console/taxas?machine=${id}`);
    await page.getByRole('button', { name: 'Editar' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Nome');
    await name.fill('Maquininha que Fica');
    expect((await pages.call('DELETE', `/card-fees/accounts/${id}`)).status).toBeLessThan(300);
    await dialog.getByText('Não existe mais, ou nunca existiu.').waitFor();
    expect(await name.inputValue()).toBe('Maquininha que Fica');
    await close();
  });

  test('rates of brands that were made in the same minute are saved together', async () => {
    const names = ['Vale Primeiro', 'Vale Segundo'];
    for (const name of names) await change('POST', '/card-fees/brands', { name });
    const { page, close } = await pages.open('/console/taxas');
    const rates = page.locator('form', { has: page.locator('table.rates') });
    for (const name of names) await rates.getByLabel(new RegExp(`^Débito.*${name}`)).fill('1,5');
    await save(rates);
    await rates.getByRole('button', { name: 'Salvo' }).waitFor();
    await close();
  });

  describe('one person on two devices', () => {
    const newPerson = async (username: string) => {
      const person = { username, email: `${username}@padaria.example`, password: 'uma senha comprida' };
      await change('POST', '/users', { ...person, name: 'Bia Dois', role: 'MANAGER' });
      const device = new Browser(pages.world.url);
      const { password } = person;
      expect((await device.post('/auth/login', { username, password })).status).toBe(200);
      const { page, close } = await pages.open('/console/');
      await signInOn(page, `${pages.world.url}/console/configuracoes/conta`, person);
      await settled(page);
      const lookAgain = () => page.evaluate("dispatchEvent(new Event('focus'))");
      return { device, page, lookAgain, close, person };
    };

    test('a second factor that was turned on with one is on at the other as well', async () => {
      const { device, page, lookAgain, close, person } = await newPerson('bia-fator');
      const { enrollmentToken } = (await device.post('/auth/2fa/enrollment', { password: person.password })).body as {
        enrollmentToken: string;
      };
      const { secret } = (await device.post('/auth/2fa/enroll/setup', { enrollmentToken })).body as { secret: string };
      const code = generateSync({ secret });
      expect((await device.post('/auth/2fa/enroll/confirm', { enrollmentToken, code })).status).toBe(200);
      await lookAgain();
      await page.getByRole('button', { name: 'Desligar o segundo fator' }).waitFor();
      await close();
    });

    test('a name that was changed with one is not written over by what is changed with the other', async () => {
      const { device, page, lookAgain, close, person } = await newPerson('bia-nome');
      await device.call('PATCH', '/auth/me', { name: 'Bia Três' });
      await lookAgain();
      const name = page.getByLabel('Nome', { exact: true });
      await page.waitForFunction(
        (field) => (field as HTMLInputElement).value === 'Bia Três',
        await name.elementHandle(),
      );
      await page.getByLabel('Nome de usuário').fill('bia-outra');
      await page.getByLabel('Senha atual').fill(person.password);
      await save(page);
      await page.getByRole('button', { name: 'Salvo.' }).waitFor();
      const me = (await device.get('/auth/me')).body as { name: string; username: string };
      expect([me.name, me.username]).toEqual(['Bia Três', 'bia-outra']);
      await close();
    });
  });
});
