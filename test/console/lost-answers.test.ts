import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { dayOf } from '../../src/kernel/values/days.js';
import { newGoodsInPlenty, newProduct, sent } from '../support/console-goods.js';
import type { ConsolePages } from '../support/console-pages.js';
import {
  browserPath,
  loseFirstAnswer,
  noonInStore,
  openConsole,
  readByScanner,
  settled,
  STORE_ZONE,
  unanswered,
} from '../support/console-pages.js';
import { until } from '../support/until.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** What the service has done while its answer never came. */
inBrowser(`answers that are lost, in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const receive = (variantId: string, quantity: number, more: object = {}) =>
    sent(pages, 'POST', '/stock/receipts', { items: [{ variantId, quantity, unitCost: 2, ...more }] });
  const inStock = async (description: string): Promise<string> => {
    const [{ id }] = (await newProduct(pages, description)).variants;
    await receive(id, 10);
    return id;
  };
  const IN_DOUBT = { title: 'O envio anterior pode já estar registrado', no: 'Não enviar' };
  const BOOKED = { title: 'Isto já foi registrado', no: 'Não registrar de novo' };
  /** Enter, which impatient hands and scanners press, answers that it is not meant. */
  const refuse = async (page: Page, { title, no }: { readonly title: string; readonly no: string }) => {
    const question = page.getByRole('dialog', { name: title });
    await question.getByRole('button', { name: no }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
  };
  interface Held {
    readonly lotId: string;
    readonly locationId: string;
    readonly quantity: number;
  }
  const heldOf = async (variantId: string) =>
    (await sent<{ items: readonly Held[] }>(pages, 'GET', `/stock/lots?variantId=${variantId}&limit=50`)).items;
  const leftOf = async (variantId: string) =>
    (await heldOf(variantId)).reduce((sum, { quantity }) => sum + quantity, 0);

  test('a return of several products is booked once, however much of it the page has heard of meanwhile', async () => {
    const [one, two] = [await inStock('Devolvido Um'), await inStock('Devolvido Dois')];
    const sale = await sent<{ id: string }>(pages, 'POST', '/sales', {
      items: [one, two].map((variantId) => ({ variantId, quantity: 5, unitPrice: 4 })),
      payments: [{ method: 'PIX', amount: 40 }],
    });
    const { page, close } = await pages.open(`/console/vendas/${sale.id}`);
    await loseFirstAnswer(page, '**/returns');
    await page.getByRole('button', { name: 'Devolver', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Devolvido Um').fill('5');
    await dialog.getByLabel('Devolvido Dois').fill('2');
    await dialog.getByRole('button', { name: 'Confirmar devolução' }).click();
    await unanswered(dialog);
    await page.getByRole('heading', { name: 'Devoluções', includeHidden: true }).waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Confirmar devolução' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await sent<object>(pages, 'GET', `/sales/${sale.id}`)).toMatchObject({
      items: [{ returnedQuantity: 5 }, { returnedQuantity: 2 }],
      returns: [{}],
    });
    await close();
  });

  test('what is spoilt in one place is taken from no other one when it is sent again', async () => {
    const [{ id: variantId }] = (await newProduct(pages, 'Estragado')).variants;
    await receive(variantId, 10, { lotCode: 'ESTRAGADO' });
    const [first] = await heldOf(variantId);
    const other = await sent<{ id: string }>(pages, 'POST', '/locations', { name: 'Depósito Frio' });
    const transfer = { toLocationId: other.id, items: [{ variantId, quantity: 4, lotCode: 'ESTRAGADO' }] };
    await sent(pages, 'POST', '/stock/transfers', { fromLocationId: first?.locationId, ...transfer });
    const { page, close } = await pages.open(`/console/estoque/lote/${first?.lotId ?? ''}`);
    await loseFirstAnswer(page, '**/stock/adjustments');
    await page.getByRole('button', { name: 'Dar baixa' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Local').selectOption('Depósito Frio');
    await dialog.getByLabel('Motivo').fill('Queda de energia');
    const isHeardOf = page.waitForResponse((answer) => answer.url().includes('/stock/lots?lotId='));
    await dialog.getByRole('button', { name: 'Dar baixa' }).click();
    await unanswered(dialog);
    await isHeardOf;
    await dialog.getByRole('button', { name: 'Dar baixa' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await heldOf(variantId)).toMatchObject([{ locationId: first?.locationId, quantity: 6 }]);
    await close();
  });

  test('a receipt that is changed before it is sent again asks first, as the one before may be booked', async () => {
    const [{ id: variantId, gtin }] = (await newProduct(pages, 'Recebido às Cegas')).variants;
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    await loseFirstAnswer(page, '**/stock/receipts');
    await page.getByLabel('Produto').focus();
    await readByScanner(page, gtin);
    const quantity = page.getByLabel('Quantidade');
    await quantity.and(page.locator(':focus')).waitFor();
    await quantity.fill('3');
    await page.getByLabel('Custo unitário').fill('2');
    const book = page.getByRole('button', { name: 'Registrar', exact: true });
    await book.click();
    await unanswered(page);
    await quantity.fill('4');
    await book.click();
    await refuse(page, IN_DOUBT);
    expect(await leftOf(variantId)).toBe(3);
    await quantity.fill('3');
    await book.click();
    await page.waitForURL(/entradas\/[0-9a-f-]{36}/);
    expect(await leftOf(variantId)).toBe(3);
    await close();
  });

  test('what is spoilt is taken once by who closed the dialog without an answer and does it again, unless told that it is done', async () => {
    const variantId = await inStock('Estragado de Novo');
    const [held] = await heldOf(variantId);
    const { page, close } = await pages.open(`/console/estoque/lote/${held?.lotId ?? ''}`);
    await loseFirstAnswer(page, '**/stock/adjustments');
    const dialog = page.getByRole('dialog');
    const takeOne = async () => {
      await page.getByRole('button', { name: 'Dar baixa' }).click();
      await dialog.getByLabel('Quantidade').fill('1');
      await dialog.getByLabel('Motivo').fill('Caiu no chão');
      await dialog.getByRole('button', { name: 'Dar baixa' }).click();
    };
    await takeOne();
    await unanswered(dialog);
    await dialog.getByRole('button', { name: 'Fechar' }).click();
    await page.getByRole('button', { name: 'Fechar mesmo assim' }).click();
    await dialog.waitFor({ state: 'detached' });
    await takeOne();
    await refuse(page, BOOKED);
    await dialog.waitFor({ state: 'detached' });
    expect(await leftOf(variantId)).toBe(9);
    // Known by now: what is done from here on is another one.
    await takeOne();
    await dialog.waitFor({ state: 'detached' });
    expect(await leftOf(variantId)).toBe(8);
    await close();
  });

  test('a receipt whose page was loaded again without an answer is booked once, and another one after a question', async () => {
    const [{ id: variantId, gtin }] = (await newProduct(pages, 'Recebido de Novo')).variants;
    const { page, close } = await pages.open('/console/estoque/entradas/nova');
    // Browsers ask in words of their own before they load a page again.
    page.on('dialog', (asked) => void asked.accept());
    await loseFirstAnswer(page, '**/stock/receipts');
    const receiveOnPage = async (quantity: string) => {
      await page.getByLabel('Produto').focus();
      await readByScanner(page, gtin);
      const field = page.getByLabel('Quantidade');
      await field.and(page.locator(':focus')).waitFor();
      await field.fill(quantity);
      await page.getByLabel('Custo unitário').fill('2');
      await page.getByRole('button', { name: 'Registrar', exact: true }).click();
    };
    await receiveOnPage('3');
    await unanswered(page);
    await page.reload();
    await receiveOnPage('4');
    await refuse(page, IN_DOUBT);
    expect(await leftOf(variantId)).toBe(3);
    await page.getByRole('alert').getByText('O que você enviou antes ficou sem resposta').waitFor();
    await page.getByLabel('Quantidade').fill('3');
    await page.getByRole('button', { name: 'Registrar', exact: true }).click();
    await refuse(page, BOOKED);
    await page.waitForURL(/entradas\/[0-9a-f-]{36}/);
    expect(await leftOf(variantId)).toBe(3);
    await close();
  });

  /** The tab that got no answer is closed, and the same is done in another one. */
  const inAnotherTab = async (page: Page, path: string): Promise<Page> => {
    const other = await page.context().newPage();
    await page.close();
    await other.goto(pages.world.url + path);
    await settled(other);
    return other;
  };

  /** Where the first answer was lost, and the tab closed; what was made is there already. */
  const madeAgain = async (page: Page, path: string, makeOn: (tab: Page) => Promise<void>): Promise<Page> => {
    await makeOn(page);
    await unanswered(page);
    const other = await inAnotherTab(page, path);
    await makeOn(other);
    await refuse(other, BOOKED);
    return other;
  };

  test('who makes a destination again, as the tab was closed before its secret came, is shown that secret and has no second destination', async () => {
    const { page, close } = await pages.open('/console/webhooks');
    await loseFirstAnswer(page, '**/outbound-webhooks');
    const url = 'https://nota.example/segredo-perdido';
    const makeOn = async (tab: Page) => {
      await tab.getByRole('button', { name: 'Novo destino' }).first().click();
      await tab.getByRole('dialog').getByLabel('Endereço').fill(url);
      await tab.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click();
    };
    const other = await madeAgain(page, '/console/webhooks', makeOn);
    expect(await other.getByRole('textbox', { name: 'Segredo deste destino' }).inputValue()).toMatch(/^whsec_/);
    const { items: made } = await sent<{ items: readonly { url: string }[] }>(pages, 'GET', '/outbound-webhooks');
    expect(made.filter((one) => one.url === url)).toHaveLength(1);
    await close();
  });

  test('who makes a key again, as nobody saw the one that was made, is shown that one', async () => {
    const { page, close } = await pages.open('/console/configuracoes/chaves');
    await loseFirstAnswer(page, '**/api-keys');
    const makeOn = async (tab: Page) => {
      await tab.getByRole('button', { name: 'Nova chave' }).click();
      await tab.getByRole('dialog').getByLabel('Para que serve').fill('Chave Perdida');
      await tab.getByRole('dialog').getByRole('button', { name: 'Criar chave' }).click();
    };
    const other = await madeAgain(page, '/console/configuracoes/chaves', makeOn);
    expect(await other.getByRole('textbox', { name: 'Chave' }).inputValue()).toMatch(/^smk_/);
    await other.getByRole('button', { name: 'Guardei a chave' }).click();
    await other.getByRole('cell', { name: 'Chave Perdida' }).waitFor();
    expect(await other.getByRole('cell', { name: 'Chave Perdida' }).count()).toBe(1);
    await close();
  });

  test('who goes on counting without an answer books each difference once, and what is counted anew as it is by then', async () => {
    const [one, two, three] = [await inStock('Apurado A'), await inStock('Apurado B'), await inStock('Apurado C')];
    const { page, close } = await pages.open('/console/estoque/contagem');
    // Nobody hears of what was booked, as on a line that is down.
    await page.route('**/live', (route) => route.abort());
    await page.reload();
    await loseFirstAnswer(page, '**/stock/adjustments');
    const count = (name: string) => page.getByLabel(`Contado: ${name}`);
    const book = page.getByRole('button', { name: 'Registrar diferenças' });
    await page.getByLabel('Filtrar por produto').fill('Apurado');
    await count('Apurado A').fill('12');
    await count('Apurado B').fill('9');
    await book.click();
    await unanswered(page);
    await count('Apurado B').fill('8');
    await count('Apurado C').fill('7');
    await book.click();
    await page.getByText('4 diferenças registradas.').waitFor();
    expect([await leftOf(one), await leftOf(two), await leftOf(three)]).toEqual([12, 8, 7]);
    expect(await count('Apurado B').inputValue()).toBe('');
    await close();
  });

  describe('another one counts the same goods after a booking was sent', () => {
    const count = (page: Page, name: string) => page.getByLabel(`Contado: ${name}`);
    const book = (page: Page) => page.getByRole('button', { name: 'Registrar diferenças' });
    /** Two products of ten, of which eight and nine are counted and sent without an answer; then another one books that the first has two less. */
    async function countedByTwo(page: Page, name: string) {
      const [one, two] = [await inStock(`${name} A`), await inStock(`${name} B`)];
      await page.getByLabel('Filtrar por produto').fill(name);
      await count(page, `${name} A`).fill('8');
      await count(page, `${name} B`).fill('9');
      await book(page).click();
      await unanswered(page);
      await sent(pages, 'POST', '/stock/adjustments', {
        reason: 'Contagem de outra pessoa',
        countId: randomUUID(),
        items: [{ variantId: one, quantity: -2 }],
      });
      const row = page.getByRole('row').filter({ has: count(page, `${name} A`) });
      await row.getByText('0', { exact: true }).waitFor();
      return async () => [await leftOf(one), await leftOf(two)];
    }

    test('what they booked is not booked once more where it never arrived', async () => {
      const { page, close } = await pages.open('/console/estoque/contagem');
      const isBooking = (request: Request) => request.method() === 'POST';
      await page.route('**/stock/adjustments', (route) =>
        isBooking(route.request()) ? route.abort('connectionreset') : route.fallback(),
      );
      const left = await countedByTwo(page, 'Conferido');
      await page.unroute('**/stock/adjustments');
      await book(page).click();
      await page.getByText('1 diferença registrada.').waitFor();
      expect(await left()).toEqual([8, 9]);
      await close();
    });

    test('nothing is booked twice where it had arrived', async () => {
      const { page, close } = await pages.open('/console/estoque/contagem');
      await loseFirstAnswer(page, '**/stock/adjustments');
      const left = await countedByTwo(page, 'Apontado');
      await book(page).click();
      await page.getByText('2 diferenças registradas.').waitFor();
      expect(await left()).toEqual([6, 9]);
      await close();
    });
  });

  test('a change that was not answered is told as saved once the record holds it, and not as somebody else’s', async () => {
    const { id } = await newProduct(pages, 'Pão sem Resposta');
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    await loseFirstAnswer(page, `**/products/${id}`);
    const description = page.getByLabel('Descrição', { exact: true }).first();
    const save = page.getByRole('button', { name: 'Salvar', exact: true }).first();
    await description.fill('Pão com Resposta');
    await save.click();
    await page.getByText('O serviço não respondeu, mas o que você enviou está registrado.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.route(`**/products/${id}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    );
    await description.fill('Pão Desligado');
    await save.click();
    await unanswered(page);
    await description.fill('Pão com Resposta');
    expect(await page.getByText('está registrado.').count()).toBe(0);
    await page.unroute(`**/products/${id}`);
    await description.fill('Pão de Agora');
    await save.click();
    await page.getByRole('button', { name: 'Salvo' }).waitFor();
    expect(await sent<object>(pages, 'GET', `/products/${id}`)).toMatchObject({ description: 'Pão de Agora' });
    await close();
  });

  test('a price that is kept in other words than it was typed in is saved by trying again, and is nobody else’s', async () => {
    const { id } = await newProduct(pages, 'Pão a Quatro e Meio');
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    await loseFirstAnswer(page, `**/products/${id}`);
    await page.getByLabel('Descrição', { exact: true }).first().fill('Pão de Outro Preço');
    await page.getByLabel('Preço à vista').fill('4,5');
    const save = page.getByRole('button', { name: 'Salvar', exact: true }).first();
    await save.click();
    await unanswered(page);
    await page.getByRole('heading', { level: 1, name: 'Pão de Outro Preço' }).waitFor();
    expect(await page.getByText('Este registro mudou enquanto você editava').count()).toBe(0);
    await save.click();
    await page.getByRole('button', { name: 'Salvo' }).waitFor();
    expect(await page.getByLabel('Preço à vista').inputValue()).toBe('4,50');
    await close();
  });

  test('a part of a kit is added once, also where the page has heard of it meanwhile', async () => {
    const { id } = await newProduct(pages, 'Cesta sem Resposta');
    const [part] = (await newProduct(pages, 'Geleia sem Resposta')).variants;
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    await loseFirstAnswer(page, `**/products/${id}`);
    await page.getByRole('button', { name: 'Adicionar componente' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill(part.gtin);
    await page.keyboard.press('Enter');
    await dialog.getByText('Geleia sem Resposta').waitFor();
    await dialog.getByRole('button', { name: 'Adicionar', exact: true }).click();
    await unanswered(dialog);
    const parts = page.getByRole('table', { name: 'Componentes do kit', includeHidden: true });
    await parts.getByText('Geleia sem Resposta').waitFor();
    await dialog.getByRole('button', { name: 'Adicionar', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const kit = await sent<{ components: readonly object[] }>(pages, 'GET', `/products/${id}`);
    expect(kit.components).toMatchObject([{ componentVariantId: part.id, quantity: 1 }]);
    await close();
  });

  test('a variant that is changed before it is sent again asks first, as the one before may be there', async () => {
    const { id } = await newProduct(pages, 'Bolo em Tamanhos');
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    await loseFirstAnswer(page, `**/products/${id}/variants`);
    await page.getByRole('button', { name: 'Adicionar variação' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Variação').fill('Grande');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await unanswered(dialog);
    await dialog.getByLabel('Variação').fill('Médio');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await refuse(page, IN_DOUBT);
    const { variants } = await sent<{ variants: readonly { label: string | null }[] }>(pages, 'GET', `/products/${id}`);
    expect(variants.map(({ label }) => label)).toEqual([null, 'Grande']);
    await close();
  });

  test('a document that is issued without an answer is issued once, and who tries again is told no other', async () => {
    const { items } = await sent<{ items: readonly { variants: readonly { id: string }[] }[] }>(
      pages,
      'GET',
      '/products?take=1',
    );
    const { id } = await sent<{ id: string }>(pages, 'POST', '/sales', {
      items: [{ variantId: items[0]?.variants[0]?.id, quantity: 1, unitPrice: 8 }],
      payments: [{ method: 'PIX', amount: 8 }],
    });
    const { page, close } = await pages.open(`/console/vendas/${id}`);
    await loseFirstAnswer(page, '**/fiscal/documents');
    await page.getByRole('button', { name: 'Emitir documento' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Emitir documento' }).click();
    await unanswered(dialog);
    await page.locator('main').getByText('Autorizado').waitFor();
    await dialog.getByRole('button', { name: 'Emitir documento' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await sent<readonly object[]>(pages, 'GET', `/fiscal/documents/by-sale/${id}`)).toHaveLength(1);
    await close();
  });

  test('a lot whose blocking was not answered is blocked by who tries again, and never offered to be released in its place', async () => {
    const { variants } = await newGoodsInPlenty(pages, 'Salame em Dúvida');
    const found = await sent<{ items: { lotId: string }[] }>(pages, 'GET', `/stock/lots?variantId=${variants[0].id}`);
    const lotId = found.items[0]?.lotId ?? '';
    const { page, close } = await pages.open(`/console/estoque/lote/${lotId}`);
    await loseFirstAnswer(page, '**/block');
    await page.getByRole('button', { name: 'Bloquear' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Motivo').fill('Cheiro estranho');
    await dialog.getByRole('button', { name: 'Bloquear' }).click();
    await unanswered(dialog);
    await page.locator('main .status').getByText('Bloqueado').waitFor();
    await dialog.getByRole('button', { name: 'Bloquear' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { marks } = await sent<{ marks: readonly unknown[] }>(pages, 'GET', `/stock/lots/${lotId}`);
    expect(marks).toHaveLength(1);
    await close();
  });

  test('a deletion whose answer is lost is over as soon as the list shows that it was done', async () => {
    await sent(pages, 'POST', '/categories', { name: 'Sem Volta' });
    const { page, close } = await pages.open('/console/categorias?q=Volta');
    await loseFirstAnswer(page, '**/categories/bulk-delete');
    await page.getByLabel('Escolher Sem Volta').check();
    const remove = page.getByRole('button', { name: 'Excluir escolhidos' });
    await remove.click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.note.warn').waitFor();
    await dialog.getByRole('button', { name: 'Excluir' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await remove.count()).toBe(0);
    await close();
  });

  test('a document whose cancellation was not answered is found cancelled by who tries again', async () => {
    const { items } = await sent<{ items: readonly { id: string }[] }>(
      pages,
      'GET',
      '/fiscal/documents?status=AUTHORIZED',
    );
    await sent(pages, 'PATCH', '/store', { fiscal: { cancelMinutes: { '65': 10_000, '55': 10_000 } } });
    const { page, close } = await pages.open(`/console/documentos/${items[0]?.id ?? ''}`);
    await loseFirstAnswer(page, '**/cancel');
    await page.getByRole('button', { name: 'Cancelar documento' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Motivo').fill('Cliente desistiu da compra');
    const cancel = dialog.getByRole('button', { name: 'Cancelar documento' });
    await cancel.click();
    await unanswered(dialog);
    await page.locator('main').getByText('Cancelado', { exact: true }).waitFor();
    await cancel.click();
    await dialog.waitFor({ state: 'detached' });
    await close();
  });

  test('a rule that is changed before it is sent again asks first, as the one before may be there', async () => {
    const { page, close } = await pages.open('/console/configuracoes/impostos');
    await loseFirstAnswer(page, '**/fiscal/tax-rules');
    await page.getByRole('button', { name: 'Nova regra' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Nome');
    await name.fill('Pães de Ontem');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await unanswered(dialog);
    await name.fill('Pães de Hoje');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await refuse(page, IN_DOUBT);
    expect(await page.locator('main').getByText('Pães de Hoje').count()).toBe(0);
    await close();
  });

  test('a plan for the next day that is sent again on the day after asks first, as the one before may be there', async () => {
    const { page, close } = await pages.open('/console/producao/planejar');
    const now = noonInStore();
    await page.clock.install({ time: now });
    await page.reload();
    await settled(page);
    await loseFirstAnswer(page, '**/orders/plan');
    const day = page.getByLabel('Para quando');
    const first = await day.inputValue();
    const plan = page.getByRole('button', { name: 'Planejar', exact: true });
    await plan.click();
    await unanswered(page);
    await page.clock.fastForward(86_400_000);
    await until('the day after is proposed', async () => (await day.inputValue()) > first);
    await plan.click();
    await refuse(page, IN_DOUBT);
    await close();
  });

  test('a tag that was put on without an answer is told as there, and not to be tried again, which would take it off', async () => {
    const { id } = await newProduct(pages, 'Pão Etiquetado');
    await sent(pages, 'POST', '/product-tags', { name: 'Sem Resposta' });
    const { page, close } = await pages.open(`/console/produtos/${id}`);
    await loseFirstAnswer(page, `**/products/${id}/tags`);
    const box = page.getByRole('checkbox', { name: 'Sem Resposta' });
    await box.check();
    await page.getByText('O serviço não respondeu, mas o que você enviou está registrado.').waitFor();
    expect(await box.isChecked()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  test('a stage that was ticked without an answer is told as done, and not to be tried again, which would take it back', async () => {
    const recipes = await sent<readonly { id: string; name: string }[]>(pages, 'GET', '/bakery-production/recipes');
    const recipeId = recipes.find(({ name }) => name === 'Brigadeiro')?.id;
    const plan = { recipeId, batches: 1, expectedAt: dayOf(Date.now(), STORE_ZONE) };
    const { id } = await sent<{ id: string }>(pages, 'POST', '/bakery-production/orders/plan', plan);
    await sent(pages, 'POST', `/bakery-production/orders/${id}/start`);
    const { page, close } = await pages.open(`/console/producao/${id}`);
    await loseFirstAnswer(page, '**/stages/*');
    const box = page.getByRole('checkbox').first();
    await box.check();
    await page.getByText('O serviço não respondeu, mas o que você enviou está registrado.').waitFor();
    expect(await box.isChecked()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  test('a recipe that was taken up again without an answer is told as in use, beside the button that would put it away', async () => {
    const [recipe] = await sent<readonly { id: string }[]>(pages, 'GET', '/bakery-production/recipes');
    const id = recipe?.id ?? '';
    await sent(pages, 'PATCH', `/bakery-production/recipes/${id}`, { active: false });
    const { page, close } = await pages.open(`/console/receitas/${id}`);
    await loseFirstAnswer(page, `**/recipes/${id}`);
    await page.getByRole('button', { name: 'Reativar' }).click();
    await page.getByText('O serviço não respondeu, mas o que você enviou está registrado.').waitFor();
    await page.getByRole('button', { name: 'Desativar' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  test('a delivery that is sent again without an answer does not say to try again once it is on its way', async () => {
    const url = 'https://fiscal.example/hooks';
    const { id } = await sent<{ id: string }>(pages, 'POST', '/outbound-webhooks', { url, active: false });
    const [at, delivery] = ['2026-01-02T03:04:05.000Z', '0197a7f4-0000-7000-8000-000000000001'];
    const attempt = { number: 1, at, durationMs: 9, statusCode: 500, error: null, responseSnippet: null };
    const failed = { id: delivery, event: 'document.authorized', status: 'FAILED', attempts: [attempt], createdAt: at };
    const nothing = { documentId: null, nextAttemptAt: null, requestHeaders: null, requestBody: '{}' };
    let isSent = false;
    const { page, close } = await pages.open('/console/webhooks');
    await page.route(`**/deliveries/${delivery}*`, (route) =>
      route.fulfill({ json: { ...failed, ...nothing, ...(isSent ? { status: 'PENDING' } : {}) } }),
    );
    await page.route('**/retry', (route) => {
      isSent = true;
      return route.abort('connectionreset');
    });
    await page.goto(`${pages.world.url}/console/webhooks/${id}/entregas/${delivery}`);
    await page.getByRole('button', { name: 'Enviar de novo' }).click();
    await unanswered(page);
    await sent(pages, 'PATCH', `/outbound-webhooks/${id}`, { description: 'Mudou' });
    await page.getByRole('button', { name: 'Enviar de novo' }).waitFor({ state: 'detached' });
    await page.getByText('O serviço não respondeu, mas o que você enviou está registrado.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });
});
