import { z } from 'zod';
import { decimal, decimalText, digits, freeText, id, name } from '../../kernel/values/fields.js';
import { isUuid } from '../../kernel/values/ids.js';
import { MOST_VARIANTS } from './domain/product.js';
import { ISSUE_ORDERS, PRODUCT_TYPES } from './events.js';

/** What requests say of products. A field that is left out stays as it is, null clears it. */

const DESCRIPTION_LENGTH = 200;
const CATALOG_DESCRIPTION_LENGTH = 2_000;
const LABEL_LENGTH = 60;
const SKU_LENGTH = 30;
const MOST_COMPONENTS = 100;
const MOST_TAGS = 50;
const MOST_MONEY = 999_999_999.99;
const MOST_QUANTITY = 999_999_999;

const money = decimal({ decimals: 2, minimum: 0, maximum: MOST_MONEY });
const unitCost = decimal({ decimals: 10, minimum: 0, maximum: MOST_MONEY });
const margin = decimal({ decimals: 4, minimum: -100, maximum: 99_999_999_999.9999 });
const percent = decimal({ decimals: 4, minimum: 0, maximum: 100 });
const kilograms = decimalText({ decimals: 6, minimum: 0, maximum: MOST_QUANTITY });
const factor = decimalText({ decimals: 10, above: 0, maximum: MOST_QUANTITY });
const unitValue = decimalText({ decimals: 10, minimum: 0, maximum: MOST_MONEY });
const unit = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{1,6}$/, { error: 'must be a unit of 1 to 6 letters or digits, such as UN or KG' });
/** Whether it is a barcode is decided with the product: empty asks for one. */
const gtin = z.string().trim().max(20).nullable();
const serviceCode = z.string().regex(/^(?:[0-9]{1,2}\.[0-9]{2}(?:\.[0-9]{2})?|[0-9]{6})$/, {
  error: 'must be an item such as 1.01 (LC 116) or a national code such as 010101',
});
const pieces = z.int().min(0).max(MOST_QUANTITY);
const tagIds = z
  .array(id)
  .max(MOST_TAGS)
  .transform((ids) => [...new Set(ids)]);

const industrial = {
  netWeightKg: kilograms.nullable().optional(),
  packagingTareKg: kilograms.nullable().optional(),
  tribUnitFactor: factor.nullable().optional(),
};

const variantMembers = {
  label: name(LABEL_LENGTH).nullable().optional(),
  division: name(LABEL_LENGTH).nullable().optional(),
  subdivision: name(LABEL_LENGTH).nullable().optional(),
  gtin: gtin.optional(),
  sku: name(SKU_LENGTH).nullable().optional(),
  ...industrial,
};

const componentMembers = {
  componentVariantId: id,
  quantity: decimal({ decimals: 6, above: 0, maximum: MOST_QUANTITY }),
};

interface NamedParts {
  readonly componentVariantId: string;
  readonly parentVariantId?: string | null | undefined;
}

const eachOnce = (parts: readonly NamedParts[]): boolean =>
  new Set(parts.map(({ componentVariantId, parentVariantId }) => `${componentVariantId}/${parentVariantId ?? ''}`))
    .size === parts.length;

const partList = <S extends z.ZodType<NamedParts>>(part: S) =>
  z.array(part).max(MOST_COMPONENTS).refine(eachOnce, { error: 'names a part twice' });

const parts = partList(z.strictObject({ ...componentMembers, parentVariantId: id.nullable().optional() }));

/** The variants of a product that is not there yet have no ids: one that is named here names no record. */
const partsOfNew = partList(
  z.strictObject({
    ...componentMembers,
    parentVariantId: z.string().refine(isUuid, { error: 'must be a UUID' }).nullable().optional(),
  }),
);

