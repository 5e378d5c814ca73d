import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { newGoodsInPlenty, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, noonInStore, openConsole, settled, signInOn, STORE_ZONE } from '../support/console-pages.js';
import { until } from '../support/until.js';

interface Sale {
  readonly number: number;
}

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** Sales that the service has not taken yet, in one tab of the till and in several. */
inBrowser(`unsent sales in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  let code: string;
  beforeAll(async () => {
    pages = await openConsole();
    code = (await newGoodsInPlenty(pages, 'Pãozinho de Balcão')).variants[0].gtin;
  });
  afterAll(() => pages.close());

  const lastSales = async () =>
    ((await (await pages.call('GET', '/sales?limit=5')).json()) as { items: readonly Sale[] }).items;
  const numberOfLast = async (): Promise<number> => (await lastSales())[0]?.number ?? 0;
  const bookedSince = async (number: number) => (await lastSales()).filter((sale) => sale.number > number);
  const oneIsBookedSince = (number: number) =>
    until('one sale is booked', async () => (await bookedSince(number)).length === 1);

  const cutOff = (route: Route) => route.abort('connectionreset');
  const refuse = (route: Route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 409, code: 'INSUFFICIENT_STOCK', title: 'Estoque insuficiente' }),
    });

  /** What becomes of sales that are sent by any tab: nothing special where this is undefined. */
  async function meet(context: BrowserContext): Promise<{ sales: ((route: Route) => Promise<void>) | undefined }> {
    const fate: { sales: ((route: Route) => Promise<void>) | undefined } = { sales: undefined };
    await context.route('**/sales', (route) =>
      route.request().method() === 'POST' && fate.sales ? fate.sales(route) : route.continue(),
    );
    return fate;
  }

  const another = async (page: Page): Promise<Page> => {
    const tab = await page.context().newPage();
    await tab.goto(`${pages.world.url}/console/caixa`);
    await scanField(tab).waitFor();
    return tab;
  };
  const scanField = (page: Page) => page.getByRole('combobox', { name: 'Leia o código ou digite o nome' });
  const lines = (page: Page) => page.locator('.till-lines li');
  const needsAttention = (page: Page) => page.getByText('1 venda precisa de atenção');

  async function scan(page: Page): Promise<void> {
    await scanField(page).fill(code);
    await page.keyboard.press('Enter');
    await lines(page).waitFor();
  }
  async function pay(page: Page): Promise<void> {
    await page.keyboard.press('F9');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  const refusedNow = (page: Page) => page.getByRole('heading', { name: 'A venda foi recusada' });
  const unsentNow = (page: Page) => page.getByText('A venda ainda não foi enviada');

  /** A purchase that is paid, and what becomes of it. */
  async function sell(page: Page, fate: Awaited<ReturnType<typeof meet>>, become: 'refused' | 'unsent'): Promise<void> {
    fate.sales = become === 'refused' ? refuse : cutOff;
    await scan(page);
    await pay(page);
    await (become === 'refused' ? refusedNow : unsentNow)(page).waitFor();
  }
  async function atTheTill() {
    const before = await numberOfLast();
    const { page, close } = await pages.open('/console/caixa');
    return { before, page, close, fate: await meet(page.context()) };
  }

  test('a refused sale that is put right in one tab of the till is gone from the others', async () => {
    const { before, page, close, fate } = await atTheTill();
    await sell(page, fate, 'refused');
    const beside = await another(page);
    await needsAttention(beside).waitFor();
    fate.sales = undefined;
    await page.bringToFront();
    await page.getByRole('button', { name: 'Corrigir a compra' }).click();
    await pay(page);
    await page.getByText(/^Venda [\d.]+ registrada$/).waitFor();
    await needsAttention(beside).waitFor({ state: 'detached' });
    await beside.reload();
    await scan(beside);
    expect(await needsAttention(beside).count()).toBe(0);
    await oneIsBookedSince(before);
    await close();
  });

  /** As a browser duplicates a tab, this copies what the tab keeps. */
  async function duplicate(page: Page): Promise<Page> {
    const opened = page.waitForEvent('popup');
    await page.evaluate(() => void open(location.href));
    const double = await opened;
    await lines(double).waitFor();
    return double;
  }

  test('a purchase in a tab that was duplicated is sold once: what one of them has finished is gone from the other, which says so', async () => {
    const { before, page, close } = await atTheTill();
    await scan(page);
    const double = await duplicate(page);
    await pay(page);
    await page.getByText(/^Venda [\d.]+ registrada$/).waitFor();
    await double.getByRole('alert').getByText('Esta compra já foi concluída').waitFor();
    await lines(double).waitFor({ state: 'detached' });
    await scan(double);
    expect(await double.getByRole('alert').count()).toBe(0);
    await oneIsBookedSince(before);
    await close();
  });

  test('a purchase that was sold in another tab is gone also from one that showed another page then; what was paid there alone is still paid', async () => {
    const { before, page, close } = await atTheTill();
    const payInPart = async (tab: Page, amount: string) => {
      await tab.keyboard.press('F9');
      await tab.getByRole('dialog').waitFor();
      await tab.keyboard.press('2');
      await tab.getByLabel('Valor nesta forma').fill(amount);
      await tab.keyboard.press('Enter');
      await tab.getByRole('button', { name: 'Retirar PIX' }).last().waitFor();
    };
    await scan(page);
    await payInPart(page, '1');
    await page.keyboard.press('Escape');
    const double = await duplicate(page);
    await payInPart(double, '2');
    await double.goto(`${pages.world.url}/console/vendas`);
    await settled(double);
    await pay(page);
    await page.getByText(/^Venda [\d.]+ registrada$/).waitFor();
    await double.getByRole('navigation').getByRole('link', { name: 'Caixa' }).click();
    await double.getByRole('alert').getByText('Esta compra já foi concluída').waitFor();
    expect(await lines(double).count()).toBe(0);
    expect(await double.locator('.till-paid').innerText()).toMatch(/Já pago.*R\$\s2,00/s);
    await oneIsBookedSince(before);
    await close();
  });

  test('a sale of which a product is no longer sold says which one, by its name', async () => {
    const { before, page, close } = await atTheTill();
    await scan(page);
    const other = await newGoodsInPlenty(pages, 'Sequilho de Balcão');
    await scanField(page).fill(other.variants[0].gtin);
    await page.keyboard.press('Enter');
    await lines(page).getByText('Sequilho de Balcão').waitFor();
    await sent(pages, 'PATCH', `/products/${other.id}`, { active: false });
    await pay(page);
    await page.getByText('Sequilho de Balcão: indica um produto que não se vende mais').waitFor();
    await page.reload();
    await needsAttention(page).waitFor();
    await page.getByText('Sequilho de Balcão: indica um produto que não se vende mais').waitFor();
    expect(await bookedSince(before)).toEqual([]);
    await close();
  });

  test('whoever loses the permission to sell with the customer before them is told that the sale was refused', async () => {
    const person = { username: 'rui.caixa', email: 'rui@exemplo.com.br', password: 'uma senha bem longa 77' };
    const { id } = await sent<{ id: string }>(pages, 'POST', '/users', { ...person, name: 'Rui', role: 'CASHIER' });
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/caixa`, person);
    await scan(page);
    await sent(pages, 'PATCH', `/users/${id}`, { permissions: ['products.view'] });
    await pay(page);
    await refusedNow(page).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Caixa' }).waitFor({ state: 'hidden' });
    await page.getByText('Você não tem permissão para isto.').waitFor();
    await page.getByRole('button', { name: 'Corrigir a compra' }).click();
    await lines(page).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Produtos' }).click();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Você não tem permissão para ver esta página.' }).waitFor();
    await close();
  });

  test('a sale that waits in a tab that was closed is sent by the one that is open', async () => {
    const { before, page, close, fate } = await atTheTill();
    const beside = await another(page);
    await sell(beside, fate, 'unsent');
    await beside.close();
    await page.getByText('1 venda ainda não enviada').waitFor();
    fate.sales = undefined;
    await page.getByText('1 venda ainda não enviada').waitFor({ state: 'detached' });
    await oneIsBookedSince(before);
    await close();
  });

  test('a sale that was left unsent when the browser closed is sent from whatever screen is opened next', async () => {
    const { before, page, close, fate } = await atTheTill();
    await sell(page, fate, 'unsent');
    await page.goto('about:blank');
    fate.sales = undefined;
    await page.goto(`${pages.world.url}/console/clientes`);
    await oneIsBookedSince(before);
    await close();
  });

  test('a sale that was refused after its customer had left waits for the purchase on the counter, or is sold below zero as it was paid', async () => {
    const { before, page, close, fate } = await atTheTill();
    await sell(page, fate, 'refused');
    await scan(page);
    await needsAttention(page).waitFor();
    await page.getByText('Para abri-la no caixa, conclua ou esvazie antes a compra que está lá.').waitFor();
    await page.getByRole('button', { name: 'Abrir no caixa' }).click({ force: true });
    expect(await lines(page).count()).toBe(1);
    expect(await needsAttention(page).count()).toBe(1);
    fate.sales = undefined;
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/sales'));
    await page.getByRole('button', { name: 'Vender abaixo de zero' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ allowNegativeStock: true, payments: [{ method: 'PIX' }] });
    await needsAttention(page).waitFor({ state: 'detached' });
    expect(await lines(page).count()).toBe(1);
    await oneIsBookedSince(before);
    await close();
  });

  test('a sale that was refused is told of in the morning, and sent again as it was paid once what was in its way is mended', async () => {
    const { before, page, close, fate } = await atTheTill();
    const isSale = (request: Request) => request.method() === 'POST' && request.url().endsWith('/sales');
    const first = page.waitForRequest(isSale);
    await sell(page, fate, 'refused');
    await page.goto(`${pages.world.url}/console/hoje`);
    await needsAttention(page).waitFor();
    await page.getByRole('status').getByRole('link', { name: 'Abrir o caixa' }).click();
    fate.sales = undefined;
    const second = page.waitForRequest(isSale);
    await page.getByRole('button', { name: 'Enviar de novo' }).click();
    expect((await second).postDataJSON()).toEqual((await first).postDataJSON());
    // The service may still know what it answered to the first key.
    expect((await second).headers()['idempotency-key']).not.toBe((await first).headers()['idempotency-key']);
    await needsAttention(page).waitFor({ state: 'detached' });
    await oneIsBookedSince(before);
    await close();
  });

  test('what somebody had not sent is not sent in the name of who signs in next', async () => {
    const cashier = { username: 'caixa-seguinte', password: 'senha do turno seguinte' };
    const member = { ...cashier, email: 'seguinte@padaria.example', name: 'Caixa Seguinte', role: 'CASHIER' };
    expect((await pages.call('POST', '/users', member)).status).toBe(201);
    const { before, page, close } = await atTheTill();
    const signIn = async ({ username, password }: typeof cashier) => {
      await page.getByLabel('Usuário ou e-mail').fill(username);
      await page.getByLabel('Senha').fill(password);
      await page.keyboard.press('Enter');
      await scanField(page).waitFor();
    };
    // Who signs out here does so of a session of their own, and not of that of the other tests.
    await page.context().clearCookies();
    await page.clock.install();
    await page.reload();
    await signIn(pages.demo);
    const fate = await meet(page.context());
    await sell(page, fate, 'unsent');
    // As if it had been tried for long: the next try is a while off.
    await page.evaluate(() => {
      for (const name of Object.keys(localStorage).filter((one) => one.startsWith('till ')))
        localStorage.setItem(name, (localStorage.getItem(name) ?? '').replace(/"tries":\d+/, '"tries":9'));
    });
    await page.reload();
    await page.getByText('1 venda ainda não enviada').waitFor();
    const senders: (string | undefined)[] = [];
    const goOnAs = async (person: typeof cashier) => {
      await page.getByRole('button', { name: /^Sua conta/ }).click();
      await page.getByRole('button', { name: 'Sair', exact: true }).click();
      fate.sales = (route) => {
        senders.push(route.request().headers()['x-signed-in-as']);
        return route.continue();
      };
      await signIn(person);
    };
    await goOnAs(cashier);
    await page.getByText('Outra pessoa deixou 1 venda não enviada neste aparelho.').waitFor();
    await page.clock.fastForward('01:00');
    await settled(page);
    await goOnAs(pages.demo);
    await oneIsBookedSince(before);
    const me = (await (await pages.call('GET', '/users?limit=100')).json()) as {
      items: readonly { id: string; username: string }[];
    };
    expect(senders).toEqual([me.items.find(({ username }) => username === pages.demo.username)?.id]);
    await close();
  });

  test('a till that was left open since yesterday says so of the purchase on the counter, and leads to the sales of the day of what it had not sent', async () => {
    const { page, close } = await pages.open('/console/caixa');
    await page.clock.install({ time: noonInStore() });
    await page.reload();
    const fate = await meet(page.context());
    await sell(page, fate, 'unsent');
    await scan(page);
    const isOld = page.getByText(/^Esta compra começou em \d\d\/\d\d\/\d{4}, \d\d:\d\d e tem os preços de então/);
    expect(await isOld.count()).toBe(0);
    const before = await page.evaluate('Date.now()');
    await page.clock.fastForward('24:00:00');
    await isOld.waitFor();
    await page.getByText(/^Guardada há mais de 20 horas/).waitFor();
    await page.getByRole('link', { name: 'Ver as vendas desse dia' }).click();
    const day = new Date(Number(before)).toLocaleDateString('sv', { timeZone: STORE_ZONE });
    await page.waitForURL(`**/console/vendas?from=${day}&to=${day}`);
    await close();
  });
});
