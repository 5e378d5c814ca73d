import { matches } from '../../kernel/events/if-match.js';
import type { Reserver } from '../../kernel/patterns/reservations.js';
import { isUuid } from '../../kernel/values/ids.js';
import { NOT_FOUND, Rejection, notFoundAt } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { ChangeBody } from './bodies.js';
import { NO_CODES, reserveOwnGtin, withCodes } from './codes.js';
import type { Preparation, ProductChanges, ProductCommand } from './decider.js';
import { NOTHING_PREPARED, product } from './decider.js';
import { isOwnGtin } from '../../brazil/own-gtin.js';
import { partsOf, sameParts } from './domain/kits.js';
import type { Product, ProductState } from './domain/product.js';
import { codesOf, codesOfProduct, hasGrid } from './domain/product.js';
import type { KitComponent } from './events.js';
import { kits } from './kit-decider.js';
import { expectInNoKit, expectNoServiceInKit, keepingServicesOut, letIn } from './kit-uses.js';
import { changesOf, expectGtins } from './new-product.js';
import { expectReferences, resolveParts } from './references.js';
import { PRODUCT_HAS_GRID, VARIANT_NOT_PREPARED } from './rejections.js';
import { PARTS, RECORDING, recordedBefore } from './repeats.js';
import type { ProductServices } from './services.js';
import { changesKeeping, keepingStock, resumeKeeping } from './stock-keeping.js';

/** What may be said of a product before it is decided; its decider has the last word, also over one that is not there. */
export async function findProduct(context: RequestContext, id: string): Promise<Product | undefined> {
  if (!isUuid(id)) throw new Rejection(NOT_FOUND);
  const found = await context.current(product, { id });
  return typeof found === 'string' ? undefined : found;
}

/** Refuses what its decider would refuse, before codes are held for it. A repeat finds what the first run has recorded. */
export function expectAccepted(context: RequestContext, known: ProductState, command: ProductCommand): void {
  if (!context.isRepeat) product.decider.decide(known, command, context.at);
}

export const isStale = ({ revision }: Product, { ifMatch }: RequestContext): boolean => !matches(ifMatch, revision);

export async function changeProduct(
  services: ProductServices,
  context: RequestContext,
  id: string,
  body: ChangeBody,
): Promise<void> {
  const claimant = { ownerId: id, claimId: context.newId() };
  await untilAllArePrepared(() => changeClaimed(services, context, claimant, body));
}

async function changeClaimed(
  services: ProductServices,
  context: RequestContext,
  claimant: Reserver,
  body: ChangeBody,
): Promise<void> {
  const { ownerId: id } = claimant;
  const known = await findProduct(context, id);
  if (await recordedBefore(context, id)) {
    await afterChange(services, context, { id, known }, body);
    return;
  }
  if (known) {
    expectGtins([['gtin', body.gtin]]);
    await expectReferences(services, context, body);
    await expectNoServiceInKit(context, known, body);
  }
  const parts = known && (await newParts(services, context, known, body));
  const changes = changesOf(body);
  if (known) expectChangeable(context, claimant, known, changes, body.gtin);
  const gtin = known && (await newGtin(context, claimant, known, body.gtin));
  const codes = known ? codesAround(known, changes.sku, gtin) : { before: NO_CODES, after: NO_CODES };
  const change = (touched: boolean, prepared = NOTHING_PREPARED) =>
    withCodes(context, claimant, codes, (claim) =>
      context.execute(
        product,
        { type: 'change', changes, gtin, claim, touched, prepared, ifMatch: context.ifMatch },
        { id, name: RECORDING },
      ),
    );
  if (!known || isStale(known, context)) {
    await change(false);
    return;
  }
  if (!parts && !changesKeeping(known, changes)) {
    await change(false);
    await afterChange(services, context, { id, known }, changes);
    return;
  }
  const hold = services.unfinished.holdOf(context, known);
  const otherParts = parts && { components: parts, revision: known.revision };
  await services.unfinished.begin(context, { productId: id, otherParts, hold: hold.id });
  await keepingServicesOut(context, { known, changes, hold }, () =>
    keepingStock(services, context, { known, changes, hold }, (prepared) =>
      parts
        ? changeKit(services, context, { productId: id, components: parts }, (touched) => change(touched, prepared))
        : change(false, prepared),
    ),
  );
}

/** That it is kept in stock again, and that kits may take it, is all that comes after a change that was recorded. */
async function afterChange(
  services: ProductServices,
  context: RequestContext,
  { id, known }: { readonly id: string; readonly known: Product | undefined },
  changes: Parameters<typeof resumeKeeping>[3],
): Promise<void> {
  if (known) await resumeKeeping(services, context, known, changes);
  await letIn(context, id, changes);
}

function expectChangeable(
  context: RequestContext,
  { claimId }: Reserver,
  known: Product,
  changes: ProductChanges,
  asked: string | null | undefined,
): void {
  const { ifMatch } = context;
  const gtin = asked ? asked : undefined;
  const claim = { claimId, codes: codesAround(known, changes.sku, gtin).after };
  const prepared = { variantIds: known.variants.map(({ id }) => id), revision: known.revision };
  expectAccepted(context, known, { type: 'change', changes, gtin, claim, prepared, ifMatch });
}

