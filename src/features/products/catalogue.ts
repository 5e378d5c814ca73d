import type { LRUCache } from 'lru-cache';
import type { ProductDocument } from '../../../projections/products/parts/product-document.js';
import { products } from '../../../projections/products/products.js';
import type { VariantOwner } from '../../../projections/products/variants.js';
import { variants } from '../../../projections/products/variants.js';
import type { Decimal } from '../../kernel/values/decimal.js';
import { readNamed } from '../../kernel/routes/named-records.js';
import { memoise } from '../../kernel/values/memoise.js';
import { streamName } from '../../kernel/events/decider.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Catalogue, VariantFacts, VariantLabel } from '../contracts/catalogue.js';
import type { ReadModels } from '../../ports/read-models.js';
import { product } from './decider.js';
import type { Kits } from './domain/kits.js';
import { partsOf } from './domain/kits.js';
import type { Product, ProductState } from './domain/product.js';
import type { Variant } from './events.js';
import { kits } from './kit-decider.js';
import { boundedCache } from '../../kernel/values/bounded-cache.js';

const MOST_KNOWN = 200_000;
const MOST_LABELLED = 1_000;

/** What other features ask of products. */
export class ProductCatalogue implements Catalogue {
  /** Whose variant it is never changes, so what was found once counts for ever. */
  private readonly owners: LRUCache<string, string>;
  /** The labels of a product follow from its text: one that was read lately need not be taken apart again. */
  private readonly labelled = boundedCache<readonly VariantLabel[]>(MOST_LABELLED);

  constructor(
    private readonly reads: ReadModels,
    mostKnown = MOST_KNOWN,
  ) {
    this.owners = boundedCache(mostKnown);
  }

