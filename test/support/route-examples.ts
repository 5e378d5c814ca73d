import type { ProductAnswer } from '../../src/features/products/answers.js';
import type { Permission } from '../../src/kernel/values/permissions.js';
import { FISCAL_EXAMPLES } from './fiscal/route-examples.js';
import type { StoreClient } from './world.js';

/** A request that a route grants, on records that were made for it. */
export interface Example {
  /** Examples of the path's parameters. Left out where the path ends in `/{id}` and an example of `POST` on the path before it makes such records. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Beside the permission that the route names. */
  readonly needs?: readonly Permission[];
}

/** `unique` is another word each time; `store` may do everything. */
export type MakeExample = (unique: string, store: StoreClient) => Example | Promise<Example>;

async function expectMade(store: StoreClient, path: string, body: unknown): Promise<unknown> {
  const answer = await store.call('POST', path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} was answered ${String(answer.status)}: ${answer.text}`);
  return answer.body as unknown;
}

/** A record that a POST makes by its own example. */
async function made(store: StoreClient, path: string, unique: string): Promise<string> {
  const example = await EXAMPLES[`POST ${path}`]?.(unique, store);
  return ((await expectMade(store, path, example?.body)) as { id: string }).id;
}

/** A product that is no kit and names nothing. */
export async function plainProduct(store: StoreClient, description: string) {
  const body = { description, priceCash: 10, priceCredit: 11 };
  const { id, gtin, variants } = (await expectMade(store, '/products', body)) as ProductAnswer;
  return { id, gtin: gtin ?? '', variantId: variants[0]?.id ?? '' };
}

const RECIPES = '/bakery-production/recipes';

async function recipeBody(store: StoreClient, unique: string) {
  const variantOf = async (name: string) => (await plainProduct(store, `${unique} ${name}`)).variantId;
  return {
    finishedVariantId: await variantOf('pão'),
    items: [{ componentVariantId: await variantOf('farinha'), quantity: 10 }],
    byproducts: [{ variantId: await variantOf('aparas'), quantityPerBatch: 1, costSharePercent: 1 }],
    stages: ['Forno'],
  };
}

/** A recipe with a draft. */
async function draftOf(store: StoreClient, unique: string) {
  const id = await made(store, RECIPES, unique);
  const { status, text } = await store.call('PUT', `${RECIPES}/${id}`, { yieldQty: 2, saveAsDraft: true });
  if (status !== 200) throw new Error(`the draft was answered ${String(status)}: ${text}`);
  return { params: { id, version: 'draft-1' } };
}

/** A recipe whose product's volume is known. */
async function measuredRecipe(store: StoreClient, unique: string) {
  const body = { description: unique, priceCash: 10, priceCredit: 11, unitVolumeLiters: 2 };
  const { variants } = (await expectMade(store, '/products', body)) as ProductAnswer;
  const recipe = { ...(await recipeBody(store, unique)), name: unique, finishedVariantId: variants[0]?.id };
  return { params: { id: ((await expectMade(store, RECIPES, recipe)) as { id: string }).id } };
}

/** A product that is in a category, of a brand or under a tag, and what it is in. */
async function member(store: StoreClient, path: string, unique: string, field: 'categoryId' | 'brandId' | 'tagIds') {
  const id = await made(store, path, unique);
  const body = { description: unique, priceCash: 10, priceCredit: 11, [field]: field === 'tagIds' ? [id] : id };
  const { id: productId } = (await expectMade(store, '/products', body)) as ProductAnswer;
  return { id, productId };
}

const WEBHOOKS = '/outbound-webhooks';

/** A store may have five destinations: the oldest makes room. */
async function newWebhook(unique: string, store: StoreClient) {
  const known = (await store.call('GET', WEBHOOKS)).body as { readonly items: readonly { readonly id: string }[] };
  const [oldest] = known.items;
  if (oldest && known.items.length >= 4) await store.call('DELETE', `${WEBHOOKS}/${oldest.id}`);
  return { body: { url: `https://webhooks.invalid.example.com/${unique}` } };
}

