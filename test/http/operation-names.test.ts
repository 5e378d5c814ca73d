import { expect, test } from '@jest/globals';
import { operationIdOf } from '../../src/http/openapi/operation-names.js';

test.each([
  ['get', '/categories', 'listCategories'],
  ['get', '/store', 'getStore'],
  ['post', '/categories', 'createCategory'],
  ['get', '/categories/{id}', 'getCategory'],
  ['patch', '/product-tags/{id}', 'updateProductTag'],
  ['delete', '/products/{id}/variants/{variantId}', 'deleteProductVariant'],
  ['put', '/products/{id}/tags', 'replaceProductTags'],
  ['get', '/products/by-gtin/{gtin}', 'getProductByGtin'],
  ['get', '/categories/{id}/products', 'listCategoryProducts'],
  ['post', '/categories/bulk-delete', 'bulkDeleteCategories'],
  ['post', '/stock/lots/{lotId}/block', 'blockLot'],
  ['post', '/stock/lots/block', 'blockLots'],
  ['post', '/bakery-production/orders/plan', 'planOrders'],
  ['post', '/bakery-production/orders/{id}/refresh-recipe', 'refreshOrderRecipe'],
  ['post', '/bakery-production/recipes/{id}/versions/{version}/activate', 'activateRecipeVersion'],
  ['post', '/outbound-webhooks/{id}/deliveries/{deliveryId}/retry', 'retryOutboundWebhookDelivery'],
] as const)('%s %s is %s', (method, path, operationId) => {
  expect(operationIdOf({ method, path })).toBe(operationId);
});

test('a route may have a name of its own', () => {
  expect(operationIdOf({ method: 'post', path: '/orders', operationId: 'registerOrder' })).toBe('registerOrder');
});
