import { describe, expect, test } from '@jest/globals';
import { recipeVersionsProjector } from '../../projections/recipes/recipe-versions.js';
import { recipeSummariesProjector, recipesProjector } from '../../projections/recipes/recipes.js';
import { formulaChanges } from '../../src/features/recipes/domain/changes.js';
import type { Formula, RecipeEvent } from '../../src/features/recipes/events.js';
import { givenProjection } from '../support/given-projection.js';
import { dec, formulaOf, input } from '../support/recipes.js';

const first = formulaOf();
const stage = { name: 'Assar', required: true, workCenter: null, standardMinutes: dec(30), laborRatePerHour: dec(20) };
const second = formulaOf({
  yieldQty: dec('2.5'),
  stages: [stage],
  items: [first.items[0], input('sal', { quantity: '0.2' })] as Formula['items'],
});

const created: RecipeEvent = {
  type: 'RecipeCreated',
  data: {
    recipeId: 'r1',
    version: 1,
    sha256: 'a',
    formula: first,
    details: { name: 'Pão', notes: null, active: true, standardUnitCost: dec('7.25') },
  },
};
const changed: RecipeEvent = {
  type: 'RecipeDetailsChanged',
  data: { recipeId: 'r1', changes: { notes: 'À noite', standardUnitCost: null }, was: {} },
};
const changes = [...formulaChanges(first, second)];
const made = { recipeId: 'r1', formula: second, sha256: 'b', changeReason: 'faltava sal', changes };
const drafted: RecipeEvent = { type: 'RecipeDraftSaved', data: { ...made, draft: 1, base: 1 } };
const discarded: RecipeEvent = { type: 'RecipeDraftDiscarded', data: { recipeId: 'r1', draft: 1 } };
const activated: RecipeEvent = { type: 'RecipeVersionActivated', data: { ...made, version: 2, replaces: 1, draft: 1 } };

const at = (second: number) => `2026-01-01T00:00:0${String(second)}.000Z`;
const noMeasures = { percent: null, densityKgPerL: null, lossPercent: 0, costKind: 'MATERIAL' };
const flour = { componentVariantId: 'farinha', quantity: 10, ...noMeasures };
const water = { componentVariantId: 'água', quantity: 6, ...noMeasures };
const salt = { componentVariantId: 'sal', quantity: 0.2, ...noMeasures };
const baking = { name: 'Assar', required: true, workCenter: null, standardMinutes: 30, laborRatePerHour: 20 };

const snapshot = {
  finishedVariantId: 'pão',
  yieldQty: 1,
  densityKgPerL: null,
  expectedLossPercent: 0,
  formulaMode: 'ABSOLUTE',
  percentBasis: 'MASS',
  stages: [],
  byproducts: [],
  items: [flour, water],
};
const newSnapshot = { ...snapshot, yieldQty: 2.5, stages: [baking], items: [flour, salt] };

const document = {
  id: 'r1',
  name: 'Pão',
  notes: null,
  active: true,
  currentVersion: 1,
  standardUnitCost: 7.25,
  ...snapshot,
  drafts: [],
  createdAt: at(0),
  updatedAt: at(0),
  revision: 0,
};

describe('a recipe', () => {
  test('is there with its formula', () => {
    givenProjection(recipesProjector).when([created]).then({ r1: document });
  });
  test('changes its details', () => {
    givenProjection(recipesProjector)
      .when([created, changed])
      .then({ r1: { ...document, notes: 'À noite', standardUnitCost: null, updatedAt: at(1), revision: 1 } });
  });
  test('names its drafts and keeps its formula meanwhile', () => {
    givenProjection(recipesProjector)
      .when([created, drafted])
      .then({ r1: { ...document, drafts: ['draft-1'], updatedAt: at(1), revision: 1 } });
    givenProjection(recipesProjector)
      .when([created, drafted, discarded])
      .then({ r1: { ...document, updatedAt: at(2), revision: 2 } });
  });
  test('has the formula of the version in force', () => {
    givenProjection(recipesProjector)
      .when([created, drafted, activated])
      .then({ r1: { ...document, ...newSnapshot, currentVersion: 2, updatedAt: at(2), revision: 2 } });
  });
});