const webhook = async (store: StoreClient, unique: string) => ({
  params: { id: await made(store, WEBHOOKS, unique) },
});

/** A test of a destination that nobody answers. */
async function failedDelivery(store: StoreClient, unique: string) {
  const { params } = await webhook(store, unique);
  const { body } = await store.call('POST', `${WEBHOOKS}/${params.id}/test`);
  return { params: { ...params, deliveryId: (body as { readonly id: string }).id } };
}

const ORDERS = '/bakery-production/orders';

/** What plans and registrations of orders share. */
const orderBody = async (store: StoreClient, unique: string) => ({
  recipeId: await made(store, RECIPES, unique),
  batches: 1,
  locationId: await made(store, '/locations', unique),
  outputLocationId: await made(store, '/locations', `${unique} saída`),
});

/** What was really used of the inputs of a recipe. */
async function actualInputs(store: StoreClient, recipeId: string) {
  const { body } = await store.call('GET', `${RECIPES}/${recipeId}`);
  const { items } = body as { readonly items: readonly { readonly componentVariantId: string }[] };
  return items.map(({ componentVariantId }) => ({ componentVariantId, quantity: 1 }));
}

/** A brand, and the event of its creation. */
const brandEvent = async (unique: string, store: StoreClient) => {
  const id = await made(store, '/brands', unique);
  const { body } = await store.call('GET', `/audit/events?entityKind=brand&entityId=${id}`);
  const [event] = (body as { readonly items: readonly { readonly id: string }[] }).items;
  return { id, eventId: event?.id ?? '' };
};

const pastBrand: MakeExample = async (unique, store) => ({
  params: { kind: 'brand', id: (await brandEvent(unique, store)).id },
  query: {},
});

/** A planned order. */
const plannedOrder: MakeExample = async (unique, store) => {
  const body = { ...(await orderBody(store, unique)), expectedAt: '2026-11-30' };
  return { params: { id: ((await expectMade(store, `${ORDERS}/plan`, body)) as { id: string }).id } };
};

const completedOrder: MakeExample = async (unique, store) => ({ params: { id: await made(store, ORDERS, unique) } });

const ITEM = { quantity: 1, unitPrice: 10 };

/** A sale of something that is not there. */
const soldTo = async (unique: string, store: StoreClient) => ({
  customerId: await made(store, '/customers', unique),
  locationId: await made(store, '/locations', unique),
  items: [{ ...ITEM, variantId: (await plainProduct(store, unique)).variantId }],
  payments: [{ method: 'CASH', amount: 10 }],
  allowNegativeStock: true,
});

async function soldSale(store: StoreClient, unique: string) {
  const body = await soldTo(unique, store);
  return { id: ((await expectMade(store, '/sales', body)) as { id: string }).id, variantId: body.items[0]?.variantId };
}

/** A lot that an order made. */
const madeLot: MakeExample = async (unique, store) => {
  const body = { ...(await orderBody(store, unique)), allowNegativeStock: true, outputLotCode: unique };
  const { finishedVariantId } = (await expectMade(store, ORDERS, body)) as { readonly finishedVariantId: string };
  return { query: { lotCode: unique, variantId: finishedVariantId } };
};
/** A product of which there are ten in one lot. */
async function stockedProduct(store: StoreClient, unique: string, locationId?: string) {
  const { variantId } = await plainProduct(store, unique);
  const items = [{ variantId, quantity: 10, unitCost: 2, lotCode: unique }];
  const receipt = await expectMade(store, '/stock/receipts', { locationId, items });
  return { variantId, lotId: (receipt as { items: readonly { lotId: string }[] }).items[0]?.lotId ?? '' };
}

const stockedLot: MakeExample = async (unique, store) => ({
  params: { lotId: (await stockedProduct(store, unique)).lotId },
});

const lotMark: MakeExample = async (unique, store) => ({
  params: { lotId: (await stockedProduct(store, unique)).lotId },
  body: { reason: 'laudo' },
});

/** Filters that name a lot and where it lies. */
const stockQuery: MakeExample = async (unique, store) => ({
  query: { ...(await stockedProduct(store, unique)), locationId: await made(store, '/locations', unique) },
});

