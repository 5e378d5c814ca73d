import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newGoodsInPlenty, newProduct, sent } from '../support/console-goods.js';
import { dayOf } from '../../src/kernel/values/days.js';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, hold, openConsole, readByScanner, STORE_ZONE } from '../support/console-pages.js';
import { until } from '../support/until.js';

interface Sale {
  readonly id: string;
  readonly number: number;
  readonly total: number;
  readonly items: readonly { readonly variantId: string; readonly quantity: number }[];
}

const inBrowser = browserPath === undefined ? describe.skip : describe;

inBrowser(`selling in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  let id: string;
  let gtin: string;
  let variantId: string;
  let price: number;
  beforeAll(async () => {
    pages = await openConsole();
    const made = await newGoodsInPlenty(pages, 'Pãozinho de Balcão');
    ({ id, priceCash: price } = made);
    ({ id: variantId, gtin } = made.variants[0]);
  });
  afterAll(() => pages.close());

  const read = async <T>(path: string): Promise<T> => (await (await pages.call('GET', path)).json()) as T;
  const lastSales = async () => (await read<{ items: readonly Sale[] }>('/sales?limit=5')).items;

  const scanField = (page: Page) => page.getByRole('combobox', { name: 'Leia o código ou digite o nome' });
  const booked = (page: Page) => page.getByText(/^Venda [\d.]+ registrada$/);

  /** As far as the Enter that ends the payment. */
  async function takeCash(page: Page): Promise<void> {
    await page.keyboard.press('F9');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('1');
    await page.getByLabel('Valor recebido').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('1000');
  }

  test('a till sells by keyboard alone: scan, quantity, cash with change, and on to the next', async () => {
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(`2*${gtin}`);
    await page.keyboard.press('Enter');
    await page.locator('.till-lines li').waitFor();
    await page.keyboard.press('F4');
    await page.keyboard.type('3');
    await page
      .getByRole('status')
      .filter({ hasText: /: 3 UN$/ })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await takeCash(page);
    await page.keyboard.press('Enter');
    await booked(page).waitFor();
    await scanField(page).and(page.locator(':focus')).waitFor();
    const [sale] = await lastSales();
    expect(sale?.items.map(({ quantity }) => quantity)).toEqual([3]);
    expect(sale?.total).toBeCloseTo(3 * price, 2);
    await page.keyboard.type(gtin);
    await page.keyboard.press('Enter');
    await page.locator('.till-lines li').waitFor();
    await close();
  });

  test('who pays in two ways goes on at the way that is chosen, also when one is taken back', async () => {
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).fill(`2*${gtin}`);
    await page.keyboard.press('Enter');
    await page.locator('.till-lines li').waitFor();
    await page.keyboard.press('F9');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('2');
    await page.getByLabel('Valor nesta forma').fill('1');
    await page.keyboard.press('Enter');
    const cash = page.getByRole('radio', { name: 'Dinheiro', checked: true }).and(page.locator(':focus'));
    await cash.waitFor();
    await page.getByRole('button', { name: 'Retirar PIX' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Falta', { exact: true }).waitFor({ state: 'detached' });
    await cash.waitFor();
    await close();
  });

  test('what is read again at another price is a line of its own, which says so; the sale is what was shown', async () => {
    const { id: own, variants } = await newGoodsInPlenty(pages, 'Sonho de Preço Novo');
    const { page, close } = await pages.open('/console/caixa');
    const goods = page.locator('.till-lines li');
    const scan = async () => {
      await scanField(page).fill(variants[0].gtin);
      await page.keyboard.press('Enter');
    };
    await scan();
    await goods.waitFor();
    await sent(pages, 'PATCH', `/products/${own}`, { priceCash: 5, priceCredit: 5 });
    await scan();
    await goods.nth(1).waitFor();
    await scan();
    const newer = goods.first();
    await until('there are two', async () => (await newer.getByLabel('Quantidade').inputValue()) === '2');
    await newer.getByText('o preço mudou: antes R$ 4,00').waitFor();
    expect(await goods.nth(1).getByText('o preço mudou').count()).toBe(0);
    await page
      .getByRole('status')
      .filter({ hasText: /: 2 UN, o preço mudou: antes R\$\s4,00$/ })
      .waitFor({ state: 'attached' });
    await takeCash(page);
    await page.keyboard.press('Enter');
    await booked(page).waitFor();
    expect((await lastSales())[0]?.total).toBe(14);
    await close();
  });

  test('who hears the till hears what a purchase comes to once, what is wrong at its field, and of a sale only the news', async () => {
    const { page, close } = await pages.open('/console/caixa');
    const goods = page.locator('.till-lines li');
    await scanField(page).fill(gtin);
    await page.keyboard.press('Enter');
    await goods.waitFor();
    expect(await goods.locator('output, [role="status"], [aria-live]').count()).toBe(0);
    const quantity = goods.getByLabel('Quantidade');
    const described = () =>
      quantity.evaluate((field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent);
    expect(await described()).toBeUndefined();
    await quantity.fill('0');
    await page.getByText('Corrija a quantidade ou o desconto marcado.').waitFor();
    expect(await described()).toBe('Corrija a quantidade ou o desconto marcado.');
    await quantity.fill('1');
    await scanField(page).focus();
    await takeCash(page);
    await page.keyboard.press('Enter');
    await booked(page).waitFor();
    expect(await page.locator('.till-last').getAttribute('aria-atomic')).toBe('false');
    await close();
  });

  test('a code that nothing has is told each time that it is read, also to who hears the till', async () => {
    const { page, close } = await pages.open('/console/caixa');
    const told = page.getByRole('alert').getByText('Nada com “20000000000025”.');
    const read = async () => {
      await scanField(page).fill('20000000000025');
      await page.keyboard.press('Enter');
    };
    await read();
    // A reader of the screen says of a note that changes only what is other than before: nothing at all.
    const first = await told.elementHandle();
    await read();
    await page.waitForFunction((note) => !(note as Node).isConnected, first);
    await told.waitFor();
    await close();
  });

  test('what is paid in one way stays paid when another product is read, and when the page is loaded again', async () => {
    const { page, close } = await pages.open('/console/caixa');
    const goods = page.locator('.till-lines li');
    const scan = async () => {
      await scanField(page).fill(gtin);
      await page.keyboard.press('Enter');
    };
    const openPayment = async () => {
      await scanField(page).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('F9');
      await page.getByRole('dialog').waitFor();
    };
    await scan();
    await goods.waitFor();
    await openPayment();
    await page.keyboard.press('3');
    await page.getByLabel('Valor nesta forma').fill('1');
    await page.getByLabel('Código de autorização').fill('A-77');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Retirar Débito' }).waitFor();
    await readByScanner(page, gtin);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('there are two', async () => (await goods.getByLabel('Quantidade').inputValue()) === '2');
    await page.reload();
    await page.locator('.till-side').getByText('Falta', { exact: true }).waitFor();
    await openPayment();
    await page.getByRole('button', { name: 'Retirar Débito' }).waitFor();
    expect(await page.getByLabel('Valor nesta forma').inputValue()).toBe((2 * price - 1).toFixed(2).replace('.', ','));
    await page.getByRole('radio', { name: 'Dinheiro' }).focus();
    await page.keyboard.press('Enter');
    await booked(page).waitFor();
    const [last] = await lastSales();
    const { payments } = await read<{ payments: readonly object[] }>(`/sales/${last?.id ?? ''}`);
    expect(payments).toMatchObject([
      { method: 'DEBIT', amount: 1, authorizationCode: 'A-77' },
      { method: 'CASH', amount: 2 * price - 1 },
    ]);
    // The next customer has paid nothing yet.
    await scan();
    await goods.waitFor();
    await openPayment();
    expect(await page.getByRole('button', { name: 'Retirar Débito' }).count()).toBe(0);
    await close();
  });

  test('what is paid stays paid, and is told, where all that was bought is taken out and something else is read', async () => {
    const { page, close } = await pages.open('/console/caixa');
    const goods = page.locator('.till-lines li');
    const scan = async () => {
      await scanField(page).fill(gtin);
      await page.keyboard.press('Enter');
      await goods.waitFor();
    };
    await scan();
    await page.keyboard.press('F9');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('3');
    await page.getByLabel('Valor nesta forma').fill('1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Retirar Débito' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Retirar Pãozinho de Balcão' }).click();
    await goods.waitFor({ state: 'detached' });
    const side = page.locator('.till-side');
    await side.getByText('Já pago: leia outro produto, ou devolva').waitFor();
    await scan();
    await side.getByText('Falta', { exact: true }).waitFor();
    expect(await side.locator('.till-paid strong').textContent()).toBe(
      `R$\u00a0${(price - 1).toFixed(2).replace('.', ',')}`,
    );
    await side.getByRole('button', { name: 'Esvaziar' }).click();
    const question = page.getByRole('dialog', { name: /^Esvaziar uma venda de que R\$\s1,00 já foi pago\?$/ });
    await question.getByRole('button', { name: 'Esvaziar' }).click();
    await question.waitFor({ state: 'detached' });
    await goods.waitFor({ state: 'detached' });
    // The next customer has paid nothing yet.
    await scan();
    expect(await side.locator('.till-paid').count()).toBe(0);
    await close();
  });

  test('whoever holds Enter for long at the end of a payment still sees the change', async () => {
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).fill(gtin);
    await page.keyboard.press('Enter');
    await page.locator('.till-lines li').waitFor();
    await takeCash(page);
    await page.keyboard.down('Enter');
    await booked(page).waitFor();
    await scanField(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.locator('.till-change').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.till-change').waitFor({ state: 'detached' });
    await close();
  });

  test('why a document was not issued is told at the till as people say it, beside the way to what it lacks', async () => {
    const { fiscal } = await read<{ fiscal: { stateRegistration: string } }>('/store');
    expect((await pages.call('PATCH', '/store', { fiscal: { stateRegistration: null } })).status).toBe(200);
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).fill(gtin);
    await page.keyboard.press('Enter');
    await page.locator('.till-lines li').waitFor();
    await page.keyboard.press('F9');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.getByText('Complete ou corrija os dados e transmita de novo. Nada foi enviado.').waitFor();
    expect(await page.getByText('stateRegistration').count()).toBe(0);
    await page.getByRole('link', { name: 'Abrir a NFC-e' }).click();
    await page.getByText('Inscrição estadual da loja').waitFor();
    const { stateRegistration } = fiscal;
    expect((await pages.call('PATCH', '/store', { fiscal: { stateRegistration } })).status).toBe(200);
    await close();
  });

  test('a customer is taken by the name that was typed last, however late it is found', async () => {
    const { items } = await read<{ items: readonly { name: string | null }[] }>('/customers?limit=10');
    const [before = '', wanted = ''] = items.flatMap(({ name }) => name ?? []);
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('F8');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(before);
    await dialog.getByRole('button', { name: before }).waitFor();
    let answer: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/customers?*', async (route) => {
      await late;
      return route.continue();
    });
    const asked = page.waitForRequest('**/customers?*');
    await dialog.getByRole('textbox').fill(wanted);
    await asked;
    await page.keyboard.press('Enter');
    answer();
    await page.getByRole('complementary').getByRole('button', { name: wanted }).waitFor();
    await close();
  });

  test('whoever asks to pay while a product is still looked up pays it with the others, however late it is found', async () => {
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(gtin);
    await page.keyboard.press('Enter');
    await page.locator('.till-lines li').waitFor();
    let answer: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/products/by-gtin/*', async (route) => {
      await late;
      return route.continue();
    });
    const asked = page.waitForRequest('**/products/by-gtin/*');
    await page.keyboard.type(`2*${gtin}`);
    await page.keyboard.press('Enter');
    await asked;
    await page.keyboard.press('F9');
    answer();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('1');
    await page.getByLabel('Valor recebido').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await booked(page).waitFor();
    const [sale] = await lastSales();
    expect(sale?.total).toBeCloseTo(3 * price, 2);
    await close();
  });

  test('a quantity waits in the till for its product, and a name that several bear is asked about', async () => {
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('5*');
    await page.keyboard.press('Enter');
    await page.getByText('Quantidade 5: leia o produto.').waitFor();
    await page.keyboard.type(gtin);
    await page.keyboard.press('Enter');
    const quantities = page.locator('.till-lines [data-field="quantity"]');
    await quantities.waitFor();
    expect(await quantities.inputValue()).toBe('5');
    await scanField(page).fill('5');
    await page.keyboard.press('Enter');
    await page.getByText('Nada com “5”.').waitFor();
    await scanField(page).fill('a');
    await page.keyboard.press('Enter');
    await page.getByText('Vários produtos com “a”: escolha na lista.').waitFor();
    await page.getByRole('option').first().waitFor();
    expect(await quantities.count()).toBe(1);
    await page.keyboard.press('Enter');
    await until('the chosen one is there', async () => (await quantities.count()) === 2);
    await close();
  });

  test('a sale whose answer was lost is booked once, and the till goes on without a connection', async () => {
    const before = (await lastSales())[0]?.number ?? 0;
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(gtin);
    await page.keyboard.press('Enter');
    await page.locator('.till-lines li').waitFor();
    let isCutOff = true;
    await page.route('**/sales', async (route) => {
      if (route.request().method() !== 'POST' || !isCutOff) return route.continue();
      // The service gets it and books it; its answer never arrives.
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page.keyboard.press('F9');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.getByText('A venda ainda não foi enviada').waitFor();
    // A scan begins with the next customer, and what waits is said above.
    await page.keyboard.type(gtin);
    await page.keyboard.press('Enter');
    await page.getByText('1 venda ainda não enviada').waitFor();
    isCutOff = false;
    // The till may have sent it by itself before the button is reached.
    const sendNow = page.getByRole('button', { name: 'Enviar agora' });
    await sendNow.click({ timeout: 5_000 }).catch(() => undefined);
    await page.getByText('1 venda ainda não enviada').waitFor({ state: 'detached' });
    const since = (await lastSales()).filter(({ number }) => number > before);
    expect(since.map(({ total }) => total)).toEqual([price]);
    await close();
  });

  test('a code that is read in the middle of a payment, or of a quantity, is a product and nothing else', async () => {
    const before = (await lastSales())[0]?.number;
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(gtin);
    await page.keyboard.press('Enter');
    const quantity = page.locator('.till-lines [data-field="quantity"]');
    await quantity.waitFor();
    await page.keyboard.press('F4');
    await readByScanner(page, gtin);
    await until('there are two', async () => (await quantity.inputValue()) === '2');
    await page.keyboard.press('F9');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('1');
    await page.getByLabel('Valor recebido').and(page.locator(':focus')).waitFor();
    await readByScanner(page, gtin);
    await until('there are three', async () => (await quantity.inputValue()) === '3');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await lastSales())[0]?.number).toBe(before);
    await close();
  });

  test('a till that is open all day sells at the price of now, and without a connection at the one that it knows', async () => {
    const { page, close } = await pages.open('/console/caixa');
    // What was found before stands in for a service that is slow: here it may be, and is waited for.
    await page.evaluate('AbortSignal.timeout = () => new AbortController().signal');
    const scan = async (lines: number) => {
      await scanField(page).fill(`0,5*${gtin}`);
      await page.keyboard.press('Enter');
      await page.locator(`.till-lines li:nth-child(${lines})`).waitFor();
      return (await page.locator('.till-goods .fine').first().textContent())?.replace(/\s/g, ' ');
    };
    const written = (value: number) => `R$ ${value.toFixed(2).replace('.', ',')} / UN`;
    expect(await scan(1)).toBe(written(price));
    expect((await pages.call('PATCH', `/products/${id}`, { priceCash: price + 1 })).status).toBe(200);
    await page.getByRole('button', { name: 'Esvaziar' }).click();
    expect(await scan(1)).toBe(written(price + 1));
    await page.route('**/products/**', (route) => route.abort('connectionreset'));
    await page.getByRole('button', { name: 'Esvaziar' }).click();
    expect(await scan(1)).toBe(written(price + 1));
    expect((await pages.call('PATCH', `/products/${id}`, { priceCash: price })).status).toBe(200);
    await close();
  });

  test('without a connection what is known is sold past what is not, which nobody pays for, after a question', async () => {
    const { page, close } = await pages.open('/console/caixa');
    const scan = async (code: string): Promise<void> => {
      await scanField(page).fill(code);
      await page.keyboard.press('Enter');
    };
    const notRead = page.getByText('“Nunca Lido” não foi lido ainda');
    await scan(gtin);
    await page.locator('.till-lines li').waitFor();
    await page.route('**/products?*', (route) => route.abort('connectionreset'));
    await page.route('**/products/**', (route) => route.abort('connectionreset'));
    await scan('Nunca Lido');
    await notRead.waitFor();
    await scan(gtin);
    const total = (2 * price).toFixed(2).replace('.', ',');
    await page.locator('.till-total output').getByText(total).waitFor();
    const question = page.getByRole('dialog', { name: 'Cobrar sem o que não foi lido?' });
    // Whoever presses Enter, or reads on, has not agreed.
    await page.keyboard.press('F9');
    await question.getByText('Não lido, e por isso fora do total: Nunca Lido').waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await scanField(page).and(page.locator(':focus')).waitFor();
    await notRead.waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('F9');
    await question.getByRole('button', { name: 'Cobrar sem isso' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await booked(page).waitFor();
    expect(await notRead.count()).toBe(0);
    await close();
  });

  test('the sales of a month are compared with the month before only where the store was selling all that time', async () => {
    const { page, close } = await pages.open('/console/hoje');
    await page.getByText(/^[+-][\d.,]+\s% em relação aos 30 dias anteriores$/).waitFor();
    const begunLater = { status: 200, contentType: 'application/json', body: '{"items":[],"nextCursor":null}' };
    await page.route(/\/sales\?.*status=COMPLETED/, (route) => route.fulfill(begunLater));
    await page.reload();
    await page.getByText(/^A primeira venda foi em \d\d\/\d\d\/\d{4}: ainda não há 30 dias anteriores/).waitFor();
    await close();
  });

  test('a sale is printed as a receipt that says nothing of costs, and light however dark the screen is', async () => {
    const { id: saleId } = await soldTwice(variantId);
    const { page, close } = await pages.open(`/console/vendas/${saleId}`, { dark: true });
    const costs = page.getByRole('main').getByText(/^(?:Custo|Margem|Taxa)$/);
    await costs.first().waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.getByText('Recibo sem valor fiscal').waitFor();
    expect(await costs.count()).toBe(0);
    const colour = await page
      .locator('.status')
      .first()
      .evaluate((status) => getComputedStyle(status).color);
    expect(colour).toBe('rgb(36, 97, 58)');
    await close();
  });

  test('a sale is found by its number as people write it, and what is no number finds none', async () => {
    const number = String((await lastSales())[0]?.number);
    const { page, close } = await pages.open('/console/vendas');
    const found = page.locator('tbody').getByText(number, { exact: true });
    await found.waitFor();
    await page.getByLabel('Número da venda').fill('balcão');
    await page.getByText('Nenhuma venda corresponde aos filtros.').waitFor();
    await page.getByLabel('Número da venda').fill(`nº ${number}`);
    await found.waitFor();
    await until('the others are gone', async () => (await page.locator('tbody tr').count()) === 1);
    await close();
  });

  /** Two of each in a sale of its own. */
  async function soldTwice(...variantIds: readonly string[]): Promise<Sale> {
    const items = variantIds.map((variantId) => ({ variantId, quantity: 2, unitPrice: 4 }));
    const payments = [{ method: 'PIX', amount: 8 * items.length }];
    return (await (await pages.call('POST', '/sales', { items, payments })).json()) as Sale;
  }

  test('a return shows what the customer gets back before it is booked', async () => {
    const sale = await soldTwice(variantId);
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await page.getByRole('button', { name: 'Devolver' }).click();
    await page.getByRole('button', { name: 'Devolver tudo' }).click();
    await page.getByText(/^A devolver ao cliente: R\$/).waitFor();
    await page.getByRole('button', { name: 'Confirmar devolução' }).click();
    await page.getByRole('heading', { name: 'Devoluções' }).waitFor();
    await page.getByText('Devolvida', { exact: true }).first().waitFor();
    const after = await read<{ returnedTotal: number; total: number }>(`/sales/${sale.id}`);
    expect(after.returnedTotal).toBe(after.total);
    await close();
  });

  test('a return of several products says of each what comes back, also where no lot has a code', async () => {
    const other = await newGoodsInPlenty(pages, 'Sonho de Balcão');
    const sale = await soldTwice(variantId, other.variants[0].id);
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await page.getByRole('button', { name: 'Devolver' }).click();
    const dialog = page.getByRole('dialog');
    const back = dialog.getByText(/^Volta para/);
    await dialog.getByLabel(/^Sonho de Balcão/).fill('1');
    await back.waitFor();
    // Of one alone the field says what it is.
    expect(await back.allTextContents()).toEqual(['Volta para sem código: 1']);
    await dialog.getByRole('button', { name: 'Devolver tudo' }).click();
    await dialog.getByText('Volta para Pãozinho de Balcão, sem código: 2').waitFor();
    await dialog.getByText('Volta para Sonho de Balcão, sem código: 2').waitFor();
    await close();
  });

  test('on a slow line no refund of another quantity is told, and no figures of another period as those that are asked for', async () => {
    const sale = await soldTwice(variantId);
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await page.getByRole('button', { name: 'Devolver' }).click();
    const amount = page.getByRole('dialog').getByLabel(/^Pãozinho de Balcão/);
    await amount.fill('1');
    const told = page.getByRole('dialog').getByText(/^A devolver ao cliente/);
    await told.waitFor();
    const first = await told.textContent();
    const answer = await hold(page, '**/returns');
    await amount.fill('2');
    await page.getByRole('dialog').getByText('Carregando…').waitFor();
    expect(await told.count()).toBe(0);
    answer();
    await told.waitFor();
    expect(await told.textContent()).not.toBe(first);
    await page.goto(`${pages.world.url}/console/vendas/resumo`);
    const figures = page.locator('main div[aria-busy]').first();
    await figures.and(page.locator('[aria-busy="false"]')).waitFor();
    const answerSummary = await hold(page, '**/sales/summary?*');
    await page.getByLabel('De', { exact: true }).fill('2020-01-01');
    await figures.and(page.locator('[aria-busy="true"]')).waitFor();
    answerSummary();
    await figures.and(page.locator('[aria-busy="false"]')).waitFor();
    // What the stock is now is not told as what it was on the day that is being typed.
    await page.clock.install();
    await page.goto(`${pages.world.url}/console/estoque`);
    await page.locator('.table-frame[aria-busy="false"]').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByLabel('Como era em').fill(dayOf(Date.now() - 7 * 86_400_000, STORE_ZONE));
    await page.locator('.table-frame[aria-busy="true"]').waitFor();
    await page.locator('p.fine[aria-busy="true"]').waitFor();
    await page.clock.resume();
    await page.locator('.table-frame[aria-busy="false"]').waitFor();
    await page.goto(`${pages.world.url}/console/vendas`);
    await page.locator('.table-frame').waitFor();
    const answerList = await hold(page, '**/sales?*');
    await page.getByLabel('De', { exact: true }).fill('2020-01-01');
    await page.locator('.table-frame[aria-busy="true"]').waitFor();
    answerList();
    await page.locator('.table-frame[aria-busy="false"]').waitFor();
    await close();
  });

  test('no refund is told any more of goods that somebody else takes back meanwhile, which is said', async () => {
    const sale = await soldTwice(variantId);
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await page.getByRole('button', { name: 'Devolver' }).click();
    const dialog = page.getByRole('dialog');
    const told = dialog.getByText(/^A devolver ao cliente/);
    await dialog.getByLabel(/^Pãozinho de Balcão/).fill('2');
    await told.waitFor();
    await sent(pages, 'POST', `/sales/${sale.id}/returns`, { items: [{ variantId, quantity: 1 }] });
    await dialog.getByText('de 1 UN').waitFor();
    await told.waitFor({ state: 'detached' });
    await dialog.getByLabel(/^Pãozinho de Balcão/).fill('1');
    await told.waitFor();
    await dialog.getByText(/^Devolvido nesse meio-tempo: 1\sUN Pãozinho de Balcão\./).waitFor();
    await close();
  });

  test('a return of more than was sold, or of less than nothing, is told at its field before it is sent', async () => {
    const other = await newGoodsInPlenty(pages, 'Cuca de Balcão');
    const sale = await soldTwice(variantId, other.variants[0].id);
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await page.getByRole('button', { name: 'Devolver' }).click();
    const dialog = page.getByRole('dialog');
    const [first, second] = [dialog.getByLabel(/^Pãozinho de Balcão/), dialog.getByLabel(/^Cuca de Balcão/)];
    await first.fill('1');
    for (const wrong of ['2,5', '-1']) {
      await second.fill(wrong);
      await dialog.getByText('Escreva um número de 0 a 2.').waitFor();
      await dialog.getByRole('button', { name: 'Confirmar devolução' }).click();
      await second.and(page.locator(':focus[aria-invalid="true"]')).waitFor();
    }
    await second.fill('2');
    await dialog.getByText('Escreva um número de 0 a 2.').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Confirmar devolução' }).click();
    await dialog.waitFor({ state: 'detached' });
    const after = await read<{ items: readonly { returnedQuantity: number }[] }>(`/sales/${sale.id}`);
    expect(after.items.map(({ returnedQuantity }) => returnedQuantity)).toEqual([1, 2]);
    await close();
  });

  test('what somebody else takes back meanwhile goes from a return with a word, and with all of it every offer that would be refused', async () => {
    const other = await newGoodsInPlenty(pages, 'Queijadinha de Balcão');
    const sale = await soldTwice(variantId, other.variants[0].id);
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
    await button('Emitir documento').waitFor();
    await button('Devolver').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Pãozinho de Balcão/).fill('2');
    await sent(pages, 'POST', `/sales/${sale.id}/returns`, { items: [{ variantId, quantity: 2 }] });
    await dialog.getByText(/^Devolvido nesse meio-tempo: 2\sUN Pãozinho de Balcão\./).waitFor();
    const rest = [{ variantId: other.variants[0].id, quantity: 2 }];
    await sent(pages, 'POST', `/sales/${sale.id}/returns`, { items: rest });
    await dialog.getByText('Tudo desta venda já foi devolvido.').waitFor();
    await page.reload();
    await page.getByText('Devolvida', { exact: true }).waitFor();
    for (const name of ['Devolver', 'Cancelar venda', 'Emitir documento']) expect(await button(name).count()).toBe(0);
    await close();
  });

  test('whoever takes goods back is told that the document of the sale stays as it is', async () => {
    const sale = await soldTwice(variantId);
    const { number } = await sent<{ number: number }>(pages, 'POST', '/fiscal/documents', {
      saleId: sale.id,
      model: 65,
    });
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await page.getByRole('button', { name: 'Devolver' }).click();
    const told = `A NFC-e ${String(number)} já foi emitida e continua como está: esta devolução não entra nela.`;
    await page.getByRole('dialog').getByText(told).waitFor();
    await close();
  });

  test('a return says that the sale was cancelled meanwhile', async () => {
    const sale = await soldTwice(variantId);
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await page.getByRole('button', { name: 'Devolver' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Pãozinho de Balcão/).fill('2');
    await sent(pages, 'POST', `/sales/${sale.id}/cancel`, { reason: 'Foi engano' });
    await dialog.getByText('A venda foi cancelada: nada mais pode ser devolvido.').waitFor();
    await close();
  });

  test('of several products one comes back alone, also one that cost nothing', async () => {
    const goods = await Promise.all(['Broa que Volta', 'Brinde que Volta'].map((name) => newProduct(pages, name)));
    const items = goods.map(({ variants }) => ({ variantId: variants[0].id, quantity: 2, unitPrice: 0 }));
    const sale = await sent<Sale>(pages, 'POST', '/sales', { items, payments: [], allowNegativeStock: true });
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await page.getByRole('button', { name: 'Devolver', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Brinde que Volta/)
      .fill('1');
    await page.getByRole('button', { name: 'Confirmar devolução' }).click();
    await page.getByRole('heading', { name: 'Devoluções' }).waitFor();
    const after = await read<{ items: readonly { returnedQuantity: number }[] }>(`/sales/${sale.id}`);
    expect(after.items.map(({ returnedQuantity }) => returnedQuantity)).toEqual([0, 1]);
    await page.getByText('Devolvida em parte', { exact: true }).waitFor();
    await close();
  });

  test('a customer who is erased is gone from every screen', async () => {
    const { items } = await read<{ items: readonly { id: string; name: string }[] }>('/customers?limit=1');
    const [customer] = items;
    if (!customer) throw new Error('the demo store has no customers');
    const { page, close } = await pages.open(`/console/clientes/${customer.id}`);
    await page.getByRole('button', { name: 'Eliminar dados' }).click();
    await page.getByLabel(/^Para confirmar/).fill(customer.name);
    await page.getByRole('button', { name: 'Eliminar para sempre' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cliente eliminado' }).waitFor();
    await pages.world.service.projections.caughtUp();
    for (const place of ['clientes', 'vendas']) {
      await page.goto(`${pages.world.url}/console/${place}`);
      await page.locator('tbody tr:not(.waiting)').first().waitFor();
      expect(await page.getByText(customer.name, { exact: true }).count()).toBe(0);
    }
    await close();
  });

  test('a person is added, given rights of their own, and signs in on a phone', async () => {
    const { page, close } = await pages.open('/console/configuracoes/pessoas');
    await page.getByRole('button', { name: 'Adicionar pessoa' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome', { exact: true }).fill('Rita Caixa');
    await dialog.getByLabel('E-mail').fill('rita@padaria.example');
    await dialog.getByLabel('Nome de usuário').fill('rita');
    await dialog.getByLabel('Primeira senha').fill('pao-quente-todo-dia');
    await dialog.getByRole('button', { name: 'Adicionar pessoa' }).click();
    await page.getByRole('link', { name: 'Rita Caixa' }).click();
    await page.getByLabel('Permissões próprias').check();
    await page.getByLabel('Gerenciar fiscal').check();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('button', { name: 'Salvo.' }).waitFor();
    const { items } = await read<{ items: readonly { username: string; permissions: readonly string[] }[] }>('/users');
    expect(items.find(({ username }) => username === 'rita')?.permissions).toContain('fiscal.manage');
    await close();

    const phone = await pages.open('/console/', { width: 360 });
    await phone.page.context().clearCookies();
    await phone.page.goto(`${pages.world.url}/console/`);
    await phone.page.getByLabel('Usuário ou e-mail').fill('rita');
    await phone.page.getByLabel('Senha').fill('pao-quente-todo-dia');
    await phone.page.keyboard.press('Enter');
    // Who sells begins at the till.
    await phone.page.getByRole('heading', { level: 1, name: 'Caixa' }).waitFor();
    await phone.close();
  });

  test('a customer is found at the till by the phone, and told apart by it from others of the same name', async () => {
    const phones = ['+5511977770001', '+5511977770002'];
    for (const phone of phones) await pages.call('POST', '/customers', { name: 'Maria das Dores', phone });
    const { page, close } = await pages.open('/console/caixa');
    await scanField(page).waitFor();
    await page.keyboard.press('F8');
    const dialog = page.getByRole('dialog');
    const asked = dialog.getByLabel('Nome, telefone, CPF ou CNPJ');
    await asked.fill('maria das dores');
    await dialog.getByRole('button', { name: 'Maria das Dores · (11) 97777-0001' }).waitFor();
    await asked.fill('11977770002');
    await dialog.getByRole('button', { name: 'Maria das Dores · (11) 97777-0001' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Maria das Dores · (11) 97777-0002' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Maria das Dores' }).waitFor();
    await close();
  });
});
