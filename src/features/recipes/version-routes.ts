import { z } from 'zod';
import { recipes as recipeRecords } from '../../../projections/recipes/recipes.js';
import type { VersionDocument } from '../../../projections/recipes/recipe-versions.js';
import { recipeVersions } from '../../../projections/recipes/recipe-versions.js';
import { cursorText, textOrNull } from '../../kernel/values/fields.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { Route } from '../../kernel/routes/route.js';
import { RawJson, route } from '../../kernel/routes/route.js';
import { recipeAnswer, versionsAnswer, visibleJson } from './answers.js';
import { recipes } from './decider.js';
import type { VersionName } from './domain/version-name.js';
import { parseVersionName } from './domain/version-name.js';
import { recipeReply } from './recipe-routes.js';
import type { RecipeWriter } from './recipe-writer.js';
import {
  CHANGE_REASON_REQUIRED,
  COMPONENT_INACTIVE,
  DRAFT_CORRUPTED,
  RECIPE_CHANGED,
  RECIPE_CYCLE,
  VARIANT_NOT_ALLOWED,
  VERSION_NOT_DRAFT,
} from './rejections.js';
import { changeReason, recipeParams, versionParams } from './schemas.js';

const VERSIONS_PAGE = 50;
const PATH = '/bakery-production/recipes/{id}/versions';
const common = { tag: 'Recipes' } as const;

function versionName(text: string): VersionName {
  const name = parseVersionName(text);
  if (!name) throw new Rejection(NOT_FOUND);
  return name;
}

const list = route({
  ...common,
  method: 'get',
  path: PATH,
  summary: 'Gives the versions and drafts of a recipe with their differences, newest first',
  description: `${VERSIONS_PAGE} at a time; nextCursor says where to go on.`,
  permission: 'production.view',
  request: { params: recipeParams, query: z.strictObject({ cursor: cursorText.optional() }) },
  response: { status: 200, schema: versionsAnswer },
  async handle({ params, query }, context) {
    const [record, page] = await Promise.all([
      context.reads.get(recipeRecords, params.id),
      context.reads.find(recipeVersions, {
        equal: { recipe: params.id },
        sort: { column: 'revision', direction: 'desc' },
        limit: VERSIONS_PAGE,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
      }),
    ]);
    if (!record) throw new Rejection(NOT_FOUND);
    const { currentVersion } = JSON.parse(record.body) as { currentVersion: number };
    const seesCosts = context.may('production.costs');
    const versions = page.items.map(({ body }) => versionJson(body, currentVersion, seesCosts)).join(',');
    const nextCursor = JSON.stringify(page.nextCursor);
    return {
      body: new RawJson(
        `{"currentVersion":${String(currentVersion)},"versions":[${versions}],"nextCursor":${nextCursor}}`,
      ),
    };
  },
});

/** A version as it is stored; a draft with the version that it was made from, and whether another one came into force since. */
function versionJson(body: string, currentVersion: number, seesCosts: boolean): string {
  const shown = JSON.parse(visibleJson(body, seesCosts)) as Pick<VersionDocument, 'status' | 'basedOn'>;
  if (shown.status !== 'DRAFT') return JSON.stringify(shown);
  const { basedOn: baseVersion } = shown;
  return JSON.stringify({ ...shown, baseVersion, outdated: baseVersion !== currentVersion });
}

const activate = (writer: RecipeWriter) =>
  route({
    ...common,
    method: 'post',
    path: `${PATH}/{version}/activate`,
    ifMatch: true,
    summary: 'Brings a draft into force under the next number',
    description:
      'The version before it becomes obsolete. A draft comes into force as it was saved, also when another version came into force since: the list of versions then shows it with `outdated: true`, and `If-Match` guards who wants to be guarded. A draft whose formula is not what its SHA-256 says, or with a component that is no longer there, is DRAFT_CORRUPTED.',
    permission: 'production.manage',
    request: { params: versionParams, body: z.strictObject({ changeReason }).optional() },
    response: { status: 200, schema: recipeAnswer, etag: true },
    rejections: [
      VERSION_NOT_DRAFT,
      DRAFT_CORRUPTED,
      VARIANT_NOT_ALLOWED,
      COMPONENT_INACTIVE,
      RECIPE_CYCLE,
      CHANGE_REASON_REQUIRED,
      RECIPE_CHANGED,
    ],
    async handle({ params, body }, context) {
      const reason = textOrNull(body?.changeReason);
      await writer.activate(context, params.id, versionName(params.version), reason);
      return recipeReply(context, params.id);
    },
  });

const discard = route({
  ...common,
  method: 'delete',
  path: `${PATH}/{version}`,
  summary: 'Removes a draft; versions that are or were in force stay',
  permission: 'production.manage',
  request: { params: versionParams },
  response: { status: 204 },
  rejections: [VERSION_NOT_DRAFT],
  async handle({ params }, context) {
    const { ifMatch } = context;
    await context.execute(recipes, {
      type: 'discard',
      recipeId: params.id,
      version: versionName(params.version),
      ifMatch,
    });
    return {};
  },
});

export const versionRoutes = (writer: RecipeWriter): readonly Route[] => [list, activate(writer), discard];