/** The same without a lot. */
const placeQuery: MakeExample = async (unique, store) => {
  const { query: { lotId: _, ...query } = {} } = await stockQuery(unique, store);
  return { query };
};

const cardAccount = (unique: string) => ({ name: unique, debitFeePercent: 1.39, fixedFee: 0.1 });

/** A card machine. The first one of a store is the active one. */
const machine: MakeExample = async (unique, store) => {
  await store.call('POST', '/card-fees/accounts', cardAccount(`${unique} ativa`));
  return { params: { accountId: await made(store, '/card-fees/accounts', unique) } };
};

let oldMonths = 0;
/** Another each time: a month has one unfinished recalculation. */
const nextOldMonth = (): string => `${String(1900 + oldMonths++)}-01`;

/** The id of a new card brand. */
async function cardBrand(store: StoreClient, unique: string): Promise<string> {
  const { brands } = (await expectMade(store, '/card-fees/brands', { name: unique })) as {
    readonly brands: readonly { readonly id: string; readonly name: string }[];
  };
  return brands.find(({ name }) => name === unique)?.id ?? '';
}

const lotsMark: MakeExample = async (unique, store) => ({
  body: { lotIds: [(await stockedProduct(store, unique)).lotId], reason: 'laudo' },
});

/** Filters that name what a record is about. */
const stockRecords: MakeExample = async (unique, store) => ({ query: await stockedProduct(store, unique) });

const named: MakeExample = (unique) => ({ body: { name: unique } });

/** A drill of the recall of a lot that was received. */
const recallDrill: MakeExample = async (unique, store) => {
  await stockedProduct(store, unique);
  return { params: { id: ((await expectMade(store, '/recall-drills', { lotCode: unique })) as { id: string }).id } };
};

