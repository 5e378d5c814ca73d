import { afterAll, expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { explanationAnswer } from '../../src/features/contracts/explanation.js';
import { dayOf } from '../../src/kernel/values/days.js';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { refusal } from '../support/people.js';
import { make, receive } from '../support/traced-bakery.js';
import { until } from '../support/until.js';
import { openWorld } from '../support/world.js';

/** The explanations as a client reads them; that they add up is shown over random lives (test/properties). */

type Explanation = z.output<typeof explanationAnswer>;

const world = await openWorld();
const store = await world.newStore();
afterAll(() => world.close());

await granted(store.call('POST', '/card-fees/accounts', { name: 'Azul', debitFeePercent: 2 }));
const flour = (await newProduct(store, 'Farinha', { saleUnit: 'KG' })).variantId;
const bread = (await newProduct(store, 'Pão')).variantId;
const stages = [{ name: 'Forno', required: false, standardMinutes: 30, laborRatePerHour: 20 }];
const items = [{ componentVariantId: flour, quantity: 10 }];
const recipe = await newRecipe(store, { name: 'Pão', finishedVariantId: bread, yieldQty: 100, items, stages });
await receive(store, flour, 50, 'F-1');
const orderId = await make(store, recipe.id, 'P-1');
const [sold] = [{ variantId: bread, quantity: 10, unitPrice: 1.5 }];
const payments = [{ method: 'DEBIT', amount: 15 }];
const sale = (await granted(store.call('POST', '/sales', { items: [sold], payments }))).body as { readonly id: string };

const lotOf = async (lotCode: string): Promise<string> => {
  const { body } = await granted(store.call('GET', `/stock/lots?lotCode=${lotCode}`));
  return (body as { readonly items: readonly { readonly lotId: string }[] }).items[0]?.lotId ?? '';
};
const explain = async (path: string, client = store, headers = {}): Promise<Explanation> =>
  (await granted(client.call('GET', `/explain/${path}`, undefined, headers))).body as Explanation;
const texts = (lines: Explanation['lines']) => lines.map(({ text, value }) => [text, value]);

test('a lot is what went in and out of it', async () => {
  const { total, lines, nextCursor } = await explain(`lots/${await lotOf('F-1')}`);
  expect([total, nextCursor]).toEqual([{ quantity: 40, value: 80 }, null]);
  expect(lines).toMatchObject([
    { text: 'Recebimento', quantity: 50, value: 100 },
    { text: 'Consumo da ordem 1', quantity: -10, value: -20 },
  ]);
  for (const { eventId = '' } of lines) await granted(store.call('GET', `/audit/proofs/${eventId}`));
});

test('its lines come in pages', async () => {
  const path = `lots/${await lotOf('F-1')}?limit=1`;
  const first = await explain(path);
  const second = await explain(`${path}&cursor=${first.nextCursor ?? ''}`);
  expect([...texts(first.lines), ...texts(second.lines)]).toEqual([
    ['Recebimento', 100],
    ['Consumo da ordem 1', -20],
  ]);
  expect(second.nextCursor).toBeNull();
});

test('where a page ended says nothing of what others wrote meanwhile', async () => {
  const { lines, nextCursor } = await explain(`lots/${await lotOf('F-1')}?limit=1`);
  // The line's time stood in it beside its position, by which two readings counted what the whole installation wrote between them.
  expect(Buffer.from(nextCursor ?? '', 'base64url').toString()).not.toContain(lines[0]?.at);
  const forged = Buffer.from(JSON.stringify(['at', 'asc', '2020-01-01T00:00:00.000Z', '1'])).toString('base64url');
  const path = `/explain/lots/${await lotOf('F-1')}?cursor=${forged}`;
  expect(refusal(await store.call('GET', path))).toEqual([400, 'INVALID_INPUT']);
});

test('the cost of what was made leads to receipts and labour', async () => {
  const { total, lines, parts } = await explain(`lots/${await lotOf('P-1')}/cost`);
  expect(total).toEqual({ value: 30 });
  expect(texts(lines)).toEqual([
    ['10 kg de Farinha, lote F-1', 20],
    ['Mão de obra', 10],
  ]);
  expect(lines[1]?.lines).toMatchObject([{ text: 'Forno: 30 min por batelada a R$ 20,00 por hora', value: 10 }]);
  expect(parts).toMatchObject([
    { ref: lines[0]?.ref, total: { value: 100 }, lines: [{ text: 'Recebimento: 50 kg × R$ 2,00', value: 100 }] },
  ]);
});

test('an order costs what it used, and the work', async () => {
  const { total, lines } = await explain(`orders/${orderId}`);
  const { body } = await granted(store.call('GET', `/bakery-production/orders/${orderId}`));
  expect(total.value).toBe((body as { readonly totalCost: number }).totalCost);
  expect(texts(lines)).toEqual([
    ['10 kg de Farinha, lote F-1', 20],
    ['Mão de obra', 10],
  ]);
});

test('a suggestion says of what was used in which unit that is', async () => {
  const [first] = (await explain(`planning/${recipe.id}`)).lines;
  expect(first?.text).toMatch(/^Consumo esperado em \d+ dias: 10 UN em /);
});

test('the margin of a sale is its revenue without the cost of its lots and its fees', async () => {
  const { total, lines } = await explain(`sales/${sale.id}`);
  const { body } = await granted(store.call('GET', `/sales/${sale.id}`));
  expect(total).toEqual({ value: 11.7 });
  expect((body as { readonly margin: number }).margin).toBe(11.7);
  expect(texts(lines[0]?.lines ?? [])).toEqual([
    ['Vendido: 10 × R$ 1,50', 15],
    ['Custo de 10 × Pão, lote P-1', -3],
    ['Taxa do cartão da máquina Azul: 2 % sobre R$ 15,00 (taxa geral da máquina)', -0.3],
  ]);
});

test('a fee that was not known before its recalculation is not told as one of nothing', async () => {
  const early = await world.newStore();
  const { variantId } = await newProduct(early, 'Bolo', { stockQty: 1 });
  const { body } = await granted(
    early.call('POST', '/sales', {
      items: [{ variantId, quantity: 1, unitPrice: 10 }],
      payments: [{ method: 'DEBIT', amount: 10 }],
    }),
  );
  const { id, occurredAt } = body as { readonly id: string; readonly occurredAt: string };
  await granted(early.call('POST', '/card-fees/accounts', { name: 'Verde', debitFeePercent: 2.5 }));
  const month = dayOf(Date.parse(occurredAt), 'America/Sao_Paulo').slice(0, 7);
  await granted(early.call('POST', '/card-fees/calc-jobs', { month }));
  const fee = async (headers = {}) => (await explain(`sales/${id}`, early, headers)).lines[0]?.lines?.at(-1);
  await until('the fee is recalculated', async () => (await fee())?.value === -0.25);
  const head = 'Taxa do cartão da máquina Verde: 2,5 % sobre R$ 10,00';
  expect((await fee())?.text).toBe(`${head} (recalculada, antes desconhecida)`);
  expect((await fee({ 'accept-language': 'en' }))?.text).toContain('(recalculated, not known before)');
});

test('an average cost of a kit is what its parts cost, also of a kit in it', async () => {
  const shop = await world.newStore();
  const { variantId: coffee } = await newProduct(shop, 'Café', { saleUnit: 'KG' });
  const { variantId: cup } = await newProduct(shop, 'Xícara');
  const kitOf = async (description: string, parts: Readonly<Record<string, number>>): Promise<string> => {
    const components = Object.entries(parts).map(([componentVariantId, quantity]) => ({
      componentVariantId,
      quantity,
    }));
    const body = { description, priceCash: 9, priceCredit: 9, isComposite: true, components };
    const kit = await granted(shop.call('POST', '/products', body));
    return (kit.body as { readonly variants: readonly [{ readonly id: string }] }).variants[0].id;
  };
  const pair = await kitOf('Par', { [cup]: 2 });
  const basket = await kitOf('Cesta', { [coffee]: 0.5, [pair]: 1 });
  await granted(shop.call('POST', '/stock/receipts', { items: [{ variantId: coffee, quantity: 3, unitCost: 10 }] }));
  const unknown = await explain(`variants/${basket}/average-cost`, shop);
  expect([unknown.total, unknown.lines.map(({ text }) => text)]).toEqual([
    {},
    ['0,5 kg de Café; média de R$ 10,00', '2 × Xícara'],
  ]);
  await granted(shop.call('POST', '/stock/receipts', { items: [{ variantId: cup, quantity: 6, unitCost: 1.25 }] }));
  const { total, lines } = await explain(`variants/${basket}/average-cost`, shop);
  expect(total).toEqual({ value: 7.5 });
  expect(texts(lines)).toEqual([
    ['0,5 kg de Café; média de R$ 10,00', 5],
    ['2 × Xícara; média de R$ 1,25', 2.5],
  ]);
  const { items } = (await shop.call('GET', '/products?q=cesta')).body as {
    readonly items: readonly { readonly averageCost: number }[];
  };
  expect(items[0]?.averageCost).toBe(7.5);
});

test('the parts of a kit that were sold without being there are named', async () => {
  const shop = await world.newStore();
  const { variantId: cup } = await newProduct(shop, 'Xícara');
  const components = [{ componentVariantId: cup, quantity: 2 }];
  const kit = { description: 'Par', priceCash: 9, priceCredit: 9, isComposite: true, components };
  const { body } = await granted(shop.call('POST', '/products', kit));
  const { variants } = body as { readonly variants: readonly [{ readonly id: string }] };
  const line = { variantId: variants[0].id, quantity: 1, unitPrice: 9 };
  const made = { items: [line], payments: [{ method: 'PIX', amount: 9 }], allowNegativeStock: true };
  const { id } = (await granted(shop.call('POST', '/sales', made))).body as { readonly id: string };
  const cups = (await explain(`sales/${id}`, shop)).lines[0]?.lines?.[1];
  expect(cups?.text).toBe('Custo provisório de 2 × Xícara, vendido sem haver em estoque');
});

test('an average cost is what each entry did to it', async () => {
  await receive(store, flour, 40, 'F-2');
  await granted(
    store.call('POST', '/stock/receipts', { items: [{ variantId: flour, quantity: 80, unitCost: 3, lotCode: 'F-3' }] }),
  );
  const { total, lines } = await explain(`variants/${flour}/average-cost`);
  expect(total).toEqual({ value: 2.5 });
  expect(lines.map(({ value }) => value)).toEqual([2, 0, 0.5]);
  expect(lines[2]?.text).toBe('Recebimento: 80 kg por R$ 240,00; a média foi de R$ 2,00 a R$ 2,50');
  const paged: Explanation['lines'][number][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Explanation = await explain(`variants/${flour}/average-cost?limit=1${cursor}`);
    paged.push(...page.lines);
    cursor = page.nextCursor === null ? null : `&cursor=${page.nextCursor}`;
    // It names the place alone: who may not see costs pages as well.
    const place = page.nextCursor === null ? undefined : Buffer.from(page.nextCursor, 'base64url').toString();
    if (place !== undefined) expect(place).toMatch(/^average-cost [0-9a-f-]{36} \d+ \d{4}-\d\d-\d\dT\S+ \S+$/);
  }
  expect(paged).toEqual(lines);
  const { nextCursor } = await explain(`variants/${flour}/average-cost?limit=1`);
  const ofAnother = await store.call('GET', `/explain/variants/${bread}/average-cost?cursor=${nextCursor ?? ''}`);
  expect(refusal(ofAnother)).toEqual([400, 'INVALID_INPUT']);
  const { at = '' } = lines[0] ?? {};
  expect((await explain(`variants/${flour}/average-cost?at=${at}`)).lines).toHaveLength(1);
});

test('a suggestion is the expected use without what there is and what is planned', async () => {
  await granted(
    store.call('POST', '/bakery-production/orders/plan', { recipeId: recipe.id, batches: 1, expectedAt: '2026-12-24' }),
  );
  const { total, lines } = await explain(`planning/${recipe.id}?days=30`);
  const { body } = await granted(store.call('GET', '/bakery-production/planning/suggestions?days=30'));
  expect([total.quantity]).toEqual(
    (body as { readonly suggestedQty: number }[]).map(({ suggestedQty }) => suggestedQty),
  );
  expect(lines.map(({ quantity }) => quantity)).toEqual([300, -90, -100, 90]);
  expect(lines[2]?.lines).toMatchObject([{ text: 'Ordem 2', quantity: -100 }]);
  expect(lines[2]?.lines?.[0]?.eventId).toBeDefined();
});

test('it is told in English to who asks for it', async () => {
  const { lines } = await explain(`sales/${sale.id}`, store, { 'accept-language': 'en-GB,en;q=0.9' });
  expect(lines[0]?.lines?.[2]?.text).toBe("Card fee of the machine Azul: 2% on R$15.00 (the machine's general rate)");
});

test('costs of production are for who may see them', async () => {
  const seller = await world.newKey(store.slug, 'sales.view,stock.view,production.view');
  expect((await explain(`lots/${await lotOf('P-1')}`, seller)).total).toEqual({ quantity: 90 });
  expect((await explain(`lots/${await lotOf('P-1')}/cost`, seller)).total).toEqual({});
  expect((await explain(`orders/${orderId}`, seller)).total).toEqual({});
  expect((await explain(`variants/${bread}/average-cost`, seller)).total).toEqual({});
  expect((await explain(`variants/${flour}/average-cost`, seller)).total).toEqual({ value: 2.5 });
  const { total, lines } = await explain(`sales/${sale.id}`, seller);
  expect([total, lines[0]?.value, lines[0]?.lines?.map(({ value }) => value)]).toEqual([{}, undefined, [15, -0.3]]);
  const money = /R\$/;
  for (const path of [`lots/${await lotOf('P-1')}/cost`, `orders/${orderId}`, `variants/${bread}/average-cost`]) {
    expect(JSON.stringify(await explain(path, seller))).not.toMatch(money);
    expect(JSON.stringify(await explain(path))).toMatch(money);
  }
  const nobody = await world.newKey(store.slug, 'products.view');
  expect(refusal(await nobody.call('GET', `/explain/sales/${sale.id}`))).toEqual([403, 'PERMISSION_DENIED']);
});

test('an order that is not completed has one page, whose lines no cursor of another list begins', async () => {
  const plan = { recipeId: recipe.id, batches: 1, expectedAt: '2026-12-24' };
  const { body } = await granted(store.call('POST', '/bakery-production/orders/plan', plan));
  const path = `orders/${(body as { readonly id: string }).id}`;
  expect((await explain(path)).lines).toHaveLength(1);
  expect(refusal(await store.call('GET', `/explain/${path}?cursor=eA`))).toEqual([400, 'INVALID_INPUT']);
});