const members = {
  description: name(DESCRIPTION_LENGTH).optional(),
  catalogDescription: freeText(CATALOG_DESCRIPTION_LENGTH)
    .nullable()
    .optional()
    .meta({ description: 'For the online catalogue; empty: the description' }),
  productType: z.enum(PRODUCT_TYPES).optional(),
  isComposite: z.boolean().optional(),
  expectedComponentCount: z
    .int()
    .min(0)
    .max(MOST_COMPONENTS)
    .nullable()
    .optional()
    .meta({ description: 'What componentsComplete compares the number of parts with' }),
  priceCash: money.optional(),
  priceCredit: money.optional(),
  costPrice: unitCost.nullable().optional().meta({ description: 'Fiscal cost, of the entry invoice' }),
  managerialCost: unitCost
    .nullable()
    .optional()
    .meta({ description: 'For pricing and reports; an opening stock is valued at it, else at costPrice' }),
  profitMargin: margin
    .optional()
    .meta({ description: 'Percent over the managerial cost; 100 for a new product. Without a cost it is only stored' }),
  categoryId: id.nullable().optional(),
  brandId: id.nullable().optional(),
  tagIds: tagIds.optional(),
  active: z.boolean().optional(),
  availableForDelivery: z.boolean().optional(),
  isFavorite: z.boolean().optional(),
  controlsLots: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the store means to keep it by lots; lotControlSince says since when it does' }),
  issueBy: z.enum(ISSUE_ORDERS).optional().meta({
    description: 'Which lot leaves first: the one that entered first, as of a new product, or that expires first',
  }),
  gtin: gtin.optional(),
  sku: name(SKU_LENGTH).nullable().optional().meta({ description: 'Unique in the store, variants included' }),
  saleUnit: unit.optional().meta({ description: 'UN for a new product' }),
  unitVolumeLiters: decimal({ decimals: 6, above: 0, maximum: MOST_QUANTITY })
    .nullable()
    .optional()
    .meta({ description: 'Volume of the package' }),
  ncm: digits(8).nullable().optional(),
  cest: digits(7).nullable().optional(),
  issServiceCode: serviceCode.nullable().optional(),
  nbsCode: digits(9).nullable().optional(),
  issRate: percent.nullable().optional(),
  issRetained: z.boolean().optional(),
  ...industrial,
  volumeSpecies: name(60).nullable().optional(),
  tribUnit: name(6).nullable().optional(),
  ipiUnitValue: unitValue.nullable().optional(),
  ipiBaseMode: name(30).nullable().optional(),
  ipiInStBase: z.boolean().nullable().optional(),
  pisUnitValue: unitValue.nullable().optional(),
  cofinsUnitValue: unitValue.nullable().optional(),
  taxRuleId: id.nullable().optional().meta({ description: 'The tax rule that counts for it, whatever else would fit' }),
};

interface Parted {
  readonly isComposite?: boolean | undefined;
  readonly components?: readonly unknown[] | undefined;
}

/** Parts make a kit, unless it is said to be none. */
const isKit = ({ isComposite, components = [] }: Parted): boolean => components.length === 0 || isComposite !== false;
const NO_KIT = { error: 'has parts, and so is a kit', path: ['isComposite'] };

const newVariant = z.strictObject({ ...variantMembers, stockQty: pieces.optional() });

export const createBody = z
  .strictObject({
    ...members,
    description: name(DESCRIPTION_LENGTH),
    priceCash: money,
    priceCredit: money,
    components: partsOfNew.optional(),
    stockQty: pieces.optional().meta({ description: 'Of a product without grid; enters as its opening stock' }),
    variants: z.array(newVariant).max(MOST_VARIANTS).optional(),
  })
  .refine(isKit, NO_KIT)
  .refine(({ variants = [], stockQty = 0 }) => variants.length === 0 || stockQty === 0, {
    error: 'is for a product without grid; its variants have their own',
    path: ['stockQty'],
  })
  .refine(({ variants = [], gtin: code }) => variants.length === 0 || !code, {
    error: 'is for a product without grid; its variants have their own',
    path: ['gtin'],
  })
  .refine((body) => !opensWithStock(body) || body.productType !== 'SERVICE', {
    error: 'must be left out: a service has no stock',
    path: ['stockQty'],
  })
  .refine((body) => !opensWithStock(body) || !(body.isComposite ?? (body.components ?? []).length > 0), {
    error: 'must be left out: the stock of a kit is what its parts allow',
    path: ['stockQty'],
  })
  .meta({ id: 'ProductBody' });

const opensWithStock = ({
  stockQty = 0,
  variants = [],
}: {
  readonly stockQty?: number | undefined;
  readonly variants?: readonly { readonly stockQty?: number | undefined }[] | undefined;
}): boolean => stockQty > 0 || variants.some((variant) => (variant.stockQty ?? 0) > 0);

export const changeBody = z
  .strictObject({ ...members, components: parts.optional() })
  .refine(isKit, NO_KIT)
  .meta({ id: 'ProductChange' });

export const variantBody = newVariant.meta({ id: 'VariantBody' });
export const variantChangeBody = z.strictObject(variantMembers).meta({ id: 'VariantChange' });
export const tagsBody = z.strictObject({ tagIds }).meta({ id: 'ProductTags' });

export type CreateBody = z.output<typeof createBody>;
export type ChangeBody = z.output<typeof changeBody>;
export type VariantBody = z.output<typeof variantBody>;
export type VariantChangeBody = z.output<typeof variantChangeBody>;
export type PartBody = z.output<typeof parts>[number];
