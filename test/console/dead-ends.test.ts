import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newProduct, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, openConsole, settled, signInOn } from '../support/console-pages.js';
import { mailedToken } from '../support/outbox.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

const NO_RECORD = '11111111-1111-4111-8111-111111111111';

/** Ways that lead to nothing say so, and back. */
inBrowser(`dead ends in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  test.each([
    ['/console/produtos', 'Produtos'],
    ['/console/clientes', 'Clientes'],
    ['/console/receitas', 'Receitas'],
    ['/console/vendas', 'Vendas'],
    ['/console/producao', 'Produção'],
    ['/console/estoque/lote', 'Estoque'],
  ])('%s/{id} of a record that is not there has a title and leads back to %s', async (path, screen) => {
    const { page } = await pages.visit(`${path}/${NO_RECORD}`);
    await heading(page, 'Registro não encontrado');
    await page.waitForFunction("document.title === 'Registro não encontrado · Loja'");
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await page.locator('a.back').click();
    await heading(page, screen);
  });

  test('a page that cannot be drawn says so, and the next one is drawn', async () => {
    const { page } = await pages.visit('/console/estoque?on=ontem');
    await heading(page, 'Algo deu errado nesta página.');
    await page.getByRole('navigation', { name: 'Navegação' }).getByRole('link', { name: 'Estoque' }).click();
    await heading(page, 'Estoque');
    await settled(page);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });

  test('with one location there is nothing to transfer to, and a way to make another', async () => {
    const { page } = await pages.visit('/console/estoque/transferencias/nova');
    await page.getByText('Há um só local.').waitFor();
    expect(await page.getByRole('button', { name: 'Registrar' }).count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Locais' }).click();
    await page.getByRole('button', { name: 'Novo local' }).waitFor();
  });

  test('who may not book goods is not offered to repeat a receipt', async () => {
    const [variant] = (await newProduct(pages, 'Farinha Só de Ver')).variants;
    const items = [{ variantId: variant.id, quantity: 1, unitCost: 2 }];
    const { id } = await sent<{ id: string }>(pages, 'POST', '/stock/receipts', { items });
    const person = { username: 'so-de-ver', password: 'uma senha de ver' };
    await sent(pages, 'POST', '/users', {
      ...person,
      email: 'so-de-ver@padaria.example',
      name: 'Só Vê',
      role: 'CASHIER',
      permissions: ['stock.view', 'products.view'],
    });
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/estoque/entradas/${id}`, person);
    await page.getByRole('link', { name: 'Rótulo' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Repetir' }).count()).toBe(0);
    await close();
  });

  test('who may not see costs is shown no empty columns for them, no rate to set, and no cost that lacks the rates', async () => {
    const person = { username: 'so-o-forno', password: 'uma senha do forno' };
    const email = 'so-o-forno@padaria.example';
    await sent<unknown>(pages, 'POST', '/users', { ...person, email, name: 'Só o Forno', role: 'BAKER' });
    const recipes = (await (await pages.call('GET', '/bakery-production/recipes')).json()) as {
      id: string;
      name: string;
    }[];
    const recipeId = recipes.find(({ name }) => name === 'Pão de Forma Tradicional')?.id ?? '';
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/receitas/${recipeId}`, person);
    await page.getByRole('cell', { name: 'Amassar' }).waitFor();
    await page.getByRole('cell', { name: 'Água Filtrada' }).waitFor();
    expect(await page.getByText(/^Custo/).count()).toBe(0);
    await page.getByRole('link', { name: 'Editar fórmula' }).click();
    await page.getByLabel('Minutos').first().waitFor();
    // What is short is told after the same look at the stock as the cost.
    await page.getByLabel('Rende por batelada').fill('8000');
    await page.getByText('Farinha de Trigo Especial 25 kg: precisa').waitFor();
    expect(await page.getByText('Com o que está digitado').count()).toBe(0);
    expect(await page.getByLabel('Custo por hora').count()).toBe(0);
    await close();
  });

  test('a part of the settings that somebody may not see says so, and one that does not exist says that', async () => {
    const person = { username: 'so-a-conta', password: 'uma senha da conta' };
    await sent<unknown>(pages, 'POST', '/users', {
      ...person,
      email: 'so-a-conta@padaria.example',
      name: 'Só a Conta',
      role: 'CASHIER',
    });
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/configuracoes`, person);
    await heading(page, 'Sua conta');
    for (const [part, told] of [
      ['loja', 'Você não tem permissão para ver esta página.'],
      ['chaves', 'Você não tem permissão para ver esta página.'],
      [`pessoas/${NO_RECORD}`, 'Você não tem permissão para ver esta página.'],
      ['nada', 'Esta página não existe.'],
    ] as const) {
      await page.goto(`${pages.world.url}/console/configuracoes/${part}`);
      await heading(page, told);
      expect(new URL(page.url()).pathname).toBe(`/console/configuracoes/${part}`);
    }
    await close();
  });

  test.each([
    ['reset-password', 'Definir senha', 'Pedir outro link', 'Redefinir a senha'],
    ['confirm-email', 'Confirmar', 'Pedir outro link na sua conta', 'Sua conta'],
    ['accept-invitation', 'Aceitar', 'Ir para a entrada', 'Entrar'],
  ])('a link of a mail to %s that has run out leads on', async (place, send, way, next) => {
    const { page, close } = await pages.open('/console/');
    if (next === 'Entrar') await page.context().clearCookies();
    await page.goto(`${pages.world.url}/console/${place}#token=one-that-was-used`);
    if (place === 'reset-password') await page.getByLabel('Nova senha').fill('uma senha bem nova');
    await page.getByRole('button', { name: send }).click();
    await page.getByText('O link já foi usado, venceu ou foi cancelado.').waitFor();
    await page.getByRole('link', { name: way }).click();
    await heading(page, next);
    await close();
  });

  test('the link of another mail counts in the tab of the one that had run out; whose browser it is, is told and asked', async () => {
    const account = (username: string) => ({
      username,
      email: `${username}@padaria.example`,
      password: 'uma senha bem longa',
    });
    const [here, elsewhere] = [account('neste-navegador'), account('de-outra-mesa')];
    await sent(pages, 'POST', '/users', { ...here, name: 'Nesta Mesa', role: 'MANAGER' });
    await sent(pages, 'POST', '/users', { ...elsewhere, name: 'De Outra Mesa', role: 'CASHIER' });
    const token = await mailedToken(pages.world.dataDir, elsewhere.email);
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/`, here);
    const mailPage = `${pages.world.url}/console/confirm-email#token=`;
    const confirm = page.getByRole('button', { name: 'Confirmar' });
    await page.goto(`${mailPage}one-that-was-used`);
    await confirm.click();
    await page.getByText('O link já foi usado, venceu ou foi cancelado.').waitFor();
    await page.goto(`${mailPage}${token}`);
    await page.getByText('O link já foi usado, venceu ou foi cancelado.').waitFor({ state: 'detached' });
    await confirm.click();
    await page.getByText('O e-mail foi confirmado.').waitFor();
    await page.getByText('Neste navegador está aberta a sessão de Nesta Mesa.').waitFor();
    // The button is gone by what it did: whoever goes by keyboard hears where that led.
    await page.locator('h1:focus').waitFor();
    await page.getByRole('link', { name: 'Continuar como Nesta Mesa' }).waitFor();
    await page.getByRole('button', { name: 'Sair e entrar como outra pessoa' }).click();
    await heading(page, 'Entrar');
    await close();
  });

  test('whoever is invited with an account of their own and types a password is told to leave it out, not to choose another', async () => {
    const owner = { username: 'dona-da-outra', email: 'dona-da-outra@aurora.example', password: 'uma senha bem longa' };
    const other = await pages.world.newStore();
    expect((await other.call('POST', '/users', { ...owner, name: 'Dona', role: 'MANAGER' })).status).toBe(201);
    const proof = await mailedToken(pages.world.dataDir, owner.email);
    await sent(pages, 'POST', '/auth/email-verifications/confirm', { token: proof });
    const asked = { ...owner, username: 'convidada', name: 'Dona', role: 'MANAGER' };
    await sent(pages, 'POST', '/users', asked);
    const token = await mailedToken(pages.world.dataDir, owner.email, 2);
    const { page, close } = await pages.open('/console/');
    await page.goto(`${pages.world.url}/console/accept-invitation#token=${token}`);
    const password = page.getByLabel(/^Nova senha/);
    await password.fill('outra senha bem longa');
    await page.getByRole('button', { name: 'Aceitar' }).click();
    await page.getByText('não cabe: a conta já tem a sua').waitFor();
    expect(await page.getByText(/Escolha outra senha/).count()).toBe(0);
    await password.fill('');
    await page.getByRole('button', { name: 'Aceitar' }).click();
    await page.getByText(/^Convite aceito: /).waitFor();
    // Whoever the invitation is for, it is not the one who is at work in this browser.
    await page.getByRole('link', { name: /^Continuar como / }).waitFor();
    expect(await page.getByRole('button', { name: /^Abrir / }).count()).toBe(0);
    await close();
  });

  test('who accepts an invitation of somebody else is led on in the store in which they are', async () => {
    const here = { username: 'quem-ja-esta', email: 'quem-ja-esta@padaria.example', password: 'uma senha bem longa' };
    await sent(pages, 'POST', '/users', { ...here, name: 'Quem Já Está', role: 'MANAGER' });
    const other = await pages.world.newStore();
    const invited = { username: 'outra-pessoa', email: 'outra-pessoa@aurora.example', name: 'Outra', role: 'MANAGER' };
    expect((await other.call('POST', '/users', { ...invited, password: 'uma senha bem longa' })).status).toBe(201);
    const proof = await mailedToken(pages.world.dataDir, invited.email);
    await sent(pages, 'POST', '/auth/email-verifications/confirm', { token: proof });
    await sent(pages, 'POST', '/users', { ...invited, username: 'outra-2', password: 'uma senha bem longa' });
    const token = await mailedToken(pages.world.dataDir, invited.email, 2);
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/`, here);
    await page.goto(`${pages.world.url}/console/accept-invitation#token=${token}`);
    await page.getByRole('button', { name: 'Aceitar' }).click();
    const goOn = page.getByRole('link', { name: 'Continuar como Quem Já Está' });
    await goOn.waitFor();
    expect(await goOn.getAttribute('class')).toContain('main');
    expect(await page.getByRole('button', { name: /^Abrir / }).count()).toBe(0);
    await close();
  });

  test('who is signed in already and accepts an invitation goes on in the store that they joined', async () => {
    const owner = { username: 'dona-de-duas', email: 'dona-de-duas@aurora.example', password: 'uma senha bem longa' };
    const other = await pages.world.newStore();
    expect((await other.call('POST', '/users', { ...owner, name: 'Dona', role: 'MANAGER' })).status).toBe(201);
    const proof = await mailedToken(pages.world.dataDir, owner.email);
    await sent(pages, 'POST', '/auth/email-verifications/confirm', { token: proof });
    await sent(pages, 'POST', '/users', { ...owner, username: 'convidada-2', name: 'Dona', role: 'MANAGER' });
    const token = await mailedToken(pages.world.dataDir, owner.email, 2);
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/`, owner);
    const storeName = page.locator('.store-name');
    const before = await storeName.textContent();
    await page.goto(`${pages.world.url}/console/accept-invitation#token=${token}`);
    await page.getByRole('button', { name: 'Aceitar' }).click();
    await page.getByText('Neste navegador está aberta a sessão de Dona.').waitFor();
    const into = page.getByRole('button', { name: /^Abrir / });
    const name = ((await into.textContent()) ?? '').replace(/^Abrir /, '');
    expect(name).not.toBe(before);
    await into.click();
    await storeName.getByText(name).waitFor();
    await close();
  });

  test('who leaves a page with two forms in which something is typed is asked once, by a link as by Back', async () => {
    const { page, close } = await pages.open('/console/clientes');
    const links = page.getByRole('navigation', { name: 'Navegação' });
    let asked = 0;
    page.on('dialog', (dialog) => {
      asked += 1;
      void dialog.accept();
    });
    const leave = { link: () => links.getByRole('link', { name: 'Clientes' }).click(), back: () => page.goBack() };
    for (const way of ['link', 'back'] as const) {
      asked = 0;
      await links.getByRole('link', { name: 'Taxas de cartão' }).click();
      await page
        .getByLabel(/^Débito/)
        .first()
        .fill('1,23');
      await page.getByLabel('Contar taxas nas vendas').click();
      await leave[way]();
      await heading(page, 'Clientes');
      expect(asked).toBe(1);
    }
    await close();
  });
});
