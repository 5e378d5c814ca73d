import type { Formula, FormulaChange, RecipeEvent } from '../../src/features/recipes/events.js';
import { draftName, recipeEvents } from '../../src/features/recipes/events.js';
import type { Actor, Recorded } from '../../src/kernel/events/event.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import type { FormulaAnswer } from './parts/recipe-answers.js';
import { changeAnswer, formulaAnswer } from './parts/recipe-answers.js';

/** A version of a recipe, or a draft of one. */
export interface VersionDocument {
  /** A number, or `draft-1`. */
  readonly version: number | string;
  readonly status: 'ACTIVE' | 'OBSOLETE' | 'DRAFT';
  readonly snapshot: FormulaAnswer;
  readonly sha256: string;
  readonly changeReason: string | null;
  /** The version in force when it was made; null for the first one. */
  readonly basedOn: number | null;
  /** The draft that it was before it came into force. */
  readonly activatedDraft: string | null;
  readonly createdAt: string;
  readonly createdBy: Actor;
  /** When another version took its place. */
  readonly obsoleteAt: string | null;
  /** Against the version that it is based on. */
  readonly changes: readonly FormulaChange[];
  readonly recipeId: string;
  /** The revision of its event: the newest has the greatest. */
  readonly revision: number;
}

export const recipeVersions = recordCollection<VersionDocument>({
  name: 'recipe-versions',
  version: 1,
  hidden: ['recipeId', 'revision'],
  columns: {
    recipe: { type: 'id', of: ({ recipeId }) => recipeId },
    revision: { type: 'integer', of: ({ revision }) => revision },
  },
  indexes: [['recipe', 'revision']],
});

export const versionIdOf = (recipeId: string, version: number | string): string => `${recipeId}:${String(version)}`;

interface Sealed {
  readonly recipeId: string;
  readonly formula: Formula;
  readonly sha256: string;
}

const common = ({ data, meta, revision }: Recorded<RecipeEvent> & { readonly data: Sealed }) => ({
  recipeId: data.recipeId,
  snapshot: formulaAnswer(data.formula),
  sha256: data.sha256,
  createdAt: meta.at,
  createdBy: meta.actor,
  obsoleteAt: null,
  revision,
});

const first = { changeReason: null, basedOn: null, activatedDraft: null, changes: [] };

export const recipeVersionsProjector = recordProjector(recipeVersions, [recipeEvents], {
  RecipeCreated: {
    ids: ({ data }) => [versionIdOf(data.recipeId, data.version)],
    evolve: (_, event): VersionDocument => ({
      version: event.data.version,
      status: 'ACTIVE',
      ...common(event),
      ...first,
    }),
  },
  RecipeDraftSaved: {
    ids: ({ data }) => [versionIdOf(data.recipeId, draftName(data.draft))],
    evolve(_, event): VersionDocument {
      const { draft, base, changeReason, changes } = event.data;
      const made = { basedOn: base, activatedDraft: null, changeReason, changes: changes.map(changeAnswer) };
      return { version: draftName(draft), status: 'DRAFT', ...common(event), ...made };
    },
  },
  RecipeDraftDiscarded: {
    ids: ({ data }) => [versionIdOf(data.recipeId, draftName(data.draft))],
    evolve: () => undefined,
  },
  RecipeVersionActivated: {
    ids: ({ data: { recipeId, version, replaces, draft } }) => [
      versionIdOf(recipeId, version),
      versionIdOf(recipeId, replaces),
      ...(draft === null ? [] : [versionIdOf(recipeId, draftName(draft))]),
    ],
    evolve(document, event, id): VersionDocument | undefined {
      const { recipeId, version, replaces, draft, changeReason, changes } = event.data;
      if (id === versionIdOf(recipeId, replaces))
        return document && { ...document, status: 'OBSOLETE', obsoleteAt: event.meta.at };
      if (id !== versionIdOf(recipeId, version)) return undefined;
      const activatedDraft = draft === null ? null : draftName(draft);
      const made = { basedOn: replaces, activatedDraft, changeReason, changes: changes.map(changeAnswer) };
      return { version, status: 'ACTIVE', ...common(event), ...made };
    },
  },
});
