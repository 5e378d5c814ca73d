import { randomUUID } from 'node:crypto';
// What answers hold is looked at member by member.
/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call */
import { afterAll, expect, test } from '@jest/globals';
import { RECIPES, granted } from '../support/bakery.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

async function made(path: string, body: unknown): Promise<any> {
  const answer = await store.call('POST', path, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

async function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<any> {
  const answer = await store.call('GET', path, undefined, headers);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body;
}

const newProduct = (description: string, extra: object = {}) =>
  made('/products', { description, priceCash: 10, priceCredit: 11, ...extra });

async function lotOf(variantId: string, lotCode: string): Promise<string> {
  const receipt = await made('/stock/receipts', {
    supplier: 'Moinho Sul',
    document: 'NF 77',
    items: [{ variantId, quantity: 10, unitCost: 2, lotCode }],
  });
  return receipt.items[0].lotId;
}

test('a product has its history in plain words, in two languages, under the name that it had then', async () => {
  const product = await newProduct('Farinha Azul');
  await store.call('PATCH', `/products/${product.id}`, { priceCash: 12.5 });
  await store.call('PATCH', `/products/${product.id}`, { description: 'Farinha Verde' });
  const path = `/audit/entities/product/${product.id}`;
  const texts = (await read(path)).items
    .map(({ text }: { text: string }) => text)
    .filter((text: string) => !text.includes('código'));
  expect(texts).toEqual([
    'O produto Farinha Azul foi cadastrado, a R$ 10,00.',
    'O produto Farinha Azul foi alterado: preço à vista R$ 10,00 → R$ 12,50.',
    'O produto Farinha Verde foi alterado: descrição «Farinha Azul» → «Farinha Verde».',
  ]);
  const english = await read(path, { 'accept-language': 'en-GB, pt;q=0.5' });
  expect(english.items.at(-1).text).toBe(
    'The product Farinha Verde was changed: description «Farinha Azul» → «Farinha Verde».',
  );
});

test('what is sold, made and counted no more, or in another unit, reads differently from what came back', async () => {
  const product = await newProduct('Fubá', { saleUnit: 'KG' });
  const bread = await newProduct('Broa');
  const recipe = await made(RECIPES, {
    name: 'Broa',
    finishedVariantId: bread.variants[0].id,
    items: [{ componentVariantId: product.variants[0].id, quantity: 1 }],
  });
  const change = async (path: string, ...bodies: readonly object[]) => {
    for (const body of bodies) expect((await store.call('PATCH', path, body)).status).toBe(200);
  };
  await change(`/products/${product.id}`, { active: false }, { active: true }, { saleUnit: 'G' });
  await change(`${RECIPES}/${recipe.id}`, { active: false }, { active: true, notes: 'Assar bem' });
  const told = async (kind: string, id: string, headers = {}) =>
    (await read(`/audit/entities/${kind}/${id}`, headers)).items
      .map(({ text }: any) => text)
      .filter((text: string) => /alterad|changed/.test(text));
  expect(await told('product', product.id)).toEqual([
    'O produto Fubá foi alterado: ativo sim → não.',
    'O produto Fubá foi alterado: ativo não → sim.',
    'O produto Fubá foi alterado: unidade «KG» → «G».',
  ]);
  expect(await told('recipe', recipe.id)).toEqual([
    'Os dados da receita Broa foram alterados, sem nova versão: ativa sim → não.',
    'Os dados da receita Broa foram alterados, sem nova versão: observações, ativa não → sim.',
  ]);
  expect(await told('recipe', recipe.id, { 'accept-language': 'en' })).toEqual([
    'Details of the recipe Broa were changed, without a new version: active yes → no.',
    'Details of the recipe Broa were changed, without a new version: notes, active no → yes.',
  ]);
});

test('goods are told in what they are counted', async () => {
  const [flour, dough] = [
    await newProduct('Farelo', { saleUnit: 'G' }),
    await newProduct('Mistura', { saleUnit: 'KG' }),
  ];
  const [eggs, box] = [await newProduct('Ovo'), await newProduct('Caixote', { saleUnit: 'CX' })];
  const variantOf = (one: any) => one.variants[0].id;
  const entered = await made('/stock/receipts', {
    items: [
      { variantId: variantOf(flour), quantity: 2590, unitCost: 1 },
      { variantId: variantOf(eggs), quantity: 30, unitCost: 1 },
      { variantId: variantOf(box), quantity: 2, unitCost: 1 },
    ],
  });
  const recipe = await made(RECIPES, {
    name: 'Mistura pronta',
    finishedVariantId: variantOf(dough),
    yieldQty: 2.5,
    items: [
      { componentVariantId: variantOf(flour), quantity: 2000 },
      { componentVariantId: variantOf(eggs), quantity: 4 },
    ],
  });
  const order = await made('/bakery-production/orders/plan', {
    recipeId: recipe.id,
    batches: 1,
    expectedAt: '2030-01-31',
  });
  const orders = '/bakery-production/orders';
  await store.call('POST', `${orders}/${order.id}/complete`, { outputLotCode: 'M-1' });
  await store.call('POST', `${orders}/${order.id}/reverse`, { reason: 'receita errada' });
  const lost = await made('/stock/adjustments', {
    reason: 'perda',
    items: [{ variantId: variantOf(flour), quantity: -0.5 }],
  });
  const sold = { variantId: variantOf(flour), quantity: 100, unitPrice: 1 };
  const sale = await made('/sales', { items: [sold], payments: [{ method: 'PIX', amount: 100 }] });
  await made(`/sales/${sale.id}/returns`, { items: [{ variantId: variantOf(flour), quantity: 1 }] });
  const kit = await newProduct('Cesta', { components: [{ componentVariantId: variantOf(flour), quantity: 250 }] });
  const told = async (kind: string, id: string, headers = {}) =>
    (await read(`/audit/entities/${kind}/${id}`, headers)).items.map(({ text }: any) => text);
  const english = { 'accept-language': 'en' };
  expect(await told('receipt', entered.id)).toEqual([
    'Uma compra foi recebida: 2.590 g de Farelo, 30 × Ovo, 2 CX de Caixote.',
  ]);
  expect(await told('receipt', entered.id, english)).toEqual([
    'Goods were received: 2,590 g of Farelo, 30 × Ovo, 2 CX of Caixote.',
  ]);
  expect(await told('order', order.id)).toEqual([
    `A ordem ${order.number} foi planejada: 1 × Mistura pronta, com 2,5 kg de resultado esperado.`,
    `A ordem ${order.number} foi concluída: 2,5 kg de Mistura no lote M-1, com 2 insumos.`,
    `A ordem ${order.number} foi estornada, com 2,5 kg a menos no lote: receita errada.`,
  ]);
  expect(await told('adjustment', lost.id)).toEqual(['O estoque foi ajustado (perda): −0,5 g de Farelo.']);
  expect(await told('sale', sale.id)).toEqual([
    `A venda ${sale.number} foi concluída, R$ 100,00: 100 g de Farelo.`,
    `Da venda ${sale.number} foram devolvidos 1 g de Farelo, R$ 1,00.`,
  ]);
  expect(await told('product', kit.id)).toContain('O kit Cesta passou a ter: 250 g de Farelo.');
});

test('what an order made is told as other goods are, by its own name also where it was not planned', async () => {
  const [cocoa, sweet] = [await newProduct('Cacau', { saleUnit: 'KG' }), await newProduct('Brigadeiro')];
  const items = [{ variantId: cocoa.variants[0].id, quantity: 5, unitCost: 1 }];
  await made('/stock/receipts', { items });
  const recipe = await made(RECIPES, {
    name: 'Tacho de brigadeiro',
    finishedVariantId: sweet.variants[0].id,
    yieldQty: 47,
    items: [{ componentVariantId: cocoa.variants[0].id, quantity: 1 }],
  });
  const body = { recipeId: recipe.id, batches: 1 };
  const order = await made('/bakery-production/orders', { ...body, outputLotCode: 'B-1' });
  const lost = await made('/bakery-production/orders', { ...body, actualOutputQty: 0 });
  const told = async ({ id }: any, headers = {}) =>
    (await read(`/audit/entities/order/${id}`, headers)).items.map(({ text }: any) => text);
  expect(await told(order)).toEqual([
    `A ordem ${order.number} foi concluída: 47 × Brigadeiro no lote B-1, com 1 insumo, pela receita Tacho de brigadeiro.`,
  ]);
  expect(await told(order, { 'accept-language': 'en' })).toEqual([
    `Order ${order.number} was completed: 47 × Brigadeiro in lot B-1, with 1 input, by the recipe Tacho de brigadeiro.`,
  ]);
  expect(await told(lost)).toEqual([
    `A ordem ${lost.number} foi concluída: 0 × Brigadeiro, tudo perdido, com 1 insumo, pela receita Tacho de brigadeiro.`,
  ]);
});

test('a single permission is told as one', async () => {
  const { id } = await made('/api-keys', { name: 'Vitrine', permissions: ['products.view'] });
  expect((await read(`/audit/entities/apiKey/${id}`)).items[0].text).toBe(
    'A chave de API Vitrine foi criada, com 1 permissão.',
  );
});

test('a lot has everything that happened to it, and a sale names what it sold', async () => {
  const { variants } = await newProduct('Leite');
  const lotId = await lotOf(variants[0].id, 'L-1');
  const sale = await made('/sales', {
    items: [{ variantId: variants[0].id, quantity: 3, unitPrice: 5 }],
    payments: [{ method: 'CASH', amount: 15 }],
  });
  await store.call('POST', `/stock/lots/${lotId}/block`, { reason: 'temperatura' });
  const history = await read(`/audit/entities/lot/${lotId}`);
  expect(history.items.map(({ type, text }: any) => [type, text])).toEqual([
    ['StockReceived', 'Uma compra foi recebida, de Moinho Sul, documento NF 77: 10 × Leite.'],
    ['SaleCompleted', `A venda ${sale.number} foi concluída, R$ 15,00: 3 × Leite.`],
    ['LotBlocked', 'O lote L-1 de Leite foi bloqueado: temperatura.'],
  ]);
  expect(history.items[1].entities).toEqual([
    { kind: 'sale', id: sale.id },
    { kind: 'lot', id: lotId },
  ]);
});

test('who reads of an order or a sale alone knows which one it was, and which stage', async () => {
  const [flour, bread] = [await newProduct('Farinha da Etapa'), await newProduct('Pão da Etapa')];
  const recipe = await made('/bakery-production/recipes', {
    name: 'Pão da Etapa',
    finishedVariantId: bread.variants[0].id,
    yieldQty: 10,
    items: [{ componentVariantId: flour.variants[0].id, quantity: 1 }],
    stages: [{ name: 'Assar', required: false }],
  });
  const { id, number } = await made('/bakery-production/orders/plan', {
    recipeId: recipe.id,
    batches: 1,
    expectedAt: '2030-01-31',
  });
  const order = `/bakery-production/orders/${id}`;
  await store.call('POST', `${order}/start`);
  const [stage] = (await read(order)).stages;
  await store.call('POST', `${order}/stages/${stage.stageId}`, { done: true });
  await store.call('POST', `${order}/cancel`);
  const texts = async (path: string) => (await read(path)).items.map(({ text }: { text: string }) => text);
  expect((await texts(`/audit/entities/order/${id}`)).slice(1)).toEqual([
    `A produção da ordem ${number} começou.`,
    `A etapa Assar da ordem ${number} foi marcada como feita.`,
    `A ordem ${number} foi cancelada.`,
  ]);
  await lotOf(flour.variants[0].id, 'E-1');
  const sale = await made('/sales', {
    items: [{ variantId: flour.variants[0].id, quantity: 2, unitPrice: 5 }],
    payments: [{ method: 'CASH', amount: 10 }],
  });
  await made(`/sales/${sale.id}/returns`, { items: [{ variantId: flour.variants[0].id, quantity: 1 }] });
  await store.call('POST', `/sales/${sale.id}/cancel`, { reason: 'engano' });
  expect((await texts(`/audit/entities/sale/${sale.id}`)).slice(1)).toEqual([
    `Da venda ${sale.number} foram devolvidos 1 × Farinha da Etapa, R$ 5,00.`,
    `A venda ${sale.number} foi cancelada: engano.`,
  ]);
});

test('a variant that is no more keeps its name, and what changed of it is said in words', async () => {
  const { id } = await newProduct('Camiseta');
  const { id: large } = await made(`/products/${id}/variants`, { label: 'G' });
  const path = `/products/${id}/variants/${large}`;
  expect((await store.call('PATCH', path, { label: 'GG', division: 'Azul' })).status).toBe(200);
  expect((await store.call('DELETE', path)).status).toBe(204);
  const { items } = await read(`/audit/entities/product/${id}`);
  expect(items.map(({ text }: any) => text).filter((text: string) => text.startsWith('A variação'))).toEqual([
    'A variação G foi acrescentada ao produto Camiseta.',
    'A variação Camiseta GG foi alterada: nome «G» → «GG», divisão.',
    'A variação Camiseta GG foi excluída.',
  ]);
});

test('events are found by record, kind, type, person, request and time, page by page', async () => {
  const brand = await made('/brands', { name: 'Marca Procurada' });
  const all = await read(`/audit/events?entityKind=brand&entityId=${brand.id}`);
  expect(all.items).toHaveLength(1);
  const [event] = all.items;
  expect(event).toMatchObject({
    type: 'BrandCreated',
    storeId: store.storeId,
    data: { id: brand.id, name: 'Marca Procurada' },
    text: 'A marca Marca Procurada foi criada.',
  });
  for (const query of [
    `requestId=${event.requestId}`,
    `type=BrandCreated&entityKind=brand&entityId=${brand.id}`,
    `actorId=${event.actor.id}&type=BrandCreated&from=${event.at}&to=${event.at}`,
  ]) {
    expect((await read(`/audit/events?${query}`)).items.map(({ id }: { id: string }) => id)).toContain(event.id);
  }
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: any = await read(`/audit/events?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(page.items.length).toBeGreaterThan(0);
    ids.push(...page.items.map(({ id }: { id: string }) => id));
    ({ nextCursor: cursor } = page);
  } while (cursor !== null);
  const newestFirst = (await read('/audit/events?limit=200&order=desc')).items.map(({ id }: { id: string }) => id);
  expect(newestFirst.reverse()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a kind of record that is none is refused, with those that there are', async () => {
  expect(await store.call('GET', '/audit/events?entityKind=foo')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'entityKind', message: expect.stringMatching(/^must be one of .*product.*sale/) }] },
  });
});

test('a state without its moment is refused for that', async () => {
  expect(await store.call('GET', `/audit/entities/product/${randomUUID()}/state`)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'at', message: 'is required' }] },
  });
});

test('filters together find what each of them lets through', async () => {
  const key = await world.newKey(store.slug, 'products.view,categories.manage,brands.manage');
  const brand = (await key.call('POST', '/brands', { name: 'Marca Junta' })).body;
  const category = (await key.call('POST', '/categories', { name: 'Categoria Junta' })).body;
  await made('/brands', { name: 'Marca de Outrem' });
  const [{ actor, requestId }] = (await read(`/audit/events?entityKind=brand&entityId=${brand.id}`)).items;
  const found = async (query: string) => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = await read(`/audit/events?limit=3&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      ids.push(...page.items.flatMap(({ entities }: any) => entities.map(({ id }: any) => id)));
      cursor = page.nextCursor;
    }
    return ids;
  };
  expect(await found(`actorId=${actor.id}`)).toEqual([brand.id, category.id]);
  expect(await found(`actorId=${actor.id}&type=BrandCreated`)).toEqual([brand.id]);
  expect(await found(`actorId=${actor.id}&entityKind=category`)).toEqual([category.id]);
  expect(await found(`actorId=${actor.id}&type=BrandCreated&entityKind=category`)).toEqual([]);
  expect(await found(`type=BrandCreated&entityKind=brand&entityId=${brand.id}`)).toEqual([brand.id]);
  expect(await found(`requestId=${requestId}&type=BrandCreated&actorId=${actor.id}`)).toEqual([brand.id]);
  expect(await found(`entityId=${brand.id}`)).toEqual([brand.id]);
  expect(await found(`entityId=${category.id}&type=BrandCreated`)).toEqual([]);
  expect(await found('entityId=019a0000-0000-7000-8000-000000000000')).toEqual([]);
  expect((await found('type=BrandCreated&entityKind=brand')).filter((id) => id === brand.id)).toHaveLength(1);
});

test('what somebody did of one type is found whole, page by page, either way', async () => {
  const keys = await Promise.all([1, 2].map(() => world.newKey(store.slug, 'brands.manage,categories.manage')));
  const mine: string[] = [];
  for (let index = 0; index < 12; index++) {
    for (const [who, key] of keys.entries()) {
      const { id } = (await key.call('POST', '/brands', { name: `Marca ${who}-${index}` })).body;
      if (who === 0) mine.push(id);
      await key.call('POST', '/categories', { name: `Categoria ${who}-${index}` });
    }
  }
  const [{ actor }] = (await read(`/audit/events?entityKind=brand&entityId=${mine[0]}`)).items;
  for (const order of ['asc', 'desc']) {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: any = await read(
        `/audit/events?limit=2&order=${order}&type=BrandCreated&actorId=${actor.id}${after}`,
      );
      ids.push(...page.items.map(({ entities }: any) => entities[0].id));
      cursor = page.nextCursor;
    }
    expect(ids).toEqual(order === 'asc' ? mine : [...mine].reverse());
  }
});