/** By method and path: every route with a permission that takes a body, or path parameters that are not those of a POST. */
export const EXAMPLES: Readonly<Record<string, MakeExample>> = {
  'GET /audit/entities/{kind}/{id}': pastBrand,
  'GET /audit/entities/{kind}/{id}/changes': pastBrand,
  'GET /audit/entities/{kind}/{id}/state': async (unique, store) => ({
    ...(await pastBrand(unique, store)),
    query: { at: '2100-01-01' },
  }),
  'GET /audit/proofs/{eventId}': async (unique, store) => ({
    params: { eventId: (await brandEvent(unique, store)).eventId },
  }),
  'GET /audit/consistency': () => ({ query: { from: '1' } }),
  ...FISCAL_EXAMPLES,
  'POST /recall-drills': async (unique, store) => {
    await stockedProduct(store, unique);
    return { body: { lotCode: unique } };
  },
  'GET /recall-drills/{id}': recallDrill,
  'POST /recall-drills/{id}/steps/{name}': async (unique, store) => ({
    params: { ...(await recallDrill(unique, store)).params, name: 'LOTS_FOUND' },
  }),
  'POST /recall-drills/{id}/finish': async (unique, store) => ({
    ...(await recallDrill(unique, store)),
    body: { notes: unique },
  }),
  'POST /categories': named,
  'PATCH /categories/{id}': named,
  'POST /categories/bulk-delete': async (unique, store) => ({
    body: { ids: [await made(store, '/categories', unique)] },
  }),
  'POST /categories/seed/suggest': () => ({ body: { useAi: false } }),
  'POST /categories/seed/apply': (unique) => ({ body: { items: [{ name: unique }] } }),
  'POST /brands': named,
  'PATCH /brands/{id}': named,
  'POST /product-tags': named,
  'PATCH /product-tags/{id}': named,
  'POST /product-tags/bulk-delete': async (unique, store) => ({
    body: { ids: [await made(store, '/product-tags', unique)] },
  }),
  [`GET ${ORDERS}`]: async (unique, store) => ({ query: { recipeId: await made(store, RECIPES, unique) } }),
  [`POST ${ORDERS}`]: async (unique, store) => {
    const body = await orderBody(store, unique);
    return {
      body: { ...body, allowNegativeStock: true, actualInputs: await actualInputs(store, body.recipeId) },
    };
  },
  [`POST ${ORDERS}/plan`]: async (unique, store) => ({
    body: { ...(await orderBody(store, unique)), expectedAt: '2026-11-30' },
  }),
  [`POST ${ORDERS}/{id}/start`]: plannedOrder,
  [`POST ${ORDERS}/{id}/cancel`]: plannedOrder,
  [`POST ${ORDERS}/{id}/refresh-recipe`]: plannedOrder,
  [`POST ${ORDERS}/{id}/complete`]: async (unique, store) => {
    const { params = {} } = await plannedOrder(unique, store);
    const { body } = await store.call('GET', `${ORDERS}/${params['id'] ?? ''}`);
    const { recipeId } = body as { readonly recipeId: string };
    return { params, body: { allowNegativeStock: true, actualInputs: await actualInputs(store, recipeId) } };
  },
  [`POST ${ORDERS}/{id}/stages/{stageId}`]: async (unique, store) => {
    const { params = {} } = await plannedOrder(unique, store);
    const { body } = await store.call('GET', `${ORDERS}/${params['id'] ?? ''}`);
    const { id, stages } = body as { readonly id: string; readonly stages: readonly { readonly stageId: string }[] };
    return { params: { id, stageId: stages[0]?.stageId ?? '' }, body: { done: true } };
  },
  [`GET ${ORDERS}/{id}/reversal-preview`]: completedOrder,
  [`POST ${ORDERS}/{id}/reverse`]: async (unique, store) => ({
    ...(await completedOrder(unique, store)),
    body: { reason: 'engano' },
  }),
  'GET /bakery-production/traceability': madeLot,
  'GET /bakery-production/recall': madeLot,
  'GET /bakery-production/recall/lots': madeLot,
  'GET /bakery-production/recall/remaining': madeLot,
  'POST /stock/receipts': async (unique, store) => {
    const { variantId } = await plainProduct(store, unique);
    const items = [{ variantId, quantity: 1, unitCost: 1, lotCode: unique, expiresAt: '2030-01-31' }];
    return { body: { locationId: await made(store, '/locations', unique), items } };
  },
  'POST /stock/adjustments': async (unique, store) => {
    const item = { ...(await stockedProduct(store, unique)), quantity: 1 };
    const countId = '01a1fe3e-9906-738c-84d5-8a2d82a0e196';
    return { body: { reason: unique, countId, locationId: await made(store, '/locations', unique), items: [item] } };
  },
  'POST /stock/transfers': async (unique, store) => {
    const fromLocationId = await made(store, '/locations', unique);
    const { variantId } = await stockedProduct(store, unique, fromLocationId);
    const toLocationId = await made(store, '/locations', `${unique} destino`);
    return { body: { fromLocationId, toLocationId, items: [{ variantId, quantity: 1, lotCode: unique }] } };
  },
  'GET /stock/receipts': stockRecords,
  'GET /stock/receipts/{id}': async (unique, store) => {
    const { variantId } = await plainProduct(store, unique);
    const items = [{ variantId, quantity: 1, unitCost: 1 }];
    const { body } = await store.call('POST', '/stock/receipts', { items });
    return { params: { id: (body as { readonly id: string }).id } };
  },
  'GET /stock/adjustments': async (unique, store) => ({
    query: { ...(await stockedProduct(store, unique)), countId: '01a1fe3e-9906-738c-84d5-8a2d82a0e196' },
  }),
  'GET /stock/adjustments/{id}': async (unique, store) => {
    const { variantId } = await plainProduct(store, unique);
    const { body } = await store.call('POST', '/stock/adjustments', {
      reason: unique,
      items: [{ variantId, quantity: 1 }],
    });
    return { params: { id: (body as { readonly id: string }).id } };
  },
  'GET /stock/transfers': stockRecords,
  'GET /stock/transfers/{id}': async (unique, store) => {
    const fromLocationId = await made(store, '/locations', unique);
    const { variantId } = await stockedProduct(store, unique, fromLocationId);
    const toLocationId = await made(store, '/locations', `${unique} destino`);
    const transfer = { fromLocationId, toLocationId, items: [{ variantId, quantity: 1 }] };
    const { body } = await store.call('POST', '/stock/transfers', transfer);
    return { params: { id: (body as { readonly id: string }).id } };
  },
  'GET /explain/lots/{lotId}': stockedLot,
  'GET /explain/lots/{lotId}/cost': stockedLot,
  'GET /explain/variants/{id}/average-cost': async (unique, store) => ({
    params: { id: (await stockedProduct(store, unique)).variantId },
  }),
  'GET /explain/orders/{id}': completedOrder,
  'GET /explain/sales/{id}': async (unique, store) => ({ params: { id: (await soldSale(store, unique)).id } }),
  'GET /explain/planning/{recipeId}': async (unique, store) => ({
    params: { recipeId: await made(store, RECIPES, unique) },
  }),
  'POST /stock/lots/block': lotsMark,
  'POST /stock/lots/release': lotsMark,
  'GET /stock/lots/{lotId}': async (unique, store) => ({
    params: { lotId: (await stockedProduct(store, unique)).lotId },
  }),
  'POST /stock/lots/{lotId}/block': lotMark,
  'POST /stock/lots/{lotId}/release': lotMark,
  'GET /stock/lots': stockQuery,
  'GET /stock/movements': stockQuery,
  'GET /stock/valuation': async (unique, store) => {
    const { query } = await placeQuery(unique, store);
    return { query: { ...query, at: '2026-01-01' } };
  },
  'GET /stock/balances': placeQuery,
  'POST /locations': named,
  'PATCH /locations/{id}': named,
  'GET /products': async (unique, store) => ({
    query: {
      categoryId: await made(store, '/categories', unique),
      brandId: await made(store, '/brands', unique),
      tagId: await made(store, '/product-tags', unique),
    },
  }),
  'POST /products': async (unique, store) => ({
    body: {
      description: unique,
      priceCash: 10,
      priceCredit: 11,
      categoryId: await made(store, '/categories', unique),
      brandId: await made(store, '/brands', unique),
      tagIds: [await made(store, '/product-tags', unique)],
      taxRuleId: await made(store, '/fiscal/tax-rules', unique),
      components: [{ componentVariantId: (await plainProduct(store, unique)).variantId, quantity: 2 }],
    },
  }),
  'PATCH /products/{id}': async (unique, store) => {
    const { id, variantId } = await plainProduct(store, unique);
    const part = await plainProduct(store, unique);
    const { body } = (await EXAMPLES['POST /products']?.(unique, store)) as { readonly body: object };
    const components = [{ componentVariantId: part.variantId, quantity: 1, parentVariantId: variantId }];
    return { params: { id }, body: { ...body, components } };
  },
  'PUT /products/{id}/tags': async (unique, store) => ({
    params: { id: (await plainProduct(store, unique)).id },
    body: { tagIds: [await made(store, '/product-tags', unique)] },
  }),
  'POST /products/{id}/variants': async (unique, store) => ({
    params: { id: (await plainProduct(store, unique)).id },
    body: { label: unique },
  }),
  'PATCH /products/{id}/variants/{variantId}': async (unique, store) => {
    const { id, variantId } = await plainProduct(store, unique);
    return { params: { id, variantId }, body: { label: unique } };
  },
  'DELETE /products/{id}/variants/{variantId}': async (unique, store) => {
    const { id, variantId } = await plainProduct(store, unique);
    await expectMade(store, `/products/${id}/variants`, { label: unique });
    return { params: { id, variantId } };
  },
  'GET /products/variant-labels': async (unique, store) => ({
    query: { ids: (await plainProduct(store, unique)).variantId },
  }),
  'GET /products/by-gtin/{gtin}': async (unique, store) => ({
    params: { gtin: (await plainProduct(store, unique)).gtin },
  }),
  [`POST ${RECIPES}`]: async (unique, store) => ({ body: { name: unique, ...(await recipeBody(store, unique)) } }),
  [`PUT ${RECIPES}/{id}`]: async (unique, store) => ({ body: await recipeBody(store, unique) }),
  [`PATCH ${RECIPES}/{id}`]: async (unique, store) => ({ body: await recipeBody(store, unique) }),
  [`GET ${RECIPES}/{id}/versions`]: (unique, store) => draftOf(store, unique),
  [`POST ${RECIPES}/{id}/versions/{version}/activate`]: async (unique, store) => ({
    ...(await draftOf(store, unique)),
    body: {},
  }),
  [`DELETE ${RECIPES}/{id}/versions/{version}`]: (unique, store) => draftOf(store, unique),
  [`GET ${RECIPES}/{id}/preview`]: async (unique, store) => ({
    params: { id: await made(store, RECIPES, unique) },
    query: { batches: '2', locationId: await made(store, '/locations', unique) },
  }),
  [`POST ${RECIPES}/{id}/standard-cost`]: async (unique, store) => ({
    params: { id: await made(store, RECIPES, unique) },
  }),
  [`GET ${RECIPES}/{id}/tributary-suggestion`]: (unique, store) => measuredRecipe(store, unique),
  [`POST ${RECIPES}/{id}/apply-tributary-factor`]: async (unique, store) => ({
    ...(await measuredRecipe(store, unique)),
    body: { basis: 'L' },
  }),
  [`POST ${WEBHOOKS}`]: newWebhook,
  [`PATCH ${WEBHOOKS}/{id}`]: (unique) => ({ body: { description: unique } }),
  [`POST ${WEBHOOKS}/{id}/rotate-secret`]: (unique, store) => webhook(store, unique),
  [`POST ${WEBHOOKS}/{id}/test`]: (unique, store) => webhook(store, unique),
  [`GET ${WEBHOOKS}/{id}/deliveries`]: (unique, store) => webhook(store, unique),
  [`GET ${WEBHOOKS}/{id}/deliveries/{deliveryId}`]: (unique, store) => failedDelivery(store, unique),
  [`POST ${WEBHOOKS}/{id}/deliveries/{deliveryId}/retry`]: (unique, store) => failedDelivery(store, unique),
  'POST /customers': named,
  'PATCH /customers/{id}': named,
  'POST /customers/{id}/erase': async (unique, store) => ({ params: { id: await made(store, '/customers', unique) } }),
  'GET /products/description-match': async (unique, store) => ({
    query: { description: unique, excludeId: (await plainProduct(store, unique)).id },
  }),
  'GET /categories/{id}/products': async (unique, store) => ({
    params: { id: await made(store, '/categories', unique) },
  }),
  'GET /brands/{id}/products': async (unique, store) => ({ params: { id: await made(store, '/brands', unique) } }),
  'GET /product-tags/{id}/products': async (unique, store) => ({
    params: { id: await made(store, '/product-tags', unique) },
  }),
  'DELETE /categories/{id}/products/{productId}': async (unique, store) => ({
    params: await member(store, '/categories', unique, 'categoryId'),
  }),
  'DELETE /brands/{id}/products/{productId}': async (unique, store) => ({
    params: await member(store, '/brands', unique, 'brandId'),
  }),
  'DELETE /product-tags/{id}/products/{productId}': async (unique, store) => ({
    params: await member(store, '/product-tags', unique, 'tagIds'),
  }),
  'POST /categories/{id}/apply-ncm': async (unique, store) => {
    const { id } = (await expectMade(store, '/categories', { name: unique, defaultNcm: '19059090' })) as ProductAnswer;
    return { params: { id } };
  },
  'GET /sales': async (unique, store) => ({ query: { customerId: await made(store, '/customers', unique) } }),
  'POST /sales': async (unique, store) => ({ body: await soldTo(unique, store) }),
  'POST /sales/{id}/cancel': async (unique, store) => ({
    params: { id: (await soldSale(store, unique)).id },
    body: { reason: unique },
  }),
  'POST /sales/{id}/returns': async (unique, store) => {
    const { id, variantId } = await soldSale(store, unique);
    return { params: { id }, body: { items: [{ variantId, quantity: 1 }] } };
  },
  'PUT /card-fees': async (unique, store) => {
    const id = await made(store, '/card-fees/accounts', unique);
    return { body: { settings: { enabled: true }, accounts: [{ id, debitFeePercent: 1 }] } };
  },
  'POST /card-fees/accounts': async (unique, store) => {
    const rates = [{ cardType: 'credit', installments: 1, feePercent: 3 }];
    const brandRates = [{ cardBrandId: await cardBrand(store, `${unique} da conta`), rates }];
    return { body: { ...cardAccount(unique), brandRates } };
  },
  'GET /card-fees/accounts/{accountId}': machine,
  'PATCH /card-fees/accounts/{accountId}': async (unique, store) => ({
    ...(await machine(unique, store)),
    body: { debitFeePercent: 2 },
  }),
  'POST /card-fees/accounts/{accountId}/activate': machine,
  'POST /card-fees/accounts/{accountId}/use-for-payment-link': machine,
  'DELETE /card-fees/accounts/{accountId}': machine,
  'PUT /card-fees/accounts/{accountId}/brand-rates': async (unique, store) => {
    const rates = [{ cardType: 'credit', installments: 1, feePercent: 3 }];
    return { ...(await machine(unique, store)), body: { cardBrandId: await cardBrand(store, unique), rates } };
  },
  'POST /card-fees/brands': (unique) => ({ body: { name: unique } }),
  'PATCH /card-fees/brands/{brandId}': async (unique, store) => ({
    params: { brandId: await cardBrand(store, unique) },
    body: { active: false },
  }),
  'DELETE /card-fees/brands/{brandId}': async (unique, store) => ({
    params: { brandId: await cardBrand(store, unique) },
  }),
  'PUT /card-fees/auto-adjust': async (unique, store) => {
    const accountId = await made(store, '/card-fees/accounts', unique);
    return { body: { enabled: true, tiers: [{ minGross: 1000, accountId }] } };
  },
  'POST /card-fees/auto-adjust/run': async (unique, store) => {
    const { body } = (await EXAMPLES['PUT /card-fees/auto-adjust']?.(unique, store)) as { readonly body: unknown };
    await store.call('PUT', '/card-fees/auto-adjust', body);
    return {};
  },
  'POST /card-fees/calc-jobs': () => ({ body: { month: nextOldMonth() } }),
  'DELETE /card-fees/calc-jobs/{jobId}': async (unique, store) => ({
    params: { jobId: await made(store, '/card-fees/calc-jobs', unique) },
  }),
  'POST /card-fees/recalc-month/preview': () => ({ body: { month: '2026-10' } }),
  'GET /card-fees/summary': () => ({ query: { month: '2026-10' } }),
  'PATCH /store': (unique) => ({ body: { tradeName: unique } }),
  'POST /users': (unique) => ({
    body: {
      username: unique,
      email: `${unique}@casa.example`,
      name: 'Ana',
      password: 'uma senha bem boa',
      role: 'CASHIER',
      permissions: [],
    },
  }),
  'PATCH /users/{id}': () => ({ body: { role: 'BAKER', permissions: [] } }),
  'POST /api-keys': (unique) => ({ body: { name: unique } }),
};

/** The example of a route; throws a sentence that says what is missing. */
export async function exampleOf(
  route: { readonly method: string; readonly path: string; readonly takesBody: boolean },
  unique: string,
  store: StoreClient,
): Promise<Example> {
  const method = route.method.toUpperCase();
  const make = EXAMPLES[`${method} ${route.path}`];
  const example: Example = make ? await make(unique, store) : {};
  const missing = (what: string) =>
    new Error(`add to test/support/route-examples.ts what ${method} ${route.path} takes: ${what}`);
  if (route.takesBody && example.body === undefined) throw missing('an example with a valid body');
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  if (names.every((name) => example.params?.[name] !== undefined)) return example;
  const collection = /^(.*)\/\{id\}$/.exec(route.path)?.[1];
  if (names.length > 1 || collection === undefined || !EXAMPLES[`POST ${collection}`]) {
    throw missing(`an example with params for ${names.join(', ')}`);
  }
  return { ...example, params: { id: await made(store, collection, `${unique}r`) } };
}
