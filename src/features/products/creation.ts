import { createdProduct } from '../../../projections/products/parts/product-document.js';
import type { Reserver } from '../../kernel/patterns/reservations.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply } from '../../kernel/routes/route.js';
import type { VaultWrite } from '../../ports/vault.js';
import type { OpeningEntry } from '../contracts/stock-keeper.js';
import { ownGtin } from '../../brazil/own-gtin.js';
import type { CreateBody, VariantBody } from './bodies.js';
import { deleteProduct, expectAccepted, expectPartsLeft } from './changes.js';
import { releaseCodes, reserveCodes, reserveOwnGtin } from './codes.js';
import { product } from './decider.js';
import type { Code } from './domain/product.js';
import { codesOf, gtinCode, skuCode } from './domain/product.js';
import type { KitComponent, ProductFields, Variant } from './events.js';
import { newProductAnswer, productReply } from './joined-products.js';
import { expectFit, kits } from './kit-decider.js';
import { expectGtins, newFields, newVariant, openingOf } from './new-product.js';
import { expectReferences, resolveParts } from './references.js';
import { PARTS, RECORDING, recordedBefore } from './repeats.js';
import type { ProductServices } from './services.js';

/** A product before it has all of its codes. */
interface Draft {
  readonly claimant: Reserver;
  readonly fields: ProductFields;
  readonly entries: readonly { readonly id: string; readonly body: VariantBody }[];
}

/** The product first, then its parts and its stock: a repeat that finds the product goes on where the first run stopped. */
export async function createProduct(
  services: ProductServices,
  context: RequestContext,
  body: CreateBody,
): Promise<Reply> {
  const draft = draftOf(context, body);
  const { ownerId: id } = draft.claimant;
  const grid = body.variants !== undefined && body.variants.length > 0;
  expectGtins(draft.entries.map(({ body: { gtin } }, index) => [grid ? `variants[${index}].gtin` : 'gtin', gtin]));
  // What it names may be gone by the time of a repeat.
  if (!(await recordedBefore(context, id))) await expectReferences(services, context, body);
  const components = await partsToRecord(services, context, body);
  expectFit((await context.current(kits)).parts, id, components);
  expectCreatable(context, draft);
  const opening = draft.entries.flatMap((entry) => openingOf(entry.id, entry.body.stockQty, draft.fields));
  const isFirstOfSeveral = components.length > 0 || opening.length > 0;
  const unfinished = { productId: id, parts: components, opening };
  const rows = isFirstOfSeveral ? [services.unfinished.row(context, unfinished)] : [];
  const created = await recordProduct(context, draft, rows);
  if (components.length > 0) await recordParts(services, context, id, components);
  if (opening.length > 0) await services.stock.open(context, opening);
  const [event] = created;
  // A kit's stock is that of its parts, which are read.
  if (event?.type !== 'ProductCreated' || draft.fields.isComposite) return productReply(context, id);
  const { revision, ...document } = createdProduct(event);
  return { body: newProductAnswer(document, stockOf(opening)), etag: revision };
}

/** None in a repeat that finds the parts recorded: the kit may have others by now. */
async function partsToRecord(
  { catalogue }: ProductServices,
  context: RequestContext,
  { components = [] }: CreateBody,
): Promise<readonly KitComponent[]> {
  if (components.length === 0 || (await context.recordedBefore(kits, PARTS))) return [];
  return resolveParts(catalogue, context, components, []);
}

/** Where they do not fit any more, or one of them is deleted meanwhile, there is no kit either. */
export async function recordParts(
  services: ProductServices,
  context: RequestContext,
  productId: string,
  components: readonly KitComponent[],
): Promise<void> {
  try {
    await context.execute(kits, { type: 'replace', productId, components }, { name: PARTS });
    await expectPartsLeft(services.stock, context, components);
  } catch (error) {
    if (error instanceof Rejection) await deleteProduct(services, context, productId);
    throw error;
  }
}

function expectCreatable(context: RequestContext, draft: Draft): void {
  const { ownerId: productId, claimId } = draft.claimant;
  const variants = draftedVariants(draft);
  const claim = { claimId, codes: codesOf(draft.fields, variants) };
  expectAccepted(context, 'none', { type: 'create', productId, product: draft.fields, variants, claim });
}

/** The variants as they will be where nobody has the store's own codes that are drawn first. */
const draftedVariants = ({ claimant: { claimId }, entries }: Draft): readonly Variant[] =>
  entries.map(({ id, body }, index) => newVariant(id, body.gtin ? body.gtin : ownGtin(claimId, String(index)), body));

/** Its ids are drawn before anything can differ between a run and its repeat. */
function draftOf(context: RequestContext, body: CreateBody): Draft {
  const claimant = { ownerId: context.newId(), claimId: context.newId() };
  const { variants = [], gtin, stockQty } = body;
  const bodies: readonly VariantBody[] = variants.length > 0 ? variants : [{ gtin, stockQty }];
  const entries = bodies.map((one) => ({ id: context.newId(), body: one }));
  return { claimant, fields: newFields(body), entries };
}

const givenCodes = ({ fields, entries }: Draft): readonly Code[] => [
  ...(fields.sku === null ? [] : [skuCode(fields.sku)]),
  ...entries.flatMap(({ body: { gtin, sku } }) => [
    ...(gtin ? [gtinCode(gtin)] : []),
    ...(sku === null || sku === undefined ? [] : [skuCode(sku)]),
  ]),
];

/** Records the product alone, under codes that it holds; a repeat with the same draft finds it, whoever has the codes by now. */
export async function recordProduct(context: Commands, draft: Draft, rows: readonly VaultWrite[] = []) {
  const { claimant, entries } = draft;
  if (await recordedBefore(context, claimant.ownerId)) {
    return record(context, draft, { variants: draftedVariants(draft), codes: [], rows });
  }
  let codes: readonly Code[] = [...new Set(givenCodes(draft))];
  try {
    await reserveCodes(context, claimant, codes);
    const variants: readonly Variant[] = await Promise.all(
      entries.map(async ({ id, body }, index) =>
        newVariant(id, body.gtin ? body.gtin : await reserveOwnGtin(context, claimant, String(index)), body),
      ),
    );
    codes = codesOf(draft.fields, variants);
    return await record(context, draft, { variants, codes, rows });
  } catch (error) {
    // Nobody else acts for a product that is not there: what it held is free at once.
    if (error instanceof Rejection)
      await releaseCodes(
        context,
        codes.map((code) => [code, claimant.claimId] as const),
      );
    throw error;
  }
}

interface Recording {
  readonly variants: readonly Variant[];
  readonly codes: readonly Code[];
  readonly rows: readonly VaultWrite[];
}

async function record(context: Commands, { claimant, fields }: Draft, { variants, codes, rows }: Recording) {
  const { ownerId: productId, claimId } = claimant;
  const command = { type: 'create', productId, product: fields, variants, claim: { claimId, codes } } as const;
  return (await context.execute(product, command, { id: productId, name: RECORDING, rows })).events;
}

/** What nobody gave a cost enters at none. */
const stockOf = (opening: readonly OpeningEntry[]) =>
  new Map(
    opening.map(({ variantId, quantity, unitCost }) => [
      variantId,
      { quantity: quantity.toNumber(), averageCost: unitCost?.toNumber() ?? 0, lotControlSince: null },
    ]),
  );