test('a record is shown as it was, and what changed between two moments', async () => {
  const product = await newProduct('Queijo');
  const [created] = (await read(`/audit/events?entityKind=product&entityId=${product.id}&type=ProductCreated`)).items;
  await store.call('PATCH', `/products/${product.id}`, { priceCash: 20 });
  const path = `/audit/entities/product/${product.id}`;
  expect((await read(`${path}/state?at=${created.at}`)).state).toMatchObject({ description: 'Queijo', priceCash: 10 });
  expect((await read(`${path}/state?at=${new Date().toISOString()}`)).state).toMatchObject({ priceCash: 20 });
  const changes = await read(`${path}/changes?from=${created.at}`);
  expect(changes).toContainEqual(
    expect.objectContaining({ path: 'priceCash', from: 10, to: 20, by: expect.objectContaining({ kind: 'apiKey' }) }),
  );
  const { at } = changes.at(-1);
  const near = (milliseconds: number): string => new Date(Date.parse(at) + milliseconds).toISOString();
  const pricesIn = async (range: string) =>
    (await read(`${path}/changes?${range}`)).filter((change: any) => change.path === 'priceCash' && change.to === 20);
  expect(await pricesIn(`from=${at}&to=${at}`)).toHaveLength(1);
  expect([await pricesIn(`from=${near(1)}`), await pricesIn(`to=${near(-1)}`)]).toEqual([[], []]);
  expect(await read(`${path}?to=2020-01-01`)).toEqual({ items: [], nextCursor: null });
  for (const asked of ['state?at=2020-01-01', 'changes?to=2020-01-01']) {
    const early = await store.call('GET', `${path}/${asked}`);
    expect([early.status, early.body.code]).toEqual([404, 'NOT_YET']);
  }
});

