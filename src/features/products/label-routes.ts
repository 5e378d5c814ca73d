import { z } from 'zod';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { isUuid } from '../../kernel/values/ids.js';
import type { Catalogue } from '../contracts/catalogue.js';

const MOST = 100;
const UUID_LENGTH = 36;

const ids = z
  .string()
  .max(MOST * (UUID_LENGTH + 1))
  .transform((text) => text.toLowerCase().split(','))
  .refine((all) => all.length <= MOST && all.every(isUuid), { error: `takes up to ${MOST} UUIDs with commas between` })
  .meta({ type: 'string', description: `Up to ${MOST} ids of variants with commas between` });

const label = z
  .object({
    variantId: z.uuid(),
    productId: z.uuid(),
    description: z.string().meta({ description: 'The product’s, with the variant’s label' }),
    saleUnit: z.string(),
    gtin: z.string(),
  })
  .meta({ id: 'VariantLabel' });

/** What pages need to name the variants that other records only have the ids of. */
export const labelRoutes = (catalogue: Catalogue): readonly Route[] => [
  route({
    method: 'get',
    path: '/products/variant-labels',
    operationId: 'getVariantLabels',
    tag: 'Products',
    summary: 'Names, units and barcodes of variants',
    description:
      'For records that carry ids of variants: in the order of the ids, each once. Unknown ids are left out of the answer.',
    permission: 'products.view',
    request: { query: z.strictObject({ ids }) },
    response: { status: 200, schema: z.object({ items: z.array(label) }) },
    async handle({ query }, context) {
      const found = await catalogue.labels(context, query.ids);
      const items = [...found.values()].map(({ variantId, productId, description, saleUnit, gtin }) => ({
        variantId,
        productId,
        description,
        saleUnit,
        gtin,
      }));
      return { body: { items } };
    },
  }),
];
