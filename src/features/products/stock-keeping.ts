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

/** In which unit goods are to be counted from now on, where that is another one. */
const otherUnit = ({ fields }: Product, { saleUnit = fields.saleUnit }: ProductChanges): string | undefined =>
  saleUnit === fields.saleUnit ? undefined : saleUnit;

/**
 * Changes a product that may become, or cease to be, a kit or a service, or be counted in another unit: goods cease to be kept before the
 * product says so, and are kept again after it does, so that nothing enters in between that nobody would see, or whose figure would mean
 * something else.
 */
export async function keepingStock(
  { stock }: ProductServices,
  context: RequestContext,
  known: Product,
  changes: ProductChanges,
  change: (prepared: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const staysGoods = isKeptInStock(kindAfter(known, changes));
  const unit = staysGoods ? otherUnit(known, changes) : undefined;
  const ends = isKeptInStock(known.fields) && (!staysGoods || unit !== undefined);
  const prepared = ends ? known.variants.map(({ id }) => id) : [];
  const ended = ends ? await stock.endKeeping(context, prepared, unit) : [];
  try {
    await change(prepared);
  } catch (error) {
    if (error instanceof Rejection && ended.length > 0) {
      await resumeWhereKept({ stock }, context, known.productId, ended);
    }
    throw error;
  }
  await resumeKeeping({ stock }, context, known, changes);
}

/** Whether a change makes a product, or makes it no more, what is kept in stock or what kits may take, or has it counted otherwise. */
export function changesKeeping(known: Product, changes: ProductChanges): boolean {
  const [before, after] = [known.fields, kindAfter(known, changes)];
  const otherKind = before.productType !== after.productType || before.isComposite !== after.isComposite;
  return otherKind || otherUnit(known, changes) !== undefined;
}

/** Lets goods be kept again where a change says what the product is, or how it is counted. */
export async function resumeKeeping(
  services: Pick<ProductServices, 'stock'>,
  context: RequestContext,
  { productId, variants }: Product,
  { productType, isComposite, saleUnit }: Pick<ProductChanges, keyof Kind | 'saleUnit'>,
): Promise<void> {
  if (productType === undefined && isComposite === undefined && saleUnit === undefined) return;
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