test('what is no more keeps its last name, and people have the names of their accounts', async () => {
  const category = await made('/categories', { name: 'Sazonal' });
  await store.call('PATCH', `/categories/${category.id}`, { name: 'Natalinos' });
  await store.call('DELETE', `/categories/${category.id}`);
  const product = await newProduct('Rabanada');
  await store.call('PATCH', `/products/${product.id}/variants/${product.variants[0].id}`, { label: 'P' });
  await store.call('DELETE', `/products/${product.id}`);
  const texts = async (path: string) => (await read(path)).items.map(({ text }: any) => text);
  expect(await texts(`/audit/entities/category/${category.id}`)).toEqual([
    'A categoria Sazonal foi criada.',
    'A categoria Natalinos foi alterada.',
    'A categoria Natalinos foi excluída.',
  ]);
  expect((await texts(`/audit/entities/product/${product.id}`)).at(-1)).toBe(
    'Um código do produto Rabanada ficou livre.',
  );
  expect(await texts(`/audit/entities/variant/${product.variants[0].id}`)).toEqual([
    'O produto Rabanada foi cadastrado, a R$ 10,00.',
    'A variação Rabanada P foi alterada: nome – → «P».',
    'Sem mais movimento de estoque: Rabanada P.',
    'O produto Rabanada foi excluído.',
  ]);
  const user = await made('/users', {
    username: 'maria.audit',
    email: 'maria.audit@store.example',
    name: 'Maria Alves',
    password: 'uma senha bem longa 77',
    role: 'CASHIER',
  });
  await store.call('PATCH', `/users/${user.id}`, { name: 'Maria Alves Pinto' });
  await store.call('PATCH', `/users/${user.id}`, { role: 'MANAGER' });
  expect(await texts(`/audit/entities/user/${user.id}`)).toEqual([
    'Maria Alves entrou na loja como caixa.',
    'O acesso de Maria Alves Pinto mudou: gerente.',
  ]);
});