/** The kit's stream decides first, since it alone knows of cycles; when the product refuses, the kit gets its parts back. */
async function changeKit(
  { stock }: ProductServices,
  context: RequestContext,
  { productId, components }: { readonly productId: string; readonly components: readonly KitComponent[] },
  change: (touched: boolean) => Promise<unknown>,
): Promise<void> {
  const before = partsOf((await context.current(kits)).parts, productId);
  const expected = context.ifMatch === undefined ? undefined : before;
  const replace = () => context.execute(kits, { type: 'replace', productId, components, expected }, { name: PARTS });
  let { events } = await replace();
  // What an earlier run of the same request recorded, which is all that a repeat finds, may have been taken back since.
  if (!sameParts(partsOf((await context.current(kits)).parts, productId), components)) ({ events } = await replace());
  try {
    if (events.length > 0) await expectPartsLeft(stock, context, components);
    await change(events.length > 0);
  } catch (error) {
    if (error instanceof Rejection && events.length > 0) {
      await context.execute(kits, { type: 'restore', productId, replaced: components, components: before });
    }
    throw error;
  }
}

/** Refuses parts whose product is deleted meanwhile. */
export async function expectPartsLeft(
  stock: ProductServices['stock'],
  context: RequestContext,
  components: readonly KitComponent[],
): Promise<void> {
  const ids = components.map(({ componentVariantId }) => componentVariantId);
  const gone = new Set(await stock.retired(context, ids));
  const paths = ids.flatMap((id, index) => (gone.has(id) ? [`components[${String(index)}].componentVariantId`] : []));
  if (paths.length > 0) throw notFoundAt(...paths);
}

/** Undefined when they stay; a product that is said to be no kit any more has none. */
async function newParts(
  { catalogue }: ProductServices,
  context: RequestContext,
  { variants, fields }: Product,
  { components, isComposite }: ChangeBody,
): Promise<readonly KitComponent[] | undefined> {
  if (components === undefined) return isComposite === false && fields.isComposite ? [] : undefined;
  return resolveParts(
    catalogue,
    context,
    components,
    variants.map(({ id }) => id),
  );
}

/** Undefined when it stays; an empty one asks for one of the store's own. */
async function newGtin(
  context: RequestContext,
  claimant: Reserver,
  { variants }: Product,
  asked: string | null | undefined,
): Promise<string | undefined> {
  if (asked === undefined) return undefined;
  if (hasGrid(variants)) {
    if (asked) throw new Rejection(PRODUCT_HAS_GRID);
    return undefined;
  }
  if (asked) return asked;
  const present = variants[0]?.gtin ?? '';
  return isOwnGtin(present) ? undefined : reserveOwnGtin(context, claimant, '');
}

function codesAround(known: Product, sku: string | null | undefined, gtin: string | undefined) {
  const { fields, variants } = known;
  const relabelled = gtin === undefined ? variants : variants.map((variant) => ({ ...variant, gtin }));
  return { before: codesOfProduct(known), after: codesOf({ sku: sku === undefined ? fields.sku : sku }, relabelled) };
}

/** A variant that is added meanwhile must be prepared as well: everything is looked at once more. */
export async function untilAllArePrepared(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof Rejection && error.kind === VARIANT_NOT_PREPARED)) throw error;
    }
  }
}

/** What never moved and is in no kit goes, with its codes and its parts. */
export async function deleteProduct(services: ProductServices, context: RequestContext, id: string): Promise<void> {
  const claimant = { ownerId: id, claimId: context.newId() };
  await untilAllArePrepared(async () => {
    const known = await findProduct(context, id);
    const before = known ? codesOfProduct(known) : NO_CODES;
    const remove = (prepared: Preparation) =>
      withCodes(context, claimant, { before, after: NO_CODES }, () =>
        context.execute(product, { type: 'delete', prepared, ifMatch: context.ifMatch }, { id, name: RECORDING }),
      );
    if (known && !isStale(known, context)) {
      const variantIds = known.variants.map((variant) => variant.id);
      await retiring(services, context, { known, variantIds }, remove);
    } else {
      await remove(NOTHING_PREPARED);
    }
  });
  await context.execute(kits, { type: 'replace', productId: id, components: [] }, { name: PARTS });
}

/**
 * Lets variants of a product never move again, and takes them away: in that order, so that nobody sells what is gone. Where they
 * cannot be taken away after all, those that the product still has may move as before.
 */
export async function retiring(
  { stock, unfinished }: ProductServices,
  context: RequestContext,
  { known, variantIds }: { readonly known: Product; readonly variantIds: readonly string[] },
  remove: (prepared: Preparation) => Promise<unknown>,
): Promise<void> {
  const { productId } = known;
  const hold = unfinished.holdOf(context, known);
  await expectInNoKit(context, variantIds);
  await unfinished.begin(context, { productId, hold: hold.id });
  await stock.retire(context, variantIds, hold);
  try {
    // Whoever makes one part of a kit from now on finds it retired.
    await expectInNoKit(context, variantIds);
    await remove({ variantIds, revision: hold.revision });
  } catch (error) {
    if (error instanceof Rejection) await restoreLeft({ stock }, context, productId, { variantIds, own: hold.id });
    throw error;
  }
}

/** Gives up one's own hold, and those for what was to be decided of an earlier product, where the variants were not taken away. */
export async function restoreLeft(
  { stock }: Pick<ProductServices, 'stock'>,
  context: RequestContext,
  productId: string,
  { variantIds, own }: { readonly variantIds: readonly string[]; readonly own?: string | undefined },
): Promise<void> {
  const found = await findProduct(context, productId);
  if (!found) return;
  const left = variantIds.filter((variantId) => found.variants.some(({ id }) => id === variantId));
  await stock.restore(context, left, { own, before: found.revision });
}
