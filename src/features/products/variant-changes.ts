import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { defined } from '../../kernel/values/defined.js';
import type { VariantBody, VariantChangeBody } from './bodies.js';
import { expectAccepted, findProduct, isStale, retiring, untilAllArePrepared } from './changes.js';
import { NO_CODES, reserveOwnGtin, withCodes } from './codes.js';
import type { Preparation } from './decider.js';
import { NOTHING_PREPARED, product } from './decider.js';
import { isOwnGtin, ownGtin } from '../../brazil/own-gtin.js';
import { codesOf, codesOfProduct } from './domain/product.js';
import { kits } from './kit-decider.js';
import { expectGtins, newVariant, openingOf, variantChangesOf } from './new-product.js';
import { LAST_VARIANT } from './rejections.js';
import { PARTS, RECORDING } from './repeats.js';
import type { ProductServices } from './services.js';

/** Gives the new variant's id. */
export async function addVariant(
  { stock, unfinished }: ProductServices,
  context: RequestContext,
  id: string,
  { stockQty, ...body }: VariantBody,
): Promise<string> {
  const [variantId, claimId] = [context.newId(), context.newId()];
  const claimant = { ownerId: id, claimId };
  const known = await findProduct(context, id);
  if (!known) throw new Rejection(NOT_FOUND);
  expectGtins([['gtin', body.gtin]]);
  const opening = openingOf(variantId, stockQty, known.fields);
  const opens = opening.length > 0;
  const before = codesOfProduct(known);
  const draft = newVariant(variantId, body.gtin ? body.gtin : ownGtin(claimId, ''), body);
  const { ifMatch } = context;
  const rows = opens ? [unfinished.row(context, { productId: id, opening })] : [];
  const codes = codesOf({ sku: null }, [draft]);
  expectAccepted(context, known, { type: 'addVariant', variant: draft, claim: { claimId, codes }, opens, ifMatch });
  const gtin = body.gtin ? body.gtin : await reserveOwnGtin(context, claimant, '');
  const variant = newVariant(variantId, gtin, body);
  await withCodes(context, claimant, { before, after: [...before, ...codesOf({ sku: null }, [variant])] }, (claim) =>
    context.execute(product, { type: 'addVariant', variant, claim, opens, ifMatch }, { id, name: RECORDING, rows }),
  );
  if (opens) await stock.open(context, opening);
  return variantId;
}

export async function changeVariant(
  context: RequestContext,
  id: string,
  variantId: string,
  body: VariantChangeBody,
): Promise<void> {
  const claimant = { ownerId: id, claimId: context.newId() };
  const known = await findProduct(context, id);
  const present = known?.variants.find((variant) => variant.id === variantId);
  if (!known || !present) throw new Rejection(NOT_FOUND);
  expectGtins([['gtin', body.gtin]]);
  const keepsGtin = body.gtin === undefined || (!body.gtin && isOwnGtin(present.gtin));
  const { ifMatch } = context;
  const drafted = { ...variantChangesOf(body), ...(body.gtin ? { gtin: body.gtin } : {}) };
  const claim = { claimId: claimant.claimId, codes: codesOf({ sku: null }, [{ ...present, ...defined(drafted) }]) };
  expectAccepted(context, known, { type: 'changeVariant', variantId, changes: drafted, claim, ifMatch });
  const gtin = keepsGtin ? present.gtin : body.gtin ? body.gtin : await reserveOwnGtin(context, claimant, '');
  const changes = { ...variantChangesOf(body), ...(keepsGtin ? {} : { gtin }) };
  const after = { ...present, gtin, sku: changes.sku === undefined ? present.sku : changes.sku };
  const variants = known.variants.map((variant) => (variant === present ? after : variant));
  const codes = { before: codesOfProduct(known), after: codesOf(known.fields, variants) };
  await withCodes(context, claimant, codes, (claim) =>
    context.execute(product, { type: 'changeVariant', variantId, changes, claim, ifMatch }, { id, name: RECORDING }),
  );
}

export async function removeVariant(
  services: ProductServices,
  context: RequestContext,
  id: string,
  variantId: string,
): Promise<void> {
  const claimant = { ownerId: id, claimId: context.newId() };
  await untilAllArePrepared(async () => {
    const known = await findProduct(context, id);
    const left = known?.variants.filter((variant) => variant.id !== variantId) ?? [];
    const codes = known
      ? { before: codesOfProduct(known), after: codesOf(known.fields, left) }
      : { before: NO_CODES, after: NO_CODES };
    const { ifMatch } = context;
    const remove = (prepared: Preparation) =>
      withCodes(context, claimant, codes, () =>
        context.execute(product, { type: 'removeVariant', variantId, prepared, ifMatch }, { id, name: RECORDING }),
      );
    if (known && left.length < known.variants.length && !isStale(known, context)) {
      if (left.length === 0) throw new Rejection(LAST_VARIANT);
      await retiring(services, context, { known, variantIds: [variantId] }, remove);
    } else {
      await remove(NOTHING_PREPARED);
    }
  });
  await context.execute(kits, { type: 'removeParent', productId: id, variantId }, { name: PARTS });
}
