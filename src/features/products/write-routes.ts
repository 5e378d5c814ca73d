import { z } from 'zod';
import { pathId } from '../../kernel/values/fields.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply, Route, RawJson } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { NOT_KEPT_IN_STOCK, PRODUCT_HAS_MOVED, PRODUCT_IN_USE, UNIT_IN_USE } from '../contracts/stock-keeper.js';
import type { ProductAnswer } from './answers.js';
import { productAnswer, variantAnswer } from './answers.js';
import { changeBody, createBody, tagsBody, variantBody, variantChangeBody } from './bodies.js';
import { changeProduct, deleteProduct } from './changes.js';
import { createProduct } from './creation.js';
import { productReply } from './joined-products.js';
import {
  GTIN_INVALID,
  GTIN_TAKEN,
  KIT_CYCLE,
  KIT_TOO_DEEP,
  KIT_TOO_LARGE,
  KIT_OF_SERVICE,
  LAST_VARIANT,
  PRICE_TOO_HIGH,
  PRODUCT_HAS_GRID,
  SKU_TAKEN,
  TOO_MANY_VARIANTS,
  VARIANT_EXISTS,
} from './rejections.js';
import type { ProductServices } from './services.js';
import { addVariant, changeVariant, removeVariant } from './variant-changes.js';

const tag = 'Products';
const permission = 'products.manage';
const params = z.strictObject({ id: pathId });
const variantParams = z.strictObject({ id: pathId, variantId: pathId });
const PRICES =
  'With a managerial cost, price and margin follow each other: a new price makes the margin, a new margin the price, of both the price wins, and a new cost keeps the price.';

/** Products, changed and answered with the whole record. */
function productRoutes(services: ProductServices): readonly Route[] {
  const create = route({
    method: 'post',
    path: '/products',
    tag,
    summary: 'Creates a product with its variants',
    description: `A product without grid has one variant without label. An empty gtin generates a code of the store's own. Parts make it a kit. ${PRICES}`,
    permission,
    request: { body: createBody },
    response: { status: 201, schema: productAnswer, etag: true },
    rejections: [GTIN_INVALID, GTIN_TAKEN, SKU_TAKEN, VARIANT_EXISTS, KIT_TOO_DEEP, KIT_TOO_LARGE, KIT_OF_SERVICE],
    handle: ({ body }, context) => createProduct(services, context, body),
  });
  const change = route({
    method: 'patch',
    path: '/products/{id}',
    tag,
    summary: 'Changes a product; omitted fields stay, null clears',
    description: `gtin is that of a product without grid. components replaces all parts of a kit. What ever moved in stock becomes neither a kit nor a service and keeps its unit, in which every past quantity is told. ${PRICES}`,
    permission,
    request: { params, body: changeBody },
    response: { status: 200, schema: productAnswer, etag: true },
    rejections: [
      GTIN_INVALID,
      GTIN_TAKEN,
      SKU_TAKEN,
      PRICE_TOO_HIGH,
      PRODUCT_HAS_GRID,
      KIT_CYCLE,
      KIT_TOO_DEEP,
      KIT_TOO_LARGE,
      KIT_OF_SERVICE,
      PRODUCT_HAS_MOVED,
      UNIT_IN_USE,
    ],
    async handle({ params: { id }, body }, context) {
      await changeProduct(services, context, id, body);
      return productReply(context, id);
    },
  });
  const putTags = route({
    method: 'put',
    path: '/products/{id}/tags',
    tag,
    summary: "Replaces a product's tags",
    permission,
    request: { params, body: tagsBody },
    response: { status: 200, schema: productAnswer, etag: true },
    async handle({ params: { id }, body }, context) {
      await changeProduct(services, context, id, body);
      return productReply(context, id);
    },
  });
  const remove = route({
    method: 'delete',
    path: '/products/{id}',
    tag,
    summary: 'Deletes a product that never moved, was never sold and is in no kit',
    description:
      'A recipe may name it all the same: an order by it, a change of it and the activation of a draft with it are then refused.',
    permission,
    request: { params },
    response: { status: 204 },
    rejections: [PRODUCT_IN_USE],
    async handle({ params: { id } }, context) {
      await deleteProduct(services, context, id);
      return {};
    },
  });
  return [create, change, putTags, remove];
}

/** A variant, with the entity tag of its product. */
async function variantReply(context: RequestContext, id: string, variantId: string): Promise<Reply> {
  const reply = await productReply(context, id);
  const { variants } = JSON.parse((reply.body as RawJson).text) as ProductAnswer;
  const variant = variants.find((one) => one.id === variantId);
  if (!variant) throw new Rejection(NOT_FOUND);
  return { ...reply, body: variant };
}

function variantRoutes(services: ProductServices): readonly Route[] {
  const ETAG = "The entity tag is its product's: a variant is part of it.";
  const add = route({
    method: 'post',
    path: '/products/{id}/variants',
    ifMatch: true,
    tag,
    summary: 'Adds a variant to a product',
    description: `An empty gtin generates a code of the store's own. ${ETAG}`,
    permission,
    request: { params, body: variantBody },
    response: { status: 201, schema: variantAnswer, etag: true },
    rejections: [GTIN_INVALID, GTIN_TAKEN, SKU_TAKEN, VARIANT_EXISTS, TOO_MANY_VARIANTS, NOT_KEPT_IN_STOCK],
    async handle({ params: { id }, body }, context) {
      const variantId = await addVariant(services, context, id, body);
      return variantReply(context, id, variantId);
    },
  });
  const change = route({
    method: 'patch',
    path: '/products/{id}/variants/{variantId}',
    tag,
    summary: 'Changes a variant; omitted fields stay, null clears',
    description: ETAG,
    permission,
    request: { params: variantParams, body: variantChangeBody },
    response: { status: 200, schema: variantAnswer, etag: true },
    rejections: [GTIN_INVALID, GTIN_TAKEN, SKU_TAKEN, VARIANT_EXISTS],
    async handle({ params: { id, variantId }, body }, context) {
      await changeVariant(context, id, variantId, body);
      return variantReply(context, id, variantId);
    },
  });
  const remove = route({
    method: 'delete',
    path: '/products/{id}/variants/{variantId}',
    tag,
    summary: 'Removes a variant that never moved, was never sold and is in no kit; the last one stays',
    permission,
    request: { params: variantParams },
    response: { status: 204 },
    rejections: [LAST_VARIANT, PRODUCT_IN_USE],
    async handle({ params: { id, variantId } }, context) {
      await removeVariant(services, context, id, variantId);
      return {};
    },
  });
  return [add, change, remove];
}

export const writeRoutes = (services: ProductServices): readonly Route[] => [
  ...productRoutes(services),
  ...variantRoutes(services),
];
