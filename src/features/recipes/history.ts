import type { MemberWords } from '../../kernel/events/changes-written.js';
import { changesWritten } from '../../kernel/events/changes-written.js';
import type { Histories } from '../../kernel/events/history.js';
import { counted, entity } from '../../kernel/events/history.js';
import type { RecipeEvent } from './events.js';

const about = ({ recipeId }: { readonly recipeId: string }) => [entity('recipe', recipeId)];
const PT = {
  name: 'nome',
  notes: 'observações',
  active: 'ativa',
  standardUnitCost: 'custo padrão',
} satisfies MemberWords;
const EN: Readonly<Record<keyof typeof PT, string>> = {
  name: 'name',
  notes: 'notes',
  active: 'active',
  standardUnitCost: 'standard cost',
};
/** Notes are too long for a sentence, and not everybody may see a cost. */
const UNTOLD = ['notes', 'standardUnitCost'];
const because = (reason: string | null): string => (reason === null ? '' : `: ${reason}`);

export const recipeHistory: Histories<RecipeEvent> = {
  RecipeCreated: {
    about,
    pt: ({ details, formula }) =>
      `A receita ${details.name} foi criada, com ${counted(formula.items.length, 'insumo', 'insumos')}.`,
    en: ({ details, formula }) =>
      `The recipe ${details.name} was created, with ${counted(formula.items.length, 'input', 'inputs')}.`,
  },
  RecipeDetailsChanged: {
    about,
    pt: ({ recipeId, changes, was }, say) =>
      `Os dados da receita ${say.name('recipe', recipeId)} foram alterados, sem nova versão${changesWritten(was, changes, PT, say, UNTOLD)}.`,
    en: ({ recipeId, changes, was }, say) =>
      `Details of the recipe ${say.name('recipe', recipeId)} were changed, without a new version${changesWritten(was, changes, EN, say, UNTOLD)}.`,
  },
  RecipeDraftSaved: {
    about,
    pt: ({ recipeId, draft, changeReason }, say) =>
      `O rascunho ${String(draft)} da receita ${say.name('recipe', recipeId)} foi salvo${because(changeReason)}.`,
    en: ({ recipeId, draft, changeReason }, say) =>
      `Draft ${String(draft)} of the recipe ${say.name('recipe', recipeId)} was saved${because(changeReason)}.`,
  },
  RecipeDraftDiscarded: {
    about,
    pt: ({ recipeId, draft }, say) =>
      `O rascunho ${String(draft)} da receita ${say.name('recipe', recipeId)} foi descartado.`,
    en: ({ recipeId, draft }, say) =>
      `Draft ${String(draft)} of the recipe ${say.name('recipe', recipeId)} was discarded.`,
  },
  RecipeVersionActivated: {
    about,
    pt: ({ recipeId, version, replaces, changeReason }, say) =>
      `A versão ${String(version)} da receita ${say.name('recipe', recipeId)} entrou em vigor no lugar da ${String(replaces)}${because(changeReason)}.`,
    en: ({ recipeId, version, replaces, changeReason }, say) =>
      `Version ${String(version)} of the recipe ${say.name('recipe', recipeId)} came into force in place of ${String(replaces)}${because(changeReason)}.`,
  },
};