  async variants(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, VariantFacts>> {
    const owners = await this.ownersOf(context, [...new Set(ids)]);
    const { parts: composed } = await context.current(kits);
    const found = await productsById(context, new Set(owners.values()));
    const facts = new Map<string, VariantFacts>();
    for (const [variantId, productId] of owners) {
      const owner = found.get(productId);
      const known = owner && factsOf(owner, variantId, composed);
      if (known) facts.set(variantId, known);
    }
    return facts;
  }

  async labels(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, VariantLabel>> {
    const owners = await this.ownersOf(context, [...new Set(ids)]);
    const found = await context.reads.getBodies(products, [...new Set(owners.values())]);
    const inProducts = found.flatMap((body) => (body === undefined ? [] : this.labelsIn(body)));
    const labels = new Map(inProducts.map((label) => [label.variantId, label]));
    return inOrder(owners.keys(), labels);
  }

  private labelsIn(body: string): readonly VariantLabel[] {
    const known = this.labelled.get(body);
    if (known) return known;
    const product = JSON.parse(body) as ProductDocument;
    const labels = product.variants.map((variant) => labelOf(product, variant));
    this.labelled.set(body, labels);
    return labels;
  }

  async setTaxableUnit(
    context: RequestContext,
    variantId: string,
    { unit, factor }: { readonly unit: string; readonly factor: Decimal },
  ): Promise<void> {
    const id = (await this.ownersOf(context, [variantId])).get(variantId);
    if (id === undefined) throw new Rejection(NOT_FOUND);
    await context.execute(product, { type: 'setTaxableUnit', variantId, unit, factor }, { id });
  }

  async taxableUnitSetBefore(context: RequestContext, variantIds: readonly string[]): Promise<string | undefined> {
    for (const [variantId, id] of await this.ownersOf(context, variantIds)) {
      const stream = streamName(product.category, context.storeId, id);
      const earlier = await context.earlierEvents(product, undefined, stream);
      const changed = earlier?.find((event) => event.type === 'VariantChanged');
      if (earlier) return changed?.data.variantId ?? variantId;
    }
    return undefined;
  }

  /** The products of variants, in the order in which those are asked for; unknown ones are missing. */
  private async ownersOf(context: RequestContext, variantIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { storeId } = context;
    const keyOf = (variantId: string) => `${storeId}/${variantId}`;
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const variantId of variantIds) {
      const productId = this.owners.get(keyOf(variantId));
      if (productId === undefined) missing.push(variantId);
      else found.set(variantId, productId);
    }
    if (missing.length === 0) return found;
    for (const { id, body } of await readNamed(this.reads, context, variants, missing)) {
      const { productId } = JSON.parse(body) as VariantOwner;
      this.owners.set(keyOf(id), productId);
      found.set(id, productId);
    }
    return inOrder(variantIds, found);
  }
}

/** What a map holds of some keys, in their order. */
function inOrder<T>(keys: Iterable<string>, map: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  const ordered = new Map<string, T>();
  for (const key of keys) {
    const value = map.get(key);
    if (value !== undefined) ordered.set(key, value);
  }
  return ordered;
}

async function productsById(context: RequestContext, ids: Iterable<string>): Promise<ReadonlyMap<string, Product>> {
  const asked: Promise<ProductState>[] = [];
  for (const id of ids) asked.push(context.current(product, { id }));
  const found = new Map<string, Product>();
  for (const state of await Promise.all(asked)) if (typeof state !== 'string') found.set(state.productId, state);
  return found;
}

/** The facts of a product's variants where they depend on no kit: every sale and order asks. */
const plainFacts = memoise((_: Product) => new Map<string, VariantFacts>());

function factsOf(owner: Product, variantId: string, composed: Kits): VariantFacts | undefined {
  const known = owner.fields.isComposite ? undefined : plainFacts(owner).get(variantId);
  if (known) return known;
  const variant = owner.variants.find(({ id }) => id === variantId);
  if (!variant) return undefined;
  const facts = variantFacts(owner, variant, composed);
  if (!owner.fields.isComposite) plainFacts(owner).set(variantId, facts);
  return facts;
}

/** What others need to know of one variant of a product. */
export function variantFacts(
  { productId, fields, variants: all }: Product,
  variant: Variant,
  composed: Kits,
): VariantFacts {
  return {
    variantId: variant.id,
    productId,
    description: describedAs(fields.description, variant, all),
    productType: fields.productType,
    active: fields.active,
    saleUnit: fields.saleUnit,
    gtin: variant.gtin,
    sku: variant.sku ?? fields.sku,
    priceCash: fields.priceCash,
    ncm: fields.ncm,
    cest: fields.cest,
    taxRuleId: fields.taxRuleId ?? null,
    issueBy: fields.issueBy ?? 'ENTRY',
    managerialCost: fields.managerialCost,
    netWeightKg: variant.netWeightKg ?? fields.netWeightKg,
    packagingTareKg: variant.packagingTareKg ?? fields.packagingTareKg,
    volumeSpecies: fields.volumeSpecies,
    unitVolumeLiters: fields.unitVolumeLiters,
    tribUnit: fields.tribUnit,
    tribUnitFactor: variant.tribUnitFactor ?? fields.tribUnitFactor,
    components: fields.isComposite ? componentsOf(productId, variant, composed) : undefined,
  };
}

const labelOf = (product: ProductDocument, variant: ProductDocument['variants'][number]): VariantLabel => ({
  variantId: variant.id,
  productId: product.id,
  description: describedAs(product.description, variant, product.variants),
  saleUnit: product.saleUnit,
  gtin: variant.gtin,
  sku: variant.sku ?? product.sku,
  ncm: product.ncm,
});

type GridPlace = Pick<Variant, 'label' | 'division' | 'subdivision'>;

/** With the variant's place in the grid, where the product has one. */
function describedAs(description: string, variant: GridPlace, all: readonly unknown[]): string {
  const label = all.length > 1 || variant.label !== null ? gridLabel(variant) : '';
  return label === '' ? description : `${description} ${label}`;
}

const gridLabel = ({ label, division, subdivision }: GridPlace): string =>
  [label, division, subdivision].filter((part) => part !== null).join(' ');

const componentsOf = (productId: string, { id }: Variant, composed: Kits) =>
  partsOf(composed, productId)
    .filter(({ parentVariantId }) => parentVariantId === null || parentVariantId === id)
    .map(({ componentVariantId, quantity }) => ({ variantId: componentVariantId, quantity }));