test('what only takes from a lot, or buys, is no part of its past, nor of the past of a customer', async () => {
  const { variants } = await newProduct('Canela');
  const lotId = await lotOf(variants[0].id, 'CAN-1');
  const customer = await made('/customers', { name: 'Bia Lima' });
  const sell = () =>
    made('/sales', {
      customerId: customer.id,
      items: [{ variantId: variants[0].id, quantity: 1, unitPrice: 5 }],
      payments: [{ method: 'CASH', amount: 5 }],
    });
  await sell();
  await store.call('POST', `/stock/lots/${lotId}/block`, { reason: 'umidade' });
  await store.call('POST', `/stock/lots/${lotId}/release`, { reason: 'seco' });
  await store.call('PATCH', `/customers/${customer.id}`, { name: 'Bia Lima Reis' });
  await sell();
  const all = (await read(`/audit/entities/lot/${lotId}`)).items;
  expect(all.map(({ type }: any) => type)).toEqual([
    'StockReceived',
    'SaleCompleted',
    'LotBlocked',
    'LotReleased',
    'SaleCompleted',
  ]);
  const statusAt = async (at: string) => (await read(`/audit/entities/lot/${lotId}/state?at=${at}`)).state.status;
  expect(await Promise.all(all.map(({ at }: any) => statusAt(at)))).toEqual([
    'AVAILABLE',
    'AVAILABLE',
    'BLOCKED',
    'AVAILABLE',
    'AVAILABLE',
  ]);
  const changed = await read(`/audit/entities/lot/${lotId}/changes?from=${all[1].at}`);
  expect(changed.map(({ path, from, to }: any) => [path, from, to])).toEqual([
    ['status', 'AVAILABLE', 'BLOCKED'],
    ['status', 'BLOCKED', 'AVAILABLE'],
  ]);
  const people = (await read(`/audit/entities/customer/${customer.id}`)).items;
  expect(people.map(({ type, text }: any) => [type, text.match(/Bia Lima(?: Reis)?/)[0]])).toEqual([
    ['CustomerRegistered', 'Bia Lima'],
    ['SaleCompleted', 'Bia Lima'],
    ['CustomerChanged', 'Bia Lima Reis'],
    ['SaleCompleted', 'Bia Lima Reis'],
  ]);
});

