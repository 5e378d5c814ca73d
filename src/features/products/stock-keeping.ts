import { Rejection } from '../../kernel/events/rejection.js';
import type { Hold } from '../../kernel/patterns/holds.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Preparation, ProductChanges } from './decider.js';
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
  { known, changes, hold }: { readonly known: Product; readonly changes: ProductChanges; readonly hold: Hold },
  change: (prepared: Preparation) => Promise<unknown>,
): Promise<void> {
  const staysGoods = isKeptInStock(kindAfter(known, changes));
  const unit = staysGoods ? otherUnit(known, changes) : undefined;
  const ends = isKeptInStock(known.fields) && (!staysGoods || unit !== undefined);
  const variantIds = known.variants.map(({ id }) => id);
  if (ends) await stock.endKeeping(context, variantIds, hold, unit);
  try {
    await change({ variantIds: ends ? variantIds : [], revision: hold.revision });
  } catch (error) {
    if (error instanceof Rejection && ends) {
      await resumeWhereKept({ stock }, context, known.productId, { variantIds, own: hold.id });
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
  await resumeWhereKept(services, context, productId, { variantIds: variants.map(({ id }) => id) });
}

/**
 * Gives up one's own hold, and those for what was to be decided of an earlier product, which it was or cannot be any more. Somebody else may
 * have made it a kit or a service meanwhile, which keeps them.
 */
export async function resumeWhereKept(
  { stock }: Pick<ProductServices, 'stock'>,
  context: RequestContext,
  id: string,
  { variantIds, own }: { readonly variantIds: readonly string[]; readonly own?: string | undefined },
): Promise<void> {
  const found = await context.current(product, { id });
  if (typeof found === 'string' || !isKeptInStock(found.fields)) return;
  await stock.resumeKeeping(context, variantIds, { own, before: found.revision });
}
