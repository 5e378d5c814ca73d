import { z } from 'zod';
import { holdFact, holdsFact } from '../../kernel/patterns/holds.js';
import { reservationEvents } from '../../kernel/patterns/reservation.js';
import type { EventOf } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';
import { storedDecimal } from '../../kernel/values/fields.js';

/** What is sold, bought and produced: products with their variants, the codes that they hold, and the parts of kits. */

export const PRODUCT_TYPES = ['MERCHANDISE', 'SERVICE'] as const;
/** Which lot leaves the stock first: the one that entered first, or the one that expires first. */
export const ISSUE_ORDERS = ['ENTRY', 'EXPIRY'] as const;

const text = z.string().nullable();
const number = storedDecimal.nullable();

/** Everything of a product but its variants and the parts of a kit. */
const productFields = z.object({
  description: z.string(),
  catalogDescription: z.string(),
  productType: z.enum(PRODUCT_TYPES),
  isComposite: z.boolean(),
  expectedComponentCount: z.int().nullable(),
  priceCash: storedDecimal,
  priceCredit: storedDecimal,
  costPrice: number,
  managerialCost: number,
  profitMargin: storedDecimal,
  categoryId: text,
  brandId: text,
  tagIds: z.array(z.string()),
  active: z.boolean(),
  availableForDelivery: z.boolean(),
  isFavorite: z.boolean(),
  controlsLots: z.boolean(),
  sku: text,
  saleUnit: z.string(),
  unitVolumeLiters: number,
  ncm: text,
  cest: text,
  issServiceCode: text,
  nbsCode: text,
  issRate: number,
  issRetained: z.boolean(),
  netWeightKg: number,
  packagingTareKg: number,
  volumeSpecies: text,
  tribUnit: text,
  tribUnitFactor: number,
  ipiUnitValue: number,
  ipiBaseMode: text,
  ipiInStBase: z.boolean().nullable(),
  pisUnitValue: number,
  cofinsUnitValue: number,
  /** Absent in events from before there were tax rules. */
  taxRuleId: text.optional(),
  /** Absent in events from before it could be chosen. */
  issueBy: z.enum(ISSUE_ORDERS).optional(),
});

const variantFields = z.object({
  label: text,
  division: text,
  subdivision: text,
  gtin: z.string(),
  sku: text,
  netWeightKg: number,
  packagingTareKg: number,
  tribUnitFactor: number,
});

const variant = variantFields.extend({ id: z.string() });

const productCreated = defineEvent(
  'ProductCreated',
  1,
  z.object({ productId: z.string(), product: productFields, variants: z.array(variant) }),
);
/**
 * `changes` holds the members that changed, `was` the same members as they were; `variantIds` names all of its variants. Both are empty when
 * only the parts of a kit changed.
 */
const productChanged = defineEvent(
  'ProductChanged',
  1,
  z.object({
    productId: z.string(),
    changes: productFields.partial(),
    was: productFields.partial(),
    variantIds: z.array(z.string()),
  }),
);
/** What decides where the stock of a variant counts. */
const storedShelf = productFields.pick({ active: true, productType: true, isComposite: true });

const variantAdded = defineEvent('VariantAdded', 1, z.object({ productId: z.string(), shelf: storedShelf, variant }));
const variantChanged = defineEvent(
  'VariantChanged',
  1,
  z.object({
    productId: z.string(),
    variantId: z.string(),
    changes: variantFields.partial(),
    was: variantFields.partial(),
  }),
);
const variantRemoved = defineEvent('VariantRemoved', 1, z.object({ productId: z.string(), variantId: z.string() }));
/** `was` names what counted it. */
const productDeleted = defineEvent(
  'ProductDeleted',
  1,
  z.object({
    productId: z.string(),
    variantIds: z.array(z.string()),
    was: productFields.pick({ categoryId: true, brandId: true, tagIds: true }),
  }),
);

/** Codes that the product held without ever confirming them were given to another: a late confirmation is refused. */
const productClaimDropped = defineEvent(
  'ProductClaimDropped',
  1,
  z.object({ productId: z.string(), claimId: z.string() }),
);

const productDefinitions = [
  productCreated,
  productChanged,
  variantAdded,
  variantChanged,
  variantRemoved,
  productDeleted,
  productClaimDropped,
] as const;

export const productEvents = eventCodec(...productDefinitions);
export type ProductEvent = EventOf<(typeof productDefinitions)[number]>;
export type ProductFields = z.output<typeof productFields>;
export type VariantFields = z.output<typeof variantFields>;
export type Variant = z.output<typeof variant>;
export type Shelf = z.output<typeof storedShelf>;

export const kitComponent = z.object({
  componentVariantId: z.string(),
  componentProductId: z.string(),
  quantity: storedDecimal,
  /** The kit's own variant that takes it; null for all. */
  parentVariantId: text,
});

/** The whole list of a kit's parts; an empty one when it is no kit any more. */
const kitComponentsReplaced = defineEvent(
  'KitComponentsReplaced',
  1,
  z.object({ productId: z.string(), components: z.array(kitComponent) }),
);

/** It is about to become a service, so that no kit may take it any more. */
const productKeptOutOfKits = defineEvent(
  'ProductKeptOutOfKits',
  1,
  z.object({ productId: z.string(), hold: holdFact.optional() }),
);
/** It is no service, or did not become one. */
const productLetIntoKits = defineEvent('ProductLetIntoKits', 1, z.object({ productId: z.string(), holds: holdsFact }));

export const kitEvents = eventCodec(kitComponentsReplaced, productKeptOutOfKits, productLetIntoKits);
export type KitEvent = EventOf<typeof kitComponentsReplaced | typeof productKeptOutOfKits | typeof productLetIntoKits>;
export type KitComponent = z.output<typeof kitComponent>;

/** A GTIN or SKU that one product of the store has. */
export const codeEvents = reservationEvents('CodeHeld', 'CodeReleased');
