import { z } from 'zod';
import type { VariantOwner } from '../../../projections/products/variants.js';
import { variants } from '../../../projections/products/variants.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { RawJson, route } from '../../kernel/routes/route.js';
import { productAnswer } from './answers.js';
import { ownerOfSku } from './codes.js';
import { isGtin, paddedGtin } from '../../brazil/gtin.js';
import type { Product } from './domain/product.js';
import { skuCode } from './domain/product.js';
import type { ScaleLabel } from './domain/scale-label.js';
import { readScaleLabel, skusOfLabel, soldQuantity } from './domain/scale-label.js';
import { productReply } from './joined-products.js';

interface Scanned {
  readonly productId: string;
  readonly variantId: string;
  readonly measured: { readonly quantity: number } | { readonly total: number };
}

async function variantOfGtin(context: RequestContext, gtin: string): Promise<Scanned | undefined> {
  const { items } = await context.reads.find(variants, {
    equal: { gtin: paddedGtin(gtin) },
    sort: { column: 'gtin', direction: 'asc' },
    limit: 1,
  });
  if (!items[0]) return undefined;
  const { id: variantId, productId } = JSON.parse(items[0].body) as VariantOwner;
  return { productId, variantId, measured: { quantity: 1 } };
}

async function variantOfLabel(context: RequestContext, label: ScaleLabel): Promise<Scanned | undefined> {
  for (const sku of skusOfLabel(label)) {
    const owner = await ownerOfSku(context, sku);
    const variantId = owner && variantWithSku(owner, sku);
    if (owner && variantId !== undefined) {
      return { productId: owner.productId, variantId, measured: measuredBy(label, owner) };
    }
  }
  return undefined;
}

/** The product's own SKU means its only variant. */
function variantWithSku({ variants: all }: Product, sku: string): string | undefined {
  const named = all.find((variant) => variant.sku !== null && skuCode(variant.sku) === skuCode(sku));
  return (named ?? (all.length === 1 ? all[0] : undefined))?.id;
}

const measuredBy = ({ measured }: ScaleLabel, { fields }: Product): Scanned['measured'] =>
  'grams' in measured
    ? { quantity: soldQuantity(measured.grams, fields.saleUnit).toNumber() }
    : { total: measured.total.toNumber() };

async function scanned(context: RequestContext, code: string): Promise<Scanned> {
  if (!isGtin(code)) throw new Rejection(NOT_FOUND);
  const label = readScaleLabel(code);
  const found = (await variantOfGtin(context, code)) ?? (label && (await variantOfLabel(context, label)));
  if (!found) throw new Rejection(NOT_FOUND);
  return found;
}

export const readByGtin = route({
  method: 'get',
  path: '/products/by-gtin/{gtin}',
  tag: 'Products',
  summary: 'Finds what a barcode or the label of a scale stands for',
  description:
    'A label of a scale is an EAN-13 of 20 (weight in grams) or 21 (total in cents), five digits that are the SKU, five digits of the value and the check digit. It gives the quantity in the sale unit, or the total; every other code gives the quantity 1.',
  permission: 'products.view',
  request: { params: z.strictObject({ gtin: z.string() }) },
  response: {
    status: 200,
    schema: z.object({
      product: productAnswer,
      variantId: z.uuid(),
      quantity: z.number().optional(),
      total: z.number().optional(),
    }),
  },
  async handle({ params }, context) {
    const { productId, variantId, measured } = await scanned(context, params.gtin);
    const { body } = await productReply(context, productId);
    const rest = JSON.stringify({ variantId, ...measured }).slice(1);
    return { body: new RawJson(`{"product":${(body as RawJson).text},${rest}`) };
  },
});
