import { z } from 'zod';
import { ISSUE_ORDERS, PRODUCT_TYPES } from './events.js';

/** A product as every answer gives it. Amounts are numbers, the industrial values decimal texts. */

const amount = z.number();
const decimalText = z.string();
const moment = z.iso.datetime();
const averageCost = amount
  .nullable()
  .optional()
  .meta({ description: 'Of what was ever produced, and of kits with such parts, only with production.costs' });

export const variantAnswer = z
  .object({
    id: z.uuid(),
    label: z.string().nullable(),
    division: z.string().nullable(),
    subdivision: z.string().nullable(),
    gtin: z.string(),
    sku: z.string().nullable(),
    stockQty: amount,
    averageCost,
    netWeightKg: decimalText.nullable(),
    packagingTareKg: decimalText.nullable(),
    tribUnitFactor: decimalText.nullable(),
    lotControlSince: moment.nullable(),
  })
  .meta({ id: 'Variant' });

const componentAnswer = z
  .object({ componentVariantId: z.uuid(), quantity: amount, parentVariantId: z.uuid().nullable() })
  .meta({ id: 'KitComponent' });

export const productAnswer = z
  .object({
    id: z.uuid(),
    description: z.string(),
    catalogDescription: z.string(),
    productType: z.enum(PRODUCT_TYPES),
    isComposite: z.boolean(),
    components: z.array(componentAnswer),
    expectedComponentCount: z.int().nullable(),
    componentsComplete: z.boolean(),
    priceCash: amount,
    priceCredit: amount,
    costPrice: amount.nullable(),
    managerialCost: amount.nullable(),
    profitMargin: amount,
    categoryId: z.uuid().nullable(),
    brandId: z.uuid().nullable(),
    tagIds: z.array(z.uuid()),
    active: z.boolean(),
    availableForDelivery: z.boolean(),
    isFavorite: z.boolean(),
    controlsLots: z.boolean(),
    issueBy: z.enum(ISSUE_ORDERS),
    gtin: z.string().nullable(),
    sku: z.string().nullable(),
    saleUnit: z.string(),
    unitVolumeLiters: amount.nullable(),
    ncm: z.string().nullable(),
    cest: z.string().nullable(),
    issServiceCode: z.string().nullable(),
    nbsCode: z.string().nullable(),
    issRate: amount.nullable(),
    issRetained: z.boolean(),
    netWeightKg: decimalText.nullable(),
    packagingTareKg: decimalText.nullable(),
    volumeSpecies: z.string().nullable(),
    tribUnit: z.string().nullable(),
    tribUnitFactor: decimalText.nullable(),
    ipiUnitValue: decimalText.nullable(),
    ipiBaseMode: z.string().nullable(),
    ipiInStBase: z.boolean().nullable(),
    pisUnitValue: decimalText.nullable(),
    cofinsUnitValue: decimalText.nullable(),
    taxRuleId: z.uuid().nullable(),
    stockQty: amount,
    averageCost,
    variants: z.array(variantAnswer),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Product' });

export type ProductAnswer = z.output<typeof productAnswer>;

/** Whether a kit has as many parts as it was said to have. */
export const componentsComplete = (expected: number | null, components: readonly unknown[]): boolean =>
  expected === null || components.length === expected;
