import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { newProduct, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, heightBetween, openConsole } from '../support/console-pages.js';
import { until } from '../support/until.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** What is wrong stands at its field, and what was typed stays. */
inBrowser(`what is told at fields, in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  /** Waits until a field says this, and has the focus. The words for a refusal may come after it. */
  async function saidAt(field: Locator, text: string): Promise<void> {
    const page = field.page();
    await field.and(page.locator(':focus[aria-invalid="true"]')).waitFor();
    const words = (await field.getAttribute('aria-describedby')) ?? '';
    const told = page.locator(`[id="${words.split(' ')[0] ?? ''}"]`);
    await told.and(page.getByText(text, { exact: true })).waitFor();
  }

  /** Changes that this page asks for, by their addresses. */
  function changesOf(page: Page, path: string): string[] {
    const seen: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().endsWith(path)) seen.push(request.method());
    });
    return seen;
  }

  test('a receipt is not booked without the line whose product was typed and not chosen', async () => {
    const { variants } = await newProduct(pages, 'Escolhida');
    await newProduct(pages, 'Deixada');
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    const booked = changesOf(page, '/stock/receipts');
    const product = page.getByLabel('Produto');
    await product.fill(variants[0].gtin);
    await product.press('Enter');
    await page.locator('output').getByText('Escolhida').waitFor();
    await page.getByLabel('Quantidade').fill('1');
    await page.getByLabel('Custo unitário').fill('2');
    await page.getByRole('button', { name: 'Adicionar item' }).click();
    const second = page.getByRole('combobox', { name: 'Produto' });
    await second.fill('Deixada');
    await page.getByLabel('Quantidade').last().fill('3');
    await page.getByLabel('Custo unitário').last().fill('4');
    await page.getByRole('button', { name: 'Registrar' }).click();
    await saidAt(second, 'Escolha um produto da lista.');
    expect(await second.inputValue()).toBe('Deixada');
    expect(booked).toEqual([]);
    await second.press('Enter');
    await page.locator('output').getByText('Deixada').waitFor();
    await page.getByRole('button', { name: 'Registrar' }).click();
    await page.waitForURL(/entradas\/[0-9a-f]/);
    expect(booked).toEqual(['POST']);
    await close();
  });

  test('a part of a kit that was typed and not chosen is told at its field, and so is its quantity', async () => {
    const { id } = await newProduct(pages, 'Cesta de Campos');
    const part = await newProduct(pages, 'Peça de Cesta');
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    await page.getByRole('button', { name: 'Adicionar componente' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill('Peça');
    await dialog.getByLabel('Quantidade').fill('0');
    await dialog.getByRole('button', { name: 'Adicionar', exact: true }).click();
    await saidAt(dialog.getByRole('combobox'), 'Escolha um produto da lista.');
    await dialog.getByRole('combobox').fill(part.variants[0].gtin);
    await page.keyboard.press('Enter');
    await dialog.locator('output').getByText('Peça de Cesta').waitFor();
    await dialog.getByRole('button', { name: 'Adicionar', exact: true }).click();
    await saidAt(dialog.getByLabel('Quantidade'), 'deve ser mais de 0');
    await close();
  });

  test('a unit that stays, since goods were counted in it, is told at its field', async () => {
    const { id, variants } = await newProduct(pages, 'Farelo de Unidade Errada');
    const items = [{ variantId: variants[0].id, quantity: 10, unitCost: 1 }];
    await sent(pages, 'POST', '/stock/receipts', { items });
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    const unit = page.getByLabel('Unidade', { exact: true });
    await unit.selectOption('UN');
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await saidAt(
      unit,
      'Já houve estoque dele, ou uma ordem aberta o usa: a unidade fica, senão 2 kg passariam a ser 2 g. Cadastre outro produto.',
    );
    await unit.selectOption('KG');
    await page.getByLabel('Descrição', { exact: true }).fill('Farelo de Unidade Certa');
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await page.getByText('Salvo.', { exact: true }).first().waitFor();
    await close();
  });

  test('an input that a recipe names twice is told at the second one, and that is led to', async () => {
    const flour = (await newProduct(pages, 'Farinha Duas Vezes')).variants[0];
    const bread = (await newProduct(pages, 'Pão Duas Vezes')).variants[0];
    const { page, close } = await pages.open('/console/receitas/nova');
    await page.getByLabel('Nome').fill('Pão Duas Vezes');
    const pick = async (label: string, { gtin }: { readonly gtin: string }) => {
      const product = page.getByRole('combobox', { name: label });
      await product.fill(gtin);
      await product.press('Enter');
      await product.waitFor({ state: 'detached' });
    };
    await pick('Produto feito', bread);
    await page.getByLabel('Rende por batelada').fill('10');
    for (const place of [0, 1]) {
      if (place > 0) await page.getByRole('button', { name: 'Adicionar insumo' }).click();
      await pick('Insumo', flour);
      await page.getByLabel('Quantidade').nth(place).fill('1');
    }
    await page.getByRole('button', { name: 'Salvar' }).click();
    const change = page.locator('.line').nth(1).getByRole('button', { name: 'Trocar' });
    await change.and(page.locator(':focus')).waitFor();
    const told = (await change.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${told}"]`).textContent()).toBe('aparece duas vezes');
    await close();
  });

  test('what has the wrong form is not called empty, and a tier says itself that it stands twice', async () => {
    const { page, close } = await pages.open('/console/taxas/bandeiras');
    await page.getByRole('button', { name: 'Nova bandeira' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome').fill('Bandeira de Campos');
    await dialog.getByLabel('Código na NFC-e').fill('x');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await saidAt(dialog.getByLabel('Código na NFC-e'), 'Isto não está na forma certa.');
    await close();
    const tiers = await pages.open('/console/taxas/faixas');
    await tiers.page.getByLabel('A partir de').first().fill('10');
    await tiers.page.getByLabel('A partir de').nth(1).fill('10');
    await tiers.page.getByRole('button', { name: 'Salvar' }).click();
    await saidAt(tiers.page.getByLabel('A partir de').nth(1), 'aparece duas vezes');
    await tiers.close();
  });

  test('a name, a code or an address that is taken is told at its field', async () => {
    await sent(pages, 'POST', '/brands', { name: 'Marca de Campos' });
    const { page, close } = await pages.open('/console/marcas');
    await page.getByLabel('Novo nome').fill('marca de campos');
    await page.getByRole('button', { name: 'Criar' }).click();
    await saidAt(page.getByLabel('Novo nome'), 'Este nome já existe.');
    await page.getByLabel('Novo nome').fill('Outra de Campos');
    await page.getByText('Este nome já existe.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Criar' }).click();
    // The list may show it before its own answer has come, as it shows what others make.
    await until('the next one can be typed', async () => (await page.getByLabel('Novo nome').inputValue()) === '');
    await page.getByRole('button', { name: 'Editar Outra de Campos' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome').fill('MARCA DE CAMPOS');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await saidAt(dialog.getByLabel('Nome'), 'Este nome já existe.');
    await close();
    const [, taken] = [await newProduct(pages, 'Código Livre'), await newProduct(pages, 'Código Tomado')];
    const product = await pages.open('/console/produtos/novo');
    await product.page.getByLabel('Descrição', { exact: false }).first().fill('Código de Outro');
    await product.page.getByLabel('Preço à vista').fill('1');
    await product.page.getByLabel('Código de barras').fill(taken.variants[0].gtin);
    await product.page.getByRole('button', { name: 'Salvar' }).click();
    await saidAt(product.page.getByLabel('Código de barras'), 'Outro produto já usa este código de barras.');
    await product.close();
  });

  test('of two names the one that was changed is told to be taken, and a number that was used at its own field', async () => {
    const other = { name: 'Outra de Campos', username: 'outra.campos', email: 'outra@campos.example' };
    await sent(pages, 'POST', '/users', { ...other, password: 'uma senha bem longa', role: 'CASHIER' });
    const { page, close } = await pages.open('/console/configuracoes/conta');
    await page.getByLabel('Nome de usuário').fill(other.username);
    await page.getByLabel('Senha atual').fill(pages.demo.password);
    await page.getByRole('button', { name: 'Salvar' }).first().click();
    await saidAt(page.getByLabel('Nome de usuário'), 'Este nome de usuário ou e-mail já existe.');
    expect(await page.locator('.field-wrong').count()).toBe(1);
    await close();
    const fiscal = await pages.open('/console/configuracoes/fiscal');
    await fiscal.page.getByLabel('Próxima NFC-e').fill('1');
    await fiscal.page.getByRole('button', { name: 'Salvar' }).first().click();
    await saidAt(fiscal.page.getByLabel('Próxima NFC-e'), 'O próximo número só pode subir.');
    await fiscal.close();
  });

  test('what removes a line stands beside its fields, also where a label takes two lines', async () => {
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    const remove = page.getByRole('button', { name: 'Remover item 1' });
    const [quantity, label] = [page.getByLabel('Quantidade'), page.locator('.line label').first()];
    expect(await heightBetween(remove, quantity)).toBe(0);
    await label.evaluate((element) => {
      element.innerHTML += '<br>e o que mais se diz dele';
    });
    expect(await heightBetween(remove, quantity)).toBe(0);
    await close();
  });
});
