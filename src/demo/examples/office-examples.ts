import { example, made } from './example.js';

const ACCOUNT = made('POST /card-fees/accounts');
const RULE = 'POST /fiscal/tax-rules';
const DOCUMENT = 'POST /fiscal/documents';
const HOOK = 'POST /outbound-webhooks';
const delivery = { params: { id: made(HOOK), deliveryId: made('POST /outbound-webhooks/{id}/test') } };
const REASON = 'Cliente desistiu da compra';
const account = { params: { accountId: ACCOUNT } };
const brandOfSale = { kind: 'product', id: '{{product PAO-003}}' };

/** The store, its people and keys, card fees, fiscal documents, webhooks and the audit, in the order in which they work. */
export const OFFICE_EXAMPLES = [
  example('GET /store'),
  example('GET /auth/me'),
  example('GET /auth/permissions/catalog'),
  example('PATCH /store', { body: { tradeName: 'Padaria Demonstração' } }),
  example('POST /users', {
    body: {
      username: 'rita',
      email: 'rita@padaria.example',
      name: 'Rita Souza',
      password: 'uma senha bem comprida',
      role: 'CASHIER',
    },
  }),
  example('GET /users'),
  example('GET /users/{id}', { params: { id: made('POST /users') } }),
  example('PATCH /users/{id}', { params: { id: made('POST /users') }, body: { role: 'BAKER' } }),
  example('DELETE /users/{id}', { params: { id: made('POST /users') } }),
  example('POST /api-keys', { body: { name: 'Loja virtual', permissions: ['products.view', 'stock.view'] } }),
  example('GET /api-keys'),
  example('DELETE /api-keys/{id}', { params: { id: made('POST /api-keys') } }),
  example('GET /card-fees'),
  example('POST /card-fees/accounts', { body: { name: 'Maquininha do balcão', debitFeePercent: 1.39, fixedFee: 0.1 } }),
  example('PATCH /card-fees/accounts/{accountId}', { ...account, body: { debitFeePercent: 1.29 } }),
  example('GET /card-fees/accounts/{accountId}', account),
  example('PUT /card-fees', { body: { settings: { enabled: true } } }),
  example('POST /card-fees/brands', { body: { name: 'Cartão do bairro' } }),
  example('PATCH /card-fees/brands/{brandId}', {
    params: { brandId: made('POST /card-fees/brands', 'brands.-1.id') },
    body: { active: false },
  }),
  example('PUT /card-fees/accounts/{accountId}/brand-rates', {
    ...account,
    body: {
      cardBrandId: made('GET /card-fees', 'brands.0.id'),
      rates: [
        { cardType: 'debit', installments: 1, feePercent: 1.2 },
        { cardType: 'credit', installments: 1, feePercent: 2.9 },
      ],
    },
  }),
  example('POST /card-fees/accounts/{accountId}/activate', account),
  example('POST /card-fees/accounts/{accountId}/use-for-payment-link', account),
  example('GET /card-fees/auto-adjust'),
  example('PUT /card-fees/auto-adjust', {
    body: { enabled: true, tiers: [{ minGross: 10_000, accountId: ACCOUNT }] },
  }),
  example('POST /card-fees/auto-adjust/run'),
  example('GET /card-fees/summary', { query: { month: '{{month 1}}' } }),
  example('POST /card-fees/recalc-month/preview', { body: { month: '{{month 1}}' } }),
  example('POST /card-fees/calc-jobs', { body: { month: '{{month 1}}' } }),
  example('DELETE /card-fees/calc-jobs/{jobId}', { params: { jobId: made('POST /card-fees/calc-jobs') } }),
  example('GET /card-fees/calc-jobs'),
  example('DELETE /card-fees/brands/{brandId}', {
    params: { brandId: made('POST /card-fees/brands', 'brands.-1.id') },
  }),
  example('POST /card-fees/accounts', { body: { name: 'Maquininha reserva', debitFeePercent: 1.5, fixedFee: 0 } }),
  example('DELETE /card-fees/accounts/{accountId}', account),
  example(RULE, {
    body: {
      name: 'Pães de fabricação própria',
      match: { ncmPrefix: '1905', ownProduction: true },
      cfopInState: '5101',
      cfopOutOfState: '6101',
      cfopOutOfStateConsumer: '6107',
      icms: { code: '102' },
      pis: { cst: '49' },
      cofins: { cst: '49' },
    },
  }),
  example('GET /fiscal/tax-rules'),
  example('GET /fiscal/tax-rules/{id}', { params: { id: made(RULE) } }),
  example('PATCH /fiscal/tax-rules/{id}', { params: { id: made(RULE) }, body: { name: 'Panificação própria' } }),
  example('DELETE /fiscal/tax-rules/{id}', { params: { id: made(RULE) } }),
  example('GET /fiscal/status'),
  example(DOCUMENT, { body: { saleId: '{{sale 3}}', model: 65 } }),
  example('GET /fiscal/documents', { query: { model: '65', limit: '5' } }),
  example('GET /fiscal/documents/by-sale/{saleId}', { params: { saleId: '{{sale 3}}' } }),
  example('GET /fiscal/documents/{id}', { params: { id: made(DOCUMENT) } }),
  example('GET /fiscal/documents/{id}/xml', { params: { id: made(DOCUMENT) } }),
  example('GET /fiscal/documents/{id}/pdf', { params: { id: made(DOCUMENT) } }),
  example('POST /fiscal/documents/{id}/cancel', { params: { id: made(DOCUMENT) }, body: { reason: REASON } }),
  example('POST /sales', {
    body: {
      items: [{ variantId: '{{variant ING-017}}', quantity: 1, unitPrice: 29.9 }],
      payments: [{ method: 'PIX', amount: 29.9 }],
      allowNegativeStock: true,
    },
  }),
  example(DOCUMENT, { body: { saleId: made('POST /sales'), model: 65 } }),
  example('POST /fiscal/documents/{id}/transmit', { params: { id: made(DOCUMENT) } }),
  example('POST /fiscal/documents/{id}/void', { params: { id: made(DOCUMENT) }, body: { reason: REASON } }),
  example('GET /fiscal/documents/export', { query: { month: '{{month 1}}' } }),
  example(HOOK, { body: { url: 'https://contabilidade.example/fiscal', description: 'Contabilidade' } }),
  example('GET /outbound-webhooks'),
  example('GET /outbound-webhooks/{id}', { params: { id: made(HOOK) } }),
  example('PATCH /outbound-webhooks/{id}', {
    params: { id: made(HOOK) },
    body: { description: 'Escritório contábil' },
  }),
  example('POST /outbound-webhooks/{id}/rotate-secret', { params: { id: made(HOOK) } }),
  example('GET /outbound-webhooks/{id}/deliveries', { params: { id: made(HOOK) } }),
  example('POST /outbound-webhooks/{id}/test', { params: { id: made(HOOK) } }),
  example('GET /outbound-webhooks/{id}/deliveries/{deliveryId}', delivery),
  example('POST /outbound-webhooks/{id}/deliveries/{deliveryId}/retry', delivery),
  example('DELETE /outbound-webhooks/{id}', { params: { id: made(HOOK) } }),
  example('GET /audit/events', { query: { entityKind: 'product', entityId: '{{product PAO-003}}', limit: '5' } }),
  example('GET /audit/entities/{kind}/{id}', { params: brandOfSale, query: { limit: '5' } }),
  example('GET /audit/entities/{kind}/{id}/state', { params: brandOfSale, query: { at: '2100-01-01' } }),
  example('GET /audit/entities/{kind}/{id}/changes', { params: brandOfSale }),
  example('GET /audit/proofs/{eventId}', { params: { eventId: made('GET /audit/events', 'items.0.id') } }),
  example('GET /audit/checkpoint'),
  example('GET /audit/verification'),
  example('GET /.well-known/store-management-audit-key'),
  example('GET /audit/consistency', { query: { from: '1' } }),
  example('GET /explain/lots/{lotId}', { params: { lotId: '{{inputLot ING-003}}' }, query: { limit: '5' } }),
  example('GET /explain/lots/{lotId}/cost', { params: { lotId: '{{inputLot ING-003}}' } }),
  example('GET /explain/variants/{id}/average-cost', { params: { id: '{{variant ING-003}}' }, query: { limit: '5' } }),
  example('GET /explain/orders/{id}', { params: { id: '{{order FOR-001}}' } }),
  example('GET /explain/sales/{id}', { params: { id: '{{sale 1}}' } }),
  example('GET /explain/planning/{recipeId}', { params: { recipeId: '{{recipe PAO-001}}' }, query: { days: '7' } }),
];
