import { brands } from '../../../projections/brands/brands.js';
import { categories } from '../../../projections/categories/categories.js';
import { tags } from '../../../projections/tags/tags.js';
import { readNamed } from '../../kernel/routes/named-records.js';
import { notFoundAt, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { TaxRuleDirectory } from '../contracts/tax-rule-directory.js';
import type { Catalogue, VariantFacts } from '../contracts/catalogue.js';
import type { ReadModels, RecordCollection } from '../../ports/read-models.js';
import type { PartBody } from './bodies.js';
import type { KitComponent } from './events.js';
import { KIT_OF_SERVICE } from './rejections.js';

interface NamedReferences {
  readonly categoryId?: string | null | undefined;
  readonly brandId?: string | null | undefined;
  readonly tagIds?: readonly string[] | undefined;
  readonly taxRuleId?: string | null | undefined;
}

const one = (path: string, id: string | null | undefined): readonly (readonly [string, string])[] =>
  id === null || id === undefined ? [] : [[path, id]];

/** Refuses ids that name no category, brand, tag or tax rule of the store. */
export async function expectReferences(
  { reads, taxRules }: { readonly reads: ReadModels; readonly taxRules: TaxRuleDirectory },
  context: RequestContext,
  { categoryId, brandId, tagIds = [], taxRuleId }: NamedReferences,
): Promise<void> {
  const missing = async (collection: RecordCollection<never>, named: readonly (readonly [string, string])[]) => {
    const found = await readNamed(reads, context, collection, [...new Set(named.map(([, id]) => id))]);
    const known = new Set(found.map(({ id }) => id));
    return named.filter(([, id]) => !known.has(id)).map(([path]) => path);
  };
  const missingRule = async (): Promise<readonly string[]> =>
    taxRuleId && !(await taxRules.has(context, taxRuleId)) ? ['taxRuleId'] : [];
  const paths = await Promise.all([
    missingRule(),
    missing(categories, one('categoryId', categoryId)),
    missing(brands, one('brandId', brandId)),
    missing(
      tags,
      tagIds.map((id, index) => [`tagIds[${index}]`, id] as const),
    ),
  ]);
  if (paths.flat().length > 0) throw notFoundAt(...paths.flat());
}

/** The parts of a kit as its stream records them; `own`: the kit's variants. */
export async function resolveParts(
  catalogue: Catalogue,
  context: RequestContext,
  parts: readonly PartBody[],
  own: readonly string[],
): Promise<readonly KitComponent[]> {
  if (parts.length === 0) return [];
  const known = await catalogue.variants(
    context,
    parts.map(({ componentVariantId }) => componentVariantId),
  );
  const missing = parts.flatMap(({ componentVariantId, parentVariantId }, index) => [
    ...(known.has(componentVariantId) ? [] : [`components[${index}].componentVariantId`]),
    ...(parentVariantId && !own.includes(parentVariantId) ? [`components[${index}].parentVariantId`] : []),
  ]);
  if (missing.length > 0) throw notFoundAt(...missing);
  return parts.flatMap((part) => componentOf(part, known.get(part.componentVariantId)));
}

function componentOf(
  { componentVariantId, quantity, parentVariantId = null }: PartBody,
  facts: VariantFacts | undefined,
): readonly KitComponent[] {
  if (!facts) return [];
  if (facts.productType === 'SERVICE') throw new Rejection(KIT_OF_SERVICE);
  return [{ componentVariantId, componentProductId: facts.productId, quantity, parentVariantId }];
}
