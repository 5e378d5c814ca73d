import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, openConsole, settled } from '../support/console-pages.js';

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

/** What the office does: fees, documents, deliveries, proof. */
inBrowser(`the office in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_DELAYS: '1s' });
  });
  afterAll(() => pages.close());

  const read = async <T>(path: string): Promise<T> => (await (await pages.call('GET', path)).json()) as T;
  const machine = async (name: string) =>
    (await read<Fees>('/card-fees')).accounts.find((account) => account.name === name);

  test('a text that is no rate is refused beside its field, and a rate is saved', async () => {
    const { page, close } = await pages.open('/console/taxas');
    const debit = page.getByLabel('Débito, Todas as bandeiras, %');
    await debit.fill('um e meio');
    await page.getByRole('cell').getByText('Escreva um número').waitFor();
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await debit.and(page.locator(':focus')).waitFor();
    await debit.fill('1,49');
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await page.getByRole('button', { name: 'Salvo.' }).waitFor();
    const { accounts } = await read<Fees>('/card-fees');
    expect(accounts.find(({ active }) => active)?.debitFeePercent).toBe(1.49);
    await close();
  });

  test('with other rates a month is previewed, recalculated, watched, and shows its figures before and after', async () => {
    const { page, close } = await pages.open('/console/taxas/mes');
    await page.getByRole('button', { name: 'Ver o que mudaria' }).click();
    const expected = await page.locator('dt:text-is("Taxas depois") + dd').textContent();
    await page.getByRole('button', { name: 'Recalcular o mês' }).click();
    const job = page.getByRole('table', { name: 'Recálculos' }).locator('tbody tr').first();
    await job.getByText('Concluído').waitFor();
    await job.getByText(expected ?? '').waitFor();
    const [made] = (await read<{ items: readonly { feeBefore: number; feeAfter: number }[] }>('/card-fees/calc-jobs'))
      .items;
    expect(made?.feeBefore).not.toBe(made?.feeAfter);
    const now = await page
      .locator('section', { hasText: 'Resumo do mês' })
      .locator('dt:text-is("Taxa") + dd')
      .innerText();
    expect(now).toBe(expected);
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
});