describe('a recipe in a list', () => {
  const summary = {
    id: 'r1',
    name: 'Pão',
    active: true,
    currentVersion: 2,
    standardUnitCost: null,
    finishedVariantId: 'pão',
    yieldQty: 2.5,
    expectedLossPercent: 0,
    formulaMode: 'ABSOLUTE',
    itemCount: 2,
    drafts: [],
    createdAt: at(0),
    updatedAt: at(3),
    revision: 3,
  };
  test('has no notes and counts its inputs', () => {
    givenProjection(recipeSummariesProjector).when([created, changed, drafted, activated]).then({ r1: summary });
  });
});

describe('versions', () => {
  const actor = { kind: 'system', id: 'test', name: 'test' };
  const common = { recipeId: 'r1', createdBy: actor, obsoleteAt: null };
  const differences = [
    { path: 'yieldQty', from: 1, to: 2.5 },
    { path: 'items[água]', from: water, to: null },
    { path: 'items[sal]', from: null, to: salt },
    { path: 'stages[0]', from: null, to: baking },
  ];
  const one = {
    ...common,
    version: 1,
    status: 'ACTIVE',
    snapshot,
    sha256: 'a',
    changeReason: null,
    basedOn: null,
    activatedDraft: null,
    changes: [],
    createdAt: at(0),
    revision: 0,
  };
  const two = {
    ...common,
    version: 2,
    status: 'ACTIVE',
    snapshot: newSnapshot,
    sha256: 'b',
    changeReason: 'faltava sal',
    basedOn: 1,
    activatedDraft: 'draft-1',
    changes: differences,
    createdAt: at(2),
    revision: 2,
  };
  const draft = { ...two, version: 'draft-1', status: 'DRAFT', activatedDraft: null, createdAt: at(1), revision: 1 };

  test('begin with the first in force', () => {
    givenProjection(recipeVersionsProjector).when([created]).then({ 'r1:1': one });
  });
  test('take drafts beside them', () => {
    givenProjection(recipeVersionsProjector).when([created, drafted]).then({ 'r1:1': one, 'r1:draft-1': draft });
    givenProjection(recipeVersionsProjector).when([created, drafted, discarded]).then({ 'r1:1': one });
  });
  test('turn obsolete when another comes into force, and the draft is gone', () => {
    givenProjection(recipeVersionsProjector)
      .when([created, drafted, activated])
      .then({ 'r1:1': { ...one, status: 'OBSOLETE', obsoleteAt: at(2) }, 'r1:2': two });
  });
});

describe('differences', () => {
  const paths = (before: Formula, after: Formula) => formulaChanges(before, after).map(({ path }) => path);
  const steps = (...names: readonly string[]) => formulaOf({ stages: names.map((name) => ({ ...stage, name })) });
  test('name the leaf of an input that stays, and its place in a list that was put in another order', () => {
    const more = formulaOf({ items: [input('farinha', { quantity: 11 }), input('água', { quantity: 6 })] });
    expect(paths(first, more)).toEqual(['items[farinha].quantity']);
    const turned = formulaOf({ items: [...first.items].reverse() });
    expect(formulaChanges(first, turned)).toEqual([
      { path: 'items', from: ['farinha', 'água'], to: ['água', 'farinha'] },
    ]);
  });
  test('tell stages by their place', () => {
    expect(paths(steps('Amassar', 'Assar'), steps('Misturar'))).toEqual(['stages[0].name', 'stages[1]']);
    expect(paths(steps('Amassar'), steps('Amassar'))).toEqual([]);
  });
  test('tell by-products by their variant', () => {
    const bran = (share: number) =>
      formulaOf({ byproducts: [{ variantId: 'farelo', quantityPerBatch: dec(1), costSharePercent: dec(share) }] });
    expect(formulaChanges(bran(0), bran(5))).toEqual([
      { path: 'byproducts[farelo].costSharePercent', from: '0', to: '5' },
    ]);
    expect(paths(bran(0), first)).toEqual(['byproducts[farelo]']);
  });
});
