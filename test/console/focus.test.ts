import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, openConsole } from '../support/console-pages.js';

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
});
