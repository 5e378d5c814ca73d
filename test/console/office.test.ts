import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import { monthBefore } from '../../src/kernel/values/days.js';
import { dayOf } from '../../src/kernel/values/days.js';
import type { Page } from 'playwright-core';
import { newGoodsInPlenty, newProduct, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import {
  browserPath,
  expectNoOverflow,
  flourLot,
  noonInStore,
  openConsole,
  pasteInto,
  settled,
  signInOn,
  STORE_ZONE,
} from '../support/console-pages.js';
import { companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';
import { until } from '../support/until.js';
import { openReceiver } from '../support/webhook-receiver.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

interface Fees {
  readonly accounts: readonly {
    readonly name: string;
    readonly active: boolean;
    readonly debitFeePercent: number | null;
    readonly fixedFee: number;
    readonly useForPaymentLink: boolean;
  }[];
  readonly brands: readonly { readonly name: string; readonly tBand: string | null; readonly active: boolean }[];
}

/** The page of somebody with fewer permissions: it reads so when it is opened next. */
const allowOnly = (page: Page, isAllowed: (permission: string) => boolean): Promise<unknown> =>
  page.route('**/auth/me', async (route) => {
    const answer = await route.fetch();
    const me = (await answer.json()) as { permissions: readonly string[] };
    await route.fulfill({ response: answer, json: { ...me, permissions: me.permissions.filter(isAllowed) } });
  });

/** What the office does: fees, documents, deliveries, proof. */
inBrowser(`the office in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_DELAYS: '1s' });
  });
  afterAll(() => pages.close());

  const read = async <T>(path: string): Promise<T> => (await (await pages.call('GET', path)).json()) as T;
  /** The newest that no document taxes, to nobody in particular: a company would need another kind of document. */
  const saleWithoutDocument = async (): Promise<string> => {
    type Sale = { id: string; customerId: string | null; returnedTotal: number };
    const { items } = await read<{ items: readonly Sale[] }>('/sales?status=COMPLETED&limit=100');
    // Where all was given back, there is nothing to tax; which sales that are goes by the time of day.
    for (const { id } of items.filter(({ customerId, returnedTotal }) => customerId === null && returnedTotal === 0)) {
      if ((await read<readonly unknown[]>(`/fiscal/documents/by-sale/${id}`)).length === 0) return id;
    }
    throw new Error('every sale has a document');
  };
  /** Of a product without the code that the authority wants. */
  async function refusedDocument(description: string): Promise<string> {
    const { variants } = await newGoodsInPlenty(pages, description, { ncm: undefined });
    const items = [{ variantId: variants[0].id, quantity: 1, unitPrice: 8 }];
    const payments = [{ method: 'PIX', amount: 8 }];
    const { id: saleId } = await sent<{ id: string }>(pages, 'POST', '/sales', { items, payments });
    return (await sent<{ id: string }>(pages, 'POST', '/fiscal/documents', { saleId, model: 65 })).id;
  }
  const machine = async (name: string) =>
    (await read<Fees>('/card-fees')).accounts.find((account) => account.name === name);

  test('a text that is no rate is refused beside its field, and a rate is saved', async () => {
    const { page, close } = await pages.open('/console/taxas');
    const debit = page.getByLabel('Débito, Todas as bandeiras, %');
    await debit.fill('um e meio');
    await page.getByRole('cell').getByText('Escreva um número').waitFor();
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await debit.and(page.locator(':focus')).waitFor();
    await debit.fill('1,48');
    // The columns are saved one after the other: what a later one is refused for would leave the earlier ones changed.
    const visa = page.getByLabel('Débito, Visa, %');
    await visa.fill('1,23456');
    await page.getByRole('cell').getByText('Até 4 casas decimais').waitFor();
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await visa.and(page.locator(':focus')).waitFor();
    const rate = async () => (await read<Fees>('/card-fees')).accounts.find(({ active }) => active)?.debitFeePercent;
    expect(await rate()).not.toBe(1.48);
    await visa.fill('');
    await debit.fill('1,49');
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await page.getByRole('button', { name: 'Salvo.' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('status').filter({ hasText: 'Salvo.' }).waitFor({ state: 'attached' });
    expect(await rate()).toBe(1.49);
    await close();
  });

  test('in English shares and amounts are written as people there write them, also where the service tells of them', async () => {
    const { id } = await newProduct(pages, 'Pão Inglês', { priceCash: 1250, managerialCost: 800 });
    const { page, close } = await pages.open('/console/produtos?q=Pão Inglês', { language: 'en' });
    const row = page.getByRole('row').filter({ hasText: 'Pão Inglês' });
    await row.getByRole('cell', { name: 'R$1,250.00', exact: true }).waitFor();
    await row.getByRole('cell', { name: '56.3%', exact: true }).waitFor();
    await page.goto(`${pages.world.url}/console/auditoria/product/${id}?lang=en`);
    await page.getByText('Product Pão Inglês was created, at R$1,250.00.').waitFor();
    await close();
  });

  test('cells of a spreadsheet fill those of the grid from one on, tell what is no rate, and go again; what does not fit changes nothing', async () => {
    const { page, close } = await pages.open('/console/taxas');
    const cell = (name: string) => page.getByLabel(name, { exact: true });
    const names = ['2×, Visa', '2×, Mastercard', '3×, Visa', '3×, Mastercard'].map((name) => `Crédito em ${name}, %`);
    const values = () => Promise.all(names.map((name) => cell(name).inputValue()));
    const first = cell(names[0] ?? '');
    await first.waitFor();
    const before = await values();
    await pasteInto(first, '2,1%\t\r\n3.5\tumas\r\n');
    await page.getByText('4 células coladas.').waitFor();
    expect(await values()).toEqual(['2,1%', '', '3.5', 'umas']);
    await page.getByRole('cell').getByText('Escreva um número').waitFor();
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await cell(names[3] ?? '')
      .and(page.locator(':focus'))
      .waitFor();
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await page.getByText('4 células coladas.').waitFor({ state: 'detached' });
    expect(await values()).toEqual(before);
    const last = page.locator('table.rates tbody tr').first().locator('input').last();
    await pasteInto(last, '1\n2\t3');
    await page.getByRole('alert').getByText('2 × 2 células').waitFor();
    expect(await last.inputValue()).toBe('');
    await close();
  });

  test('what is typed while a change is on its way stays, and waits to be saved', async () => {
    const made = await pages.call('POST', '/customers', { name: 'Ana Apressada' });
    const { id } = (await made.json()) as { id: string };
    const { page, close } = await pages.open(`/console/clientes/${id}`);
    const name = page.getByLabel('Nome', { exact: true });
    const email = page.getByLabel('E-mail');
    let isSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => (isSent = resolve));
    let answer: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/customers/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') {
        isSent();
        await isTyped;
      }
      await route.continue();
    });
    await name.fill('Ana Serena');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await sent;
    await email.fill('ana@exemplo.com.br');
    answer();
    await page.getByRole('heading', { level: 1, name: 'Ana Serena' }).waitFor();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('button', { name: 'Salvo.' }).waitFor();
    expect(await read(`/customers/${id}`)).toMatchObject({ name: 'Ana Serena', email: 'ana@exemplo.com.br' });
    await close();
  });

  test('what another one changes in the rules of cards is not written over unseen', async () => {
    const settings = (maxInstallments: number) => pages.call('PUT', '/card-fees', { settings: { maxInstallments } });
    await settings(12);
    const { page, close } = await pages.open('/console/taxas');
    const most = page.getByLabel('Parcelas de uma venda, no máximo');
    await most.waitFor();
    await most.selectOption('10');
    await settings(6);
    await page.getByText('Parcelas de uma venda, no máximo: agora 6; você tem 10').waitFor();
    await page.getByRole('button', { name: 'Ficar com o que foi salvo' }).click();
    expect(await most.inputValue()).toBe('6');
    expect((await read<{ settings: object }>('/card-fees')).settings).toMatchObject({ maxInstallments: 6 });
    await settings(12);
    await close();
  });

  test('the movements of a day are shown alone, and saved for a spreadsheet', async () => {
    const [newest] = (await read<{ items: readonly { at: string }[] }>('/stock/movements?limit=1')).items;
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: STORE_ZONE }).format(new Date(newest?.at ?? 0));
    const { page, close } = await pages.open(`/console/estoque/movimentos?from=${day}&to=${day}`);
    await page.getByRole('row').nth(1).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.length).toBeGreaterThan(1);
    const { items } = await read<{ items: readonly unknown[] }>(`/stock/movements?from=${day}&to=${day}&limit=200`);
    expect(Math.min(lines.length - 1, 200)).toBe(items.length);
    await close();
  });

  test('with other rates a month is previewed, recalculated, watched, and shows its figures before and after', async () => {
    type Machines = { accounts: readonly { id: string; active: boolean; fixedFee: number }[] };
    const used = (await read<Machines>('/card-fees')).accounts.find(({ active }) => active);
    await pages.call('PATCH', `/card-fees/accounts/${used?.id ?? ''}`, { fixedFee: (used?.fixedFee ?? 0) + 0.07 });
    // On the first day of a month nobody may have paid by card in it yet.
    const lastMonth = monthBefore(dayOf(Date.now(), STORE_ZONE).slice(0, 7));
    const { page, close } = await pages.open(`/console/taxas/mes?month=${lastMonth}`);
    await page.getByRole('button', { name: 'Ver o que mudaria' }).click();
    const expected = await page.locator('dt:text-is("Taxas depois") + dd').textContent();
    await page.getByRole('button', { name: 'Recalcular o mês' }).click();
    const job = page.getByRole('table', { name: 'Recálculos' }).locator('tbody tr').first();
    await job.getByText('Concluído').waitFor();
    await job.getByText(expected ?? '').waitFor();
    const [made] = (await read<{ items: readonly { feeBefore: number; feeAfter: number }[] }>('/card-fees/calc-jobs'))
      .items;
    expect(made?.feeBefore).not.toBe(made?.feeAfter);
    await page
      .locator('section', { hasText: 'Resumo do mês' })
      .locator('dt:text-is("Taxa") + dd')
      .getByText(expected ?? '', { exact: true })
      .waitFor();
    await close();
  });

  test('what a recalculation would change follows the rates that another one changes', async () => {
    const lastMonth = monthBefore(dayOf(Date.now(), STORE_ZONE).slice(0, 7));
    const { page, close } = await pages.open(`/console/taxas/mes?month=${lastMonth}`);
    await page.getByRole('button', { name: 'Ver o que mudaria' }).click();
    const after = page.locator('dt:text-is("Taxas depois") + dd');
    const before = await after.textContent();
    const { accounts } = await read<{ accounts: readonly { id: string; active: boolean; fixedFee: number }[] }>(
      '/card-fees',
    );
    const active = accounts.find((account) => account.active);
    const charge = (fixedFee: number) => pages.call('PATCH', `/card-fees/accounts/${active?.id ?? ''}`, { fixedFee });
    await charge(1.25);
    await until('the new fee is in what is shown', async () => (await after.textContent()) !== before);
    await charge(active?.fixedFee ?? 0);
    await after.getByText(before ?? '', { exact: true }).waitFor();
    await close();
  });

  test('a recalculation that another one was quicker with rests where it is, and says no more that it is under way', async () => {
    type Machines = { accounts: readonly { id: string; active: boolean; fixedFee: number }[] };
    const used = (await read<Machines>('/card-fees')).accounts.find(({ active }) => active);
    await pages.call('PATCH', `/card-fees/accounts/${used?.id ?? ''}`, { fixedFee: (used?.fixedFee ?? 0) + 0.03 });
    const month = monthBefore(dayOf(Date.now(), STORE_ZONE).slice(0, 7));
    const { page, close } = await pages.open(`/console/taxas/mes?month=${month}`);
    await page.getByRole('button', { name: 'Ver o que mudaria' }).click();
    const problem = { type: 'about:blank', title: 'Conflict', status: 409, code: 'JOB_EXISTS' };
    await page.route('**/card-fees/calc-jobs', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, contentType: 'application/problem+json', json: problem })
        : route.fallback(),
    );
    const start = page.getByRole('button', { name: 'Recalcular o mês' });
    await start.click();
    const refused = page.getByText('Já há um recálculo em andamento para este mês.');
    await refused.waitFor();
    await pages.call('POST', '/card-fees/calc-jobs', { month });
    await page.locator('dt:text-is("Mudam") + dd').getByText('0', { exact: true }).waitFor();
    await refused.waitFor({ state: 'detached' });
    await start.and(page.locator(':focus[aria-disabled="true"]')).waitFor();
    await close();
  });

  test('a machine is added, put to use for payment links, and deleted', async () => {
    const { page, close } = await pages.open('/console/taxas');
    await page.getByRole('button', { name: 'Nova maquininha' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome', { exact: true }).fill('Feira');
    await dialog.getByLabel('Tarifa por pagamento').fill('0,25');
    await dialog.getByLabel('Débito cai em').fill('2');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('R$ 0,25').waitFor();
    await page.getByRole('button', { name: 'Usar nos links de pagamento' }).click();
    await page.getByText('Links de pagamento', { exact: true }).waitFor();
    expect(await machine('Feira')).toMatchObject({ fixedFee: 0.25, useForPaymentLink: true });
    await page.getByRole('button', { name: 'Excluir' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await machine('Feira')).toBeUndefined();
    await close();
  });

  test('a brand is added, renamed, no longer taken, and deleted', async () => {
    const { page, close } = await pages.open('/console/taxas/bandeiras');
    const dialog = page.getByRole('dialog');
    const brand = async (name: string) => (await read<Fees>('/card-fees')).brands.find((one) => one.name === name);
    await page.getByRole('button', { name: 'Nova bandeira' }).click();
    await dialog.getByLabel('Nome').fill('Cartão do bairro');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('button', { name: 'Editar Cartão do bairro' }).click();
    await dialog.getByLabel('Nome').fill('Vale do bairro');
    await dialog.getByLabel('A loja aceita').uncheck();
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await page
      .getByRole('row', { name: /^Vale do bairro/ })
      .getByText('Não aceita')
      .waitFor();
    expect(await brand('Vale do bairro')).toMatchObject({ active: false, tBand: null });
    await page.getByRole('button', { name: 'Editar Vale do bairro' }).click();
    await dialog.getByRole('button', { name: 'Excluir' }).click();
    await dialog.getByRole('button', { name: 'Excluir' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await brand('Vale do bairro')).toBeUndefined();
    await close();
  });

  test('the machine of the month is chosen at once, and the page says why', async () => {
    const { page, close } = await pages.open('/console/taxas/faixas');
    await settled(page);
    await page.getByRole('button', { name: 'Escolher agora' }).click();
    await page.getByText(/^O volume de .* foi R\$/).waitFor();
    await close();
  });

  test('a name is changed twice in a row, but not over what another one changed meanwhile', async () => {
    const made = await pages.call('POST', '/brands', { name: 'Marca Inquieta' });
    const { id } = (await made.json()) as { id: string };
    const { page, close } = await pages.open('/console/marcas?q=Marca%20Inquieta');
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('Nome');
    /** Once it shows the name that counts: what is filled in before is put beside the one that comes. */
    const edit = async (name: string) => {
      await page.getByRole('button', { name: 'Editar' }).click();
      await until(`the dialog shows ${name}`, async () => (await field.inputValue()) === name);
    };
    const save = dialog.getByRole('button', { name: 'Salvar' });
    await edit('Marca Inquieta');
    await field.fill('Marca Inquieta 1');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    await edit('Marca Inquieta 1');
    await field.fill('Marca Inquieta 2');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    await edit('Marca Inquieta 2');
    // What another one changes before somebody types is simply shown.
    await field.fill('Marca Inquieta 4');
    await pages.call('PATCH', `/brands/${id}`, { name: 'Marca Inquieta 3' });
    await save.click();
    await dialog.getByText('Nome: agora Marca Inquieta 3; você tem Marca Inquieta 4').waitFor();
    await close();
  });

  test('a sale gets its document, shown beside its print, which is cancelled while the time runs', async () => {
    const { page, close } = await pages.open(`/console/vendas/${await saleWithoutDocument()}`);
    await page.getByRole('button', { name: 'Emitir documento' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Emitir documento' }).click();
    const issued = page.getByRole('row', { name: /^NFC-e/ });
    await issued.getByText('Autorizado').waitFor();
    await issued.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: /^NFC-e/ }).waitFor();
    await page.getByText(/^Pode ser cancelado até/).waitFor();
    const print = await page.locator('iframe.pdf').getAttribute('src');
    expect(print).toMatch(/^blob:/);
    const pdf = await pages.call('GET', `/fiscal/documents/${page.url().split('/').at(-1) ?? ''}/pdf`);
    expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');
    await page.getByRole('button', { name: 'Cancelar documento' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^O cancelamento é pedido à SEFAZ e não pode ser desfeito/).waitFor();
    await dialog.getByLabel('Motivo').pressSequentially('Desistiu');
    await dialog.getByRole('button', { name: 'Cancelar documento' }).click();
    await dialog.getByText('Escreva pelo menos 15 letras.').waitFor();
    await dialog.getByLabel('Motivo').fill('Cliente desistiu da compra');
    await dialog.getByRole('button', { name: 'Cancelar documento' }).click();
    await page.getByText('Cancelado', { exact: true }).waitFor();
    await page.getByText(/Motivo: Cliente desistiu da compra$/).waitFor();
    await close();
  });

  test('a device whose clock is ahead cancels a document while the time runs at the service', async () => {
    const asked = { saleId: await saleWithoutDocument(), model: 65 };
    const { id } = (await (await pages.call('POST', '/fiscal/documents', asked)).json()) as { id: string };
    const { page, close } = await pages.open('/console/clientes');
    await page.clock.install({ time: Date.now() + 3_600_000 });
    await page.goto(`${pages.world.url}/console/documentos/${id}`);
    await page.getByText(/^Pode ser cancelado até/).waitFor();
    expect(await page.getByRole('button', { name: 'Cancelar documento' }).isEnabled()).toBe(true);
    await close();
  });

  test('a document that was authorized this moment is not told to be cancellable for longer than that may be', async () => {
    const asked = { saleId: await saleWithoutDocument(), model: 65 };
    const { id, authorizedAt } = await sent<{ id: string; authorizedAt: string }>(
      pages,
      'POST',
      '/fiscal/documents',
      asked,
    );
    const { page, close } = await pages.open('/console/clientes');
    const now = Date.parse(authorizedAt);
    await page.clock.setFixedTime(now);
    // Answers say their time to the second: this one the second before.
    await page.route('**/store', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), date: new Date(now - 1).toUTCString() } });
    });
    await page.goto(`${pages.world.url}/console/documentos/${id}`);
    await page.getByText(/^Pode ser cancelado até .*: 30 minutos\.$/).waitFor();
    await close();
  });

  test('of two appearances that are chosen quickly the last one stays, whichever is answered last', async () => {
    const { page, close } = await pages.open('/console/clientes');
    const answered: string[] = [];
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = 0;
    await page.route('**/auth/me/ui-preferences', async (route) => {
      const isFirst = ++asked === 1;
      const response = await route.fetch();
      if (isFirst) await isReleased;
      await route.fulfill({ response });
      answered.push(response.url());
    });
    await page.getByRole('button', { name: /^Sua conta/ }).click();
    const appearance = page.getByLabel('Aparência');
    await appearance.selectOption('dark');
    await appearance.selectOption('light');
    // What went out before this is heard of by now: nothing overtakes the first.
    await page.evaluate("fetch('/auth/me').then((answer) => answer.text())");
    expect(asked).toBe(1);
    release();
    await until('both are answered', () => answered.length === 2);
    await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await appearance.inputValue()).toBe('light');
    await appearance.selectOption('system');
    await until('all are answered', () => answered.length === 3);
    await close();
  });

  test('a device whose clock is ahead counts the time of a drill as the service does', async () => {
    const { page, close } = await pages.open('/console/clientes');
    const lotCode = await flourLot(pages);
    const { id } = (await (await pages.call('POST', '/recall-drills', { lotCode })).json()) as { id: string };
    await page.clock.install({ time: Date.now() + 3_600_000 });
    await page.goto(`${pages.world.url}/console/recall?lot=${lotCode}&drill=${id}`);
    const [minutes] = (await page.getByRole('timer').innerText()).split(':');
    expect(Number(minutes)).toBeLessThan(60);
    await close();
  });

  test('a company that was given the wrong document gets the one that the advice names', async () => {
    const made = async (path: string, body: object) =>
      (await (await pages.call('POST', path, body)).json()) as { readonly id: string };
    const { id: customerId } = await made('/customers', {
      name: 'Mercado da Esquina Ltda',
      document: '11222333000181',
    });
    const { items } = await read<{ items: readonly { variants: readonly { id: string }[] }[] }>('/products?take=1');
    const line = { variantId: items[0]?.variants[0]?.id, quantity: 1, unitPrice: 8 };
    const sale = { customerId, items: [line], payments: [{ method: 'PIX', amount: 8 }] };
    const { id: saleId } = await made('/sales', sale);
    const { page, close } = await pages.open(`/console/vendas/${saleId}`);
    await page.getByRole('button', { name: 'Emitir documento' }).click();
    // It begins with the kind that a company takes, and gives the other to who wants it.
    expect(await page.getByRole('dialog').getByLabel('Modelo').inputValue()).toBe('55');
    await page.getByRole('dialog').getByLabel('Modelo').selectOption('65');
    await page.getByRole('dialog').getByRole('button', { name: 'Emitir documento' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('O cliente é uma empresa. Abra a venda e emita uma NF-e (modelo 55) no lugar.').waitFor();
    const issue = page.getByRole('button', { name: 'Emitir documento' });
    await issue.click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Modelo').inputValue()).toBe('55');
    await dialog.getByRole('button', { name: 'Emitir documento' }).click();
    await dialog.waitFor({ state: 'detached' });
    // It lacks the address of the customer: what is to be done is to complete that, not to issue a third.
    await page.getByText('Complete ou corrija os dados e transmita de novo. Nada foi enviado.').waitFor();
    await issue.waitFor({ state: 'detached' });
    await close();
  });

  test('contingency is offered where there is one, and handing a document in says when nobody answered', async () => {
    const outage = (simulatorOutage: boolean) => pages.call('PATCH', '/store', { fiscal: { simulatorOutage } });
    const { page, close } = await pages.open(`/console/vendas/${await saleWithoutDocument()}`);
    await page.getByRole('button', { name: 'Emitir documento' }).click();
    const dialog = page.getByRole('dialog');
    const contingency = dialog.getByLabel('Emitir em contingência');
    await contingency.check();
    await dialog.getByLabel('Motivo da contingência').fill('A SEFAZ não responde');
    await dialog.getByLabel('Modelo').selectOption('55');
    await contingency.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Motivo da contingência').count()).toBe(0);
    await dialog.getByLabel('Modelo').selectOption('65');
    await dialog.getByRole('button', { name: 'Emitir documento' }).click();
    const issued = page.getByRole('row', { name: /^NFC-e/ });
    await issued.getByText('Em contingência').waitFor();
    await issued.getByRole('link').click();
    await outage(true);
    await page.getByRole('button', { name: 'Transmitir agora' }).click();
    await page
      .getByRole('status')
      .getByText(/^Transmitido em .*, e a SEFAZ não respondeu/)
      .waitFor();
    await outage(false);
    await page.getByRole('button', { name: 'Transmitir agora' }).click();
    await page.locator('.status').getByText('Autorizado').waitFor();
    await close();
  });

  test('a refusal says which product it is about; what is transmitted again and refused again says so', async () => {
    const id = await refusedDocument('Bolo sem NCM');
    const { page, close } = await pages.open(`/console/documentos/${id}`);
    await page.getByText('Item 1 do documento: Bolo sem NCM. Abrir o produto').waitFor();
    await page.getByRole('button', { name: 'Transmitir de novo' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Tentado de novo em .*, sem sucesso/ })
      .waitFor();
    await close();
  });

  test('a document of a sale that came back before it was authorized is to be voided, and not to be transmitted', async () => {
    const { items } = await read<{ items: readonly { id: string; number: number | null }[] }>(
      '/fiscal/documents?status=REJECTED',
    );
    const id = items.find(({ number }) => number !== null)?.id ?? '';
    const { page, close } = await pages.open('/console/clientes');
    // To this page it has failed so; the service takes a document that never arrived that far.
    await page.route(`**/fiscal/documents/${id}`, async (route) => {
      const response = await route.fetch();
      const failure = { code: 'NOTHING_TO_TAX', message: 'Tudo da venda foi devolvido', missing: [] };
      const document = { ...((await response.json()) as object), status: 'FAILED', rejection: null, failure };
      await route.fulfill({ response, json: { ...document, numberTaken: false, final: false, replacedBy: null } });
    });
    await page.goto(`${pages.world.url}/console/documentos/${id}`);
    await page.getByText(/^Tudo da venda foi devolvido antes de o documento ser autorizado/).waitFor();
    await page.getByRole('button', { name: 'Inutilizar o número' }).waitFor();
    expect(await page.getByRole('button', { name: 'Transmitir de novo' }).count()).toBe(0);
    await close();
  });

  test('voiding a number is tried before it is asked for, and ends its document', async () => {
    const { items } = await read<{
      items: readonly { id: string; number: number | null; replacedBy: string | null }[];
    }>('/fiscal/documents?status=REJECTED');
    const id = items.find(({ number, replacedBy }) => number !== null && replacedBy === null)?.id ?? '';
    const { page, close } = await pages.open(`/console/documentos/${id}`);
    await page.getByRole('button', { name: 'Inutilizar o número' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^O número é declarado à SEFAZ como não usado/).waitFor();
    expect(await read(`/fiscal/documents/${id}`)).toMatchObject({ status: 'REJECTED' });
    await dialog.getByLabel('Motivo').fill('Venda refeita com outro documento');
    await dialog.getByRole('button', { name: 'Inutilizar o número' }).click();
    await page.getByText(/^Número inutilizado em .*Motivo: Venda refeita com outro documento$/).waitFor();
    await close();
  });

  test('a number whose voiding waits for the authority is no longer to be voided, and nobody is told to look after it', async () => {
    const outage = (simulatorOutage: boolean) => sent(pages, 'PATCH', '/store', { fiscal: { simulatorOutage } });
    const id = await refusedDocument('Rosca sem NCM');
    const { page, close } = await pages.open('/console/documentos?show=toDo');
    const inList = page.locator(`a[href$="/documentos/${id}"]`);
    await inList.first().waitFor();
    const { number } = await read<{ number: number }>(`/fiscal/documents/${id}`);
    await outage(true);
    try {
      await sent(pages, 'POST', `/fiscal/documents/${id}/void`, { reason: 'A venda foi refeita de outro jeito' });
      await inList.first().waitFor({ state: 'detached' });
      await page.goto(`${pages.world.url}/console/hoje`);
      await settled(page);
      expect(await page.getByRole('link', { name: `NFC-e ${String(number)}`, exact: true }).count()).toBe(0);
      await page.goto(`${pages.world.url}/console/documentos/${id}`);
      await page.getByText(/^Nada a fazer: a inutilização do número foi pedida/).waitFor();
      expect(await page.getByRole('button', { name: 'Inutilizar o número' }).count()).toBe(0);
    } finally {
      await outage(false);
    }
    await close();
  });

  test('a cancellation that waits for the authority is asked for again with the reason of then, and asks for no other', async () => {
    const outage = (simulatorOutage: boolean) => sent(pages, 'PATCH', '/store', { fiscal: { simulatorOutage } });
    const asked = { saleId: await saleWithoutDocument(), model: 65 };
    const { id } = await sent<{ id: string }>(pages, 'POST', '/fiscal/documents', asked);
    const { page, close } = await pages.open(`/console/documentos/${id}`);
    await page.getByRole('heading', { name: 'Como o cliente o recebe' }).waitFor();
    await outage(true);
    try {
      await sent(pages, 'POST', `/fiscal/documents/${id}/cancel`, { reason: 'O cliente desistiu da compra' });
      await page.getByRole('button', { name: 'Pedir o cancelamento de novo' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/com o motivo de então: O cliente desistiu da compra$/).waitFor();
      expect(await dialog.getByRole('textbox').count()).toBe(0);
      expect(await page.getByText(/^Pode ser cancelado até/).count()).toBe(0);
      await outage(false);
      await dialog.getByRole('button', { name: 'Pedir o cancelamento de novo' }).click();
      await page.getByText(/^Cancelado em .* Motivo: O cliente desistiu da compra$/).waitFor();
      // It is the store's own by now.
      await page.getByRole('heading', { name: 'Como é impresso' }).waitFor();
    } finally {
      await outage(false);
    }
    await close();
  });

  test('a number that another document has is not offered to be voided, which would be refused', async () => {
    const id = await refusedDocument('Cuca sem NCM');
    const { page, close } = await pages.open('/console/clientes');
    await page.route(`**/fiscal/documents/${id}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), numberTaken: true } });
    });
    await page.goto(`${pages.world.url}/console/documentos/${id}`);
    await page.getByText(/^Este número já tem outro documento/).waitFor();
    expect(await page.getByRole('button', { name: 'Inutilizar o número' }).count()).toBe(0);
    await close();
  });

  test('stopping a recalculation is tried before it is asked for: what is over cannot be stopped', async () => {
    const { page, close } = await pages.open('/console/taxas/mes');
    const jobs = page.getByRole('table', { name: 'Recálculos' });
    await jobs.waitFor();
    let isOver = false;
    // To this page the last one seems to run, as it would where somebody asks while it ends.
    await page.route('**/card-fees/calc-jobs*', async (route) => {
      const response = await route.fetch();
      const { items } = (await response.json()) as { items: readonly object[] };
      await route.fulfill({ response, json: { items: [{ ...items[0], status: 'RUNNING' }, ...items.slice(1)] } });
    });
    await page.route('**/card-fees/calc-jobs/*', async (route) => {
      if (isOver) return route.continue();
      const [job] = (await read<{ items: readonly object[] }>('/card-fees/calc-jobs')).items;
      return route.fulfill({ json: { dryRun: true, status: 200, body: job, events: [] } });
    });
    const stop = jobs.getByRole('button', { name: /^Parar: \p{L}/u });
    await stop.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/ficam? com a taxa nova; os outros, com a que tinham\.$/).waitFor();
    isOver = true;
    await dialog.getByRole('button', { name: 'Parar o recálculo' }).click();
    await dialog.getByText('O recálculo já terminou.').first().waitFor();
    await close();
  });

  test('a delivery that failed is understood, and sent again once the other side is mended', async () => {
    const receiver = await openReceiver();
    receiver.answer = (_request, response) => response.writeHead(500).end('fora do ar');
    const made = await pages.call('POST', '/outbound-webhooks', { url: receiver.url, active: true });
    const { id } = (await made.json()) as { id: string };
    const { page, close } = await pages.open(`/console/webhooks/${id}`);
    await page.getByText('Nenhuma entrega com estes filtros.').waitFor();
    await pages.call('POST', '/fiscal/documents', { saleId: await saleWithoutDocument(), model: 65 });
    const delivery = page.getByRole('row', { name: /Documento autorizado/ });
    await delivery.getByText('Falhou').waitFor();
    await delivery.getByRole('link').click();
    await page.getByText('O seu sistema falhou ao tratar a entrega.').waitFor();
    await page.getByText('fora do ar').first().waitFor();
    receiver.answer = (_request, response) => response.end('ok');
    await page.getByRole('button', { name: 'Enviar de novo' }).click();
    await page.getByText('Entregue', { exact: true }).waitFor();
    expect(receiver.received.at(-1)?.headers['x-service-signature']).toMatch(/^v1=/);
    await close();
    await receiver.close();
  });

  test('nobody is asked to send a delivery again that is tried by itself, and of a test that failed nothing is said at another address', async () => {
    const receiver = await openReceiver();
    receiver.answer = (_request, response) => response.writeHead(500).end('fora do ar');
    const made = await pages.call('POST', '/outbound-webhooks', { url: receiver.url, active: true });
    const { id } = (await made.json()) as { id: string };
    const { page, close } = await pages.open(`/console/webhooks/${id}`);
    await pages.call('POST', '/fiscal/documents', { saleId: await saleWithoutDocument(), model: 65 });
    const delivery = page.getByRole('row', { name: /Documento (?:autorizado|rejeitado)/ });
    await delivery.getByText('Falhou').waitFor();
    await page.getByRole('button', { name: 'Enviar um teste' }).click();
    const failed = page.getByText('O teste não chegou.');
    await failed.waitFor();
    await page.getByText('Depois de corrigir, envie outro teste.').waitFor();
    await page.getByLabel('Endereço').fill(`${receiver.url}/outro`);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await failed.waitFor({ state: 'detached' });
    await delivery.getByRole('link').click();
    await page.getByText('Depois de corrigir, envie de novo.').waitFor();
    // To this page it goes on by itself, as it does for two days.
    await page.route('**/deliveries/*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), status: 'RETRYING' } });
    });
    await page.reload();
    await page.getByText('Depois de corrigir, nada mais a fazer: a entrega é tentada de novo sozinha.').waitFor();
    expect(await page.getByText('envie de novo').count()).toBe(0);
    await close();
    await receiver.close();
  });

  test('a record stands beside what it was, with what differs marked and who changed it', async () => {
    const { items } = await read<{ items: readonly { id: string; priceCash: number; description: string }[] }>(
      '/products?q=baguete',
    );
    const [product] = items;
    await pages.call('PATCH', `/products/${product?.id ?? ''}`, { priceCash: 12.34 });
    const { page, close } = await pages.open(`/console/auditoria/product/${product?.id ?? ''}`);
    await page.getByRole('heading', { level: 1, name: `Produto · ${product?.description ?? ''}` }).waitFor();
    const price = page.getByRole('row', { name: /^Preço à vista/ });
    await price.getByText('mudou').waitFor();
    expect(await price.getByRole('cell').allInnerTexts()).toEqual([
      expect.stringMatching(/^R\$\s\d/),
      expect.stringMatching(/^R\$\s12,34/),
      'Demonstração',
    ]);
    await close();
  });

  test('what differs is called as elsewhere, and its place in a list is counted from one', async () => {
    const { id } = await newProduct(pages, 'Bolo de Vitrine');
    const [part] = (await newProduct(pages, 'Cereja de Vitrine')).variants;
    const components = [{ componentVariantId: part.id, quantity: 2 }];
    await sent(pages, 'PATCH', `/products/${id}`, { catalogDescription: 'Com cerejas', isComposite: true, components });
    const { page, close } = await pages.open(`/console/auditoria/product/${id}`);
    await page.getByRole('row', { name: /^Descrição no catálogo online – Com cerejas/ }).waitFor();
    await page.getByRole('row', { name: /^Componentes 1 › Quantidade – 2/ }).waitFor();
    await page.getByRole('row', { name: /^Kit Não Sim/ }).waitFor();
    await close();
  });

  test('what a record holds is compared in words and in reais, as its own page has it', async () => {
    const [variant] = (await newGoodsInPlenty(pages, 'Rosca de Vitrine')).variants;
    const items = [{ variantId: variant.id, quantity: 1, unitPrice: 8, discount: 1 }];
    const payments = [{ method: 'CASH', amount: 7 }];
    const { id } = await sent<{ id: string }>(pages, 'POST', '/sales', { items, payments });
    await sent(pages, 'POST', `/sales/${id}/cancel`, { reason: 'engano' });
    const { page, close } = await pages.open(`/console/auditoria/sale/${id}`);
    await page.getByRole('row', { name: /^Situação Concluída Cancelada/ }).waitFor();
    await page.getByRole('row', { name: /^Itens 1 › Margem R\$\s6,00 R\$\s0,00/ }).waitFor();
    await page.getByLabel('Só o que mudou').uncheck();
    await page.getByRole('row', { name: /^Itens 1 › Desconto R\$\s1,00/ }).waitFor();
    await page.getByRole('row', { name: /^Itens 1 › Vendido sem saldo – –/ }).waitFor();
    await page.getByRole('row', { name: /^Pagamento 1 › Forma de pagamento Dinheiro/ }).waitFor();
    await close();
  });

  test('a record is compared with the end of a day in the store, and that is said, wherever the browser is', async () => {
    const { items } = await read<{ items: readonly { id: string }[] }>('/products?take=1');
    const address = `/console/auditoria/product/${items[0]?.id ?? ''}?a=2026-01-31`;
    for (const timeZone of ['Asia/Tokyo', 'America/Los_Angeles']) {
      const { page, close } = await pages.open(address, { timeZone });
      await page.getByRole('columnheader', { name: '31/01/2026, 23:59' }).waitFor();
      await close();
    }
  });

  test('the last day of what ends with a day is that day on every page, and not the one that begins then', async () => {
    const [variant] = (await newProduct(pages, 'Leite de Ano Bissexto')).variants;
    const items = [{ variantId: variant.id, quantity: 1, unitCost: 2, lotCode: 'L-29', expiresAt: '2028-02-29' }];
    const receipt = await sent<{ id: string }>(pages, 'POST', '/stock/receipts', { items });
    const { items: lots } = await read<{ items: readonly { lotId: string }[] }>(`/stock/lots?variantId=${variant.id}`);
    const key = await sent<{ id: string }>(pages, 'POST', '/api-keys', { name: 'Bissexta', expiresAt: '2028-02-29' });
    for (const [path, what] of [
      [`estoque/entradas/${receipt.id}`, 'Leite de Ano Bissexto'],
      [`auditoria/lot/${lots[0]?.lotId ?? ''}?a=2026-01-31`, 'Validade'],
      ['configuracoes/chaves', 'Bissexta'],
    ] as const) {
      const { page, close } = await pages.open(`/console/${path}`);
      await page.getByRole('row').filter({ hasText: what }).filter({ hasText: '29/02/2028' }).waitFor();
      await close();
    }
    await pages.call('DELETE', `/api-keys/${key.id}`);
  });

  test('a key that is made on the page ends with its day in the store, as one that a program makes does', async () => {
    const { page, close } = await pages.open('/console/configuracoes/chaves', { timeZone: 'Asia/Tokyo' });
    await page.getByRole('button', { name: 'Nova chave' }).click();
    await page.getByLabel('Para que serve').fill('De fevereiro');
    await page.getByLabel('Vale até').fill('2028-02-29');
    await page.getByRole('button', { name: 'Criar chave' }).click();
    await page.getByRole('button', { name: 'Guardei a chave' }).click();
    await page.getByRole('row').filter({ hasText: 'De fevereiro' }).filter({ hasText: '29/02/2028' }).waitFor();
    const { items } = await read<{ items: readonly { name: string; expiresAt: string }[] }>('/api-keys');
    expect(items.find(({ name }) => name === 'De fevereiro')?.expiresAt).toBe('2028-03-01T03:00:00.000Z');
    await close();
  });

  test('a manager, who does not change the store, sees on the first page which deliveries fail', async () => {
    const made = await pages.call('POST', '/outbound-webhooks', { url: 'http://127.0.0.1:9/nobody' });
    const { id } = (await made.json()) as { id: string };
    await pages.call('POST', `/outbound-webhooks/${id}/test`);
    // How it ended is noted after the answer.
    await until('the failure is noted', async () => {
      const list = (await (await pages.call('GET', '/outbound-webhooks')).json()) as {
        items?: { id: string; health: { consecutiveFailures: number } }[];
      };
      return list.items?.some((one) => one.id === id && one.health.consecutiveFailures > 0) === true;
    });
    const { page, close } = await pages.open('/console/clientes');
    await allowOnly(page, (permission) => permission !== 'store.manage');
    await page.goto(`${pages.world.url}/console/hoje`);
    await page.getByRole('link', { name: /127\.0\.0\.1:9/ }).waitFor();
    await close();
    await pages.call('DELETE', `/outbound-webhooks/${id}`);
  });

  test('a form that somebody may not send is not shown, also to who comes by its address', async () => {
    const { page, close } = await pages.open('/console/clientes');
    await allowOnly(page, (permission) => !permission.endsWith('.manage'));
    for (const form of [
      'produtos/novo',
      'clientes/novo',
      'receitas/nova',
      'estoque/entradas/nova',
      'estoque/contagem',
      'producao/planejar',
    ]) {
      await page.goto(`${pages.world.url}/console/${form}`);
      await page.getByRole('heading', { name: 'Você não tem permissão para ver esta página.' }).waitFor();
    }
    await page.goto(`${pages.world.url}/console/taxas`);
    await page.getByText('Para todas as maquininhas').waitFor();
    expect(await page.getByRole('button', { name: 'Salvar' }).count()).toBe(0);
    await page.goto(`${pages.world.url}/console/taxas/faixas`);
    await page.getByText('Trocar sozinho a cada mês').waitFor();
    expect(await page.locator('form.form').count()).toBe(0);
    await close();
  });

  test('names are asked for again after a while where the service is away, and never by who may not see them', async () => {
    await newGoodsInPlenty(pages, 'Pão de Quem Espera');
    const { page, close } = await pages.open('/console/clientes');
    const askedAt: number[] = [];
    await page.route('**/products/variant-labels?*', (route) => {
      askedAt.push(Date.now());
      return askedAt.length > 1 ? route.continue() : route.fulfill({ status: 503, body: '' });
    });
    const row = (name: RegExp) => page.getByRole('table').getByRole('row', { name }).first();
    await page.goto(`${pages.world.url}/console/estoque/movimentos`);
    await row(/Pão de Quem Espera/).waitFor();
    expect((askedAt[1] ?? 0) - (askedAt[0] ?? 0)).toBeGreaterThan(2_000);
    await allowOnly(page, (permission) => permission === 'stock.view');
    askedAt.length = 0;
    await page.reload();
    await row(/Produto [0-9a-f]{6}/).waitFor();
    expect(askedAt).toEqual([]);
    await close();
  });

  test('who signs in after somebody who may not see products sees their names', async () => {
    const person = { username: 'so-estoque', password: 'uma senha de estoque' };
    const member = { ...person, email: 'so-estoque@padaria.example', name: 'Só Estoque', role: 'CASHIER' };
    await newGoodsInPlenty(pages, 'Pão de Quem Entra');
    await pages.call('POST', '/users', { ...member, permissions: ['stock.view'] });
    const { page, close } = await pages.open('/console/clientes');
    const signIn = async ({ username, password }: typeof person) => {
      await page.getByLabel('Usuário ou e-mail').fill(username);
      await page.getByLabel('Senha').fill(password);
      await page.keyboard.press('Enter');
    };
    const row = (name: RegExp) => page.getByRole('table').getByRole('row', { name }).first();
    await page.context().clearCookies();
    await page.goto(`${pages.world.url}/console/estoque/movimentos`);
    await signIn(person);
    await row(/Produto [0-9a-f]{6}/).waitFor();
    await page.getByRole('button', { name: /^Sua conta/ }).click();
    await page.getByRole('button', { name: 'Sair', exact: true }).click();
    await signIn(pages.demo);
    await row(/Pão de Quem Entra/).waitFor();
    expect(await page.getByRole('row', { name: /Produto [0-9a-f]{6}/ }).count()).toBe(0);
    await close();
  });

  test('who may do a thing is offered it, and nobody what would be refused', async () => {
    const { items: lots } = await read<{ items: readonly { lotId: string; lotCode: string | null }[] }>('/stock/lots');
    const recipes = await read<readonly { id: string; finishedVariantId: string }[]>('/bakery-production/recipes');
    const labels = `/products/variant-labels?ids=${recipes[0]?.finishedVariantId ?? ''}`;
    const { items: made } = await read<{ items: readonly { productId: string }[] }>(labels);
    const { page, close } = await pages.open('/console/clientes');
    const main = page.getByRole('main');
    const openWithout = async (permission: string, path: string) => {
      await page.unroute('**/auth/me');
      await allowOnly(page, (one) => one !== permission);
      await page.goto(`${pages.world.url}/console/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    };
    await openWithout('reports.view', `estoque/lote/${lots.find(({ lotCode }) => lotCode !== null)?.lotId ?? ''}`);
    await main.getByRole('link', { name: 'Rastrear' }).waitFor();
    expect(await main.getByRole('link', { name: 'Recall' }).count()).toBe(0);
    await openWithout('products.manage', 'categorias');
    await main
      .getByRole('button', { name: /^Aplicar NCM aos produtos/ })
      .first()
      .waitFor();
    await openWithout('production.manage', `receitas/${recipes[0]?.id ?? ''}/custos`);
    await main.getByRole('button', { name: 'Recalcular custo padrão' }).waitFor();
    await openWithout('production.costs', `receitas/${recipes[0]?.id ?? ''}/custos`);
    await main.getByRole('heading', { name: 'Insumos' }).waitFor();
    await openWithout('stock.view', `produtos/${made[0]?.productId ?? ''}`);
    await main.getByRole('columnheader', { name: 'Custo médio' }).waitFor();
    expect(await main.getByRole('button', { name: /^Por quê\?/ }).count()).toBe(0);
    await close();
  });

  test('who may see one thing alone finds that, and nothing that would be refused', async () => {
    const lot = await flourLot(pages);
    const { page, complaints, close } = await pages.open('/console/clientes');
    await allowOnly(page, (permission) => permission === 'reports.view');
    await page.goto(`${pages.world.url}/console/hoje`);
    await page.getByText(/^Com as suas permissões não há nada/).waitFor();
    expect(await page.getByRole('search').count()).toBe(0);
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Rastreio' }).count()).toBe(0);
    await page.goto(`${pages.world.url}/console/recall?lot=${lot}`);
    await page.getByRole('table', { name: 'Vendas', exact: true }).locator('tbody tr[data-id]').first().waitFor();
    await settled(page);
    expect(await page.getByRole('heading', { name: 'O caminho' }).count()).toBe(0);
    expect(await page.getByRole('main').locator('.row-link, [role=alert]').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('nobody is led where they may not go', async () => {
    const [variant] = (await newProduct(pages, 'Broa com Lote')).variants;
    const goods = { variantId: variant.id, quantity: 1 };
    await sent(pages, 'POST', '/stock/receipts', { items: [{ ...goods, unitCost: 2, lotCode: 'BROA-1' }] });
    const paid = { items: [{ ...goods, unitPrice: 8 }], payments: [{ method: 'PIX', amount: 8 }] };
    const { id } = await sent<{ id: string }>(pages, 'POST', '/sales', paid);
    const { page, close } = await pages.open('/console/clientes');
    const allowed = ['sales.view', 'sales.manage', 'stock.view'];
    await allowOnly(page, (permission) => allowed.includes(permission));
    await page.goto(`${pages.world.url}/console/vendas/${id}`);
    const main = page.getByRole('main');
    await main.locator('a[href^="/console/estoque/lote/"]').first().waitFor();
    expect(await main.locator('a[href^="/console/produtos"]').count()).toBe(0);
    // Without the names of products one can neither sell nor label them.
    for (const name of ['Caixa', 'Rótulos']) {
      expect(await page.getByRole('navigation').getByRole('link', { name }).count()).toBe(0);
    }
    await close();
  });

  test('what cannot be read is not shown as if there were nothing', async () => {
    const { page, close } = await pages.open('/console/clientes');
    for (const path of ['**/locations?*', '**/healthz']) {
      await page.route(path, (route) => route.fulfill({ status: 500, body: '' }));
    }
    const tryAgain = page.getByRole('button', { name: 'Tentar de novo' });
    await page.goto(`${pages.world.url}/console/estoque/locais`);
    await tryAgain.waitFor();
    expect(await page.getByText('Nada registrado ainda.').count()).toBe(0);
    await page.goto(`${pages.world.url}/console/configuracoes/copias`);
    await tryAgain.waitFor();
    expect(await page.getByText('BACKUP_DIR').count()).toBe(0);
    // What cannot be looked for may be there.
    await page.route(/\/(?:products|stock\/lots)\?/, (route) => route.abort('connectionreset'));
    await page.getByRole('combobox', { name: 'Buscar ou ler código' }).fill('pão');
    await page.getByRole('alert').getByText('O serviço não respondeu.').waitFor();
    expect(await page.getByText('Nada encontrado.').count()).toBe(0);
    await close();
  });

  test('what is refused for a while is read again once the service takes it, or when it is asked for, and says how long that is', async () => {
    const { page, close } = await pages.open('/console/hoje');
    const askedAt: number[] = [];
    const waiting = { seconds: 4, times: 1 };
    await page.route(/\/customers\?/, (route) => {
      askedAt.push(performance.now());
      if (askedAt.length > waiting.times) return route.continue();
      const headers = { 'retry-after': String(waiting.seconds) };
      return route.fulfill({ status: 429, headers, json: { status: 429, code: 'RATE_LIMITED' } });
    });
    const rows = page.getByRole('table').locator('tbody tr:not(.waiting)');
    await page.goto(`${pages.world.url}/console/clientes`);
    await rows.first().waitFor();
    expect((askedAt[1] ?? 0) - (askedAt[0] ?? 0)).toBeGreaterThan(3_900);
    Object.assign(waiting, { seconds: 600, times: Infinity });
    await page.reload();
    await page.getByRole('alert').getByText('Tente de novo em 10 minutos.').waitFor();
    waiting.times = 0;
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await rows.first().waitFor();
    await close();
  });

  test('a machine without a network still shows and changes what its own service has', async () => {
    const { page, close } = await pages.open('/console/clientes');
    await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
    await page.evaluate("window.dispatchEvent(new Event('offline'))");
    await page.getByRole('link', { name: 'Marcas' }).click();
    await page.getByLabel('Novo nome').fill('Marca Sem Rede');
    await page.keyboard.press('Enter');
    await page.getByText('Marca Sem Rede').waitFor();
    await close();
  });

  test('what is sent again because its answer broke off is not done twice', async () => {
    const { page, close } = await pages.open('/console/marcas');
    await page.getByLabel('Novo nome').fill('Marca de Linha Ruim');
    await page.route('**/brands', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      expect(response.status()).toBe(201);
      return route.fulfill({ response, body: '{"id":"' });
    });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/brands');
    await page.route('**/brands', (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      return route.fulfill({ status: 409, json: { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' } });
    });
    await page.getByLabel('Novo nome').press('Enter');
    await page.getByText('O mesmo pedido ainda está sendo atendido.').waitFor();
    await page.unroute('**/brands');
    // The page says now and then that somebody is there, which is a POST as well.
    const again = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/brands'),
    );
    await page.getByLabel('Novo nome').press('Enter');
    // Another intention would be refused: the name is taken.
    expect((await again).status()).toBe(201);
    await close();
  });

  test('a file that breaks off on its way is told as what the service did not answer', async () => {
    const { page, close } = await pages.open('/console/clientes');
    await page.addInitScript(() => {
      Response.prototype.blob = () => Promise.reject(new TypeError('network error'));
    });
    await page.goto(`${pages.world.url}/console/documentos/mes`);
    await page.getByRole('button', { name: 'Salvar o mês' }).click();
    await page.getByRole('alert').getByText('O serviço não respondeu.').waitFor();
    await close();
  });

  test('another certificate is sent as such, also with the password of one whose answer broke off', async () => {
    const { taxId } = await read<{ taxId: string }>('/store');
    const { page, close } = await pages.open('/console/configuracoes/fiscal');
    await page.getByRole('button', { name: 'Enviar certificado' }).click();
    const dialog = page.getByRole('dialog');
    let changed: string | undefined;
    const send = async (name: string): Promise<void> => {
      const { key, chain } = companyCertificate(testAuthority(), taxId);
      const buffer = Buffer.from([key, ...chain].join('\n'));
      await dialog.getByLabel('Arquivo').setInputFiles({ name, mimeType: 'application/x-pem-file', buffer });
      await dialog.getByRole('button', { name: 'Enviar certificado' }).click();
    };
    await page.route('**/store', async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      const response = await route.fetch();
      changed = response.headers()['etag'];
      return route.abort();
    });
    // Who sends the other one before the page has heard of the first is told that the record changed.
    const heard = page.waitForResponse((response) => changed !== undefined && response.headers()['etag'] === changed);
    await send('velho.pem');
    await dialog.getByText('O serviço não respondeu').waitFor();
    await heard;
    await page.unroute('**/store');
    await send('novo.pem');
    await dialog.waitFor({ state: 'detached' });
    await close();
  });

  test('a certificate is over from its very minute on, and its days are those of the store', async () => {
    const { page, close } = await pages.open('/console/hoje', { timeZone: 'Asia/Tokyo' });
    let expiresAt = 0;
    await page.route('**/store', async (route) => {
      const answer = await route.fetch();
      const store = (await answer.json()) as { fiscal: object };
      const fiscal = { ...store.fiscal, certificateExpiresAt: new Date(expiresAt).toISOString() };
      await route.fulfill({ response: answer, json: { ...store, fiscal } });
    });
    const look = async (at: number, text: RegExp): Promise<void> => {
      expiresAt = at;
      await page.goto(`${pages.world.url}/console/configuracoes/fiscal`);
      await page.getByText(text).waitFor();
    };
    const now = noonInStore();
    await page.clock.install({ time: now });
    await look(now - 60_000, /^Venceu em /);
    // Half an hour before that day ends in the store, the next has begun in Greenwich.
    const today = dayOf(now, STORE_ZONE);
    await look(Date.parse(`${today}T23:30:00-03:00`) + 3 * 86_400_000, /: vence em 3 dias$/);
    await close();
  });

  test('who is signed in stays so when the service cannot be asked, its answer breaks off, or the page is left while it asks', async () => {
    const { page, close } = await pages.open('/console/clientes');
    const isSignInShown = () => page.getByLabel('Senha').count();
    await page.route('**/auth/me', (route) => route.abort('connectionreset'));
    await page.reload();
    await page.getByRole('alert').waitFor();
    expect(await isSignInShown()).toBe(0);
    await page.unroute('**/auth/me');
    await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
    await page.route('**/auth/me', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: '{"id":"' }),
    );
    await page.reload();
    await page.getByRole('alert').waitFor();
    expect(await isSignInShown()).toBe(0);
    await page.unroute('**/auth/me');
    await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
    const held = page.waitForRequest('**/auth/me');
    await page.route('**/auth/me', () => undefined);
    await page.reload();
    await held;
    await page.unroute('**/auth/me');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
    expect(await isSignInShown()).toBe(0);
    await close();
  });

  test.each([
    ['a product', 'produtos', '/products', { description: 'Pneumoultra'.repeat(10), priceCash: 1, priceCredit: 1 }],
    [
      'a destination',
      'webhooks',
      '/outbound-webhooks',
      { url: `https://${'caminho'.repeat(8)}.${'caminho'.repeat(8)}.example` },
    ],
  ])('the page of %s with a word that is longer than a phone is wide fits it', async (_, screen, path, record) => {
    const made = await pages.call('POST', path, record);
    const { id } = (await made.json()) as { id: string };
    for (const address of [`${screen}/${id}`, 'auditoria']) {
      const { page, close } = await pages.open(`/console/${address}`, { width: 360 });
      await page
        .getByText(/Pneumoultra|caminho/)
        .first()
        .waitFor();
      await expectNoOverflow(page);
      await close();
    }
  });

  test('the second factor is switched on with the password and a code, and off again with a backup code', async () => {
    const person = { username: 'dois-fatores', password: 'uma senha de dois fatores' };
    const email = 'dois-fatores@padaria.example';
    await pages.call('POST', '/users', { ...person, email, name: 'Dois Fatores', role: 'MANAGER' });
    const { page, close } = await pages.open('/console/');
    await page.context().clearCookies();
    await page.goto(`${pages.world.url}/console/`);
    await page.getByLabel('Usuário ou e-mail').fill(person.username);
    await page.getByLabel('Senha').fill(person.password);
    await page.keyboard.press('Enter');
    await page.locator('.workplace').waitFor();
    await page.goto(`${pages.world.url}/console/configuracoes/conta`);
    // As if the sign-in were longer ago than anybody waits here.
    await page.route('**/auth/2fa/enrollment', async (route) => {
      if (route.request().postData() !== null) return route.fallback();
      const problem = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'PASSWORD_NEEDED' };
      return route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem });
    });
    const dialog = page.getByRole('dialog');
    const send = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const wrongPassword = dialog.getByText('A senha atual não confere.');

    await page.getByRole('button', { name: 'Ligar o segundo fator' }).click();
    await dialog.getByLabel('Senha atual').fill('nenhuma senha daqui');
    await send('Ligar o segundo fator');
    await wrongPassword.waitFor();
    await dialog.getByLabel('Senha atual').fill(person.password);
    await send('Ligar o segundo fator');
    const secret = (await dialog.locator('.hint code').textContent()) ?? '';
    const code = dialog.getByLabel('Código do aplicativo');
    await code.fill(generateSync({ secret }).replace(/./, (first) => String((Number(first) + 1) % 10)));
    await send('Confirmar');
    await dialog.getByText('O código não confere, ou já foi usado.').waitFor();
    await code.fill(generateSync({ secret }));
    await send('Confirmar');
    const backup = (await dialog.locator('.codes code').first().textContent()) ?? '';
    // The codes are shown this once: no key that was pressed too often takes them away.
    for (let turn = 0; turn < 3; turn++) await page.keyboard.press('Escape');
    await dialog.getByText(backup).waitFor();
    await send('Guardei os códigos');
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Desligar o segundo fator' }).click();
    await dialog.getByLabel('Senha atual').fill('nenhuma senha daqui');
    await dialog.getByLabel('Código do aplicativo ou de reserva').fill(backup);
    await send('Desligar o segundo fator');
    await wrongPassword.waitFor();
    await dialog.getByLabel('Senha atual').fill(person.password);
    await send('Desligar o segundo fator');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ligar o segundo fator' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Ligar o segundo fator' }).waitFor();
    await close();
  });

  test('the picture of a second factor that was scanned still counts for who comes back from the app', async () => {
    const person = { username: 'volta-do-app', password: 'uma senha que volta' };
    const member = { ...person, email: 'volta-do-app@padaria.example', name: 'Volta do App', role: 'MANAGER' };
    await pages.call('POST', '/users', member);
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/configuracoes/conta`, person);
    await page.getByRole('button', { name: 'Ligar o segundo fator' }).click();
    const dialog = page.getByRole('dialog');
    const secret = (await dialog.locator('.hint code').textContent()) ?? '';
    const asked = page.waitForResponse('**/auth/2fa/enroll/setup');
    for (const state of ['hidden', 'visible']) {
      await page.evaluate((now) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    }
    await asked;
    await settled(page);
    await dialog.getByLabel('Código do aplicativo').fill(generateSync({ secret }));
    await dialog.getByRole('button', { name: 'Confirmar', exact: true }).click();
    await dialog.locator('.codes code').first().waitFor();
    await close();
  });

  test('who changed a record is not left out in silence where that cannot be read', async () => {
    const { items } = await read<{ items: readonly { id: string }[] }>('/products?take=1');
    const { page, close } = await pages.open('/console/clientes');
    await page.route('**/changes?*', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(`${pages.world.url}/console/auditoria/product/${items[0]?.id ?? ''}`);
    await page.getByRole('button', { name: 'Tentar de novo' }).waitFor();
    await close();
  });

  test('another language is spoken at once, also by what the service says', async () => {
    const { page, close } = await pages.open('/console/configuracoes/pessoas');
    await page.getByText('Ver produtos').waitFor();
    await page.getByRole('button', { name: /^Sua conta|^Conta/ }).click();
    await page.getByLabel('Idioma').selectOption('en');
    await page.getByText('See products').waitFor();
    await close();
  });

  test('the checkpoint of an evening is saved under the day that it is in the store', async () => {
    const { page, close } = await pages.open('/console/auditoria');
    await page.route('**/audit/checkpoint', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), at: '2026-11-26T01:30:00.000Z' } });
    });
    await page.getByRole('link', { name: 'A história está inteira?' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Salvar o marco' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('checkpoint-2026-11-25.json');
    await close();
  });

  test('a record that was deleted still stands beside what it was', async () => {
    const made = await pages.call('POST', '/brands', { name: 'Marca Passageira' });
    const { id } = (await made.json()) as { id: string };
    await pages.call('DELETE', `/brands/${id}`);
    const { page, close } = await pages.open(`/console/auditoria/brand/${id}`);
    const name = page.getByRole('row', { name: /^Nome/ });
    await name.getByText('já não existia').waitFor();
    await name.getByText('Marca Passageira').waitFor();
    await close();
  });

  test('the history of a record leads to it only while it is there', async () => {
    const { id } = await newProduct(pages, 'Produto Passageiro');
    const { page, close } = await pages.open(`/console/auditoria/product/${id}`);
    const way = page.getByRole('link', { name: 'Abrir o registro' });
    await way.waitFor();
    await pages.call('DELETE', `/products/${id}`);
    await way.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 2, name: 'Linha do tempo' }).waitFor();
    await close();
  });

  test('the cost of an order is explained down to a receipt, and a lot on the way leads to its page', async () => {
    const made = await newProduct(pages, 'Pão Explicado');
    const flour = await newProduct(pages, 'Farinha Explicada');
    const items = [{ variantId: flour.variants[0].id, quantity: 10, unitCost: 3, lotCode: 'MOINHO-7' }];
    await sent<unknown>(pages, 'POST', '/stock/receipts', { supplier: 'Moinho do Vale', items });
    const recipe = await sent<{ id: string }>(pages, 'POST', '/bakery-production/recipes', {
      name: 'Pão Explicado',
      finishedVariantId: made.variants[0].id,
      yieldQty: 16,
      items: [{ componentVariantId: flour.variants[0].id, quantity: 10 }],
    });
    const registered = { recipeId: recipe.id, batches: 1 };
    const order = await sent<{ id: string }>(pages, 'POST', '/bakery-production/orders', registered);
    const { page, close } = await pages.open(`/console/producao/${order.id}`);
    await page
      .getByRole('button', { name: /^Por quê\? Custo/ })
      .first()
      .click();
    const tree = page.getByRole('dialog');
    await tree.locator('.why-total').waitFor();
    const part = tree.locator('details:has(> .why-part)').first();
    await part.locator('summary').first().click();
    await part
      .getByText(/^Recebimento de Moinho do Vale/)
      .first()
      .waitFor();
    await part.locator('.why-part').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: /MOINHO-7/ }).waitFor();
    await close();
  });

  test('in a row that leads to a lot, a click on why its cost is so says that', async () => {
    const { page, close } = await pages.open('/console/estoque/lotes');
    await page
      .getByRole('row')
      .getByRole('button', { name: /^Por quê/ })
      .first()
      .click();
    await page.getByRole('dialog', { name: 'Por quê? Custo unitário' }).locator('.why-total').waitFor();
    await close();
  });

  test('where not all lines of an explanation are shown, the others stand as one, until they are asked for', async () => {
    const { page, close } = await pages.open('/console/estoque/lotes');
    const total = { value: 1010 };
    const answers = [
      { total, lines: [{ text: 'Primeira', value: 1004 }], nextCursor: 'on' },
      { total, lines: [{ text: 'Segunda', value: 6 }], nextCursor: null },
    ] as const;
    await page.route('**/explain/lots/*/cost?*', (route) =>
      route.fulfill({ json: answers[route.request().url().includes('cursor=on') ? 1 : 0] }),
    );
    await page
      .getByRole('row')
      .getByRole('button', { name: /^Por quê/ })
      .first()
      .click();
    const tree = page.getByRole('dialog');
    await tree.getByText(/^Demais linhas\s*R\$\s6,00$/).waitFor();
    await tree.getByRole('button', { name: 'Mostrar mais' }).click();
    await tree.getByText('Segunda').waitFor();
    expect(await tree.getByText('Primeira').count()).toBe(1);
    expect(await tree.getByText('Demais linhas').count()).toBe(0);
    await close();
  });

  test('a fee says how it came about, and an address that leads nowhere says so', async () => {
    const { items } = await read<{
      items: readonly { id: string; payments: readonly { method: string }[] }[];
    }>('/sales?limit=50');
    const byCard = items.find(({ payments }) => payments.some(({ method }) => method === 'CREDIT'));
    const { page, close } = await pages.open(`/console/vendas/${byCard?.id ?? ''}`);
    await page.getByRole('button', { name: 'Por quê? Taxa' }).click();
    await page.getByRole('dialog').getByText('Tarifa por pagamento').waitFor();
    const below = ['hoje', 'categorias', 'marcas', 'etiquetas', 'rotulos', 'caixa', 'rastreio'].map(
      (it) => `${it}/nada`,
    );
    for (const address of ['auditoria/isto/nao/existe', 'estoque/nada', ...below]) {
      await page.goto(`${pages.world.url}/console/${address}`);
      await page.getByRole('heading', { level: 1, name: 'Esta página não existe.' }).waitFor();
    }
    await close();
  });
});
