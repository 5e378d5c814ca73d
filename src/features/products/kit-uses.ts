import { Rejection } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { executeUntil } from '../../kernel/patterns/execute-until.js';
import type { Hold } from '../../kernel/patterns/holds.js';
import { isHeldBy, isReleased } from '../../kernel/patterns/holds.js';
import { PRODUCT_IN_USE } from '../contracts/stock-keeper.js';
import type { ProductChanges } from './decider.js';
import { product } from './decider.js';
import type { StoreKits } from './domain/kits.js';
import { usesOf } from './domain/kits.js';
import type { Product } from './domain/product.js';
import { kits } from './kit-decider.js';
import { KIT_OF_SERVICE } from './rejections.js';

/** What must not happen to a product while a kit takes it as a part. */

export async function expectInNoKit(context: Commands, variantIds: readonly string[]): Promise<void> {
  if (await isPart(context, variantIds)) throw new Rejection(PRODUCT_IN_USE);
}

type KindChange = Pick<ProductChanges, 'productType'>;

const becomesService = ({ fields }: Product, { productType }: KindChange): boolean =>
  productType === 'SERVICE' && fields.productType !== 'SERVICE';

/** A service is no part of a kit, and so no part of a kit becomes one. */
export async function expectNoServiceInKit(context: Commands, known: Product, change: KindChange): Promise<void> {
  if (!becomesService(known, change)) return;
  const ids = known.variants.map(({ id }) => id);
  if (await isPart(context, ids)) throw new Rejection(KIT_OF_SERVICE);
}

/** Changes a product that may become, or cease to be, a service: kits may not take it before it says so, and may again after it does. */
export async function keepingServicesOut(
  context: Commands,
  { known, changes, hold }: { readonly known: Product; readonly changes: KindChange; readonly hold: Hold },
  change: () => Promise<unknown>,
): Promise<void> {
  const { productId } = known;
  if (!becomesService(known, changes)) {
    await change();
    await letIn(context, productId, changes);
    return;
  }
  await executeUntil(
    context,
    kits,
    { type: 'keepOut', productId, hold },
    { name: 'keep out of kits', holds: ({ keptOut }) => isHeldBy(keptOut, productId, hold.id) },
  );
  try {
    // Whoever makes it a part from now on is refused.
    await expectNoServiceInKit(context, known, changes);
    await change();
  } catch (error) {
    if (error instanceof Rejection) await letInUnlessService(context, productId, hold.id);
    throw error;
  }
}

/** Lets kits take a product that a change has not left, or not made, a service. */
export async function letIn(context: Commands, productId: string, { productType }: KindChange): Promise<void> {
  if (productType !== undefined) await letInUnlessService(context, productId);
}

/**
 * Gives up one's own hold, and those for what was to be decided of an earlier product. Somebody else may have made it a service meanwhile, which
 * keeps them.
 */
export async function letInUnlessService(context: Commands, productId: string, own?: string): Promise<void> {
  if (!(await context.current(kits)).keptOut.has(productId)) return;
  const found = await context.current(product, { id: productId });
  if (typeof found !== 'string' && found.fields.productType === 'SERVICE') return;
  const before = typeof found === 'string' ? Infinity : found.revision;
  const release = { own, before };
  const holds = ({ keptOut }: StoreKits) => isReleased(keptOut, [productId], release);
  await executeUntil(context, kits, { type: 'letIn', productId, release }, { name: 'let into kits', holds });
}

/** The parts of a deleted kit, or of a deleted variant of one, stay in their stream for a while where the process died in between: they count no more. */
async function isPart(context: Commands, variantIds: readonly string[]): Promise<boolean> {
  for (const { productId, parentVariantId } of usesOf((await context.current(kits)).parts, new Set(variantIds))) {
    const kit = await context.current(product, { id: productId });
    if (typeof kit === 'string') continue;
    if (parentVariantId === null || kit.variants.some(({ id }) => id === parentVariantId)) return true;
  }
  return false;
}