test.each(['order', 'sale', 'product', 'nothing'])('an unknown %s is not found', async (kind) => {
  const path = `/audit/entities/${kind}/019a0000-0000-7000-8000-000000000000`;
  for (const end of ['', '/state?at=2026-01-01', '/changes']) {
    expect((await store.call('GET', path + end)).status).toBe(404);
  }
});

test('who may not see costs sees none, and no other store sees anything', async () => {
  const { variants } = await newProduct('Manteiga');
  const lotId = await lotOf(variants[0].id, 'M-1');
  const auditor = await world.newKey(store.slug, 'audit.view');
  const text = (await auditor.call('GET', `/audit/events?entityKind=lot&entityId=${lotId}`)).text;
  expect(text).toContain('StockReceived');
  expect(text).not.toMatch(/"(value|unitCost|averageCost|cost|hash)"/);
  const other = await world.newStore();
  expect((await other.call('GET', `/audit/entities/lot/${lotId}`)).status).toBe(404);
});

test('nor does who may not see costs read that one changed, but all else that did', async () => {
  const [flour, bread] = [await newProduct('Fubá mimoso'), await newProduct('Broa')];
  const stages = (laborRatePerHour: number) => [{ name: 'Forno', standardMinutes: 20, laborRatePerHour }];
  const items = [{ componentVariantId: flour.variants[0].id, quantity: 10 }];
  const finished = { name: 'Broa', finishedVariantId: bread.variants[0].id };
  const { id } = await made(RECIPES, { ...finished, yieldQty: 15, items, stages: stages(37.53) });
  await granted(store.call('PUT', `${RECIPES}/${id}`, { yieldQty: 16, stages: stages(41.29) }));
  const changesFor = async (reader: typeof store) => {
    const { text, body } = await reader.call('GET', `/audit/events?entityId=${id}&type=RecipeVersionActivated`);
    const told = body.items.at(-1).data.changes.map((change: { readonly path: string }) => change.path);
    return [told, /37\.53|41\.29/.test(text)];
  };
  expect(await changesFor(store)).toEqual([['yieldQty', 'stages[0].laborRatePerHour'], true]);
  expect(await changesFor(await world.newKey(store.slug, 'audit.view'))).toEqual([['yieldQty'], false]);
});

