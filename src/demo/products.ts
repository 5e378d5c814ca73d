import { brand } from '../features/brands/decider.js';
import { category } from '../features/categories/decider.js';
import type { CreateBody } from '../features/products/bodies.js';
import { createBody } from '../features/products/bodies.js';
import { recordProduct } from '../features/products/creation.js';
import { kits } from '../features/products/kit-decider.js';
import { newFields } from '../features/products/new-product.js';
import { tag } from '../features/tags/decider.js';
import { Decimal } from '../kernel/values/decimal.js';
import { uuidV5 } from '../kernel/values/ids.js';
import type { NamedSet } from '../kernel/patterns/named-set.js';
import { idOfName } from '../kernel/patterns/named-set.js';
import type { Commands } from '../kernel/lanes/commands.js';
import { SHELVES } from './catalogue.js';
import type { DemoDetails, DemoProduct, DemoShelf } from './rows.js';

/** Which ids the names of the table have in this store. */
interface Names {
  category(name: string | null): string | null;
  brand(name: string | null): string | null;
  tags(names: readonly string[]): readonly string[];
}

/** Products of the table, with ids made of their SKUs: a start that finishes what another began finds what is there. */
export async function fillProducts(commands: Commands): Promise<void> {
  const names = await namesOf(commands);
  const rows = SHELVES.flatMap((shelf) => shelf.products.map((product) => [shelf, product] as const));
  await Promise.all(
    rows.map(async ([shelf, product]) => {
      const [sku, , , , , details = {}] = product;
      const body = createBody.parse(bodyOf(shelf, product, names));
      await recordProduct(commands, {
        claimant: { ownerId: productIdOf(commands, sku), claimId: uuidV5(commands.storeId, `claim ${sku}`) },
        fields: { ...newFields(body), isComposite: details.parts !== undefined },
        entries: entriesOf(commands, sku, body),
      });
    }),
  );
  for (const [, [sku, , , , , { parts } = {}]] of rows) if (parts) await fillKit(commands, sku, parts);
}

export const productIdOf = ({ storeId }: Commands, sku: string): string => uuidV5(storeId, `product ${sku}`);
export const variantIdOf = ({ storeId }: Commands, sku: string): string => uuidV5(storeId, `variant ${sku}`);

/** Sizes have SKUs of their own; the one variant of anything else has its product's. */
const entriesOf = (commands: Commands, sku: string, { variants = [] }: CreateBody) =>
  variants.length === 0
    ? [{ id: variantIdOf(commands, sku), body: {} }]
    : variants.map((body) => ({ id: variantIdOf(commands, body.sku ?? sku), body }));

async function fillKit(commands: Commands, sku: string, parts: NonNullable<DemoDetails['parts']>): Promise<void> {
  const components = parts.map(([part, quantity]) => ({
    componentVariantId: variantIdOf(commands, part),
    componentProductId: productIdOf(commands, part),
    quantity: Decimal.from(quantity),
    parentVariantId: null,
  }));
  await commands.execute(kits, { type: 'replace', productId: productIdOf(commands, sku), components });
}

async function namesOf(commands: Commands): Promise<Names> {
  const [categories, brands, tags] = await Promise.all([
    commands.current(category),
    commands.current(brand),
    commands.current(tag),
  ]);
  return {
    category: (name) => (name === null ? null : idIn(categories, name)),
    brand: (name) => (name === null ? null : idIn(brands, name)),
    tags: (all) => all.map((name) => idIn(tags, name)),
  };
}

function idIn<F>(set: NamedSet<F>, name: string): string {
  const id = idOfName(set, name);
  if (id === undefined) throw new Error(`the demonstration has no ${name}`);
  return id;
}

/** As a request would say it, so that the table is held to the same rules. */
function bodyOf(shelf: DemoShelf, [sku, description, saleUnit, cost, price, details = {}]: DemoProduct, names: Names) {
  const { service, sizes, brand: ownBrand = shelf.brand } = details;
  return {
    sku,
    description,
    saleUnit,
    priceCash: price,
    priceCredit: details.priceCredit ?? price,
    managerialCost: cost,
    categoryId: names.category(shelf.category),
    brandId: names.brand(ownBrand),
    tagIds: names.tags(details.tags ?? []),
    ...(details.catalogDescription === undefined ? {} : { catalogDescription: details.catalogDescription }),
    isFavorite: details.favorite === true,
    active: details.inactive !== true,
    controlsLots: details.controlsLots === true,
    availableForDelivery: shelf.category !== 'Ingredientes' && shelf.category !== 'Embalagens',
    netWeightKg: details.netWeightKg ?? null,
    unitVolumeLiters: details.unitVolumeLiters ?? null,
    ...(service ? serviceFields(service) : { ncm: details.ncm === undefined ? shelf.ncm : details.ncm }),
    cest: details.cest ?? null,
    ...(sizes && { variants: sizes.map(([label, size, netWeightKg]) => ({ label, sku: size, netWeightKg })) }),
  };
}

const serviceFields = ([issServiceCode, nbsCode, issRate]: NonNullable<DemoDetails['service']>) => ({
  productType: 'SERVICE',
  issServiceCode,
  nbsCode,
  issRate,
});
