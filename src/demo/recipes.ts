import { product } from '../features/products/decider.js';
import { variantFacts } from '../features/products/catalogue.js';
import { kits } from '../features/products/kit-decider.js';
import { recipes } from '../features/recipes/decider.js';
import type { Facts } from '../features/recipes/domain/facts.js';
import type { Recipe } from '../features/recipes/domain/state.js';
import { changeFromRequest, recipeFromRequest } from '../features/recipes/recipe-input.js';
import { newRecipe, recipeChange } from '../features/recipes/schemas.js';
import { uuidV5 } from '../kernel/values/ids.js';
import type { Commands } from '../kernel/lanes/commands.js';
import type { DemoFormula, DemoRecipe } from './formulas.js';
import { RECIPES } from './formulas.js';
import { productIdOf, variantIdOf } from './products.js';

/** Recipes of the table with their versions and drafts; what another start has recorded is not recorded again. */
export async function fillRecipes(commands: Commands): Promise<void> {
  const facts = await factsOf(commands, [...new Set(RECIPES.flatMap(skusOf))]);
  for (const recipe of RECIPES) await fillRecipe(commands, recipe, facts);
}

async function fillRecipe(commands: Commands, recipe: DemoRecipe, facts: Facts): Promise<void> {
  const recipeId = uuidV5(commands.storeId, `recipe ${recipe.sku}`);
  const found = async (): Promise<Recipe | undefined> => (await commands.current(recipes)).byId.get(recipeId);
  if (!(await found())) {
    const { name, notes } = recipe;
    const body = {
      name,
      notes,
      finishedVariantId: variantIdOf(commands, recipe.sku),
      ...fieldsOf(commands, recipe.formula),
    };
    await commands.execute(recipes, {
      type: 'create',
      recipeId,
      facts,
      ...recipeFromRequest(newRecipe.parse(body), true),
    });
  }
  const change = ({ reason, ...formula }: NonNullable<DemoRecipe['draft']>, saveAsDraft: boolean) => {
    const body = recipeChange.parse({ ...fieldsOf(commands, formula), changeReason: reason, saveAsDraft });
    const wanted = changeFromRequest(body, true);
    const asked = { recipeId, ifMatch: undefined, reasonNeeded: false, facts };
    return commands.execute(recipes, { type: 'change', ...asked, ...wanted });
  };
  for (const [index, version] of (recipe.versions ?? []).entries()) {
    if ((await found())?.version === index + 1) await change(version, false);
  }
  if (recipe.draft && (await found())?.lastDraft === 0) await change(recipe.draft, true);
}

/** As a request would say it, so that the table is held to the same rules. */
function fieldsOf(commands: Commands, { yieldQty, expectedLossPercent, ...formula }: Partial<DemoFormula>) {
  const { inputs, percentBasis, packaging = [], stages, byproducts } = formula;
  const measure = percentBasis === undefined ? 'quantity' : 'percent';
  const component = (sku: string) => ({ componentVariantId: variantIdOf(commands, sku) });
  return {
    ...(percentBasis && { formulaMode: 'PERCENT', percentBasis }),
    yieldQty,
    expectedLossPercent,
    items: inputs && [
      ...inputs.map(([sku, amount, more]) => ({ ...component(sku), [measure]: amount, ...more })),
      ...packaging.map(([sku, quantity, more]) => ({ ...component(sku), quantity, costKind: 'PACKAGING', ...more })),
    ],
    stages: stages?.map(([name, standardMinutes, laborRatePerHour, workCenter = null]) => ({
      name,
      required: true,
      workCenter,
      standardMinutes,
      laborRatePerHour,
    })),
    byproducts: byproducts?.map(([sku, quantityPerBatch, costSharePercent]) => ({
      variantId: variantIdOf(commands, sku),
      quantityPerBatch,
      costSharePercent,
    })),
  };
}

const skusOf = ({ sku, formula, versions = [], draft }: DemoRecipe): readonly string[] => [
  sku,
  ...[formula, ...versions, ...(draft ? [draft] : [])].flatMap(({ inputs = [], packaging = [], byproducts = [] }) =>
    [...inputs, ...packaging, ...byproducts].map(([used]) => used),
  ),
];

async function factsOf(commands: Commands, skus: readonly string[]): Promise<Facts> {
  const { parts: composed } = await commands.current(kits);
  const found = await Promise.all(
    skus.map(async (sku) => {
      const id = variantIdOf(commands, sku);
      const made = await commands.current(product, { id: productIdOf(commands, sku) });
      const variant = typeof made === 'string' ? undefined : made.variants.find((one) => one.id === id);
      if (typeof made === 'string' || !variant) throw new Error(`the demonstration has no product ${sku}`);
      return [id, variantFacts(made, variant, composed)] as const;
    }),
  );
  return new Map(found);
}
