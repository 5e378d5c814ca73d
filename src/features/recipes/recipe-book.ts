import type { RecipeBook, RecipeCopy } from '../contracts/recipe-book.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { memoise } from '../../kernel/values/memoise.js';
import { foldText } from '../../kernel/values/words.js';
import { recipes } from './decider.js';
import type { Recipe, Recipes } from './domain/state.js';

/** Every fiscal document asks. */
const finishedBy = memoise(
  ({ byId }: Recipes): ReadonlySet<string> =>
    new Set([...byId.values()].filter(({ active }) => active).map(({ formula }) => formula.finishedVariantId)),
);

/** Every order asks. */
const copyOf = memoise(({ recipeId, version, name, formula }: Recipe): RecipeCopy => ({
  recipeId,
  version,
  name,
  ...formula,
}));

/** By name, as recipes are listed: the map has them in an order of its own. Every planning asks. */
const activeByName = memoise(({ byId }: Recipes): readonly RecipeCopy[] =>
  [...byId.values()]
    .filter(({ active }) => active)
    .map((recipe) => ({ copy: copyOf(recipe), place: `${foldText(recipe.name)}\n${recipe.recipeId}` }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ copy }) => copy),
);

/** The recipes at the head of their stream, so that an order copies what is in force. */
export const recipeBook: RecipeBook = {
  async inForce(context: Commands, recipeId) {
    const recipe = (await context.current(recipes)).byId.get(recipeId);
    return recipe?.active === true ? copyOf(recipe) : undefined;
  },
  active: async (context: Commands) => activeByName(await context.current(recipes)),
  finished: async (context: Commands) => finishedBy(await context.current(recipes)),
};
