import type { RecipeBook, RecipeCopy } from '../contracts/recipe-book.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { memoise } from '../../kernel/values/memoise.js';
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

/** The recipes at the head of their stream, so that an order copies what is in force. */
export const recipeBook: RecipeBook = {
  async inForce(context: Commands, recipeId) {
    const recipe = (await context.current(recipes)).byId.get(recipeId);
    return recipe?.active === true ? copyOf(recipe) : undefined;
  },
  async active(context: Commands) {
    const { byId } = await context.current(recipes);
    return [...byId.values()].filter(({ active }) => active).map(copyOf);
  },
  finished: async (context: Commands) => finishedBy(await context.current(recipes)),
};