test('a customer is named as long as they were not erased', async () => {
  const customer = await made('/customers', { name: 'Ana Souza', phone: '11987654321' });
  const path = `/audit/entities/customer/${customer.id}`;
  expect((await read(path)).items[0].text).toBe('O cliente Ana Souza foi cadastrado.');
  const at = new Date().toISOString();
  expect((await read(`${path}/state?at=${at}`)).state).toMatchObject({ name: 'Ana Souza', phone: '11987654321' });
  expect((await store.call('POST', `/customers/${customer.id}/erase`)).status).toBeLessThan(300);
  for (const end of ['', `/state?at=${at}`, '/changes'])
    expect(JSON.stringify(await read(path + end))).not.toContain('Ana');
});

test('the past of lots, sales, receipts and locations can be looked at', async () => {
  const { variants } = await newProduct('Creme');
  const lotId = await lotOf(variants[0].id, 'C-1');
  const location = await made('/locations', { name: 'Câmara fria' });
  const sale = await made('/sales', {
    items: [{ variantId: variants[0].id, quantity: 1, unitPrice: 5 }],
    payments: [{ method: 'CASH', amount: 5 }],
  });
  const [received] = (await read(`/audit/events?entityKind=lot&entityId=${lotId}`)).items;
  const at = new Date().toISOString();
  const states = await Promise.all(
    [
      ['lot', lotId, { lotCode: 'C-1', status: 'AVAILABLE' }],
      ['receipt', received.data.receiptId, { supplier: 'Moinho Sul' }],
      ['location', location.id, { name: 'Câmara fria' }],
      ['sale', sale.id, { number: sale.number, total: 5 }],
    ].map(async ([kind, id, some]) => [(await read(`/audit/entities/${kind}/${id}/state?at=${at}`)).state, some]),
  );
  for (const [state, some] of states) expect(state).toMatchObject(some);
});
