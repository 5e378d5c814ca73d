import { example, made } from './example.js';

const RECEIPT = 'POST /stock/receipts';
const LOT = made(RECEIPT, 'items.0.lotId');
const SALE = 'POST /sales';
const ORDERS = '/bakery-production/orders';
const RECIPES = '/bakery-production/recipes';
const PLAN = `POST ${ORDERS}/plan`;
const REGISTERED = made(`POST ${ORDERS}`);
const RECIPE = made(`POST ${RECIPES}`);
const planned = { params: { id: made(PLAN) } };
const INPUT_CODE = '{{inputCode ING-003}}';

/** Stock, sales, recipes, production and recalls, in the order in which they work. */
export const GOODS_EXAMPLES = [
  example('GET /locations'),
  example('GET /bakery-production/status'),
  example('POST /locations', { body: { name: 'Depósito' } }),
  example('GET /locations/{id}', { params: { id: '{{location 1}}' } }),
  example('PATCH /locations/{id}', { params: { id: made('POST /locations') }, body: { name: 'Depósito dos fundos' } }),
  example('POST /locations', { body: { name: 'Quiosque' } }),
  example('DELETE /locations/{id}', { params: { id: made('POST /locations') } }),
  example('POST /locations', { body: { name: 'Câmara fria' } }),
  example(RECEIPT, {
    body: {
      supplier: 'Distribuidora Paulista',
      document: 'NF 4711',
      items: [
        {
          variantId: '{{variant ING-003}}',
          quantity: 10,
          unitCost: 13.5,
          lotCode: 'FER-2611',
          expiresAt: '2030-06-30',
        },
        { variantId: '{{variant PAO-003}}', quantity: 200, unitCost: 0.9, lotCode: 'LEITE-1', expiresAt: '2030-06-30' },
      ],
    },
  }),
  example('GET /stock/receipts', { query: { supplier: 'Moinho Dourado', limit: '5' } }),
  example('GET /stock/receipts/{id}', { params: { id: '{{receipt Moinho Dourado}}' } }),
  example('POST /stock/adjustments', {
    body: { reason: 'Quebra', items: [{ variantId: '{{variant ING-003}}', lotId: LOT, quantity: -0.5 }] },
  }),
  example('GET /stock/adjustments', { query: { limit: '5' } }),
  example('GET /stock/adjustments/{id}', { params: { id: made('POST /stock/adjustments') } }),
  example('POST /stock/transfers', {
    body: {
      fromLocationId: '{{location 1}}',
      toLocationId: made('POST /locations'),
      items: [{ variantId: '{{variant ING-003}}', quantity: 2, lotCode: 'FER-2611' }],
    },
  }),
  example('GET /stock/transfers', { query: { limit: '5' } }),
  example('GET /stock/transfers/{id}', { params: { id: made('POST /stock/transfers') } }),
  example('GET /stock/lots', { query: { q: 'fermento', limit: '5' } }),
  example('GET /stock/expiring', { query: { days: '7', limit: '5' } }),
  example('GET /stock/lots/{lotId}', { params: { lotId: '{{inputLot ING-003}}' } }),
  example('POST /stock/lots/block', { body: { lotCode: 'FER-2611', reason: 'Aviso do fornecedor' } }),
  example('POST /stock/lots/release', { body: { lotCode: 'FER-2611', reason: 'Laudo sem problemas' } }),
  example('POST /stock/lots/{lotId}/block', { params: { lotId: LOT }, body: { reason: 'Embalagem aberta' } }),
  example('POST /stock/lots/{lotId}/release', { params: { lotId: LOT }, body: { reason: 'Conferido' } }),
  example('GET /stock/balances', { query: { variantId: '{{variant PAO-003}}' } }),
  example('GET /stock/movements', { query: { variantId: '{{variant ING-003}}', limit: '5' } }),
  example('GET /stock/valuation', { query: { limit: '5' } }),
  example(SALE, {
    body: {
      customerId: '{{customer Ana Beatriz Ferreira}}',
      items: [{ variantId: '{{variant PAO-003}}', quantity: 4, unitPrice: 2.5 }],
      payments: [{ method: 'CASH', amount: 10, tendered: 20 }],
    },
  }),
  example('GET /sales', { query: { limit: '5' } }),
  example('GET /sales/summary', { query: { by: 'product' } }),
  example('GET /sales/{id}', { params: { id: '{{sale 1}}' } }),
  example('POST /sales/{id}/returns', {
    params: { id: made(SALE) },
    body: { items: [{ variantId: '{{variant PAO-003}}', quantity: 1 }], reason: 'Veio amassado' },
  }),
  example('POST /sales/{id}/cancel', { params: { id: made(SALE) }, body: { reason: 'Lançada em duplicidade' } }),
  example(`POST ${RECIPES}`, {
    body: {
      name: 'Rosca de Coco',
      finishedVariantId: '{{variant PAO-012}}',
      yieldQty: 10,
      expectedLossPercent: 2,
      items: [
        { componentVariantId: '{{variant ING-005}}', quantity: 1.5 },
        { componentVariantId: '{{variant ING-003}}', quantity: 0.2 },
      ],
      stages: [
        { name: 'Amassar', standardMinutes: 20, laborRatePerHour: 28.5, required: false },
        { name: 'Assar', required: false },
      ],
    },
  }),
  example(`GET ${RECIPES}`),
  example(`GET ${RECIPES}/{id}`, { params: { id: '{{recipe PAO-001}}' } }),
  example(`PATCH ${RECIPES}/{id}`, { params: { id: RECIPE }, body: { notes: 'Forno a 180 °C' } }),
  example(`PUT ${RECIPES}/{id}`, {
    params: { id: RECIPE },
    body: { expectedLossPercent: 3, changeReason: 'Perda medida na semana', saveAsDraft: true },
  }),
  example(`GET ${RECIPES}/{id}/versions`, { params: { id: '{{recipe PAO-001}}' } }),
  example(`POST ${RECIPES}/{id}/versions/{version}/activate`, {
    params: { id: RECIPE, version: 'draft-1' },
    body: { changeReason: 'Aprovada pelo mestre padeiro' },
  }),
  example(`GET ${RECIPES}/{id}/preview`, { params: { id: '{{recipe PAO-001}}' }, query: { batches: '2' } }),
  example(`POST ${RECIPES}/{id}/standard-cost`, { params: { id: RECIPE } }),
  example(`GET ${RECIPES}/{id}/tributary-suggestion`, { params: { id: '{{recipe PAO-001}}' } }),
  example('PATCH /products/{id}', { params: { id: '{{product PAO-012}}' }, body: { unitVolumeLiters: 1.2 } }),
  example(`POST ${RECIPES}/{id}/apply-tributary-factor`, { params: { id: RECIPE }, body: { basis: 'L' } }),
  example(`DELETE ${RECIPES}/{id}/versions/{version}`, { params: { id: '{{recipe PAO-001}}', version: 'draft-1' } }),
  example(`POST ${ORDERS}`, {
    body: { recipeId: RECIPE, batches: 1, outputLotCode: 'ROSCA-1', allowNegativeStock: true },
  }),
  example(PLAN, { body: { recipeId: '{{recipe PAO-003}}', batches: 1, expectedAt: '2030-01-15' } }),
  example(`GET ${ORDERS}`, { query: { status: 'COMPLETED', limit: '5' } }),
  example(`GET ${ORDERS}/{id}`, { params: { id: '{{order FOR-001}}' } }),
  example(`POST ${ORDERS}/{id}/refresh-recipe`, planned),
  example(`POST ${ORDERS}/{id}/start`, planned),
  example(`POST ${ORDERS}/{id}/stages/{stageId}`, {
    params: { id: made(PLAN), stageId: made(`POST ${ORDERS}/{id}/refresh-recipe`, 'stages.0.stageId') },
    body: { done: true, notes: 'Massa a 26 °C' },
  }),
  example(`POST ${ORDERS}/{id}/cancel`, planned),
  example(PLAN, { body: { recipeId: RECIPE, batches: 1, expectedAt: '2030-01-15' } }),
  example(`POST ${ORDERS}/{id}/complete`, { ...planned, body: { actualOutputQty: 9.5, allowNegativeStock: true } }),
  example(`GET ${ORDERS}/{id}/reversal-preview`, { params: { id: '{{order FOR-001}}' } }),
  example(`POST ${ORDERS}/{id}/reverse`, { params: { id: REGISTERED }, body: { reason: 'Lançada em duplicidade' } }),
  example('GET /bakery-production/traceability', {
    query: { lotCode: INPUT_CODE, direction: 'forward', pageSize: '5' },
  }),
  example('GET /bakery-production/recall', { query: { lotCode: INPUT_CODE, pageSize: '5' } }),
  example('GET /bakery-production/recall/lots', { query: { lotCode: INPUT_CODE, limit: '5' } }),
  example('GET /bakery-production/recall/remaining', { query: { lotCode: INPUT_CODE, limit: '5' } }),
  example('POST /recall-drills', { body: { lotCode: INPUT_CODE } }),
  example('GET /recall-drills'),
  example('GET /recall-drills/{id}', { params: { id: made('POST /recall-drills') } }),
  example('POST /recall-drills/{id}/steps/{name}', { params: { id: made('POST /recall-drills'), name: 'LOTS_FOUND' } }),
  example('POST /recall-drills/{id}/finish', {
    params: { id: made('POST /recall-drills') },
    body: { notes: 'Todos os clientes foram avisados' },
  }),
  example('GET /bakery-production/planning/suggestions', { query: { days: '7' } }),
];
