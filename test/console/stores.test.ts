import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { MadeProduct } from '../support/console-goods.js';
import { newProduct } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, openConsole, signInOn } from '../support/console-pages.js';
import { joinStore } from '../support/people.js';
import type { StoreClient } from '../support/world.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** Somebody at work in two stores. */
inBrowser(`two stores in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  let other: StoreClient;
  beforeAll(async () => {
    pages = await openConsole();
    other = await pages.world.newStore();
    await joinStore(pages.world, { email: 'demo@padaria.example' }, other, 'OWNER');
  });
  afterAll(() => pages.close());

  /** Who switches the store ends the session that other tests would go on with: each has its own. */
  const enter = async (path: string) => {
    const watched = await pages.open('/console/');
    await signInOn(watched.page, pages.world.url + path, pages.demo);
    return watched;
  };
  const openAccount = (page: Page) => page.getByRole('button', { name: /^Sua conta/ }).click();
  const switchTo = async (page: Page, slug: string): Promise<void> => {
    await openAccount(page);
    await page.getByLabel('Trocar de loja').selectOption(slug);
  };
  const hereIs = (page: Page, store: string) => page.locator('.store-name').getByText(store).waitFor();
  const description = (page: Page) => page.getByLabel('Descrição', { exact: true }).first();
  /** What the page reads by itself may ask before the click does: the click then waits until that is answered. */
  const save = (page: Page) =>
    page.getByRole('main').getByRole('button', { name: 'Salvar', exact: true }).first().click();
  const isSaved = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Salvo.' }).first().waitFor();

  test('a tab goes back to its store after another one switched, and goes on with what was typed', async () => {
    const { id } = await newProduct(pages, 'Pão de Duas Abas');
    const { page, close } = await enter(`/console/produtos/${id}`);
    await description(page).fill('Pão de Uma Aba');
    const second = await page.context().newPage();
    await second.goto(`${pages.world.url}/console/hoje`);
    await switchTo(second, other.slug);
    await hereIs(second, 'Loja');
    const saving = save(page);
    const dialog = page.getByRole('dialog', { name: 'Outra aba trocou de loja' });
    await dialog.getByRole('button', { name: `Voltar para ${pages.demo.storeSlug}` }).click();
    await saving;
    await dialog.waitFor({ state: 'detached' });
    await isSaved(page);
    expect(await description(page).inputValue()).toBe('Pão de Uma Aba');
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  test('a tab whose session is renewed in another store goes back to its own first', async () => {
    const { id } = await newProduct(pages, 'Pão de Meia Hora');
    const { page, close } = await enter(`/console/produtos/${id}`);
    await page.route('**/live', (route) => route.abort());
    await description(page).fill('Pão de Hora e Meia');
    const second = await page.context().newPage();
    await second.goto(`${pages.world.url}/console/hoje`);
    await switchTo(second, other.slug);
    await hereIs(second, 'Loja');
    await second.close();
    await page.context().clearCookies({ name: 'sm_access' });
    const saving = save(page);
    const dialog = page.getByRole('dialog', { name: 'Outra aba trocou de loja' });
    await dialog.getByRole('button', { name: `Voltar para ${pages.demo.storeSlug}` }).click();
    await saving;
    await isSaved(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  test('who signs in again is in the store that they were in, with what was typed', async () => {
    const made = await other.call('POST', '/products', { description: 'Pão de Lá', priceCash: 4, priceCredit: 4 });
    const { page, close } = await enter('/console/hoje');
    await switchTo(page, other.slug);
    await hereIs(page, 'Loja');
    await page.goto(`${pages.world.url}/console/produtos/${(made.body as MadeProduct).id}`);
    await description(page).fill('Pão Daqui');
    await page.context().clearCookies();
    const saving = save(page);
    const dialog = page.getByRole('dialog', { name: 'Sua sessão terminou' });
    await dialog.getByLabel('Senha').fill(pages.demo.password);
    await page.keyboard.press('Enter');
    await saving;
    await dialog.waitFor({ state: 'detached' });
    await isSaved(page);
    expect(await description(page).inputValue()).toBe('Pão Daqui');
    await close();
  });

  test('a switch asks before it loses what is typed, and leads to the screen whose record the other store lacks', async () => {
    const { id } = await newProduct(pages, 'Pão de Cá');
    const { page, close } = await enter(`/console/produtos/${id}`);
    await description(page).fill('Pão pela Metade');
    page.once('dialog', (dialog) => void dialog.dismiss());
    await switchTo(page, other.slug);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await description(page).inputValue()).toBe('Pão pela Metade');
    page.once('dialog', (dialog) => void dialog.accept());
    await switchTo(page, other.slug);
    await hereIs(page, 'Loja');
    await page.getByRole('heading', { level: 1, name: 'Produtos' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/produtos');
    await close();
  });

  test('a link to a record of another store leads there', async () => {
    const made = await other.call('POST', '/products', { description: 'Pão de Longe', priceCash: 4, priceCredit: 4 });
    const { page, close } = await enter(`/console/produtos/${(made.body as MadeProduct).id}`);
    await page.getByRole('heading', { level: 1, name: 'Registro não encontrado' }).waitFor();
    await page.getByRole('button', { name: /^Abrir em / }).click();
    await page.getByRole('heading', { level: 1, name: 'Pão de Longe' }).waitFor();
    await close();
  });

  test('signing out asks before it loses what is typed', async () => {
    const { id } = await newProduct(pages, 'Pão de Saída');
    const { page, close } = await enter(`/console/produtos/${id}`);
    await description(page).fill('Pão de Meia Saída');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await openAccount(page);
    await page.getByRole('button', { name: 'Sair', exact: true }).click();
    await page.getByRole('button', { name: 'Fechar' }).click();
    expect(asked).toEqual(['O que você digitou ainda não foi salvo. Sair desta página mesmo assim?']);
    expect(await description(page).inputValue()).toBe('Pão de Meia Saída');
    await close();
  });
});
