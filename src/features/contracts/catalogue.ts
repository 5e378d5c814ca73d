import { z } from 'zod';
import { rejection } from '../../kernel/events/rejection.js';
import type { Decimal } from '../../kernel/values/decimal.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';

/** The unit belongs to the product and the factor to its variants, of which another says how many of the old unit it holds. */
export const TAXABLE_UNIT_SHARED = rejection(
  409,
  'TAXABLE_UNIT_SHARED',
  'Other variants of the product have factors to its present taxable unit; remove those first',
  { variantIds: z.array(z.uuid()).meta({ description: 'Variants with such a factor' }) },
);

/** What other parts need to know of something sold, bought or produced. */
export interface VariantFacts {
  readonly variantId: string;
  readonly productId: string;
  /** With the variant's label. */
  readonly description: string;
  readonly productType: 'MERCHANDISE' | 'SERVICE';
  readonly active: boolean;
  readonly saleUnit: string;
  readonly gtin: string;
  readonly sku: string | null;
  readonly priceCash: Decimal;
  readonly ncm: string | null;
  readonly cest: string | null;
  /** The rule by which it is taxed, where the product names one. */
  readonly taxRuleId: string | null;
  /** Which of its lots leaves the stock first. */
  readonly issueBy: 'ENTRY' | 'EXPIRY';
  readonly managerialCost: Decimal | null;
  /** The variant's own, else the product's. */
  readonly netWeightKg: Decimal | null;
  readonly packagingTareKg: Decimal | null;
  readonly volumeSpecies: string | null;
  readonly unitVolumeLiters: Decimal | null;
  readonly tribUnit: string | null;
  readonly tribUnitFactor: Decimal | null;
  /** What one of it takes when it is a kit; undefined when it is none. */
  readonly components: readonly { readonly variantId: string; readonly quantity: Decimal }[] | undefined;
}

/** What a page shows of a variant. */
export type VariantLabel = Pick<
  VariantFacts,
  'variantId' | 'productId' | 'description' | 'saleUnit' | 'gtin' | 'sku' | 'ncm'
>;

/** What it finds stands in the order of the ids. */
export interface Catalogue {
  /** As the read models have them, for queries. Unknown ids are missing. */
  labels(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, VariantLabel>>;
  /** At the heads of their streams, for commands. Unknown ids, also those of other stores, are missing. */
  variants(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, VariantFacts>>;
  /** Writes the taxable unit of a variant. */
  setTaxableUnit(
    context: RequestContext,
    variantId: string,
    taxable: { readonly unit: string; readonly factor: Decimal },
  ): Promise<void>;
  /** Of which of these variants an earlier run of the same request has set it. */
  taxableUnitSetBefore(context: RequestContext, variantIds: readonly string[]): Promise<string | undefined>;
}
