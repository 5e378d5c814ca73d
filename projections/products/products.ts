import type { ProductEvent } from '../../src/features/products/events.js';
import { productEvents } from '../../src/features/products/events.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import { isNcm } from '../../src/brazil/ncm.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { foldText } from '../../src/kernel/values/words.js';
import type { ProductDocument } from './parts/product-document.js';
import { createdProduct, gtinOf, shown, shownVariant } from './parts/product-document.js';

const isMissingCredit = ({ productType, priceCredit }: Pick<ProductDocument, 'productType' | 'priceCredit'>): boolean =>
  productType === 'MERCHANDISE' && priceCredit <= 0;

/** Merchandise to which a category's NCM may be applied. */
const needsNcm = ({ productType, ncm }: ProductDocument): boolean => productType === 'MERCHANDISE' && !isNcm(ncm);

// A letter that nobody types makes a tag's id a word of its products that no search finds by accident.
const TAG_LETTER = 'ǂ';

/** The products of a tag are those with this word. */
export const wordOfTag = (tagId: string): string => TAG_LETTER + tagId.replaceAll('-', '');

const LONG_NUMBER = /^0+(?=[0-9]{8})/;

/** A code of digits is also found without the zeros that it is padded with. */
const wordsOfCode = (code: string): string => `${code} ${code.replace(LONG_NUMBER, '')}`;

/** What is asked for when somebody types this. */
export const searchWords = (typed: string): string =>
  /^[0-9]{12,}$/.test(typed) ? typed.replace(LONG_NUMBER, '') : typed;

function wordsOfProduct({ description, sku, variants, tagIds }: ProductDocument): string {
  const codes = variants.flatMap((variant) => [variant.gtin, variant.sku]);
  const known = [sku, ...codes].filter((code) => code !== null && code !== '') as string[];
  return [description, ...known.map(wordsOfCode), ...tagIds.map(wordOfTag)].join(' ');
}

/** Active and inactive merchandise and services are counted apart: a list may ask for any of them. */
export const shelfOf = (active: boolean, productType: ProductDocument['productType']): string =>
  `${active ? 'active' : 'inactive'} ${productType}`;

/** What is counted of each shelf. */
export interface ShelfTotals {
  readonly products?: number;
  readonly variants?: number;
  readonly missingCredit?: number;
}

const flag = (condition: boolean): number => (condition ? 1 : 0);

export const products = recordCollection<ProductDocument>({
  name: 'products',
  version: 2,
  hidden: ['revision'],
  isShownByRecord: true,
  columns: {
    description: { type: 'text', of: ({ description }) => foldText(description) },
    active: { type: 'integer', of: ({ active }) => flag(active) },
    productType: { type: 'text', of: ({ productType }) => productType },
    missingCredit: { type: 'integer', of: (product) => flag(isMissingCredit(product)) },
    categoryId: { type: 'id', of: ({ categoryId }) => categoryId },
    brandId: { type: 'id', of: ({ brandId }) => brandId },
    needsNcm: { type: 'integer', of: (product) => flag(needsNcm(product)) },
  },
  indexes: [
    ['description'],
    ['active', 'description'],
    ['productType', 'description'],
    ['missingCredit', 'description'],
    ['categoryId', 'description'],
    ['brandId', 'description'],
  ],
  words: wordsOfProduct,
  totals: (product) => [
    [
      shelfOf(product.active, product.productType),
      {
        products: 1,
        variants: product.variants.length,
        missingCredit: flag(isMissingCredit(product)),
      } satisfies ShelfTotals,
    ],
  ],
});

/** The document after one of its product's later facts. */
function changed(
  document: ProductDocument | undefined,
  { meta, revision }: Recorded<ProductEvent>,
  change: (document: ProductDocument) => Partial<ProductDocument>,
): ProductDocument | undefined {
  if (!document) return undefined;
  const changes = change(document);
  const gtin = gtinOf(changes.variants ?? document.variants);
  return { ...document, ...changes, gtin, updatedAt: meta.at, revision };
}

const ids = ({ data }: Recorded<ProductEvent>): readonly string[] => [data.productId];

export const productsProjector = recordProjector(products, [productEvents], {
  ProductCreated: { ids, evolve: (_, event) => createdProduct(event) },
  ProductChanged: {
    ids,
    evolve: (document, event) => changed(document, event, () => shown(event.data.changes) as Partial<ProductDocument>),
  },
  VariantAdded: {
    ids,
    evolve: (document, event) =>
      changed(document, event, ({ variants }) => {
        const added = shownVariant(event.data.variant);
        return { variants: [...variants.filter(({ id }) => id !== added.id), added] };
      }),
  },
  VariantChanged: {
    ids,
    evolve: (document, event) =>
      changed(document, event, ({ variants }) => ({
        variants: variants.map((variant) =>
          variant.id === event.data.variantId ? { ...variant, ...(shown(event.data.changes) as object) } : variant,
        ),
      })),
  },
  VariantRemoved: {
    ids,
    evolve: (document, event) =>
      changed(document, event, ({ variants }) => ({
        variants: variants.filter(({ id }) => id !== event.data.variantId),
      })),
  },
  ProductDeleted: { ids, evolve: () => undefined },
});
