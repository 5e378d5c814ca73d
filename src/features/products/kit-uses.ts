import { Rejection } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { PRODUCT_IN_USE } from '../contracts/stock-keeper.js';
import type { ChangeBody } from './bodies.js';
import { product } from './decider.js';
import { usesOf } from './domain/kits.js';
import type { Product } from './domain/product.js';
import { kits } from './kit-decider.js';
import { KIT_OF_SERVICE } from './rejections.js';

/** What must not happen to a product while a kit takes it as a part. */

export async function expectInNoKit(context: Commands, variantIds: readonly string[]): Promise<void> {
  if (await isPart(context, variantIds)) throw new Rejection(PRODUCT_IN_USE);
}

/** A service is no part of a kit, and so no part of a kit becomes one. */
export async function expectNoServiceInKit(
  context: Commands,
  { fields, variants }: Product,
  { productType }: ChangeBody,
): Promise<void> {
  if (productType !== 'SERVICE' || fields.productType === 'SERVICE') return;
  const ids = variants.map(({ id }) => id);
  if (await isPart(context, ids)) throw new Rejection(KIT_OF_SERVICE);
}

/** The parts of a deleted kit, or of a deleted variant of one, stay in their stream where the process died in between: they count no more. */
async function isPart(context: Commands, variantIds: readonly string[]): Promise<boolean> {
  for (const { productId, parentVariantId } of usesOf(await context.current(kits), new Set(variantIds))) {
    const kit = await context.current(product, { id: productId });
    if (typeof kit === 'string') continue;
    if (parentVariantId === null || kit.variants.some(({ id }) => id === parentVariantId)) return true;
  }
  return false;
}
