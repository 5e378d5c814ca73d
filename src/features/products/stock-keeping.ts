import { Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { ProductChanges } from './decider.js';
import { product } from './decider.js';
import type { Kind, Product } from './domain/product.js';
import { isKeptInStock } from './domain/product.js';
import type { ProductServices } from './services.js';

const kindAfter = ({ fields }: Product, { productType, isComposite }: ProductChanges): Kind => ({
  productType: productType ?? fields.productType,
  isComposite: isComposite ?? fields.isComposite,
});

/**
 * Changes a product that may become, or cease to be, a kit or a service: goods cease to be kept before the product says so, and are kept
 * again after it does, so that nothing enters in between that nobody would see.
 */
export async function keepingStock(
  { stock }: ProductServices,
  context: RequestContext,
  known: Product,
  changes: ProductChanges,
  change: () => Promise<unknown>,
): Promise<void> {
  const variantIds = known.variants.map(({ id }) => id);
  if (isKeptInStock(kindAfter(known, changes))) {
    await change();
    await resumeKeeping({ stock }, context, known, changes);
    return;
  }
  const ended = isKeptInStock(known.fields) ? await stock.endKeeping(context, variantIds) : [];
  try {
    await change();
  } catch (error) {
    if (error instanceof Rejection && ended.length > 0) {
      await resumeWhereKept({ stock }, context, known.productId, ended);
    }
    throw error;
  }
}

/** Whether a change makes a product, or makes it no more, what is kept in stock or what kits may take. */
export function changesKind(known: Product, changes: ProductChanges): boolean {
  const [before, after] = [known.fields, kindAfter(known, changes)];
  return before.productType !== after.productType || before.isComposite !== after.isComposite;
}

/** Lets goods be kept again where a change says what the product is. */
export async function resumeKeeping(
  services: Pick<ProductServices, 'stock'>,
  context: RequestContext,
  { productId, variants }: Product,
  { productType, isComposite }: Pick<ProductChanges, keyof Kind>,
): Promise<void> {
  if (productType === undefined && isComposite === undefined) return;
  await resumeWhereKept(
    services,
    context,
    productId,
    variants.map(({ id }) => id),
  );
}

/** Somebody else may have made it a kit or a service meanwhile. */
export async function resumeWhereKept(
  { stock }: Pick<ProductServices, 'stock'>,
  context: RequestContext,
  id: string,
  variantIds: readonly string[],
): Promise<void> {
  const found = await context.current(product, { id });
  if (typeof found !== 'string' && isKeptInStock(found.fields)) await stock.resumeKeeping(context, variantIds);
}
