import type { RecipeBook, RecipeCopy } from '../contracts/recipe-book.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { recipes } from './decider.js';
import type { Recipe } from './domain/state.js';

const copyOf = ({ recipeId, version, name, formula }: Recipe): RecipeCopy => ({ recipeId, version, name, ...formula });

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
};
