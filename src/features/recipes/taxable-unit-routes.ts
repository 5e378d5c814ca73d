import { z } from 'zod';
import type { VersionDocument } from '../../../projections/recipes/recipe-versions.js';
import { recipeVersions } from '../../../projections/recipes/recipe-versions.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import type { Catalogue, VariantFacts } from '../contracts/catalogue.js';
import { TAXABLE_UNIT_SHARED } from '../contracts/catalogue.js';
import { TAXABLE_BASES, factorOf, taxableUnitOf } from './domain/taxable-unit.js';
import type { Recipe } from './domain/state.js';
import { expectRecipe } from './recipe-writer.js';
import { FACTOR_NOT_COMPUTABLE } from './rejections.js';
import { recipeParams } from './schemas.js';

const VERSIONS_AT_ONCE = 50;
const PATH = '/bakery-production/recipes/{id}';

const factor = z.number().nullable();
const suggestion = z.object({
  recipeId: z.uuid(),
  variantId: z.uuid(),
  productDescription: z.string(),
  saleUnit: z.string(),
  tributaryUnit: z.string().nullable(),
  densityKgPerL: z.number().nullable(),
  unitVolumeLiters: z.number().nullable(),
  currentFactor: factor,
  litersPerUnit: factor,
  kgPerUnit: factor,
  suggestedFactor: z.object({ L: factor, KG: factor }),
  missing: z.array(z.string()).meta({ description: 'What would have to be known for both' }),
});

/** The finished product; none of it is left in the catalogue when it was deleted. */
async function finishedProduct(
  context: RequestContext,
  catalogue: Catalogue,
  { formula }: Recipe,
  variantId = formula.finishedVariantId,
): Promise<VariantFacts> {
  const facts = (await catalogue.variants(context, [variantId])).get(variantId);
  if (!facts) throw new Rejection(NOT_FOUND, 'the finished product is no longer there');
  return facts;
}

function suggestionOf({ recipeId, formula }: Recipe, facts: VariantFacts): z.output<typeof suggestion> {
  const unit = taxableUnitOf(formula, facts);
  const [litersPerUnit, kgPerUnit] = [
    factorOf(unit, 'L')?.toNumber() ?? null,
    factorOf(unit, 'KG')?.toNumber() ?? null,
  ];
  return {
    recipeId,
    variantId: facts.variantId,
    productDescription: facts.description,
    saleUnit: facts.saleUnit,
    tributaryUnit: facts.tribUnit,
    densityKgPerL: formula.densityKgPerL?.toNumber() ?? null,
    unitVolumeLiters: facts.unitVolumeLiters?.toNumber() ?? null,
    currentFactor: facts.tribUnitFactor?.toNumber() ?? null,
    litersPerUnit,
    kgPerUnit,
    suggestedFactor: { L: litersPerUnit, KG: kgPerUnit },
    missing: [...unit.missing],
  };
}

/** What the recipe made when an earlier run of the same request wrote on it: it may make something else by now. */
async function writtenBefore(
  context: RequestContext,
  catalogue: Catalogue,
  { recipeId, formula }: Recipe,
): Promise<string | undefined> {
  if (!context.isRepeat) return undefined;
  const made = new Set([formula.finishedVariantId]);
  const pages = pagesOf((at) =>
    context.reads.find(recipeVersions, {
      equal: { recipe: recipeId },
      sort: { column: 'revision', direction: 'desc' },
      limit: VERSIONS_AT_ONCE,
      ...at,
    }),
  );
  for await (const versions of pages) {
    for (const { body } of versions) made.add((JSON.parse(body) as VersionDocument).snapshot.finishedVariantId);
  }
  return catalogue.taxableUnitSetBefore(context, [...made]);
}

export const taxableUnitRoutes = (catalogue: Catalogue): readonly Route[] => [
  route({
    tag: 'Recipes',
    method: 'get',
    path: `${PATH}/tributary-suggestion`,
    summary: 'Suggests the factor from the sale unit to the taxable unit (uTrib/uCom), by litres and by kilograms',
    permission: 'production.view',
    request: { params: recipeParams },
    response: { status: 200, schema: suggestion },
    async handle({ params }, context) {
      const recipe = await expectRecipe(context, params.id);
      return { body: suggestionOf(recipe, await finishedProduct(context, catalogue, recipe)) };
    },
  }),
  route({
    tag: 'Recipes',
    method: 'post',
    path: `${PATH}/apply-tributary-factor`,
    summary: 'Writes the suggested factor and its unit on the finished product',
    permission: 'products.manage',
    request: { params: recipeParams, body: z.strictObject({ basis: z.enum(TAXABLE_BASES) }) },
    response: { status: 200, schema: suggestion.extend({ appliedBasis: z.enum(TAXABLE_BASES) }) },
    rejections: [FACTOR_NOT_COMPUTABLE, TAXABLE_UNIT_SHARED],
    async handle({ params, body: { basis } }, context) {
      const recipe = await expectRecipe(context, params.id);
      const written = await writtenBefore(context, catalogue, recipe);
      if (written !== undefined) {
        const facts = await finishedProduct(context, catalogue, recipe, written);
        return { body: { ...suggestionOf(recipe, facts), appliedBasis: basis } };
      }
      const before = await finishedProduct(context, catalogue, recipe);
      const unit = taxableUnitOf(recipe.formula, before);
      const wanted = factorOf(unit, basis);
      if (!wanted) throw new Rejection(FACTOR_NOT_COMPUTABLE, undefined, { missing: unit.missing });
      await catalogue.setTaxableUnit(context, before.variantId, { unit: basis, factor: wanted });
      const after = await finishedProduct(context, catalogue, recipe);
      return { body: { ...suggestionOf(recipe, after), appliedBasis: basis } };
    },
  }),
];
