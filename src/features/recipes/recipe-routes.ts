import { z } from 'zod';
import { recipeDocument, recipeSummaries, recipes as recipeRecords } from '../../../projections/recipes/recipes.js';
import { cursorText, queryBoolean, queryInteger } from '../../kernel/values/fields.js';
import { bodiesOf, plainList } from '../../kernel/routes/lists.js';
import { COMMAND_TOO_LARGE, NOT_FOUND } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { recipeAnswer, recipeSummaryAnswer, summaryWithoutCost, visibleAnswer } from './answers.js';
import { draftName } from './events.js';
import { changeFromRequest, recipeFromRequest } from './recipe-input.js';
import type { RecipeWriter } from './recipe-writer.js';
import { expectRecipe } from './recipe-writer.js';
import {
  CHANGE_REASON_REQUIRED,
  COMPONENT_INACTIVE,
  COSTS_NOT_YOURS,
  DENSITY_REQUIRED,
  DRAFT_LIMIT,
  FORMULA_INVALID,
  RECIPE_CHANGED,
  RECIPE_CYCLE,
  VARIANT_NOT_ALLOWED,
} from './rejections.js';
import { newRecipe, recipeChange, recipeParams } from './schemas.js';
import { found, revisionOf } from '../../kernel/routes/stored-records.js';

const LIST_MAXIMUM = 1_000;
const PATH = '/bakery-production/recipes';
const common = { tag: 'Recipes' } as const;

const seesCosts = (context: RequestContext): boolean => context.may('production.costs');

/** The recipe as its stream has it now: a command is answered without waiting for projections. */
export async function recipeReply(context: RequestContext, recipeId: string): Promise<Reply> {
  const recipe = await expectRecipe(context, recipeId);
  const drafts = recipe.drafts.map(({ number }) => draftName(number));
  const { revision, ...answer } = recipeDocument({ ...recipe, drafts });
  return { body: visibleAnswer(JSON.stringify(answer), seesCosts(context)), etag: revision };
}

const formulaRefusals = [
  FORMULA_INVALID,
  DENSITY_REQUIRED,
  VARIANT_NOT_ALLOWED,
  COMPONENT_INACTIVE,
  RECIPE_CYCLE,
  COSTS_NOT_YOURS,
  COMMAND_TOO_LARGE,
  NOT_FOUND,
];

const FORMULA_NOTE = `In mode PERCENT the percents of the materials add up to 100 (± 0.01) and are of the mass or volume of one batch; each
quantity is worked out when it is saved, in the component's own unit (KG, G, L, ML; other units count pieces of netWeightKg or unitVolumeLiters), and
packaging always carries a quantity. A component stands once in a formula.`;

const listRecipes = route({
  ...common,
  method: 'get',
  path: PATH,
  summary: 'Lists the recipes by name',
  description: `At most ${LIST_MAXIMUM}; where more follow, the header X-Next-Cursor says where to go on.`,
  permission: 'production.view',
  request: {
    query: z.strictObject({
      active: queryBoolean.optional().meta({ description: 'True or 1: only active ones; false or 0: only the others' }),
      limit: queryInteger(1, LIST_MAXIMUM).default(LIST_MAXIMUM),
      cursor: cursorText.optional(),
    }),
  },
  response: { status: 200, schema: z.array(recipeSummaryAnswer), continued: true },
  async handle({ query: { active, ...page } }, context) {
    const { bodies, nextCursor } = await bodiesOf(context, recipeSummaries, {
      sort: { column: 'name', direction: 'asc' },
      ...(active === undefined ? {} : { equal: { active: Number(active) } }),
      ...page,
    });
    return plainList(seesCosts(context) ? bodies : bodies.map(summaryWithoutCost), nextCursor);
  },
});

const read = route({
  ...common,
  method: 'get',
  path: `${PATH}/{id}`,
  summary: 'Gives one recipe with its entity tag',
  permission: 'production.view',
  request: { params: recipeParams },
  response: { status: 200, schema: recipeAnswer, etag: true },
  async handle({ params }, context) {
    const record = found(await context.reads.get(recipeRecords, params.id));
    return { body: visibleAnswer(record.body, seesCosts(context)), etag: revisionOf(record) };
  },
});

const create = (writer: RecipeWriter) =>
  route({
    ...common,
    method: 'post',
    path: PATH,
    summary: 'Creates a recipe, whose first version is in force at once',
    description: `${FORMULA_NOTE} Stages given as text are not required.`,
    permission: 'production.manage',
    request: { body: newRecipe },
    response: { status: 201, schema: recipeAnswer, etag: true },
    rejections: formulaRefusals,
    async handle({ body }, context) {
      const { details, formula } = recipeFromRequest(body, seesCosts(context));
      return recipeReply(context, await writer.create(context, details, formula));
    },
  });

const change = (writer: RecipeWriter, method: 'put' | 'patch') =>
  route({
    ...common,
    method,
    path: `${PATH}/{id}`,
    ...(method === 'put' ? { operationId: 'changeRecipe' } : {}),
    summary: 'Changes a recipe; omitted fields stay, lists are replaced whole, null clears',
    description: `PUT and PATCH do the same. A changed formula comes into force as a new version, or is kept as a draft with saveAsDraft; name,
notes, active and the standard cost are of no version and change at once. ${FORMULA_NOTE}`,
    permission: 'production.manage',
    request: { params: recipeParams, body: recipeChange },
    response: { status: 200, schema: recipeAnswer, etag: true },
    rejections: [...formulaRefusals, CHANGE_REASON_REQUIRED, DRAFT_LIMIT, RECIPE_CHANGED],
    async handle({ params, body }, context) {
      await writer.change(context, params.id, changeFromRequest(body, seesCosts(context)));
      return recipeReply(context, params.id);
    },
  });

export const recipeRoutes = (writer: RecipeWriter): readonly Route[] => [
  listRecipes,
  read,
  create(writer),
  change(writer, 'put'),
  change(writer, 'patch'),
];
