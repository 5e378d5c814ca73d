import { describe, expect, test } from '@jest/globals';
import type { RecipeCommand } from '../../../src/features/recipes/decider.js';
import { MAX_DRAFTS, recipes } from '../../../src/features/recipes/decider.js';
import { formulaChanges } from '../../../src/features/recipes/domain/changes.js';
import { needsItself } from '../../../src/features/recipes/domain/cycles.js';
import type { GivenFormula } from '../../../src/features/recipes/domain/formula.js';
import type { Formula, RecipeDetails, RecipeEvent } from '../../../src/features/recipes/events.js';
import {
  CHANGE_REASON_REQUIRED,
  COMPONENT_INACTIVE,
  DRAFT_CORRUPTED,
  DRAFT_LIMIT,
  FORMULA_INVALID,
  RECIPE_CHANGED,
  RECIPE_CYCLE,
  VARIANT_NOT_ALLOWED,
  VERSION_NOT_DRAFT,
} from '../../../src/features/recipes/rejections.js';
import { fold } from '../../support/fold.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { fingerprintOf } from '../../../src/kernel/values/fingerprint.js';
import { NOT_FOUND, STALE } from '../../../src/kernel/events/rejection.js';
import { given as givenHistory } from '../../support/given.js';
import { dec, factsOf, formulaOf, given, input, variant } from '../../support/recipes.js';
import { throughSnapshot } from '../../support/through-snapshot.js';

const NAMES = ['pão', 'farinha', 'água', 'sal', 'pré-mistura', 'bolo', 'soro'];
const facts = factsOf(...NAMES.map((name) => variant(name, 'KG')));

const plain: RecipeDetails = { name: 'Pão francês', notes: null, active: true, standardUnitCost: null };

const created = (recipeId = 'r1', formula = formulaOf(), details = plain): RecipeEvent => ({
  type: 'RecipeCreated',
  data: { recipeId, version: 1, details, formula, sha256: fingerprintOf(formula) },
});

interface Made {
  readonly recipeId?: string;
  readonly before?: Formula;
  readonly changeReason?: string | null;
}

const sealed = (formula: Formula, { recipeId = 'r1', before = formulaOf(), changeReason = null }: Made) => ({
  recipeId,
  formula,
  sha256: fingerprintOf(formula),
  changeReason,
  changes: [...formulaChanges(before, formula)],
});

const activated = (version: number, formula: Formula, made: Made & { readonly draft?: number } = {}): RecipeEvent => ({
  type: 'RecipeVersionActivated',
  data: { ...sealed(formula, made), version, replaces: version - 1, draft: made.draft ?? null },
});

const drafted = (draft: number, formula: Formula, made: Made & { readonly base?: number } = {}): RecipeEvent => ({
  type: 'RecipeDraftSaved',
  data: { ...sealed(formula, made), draft, base: made.base ?? 1 },
});

const create = (recipeId: string, formula: GivenFormula, known = facts): RecipeCommand => ({
  type: 'create',
  recipeId,
  details: plain,
  formula,
  facts: known,
});

type Change = Partial<Omit<Extract<RecipeCommand, { type: 'change' }>, 'type'>>;
const change = (changes: Change): RecipeCommand => ({
  type: 'change',
  recipeId: 'r1',
  ifMatch: undefined,
  details: {},
  formula: {},
  changeReason: null,
  reasonNeeded: false,
  asDraft: false,
  facts,
  ...changes,
});

type Activation = Partial<Omit<Extract<RecipeCommand, { type: 'activate' }>, 'type' | 'saved'>>;
const activate = (draft: number, formula: Formula | undefined, changes: Activation = {}): RecipeCommand => ({
  type: 'activate',
  recipeId: 'r1',
  ifMatch: undefined,
  version: { draft },
  saved: formula && { formula, changeReason: 'do rascunho' },
  changeReason: null,
  reasonNeeded: false,
  facts,
  ...changes,
});

const discard = (version: { draft: number } | { version: number }, ifMatch?: number): RecipeCommand => ({
  type: 'discard',
  recipeId: 'r1',
  version,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});

const salted = formulaOf({ items: [...given().items, input('sal', { quantity: '0.2' })] });
const bigger = formulaOf({ yieldQty: dec(2) });

describe('a recipe', () => {
  test('is created with its first version in force', () => {
    givenHistory(recipes).when(create('r1', given())).then(created());
  });

  test('is made of something else than itself', () => {
    givenHistory(recipes)
      .when(create('r1', given({ items: [input('pão', { quantity: 1 })] })))
      .thenRefused(RECIPE_CYCLE);
  });

  test('names a component, and a by-product, once', () => {
    const twice = [input('sal', { quantity: 1 }), input('sal', { quantity: 2 })];
    givenHistory(recipes)
      .when(create('r1', given({ items: twice })))
      .thenRefused(FORMULA_INVALID, { errors: [{ path: 'items[1].componentVariantId' }] });
    const byproduct = { variantId: 'soro', quantityPerBatch: dec(1), costSharePercent: dec(1) };
    givenHistory(recipes)
      .when(create('r1', given({ byproducts: [byproduct, byproduct] })))
      .thenRefused(FORMULA_INVALID, { errors: [{ path: 'byproducts[1].variantId' }] });
  });

  test('has by-products beside itself, which never bear the whole cost', () => {
    const withShare = (variantId: string, share: string) =>
      create('r1', given({ byproducts: [{ variantId, quantityPerBatch: dec(1), costSharePercent: dec(share) }] }));
    givenHistory(recipes)
      .when(withShare('pão', '1'))
      .thenRefused(FORMULA_INVALID, { errors: [{ path: 'byproducts[0].variantId' }] });
    givenHistory(recipes)
      .when(withShare('soro', '100'))
      .thenRefused(FORMULA_INVALID, { errors: [{ path: 'byproducts' }] });
    const most = formulaOf({
      byproducts: [{ variantId: 'soro', quantityPerBatch: dec(1), costSharePercent: dec('99.9999') }],
    });
    givenHistory(recipes).when(withShare('soro', '99.9999')).then(created('r1', most));
  });

  test('says where it names what is not there', () => {
    const known = new Map([...facts, ['água', 'unknown'] as const, ['pão', 'unknown'] as const]);
    givenHistory(recipes)
      .when(create('r1', given(), known))
      .thenRefused(NOT_FOUND, { errors: [{ path: 'finishedVariantId' }, { path: 'items[1].componentVariantId' }] });
  });

  test('is neither made of services and kits nor makes them', () => {
    const service = { ...variant('água', 'UN'), productType: 'SERVICE' as const };
    const kit = { ...variant('pão', 'UN'), components: [{ variantId: 'farinha', quantity: Decimal.one }] };
    givenHistory(recipes)
      .when(create('r1', given(), new Map([...facts, ['água', service] as const])))
      .thenRefused(VARIANT_NOT_ALLOWED, { errors: [{ path: 'items[1].componentVariantId' }] });
    givenHistory(recipes)
      .when(create('r1', given(), new Map([...facts, ['pão', kit] as const])))
      .thenRefused(VARIANT_NOT_ALLOWED, { errors: [{ path: 'finishedVariantId' }] });
  });

  test('takes only active components; its product may be inactive', () => {
    const resting = (name: string) => new Map([...facts, [name, { ...variant(name, 'KG'), active: false }] as const]);
    givenHistory(recipes)
      .when(create('r1', given(), resting('farinha')))
      .thenRefused(COMPONENT_INACTIVE, { errors: [{ path: 'items[0].componentVariantId' }] });
    givenHistory(recipes)
      .when(create('r1', given(), resting('pão')))
      .then(created());
  });

  test('must be there, and as the client saw it', () => {
    givenHistory(recipes, created())
      .when(change({ recipeId: 'r2' }))
      .thenRefused(NOT_FOUND);
    givenHistory(recipes, created())
      .when(change({ ifMatch: [3] }))
      .thenRefused(STALE);
    givenHistory(recipes, created())
      .when(discard({ draft: 1 }, 3))
      .thenRefused(STALE);
  });
});

describe('a change', () => {
  test('of name, notes, activity or standard cost is no new version', () => {
    const details = { name: 'Pão', notes: 'Fermentar à noite', active: false, standardUnitCost: dec('7.25') };
    givenHistory(recipes, created())
      .when(change({ details }))
      .then({ type: 'RecipeDetailsChanged', data: { recipeId: 'r1', changes: details, was: plain } });
  });

  test('that changes nothing records nothing', () => {
    givenHistory(recipes, created())
      .when(change({ details: { name: 'Pão francês', notes: null }, formula: { yieldQty: dec('1.00') } }))
      .thenNothing();
  });

  test('of the formula is a new version', () => {
    givenHistory(recipes, created())
      .when(change({ formula: { items: salted.items }, changeReason: 'faltava sal' }))
      .then(activated(2, salted, { changeReason: 'faltava sal' }));
  });

  test('of both is two facts', () => {
    const facts2 = [
      {
        type: 'RecipeDetailsChanged' as const,
        data: { recipeId: 'r1', changes: { name: 'Pão salgado' }, was: { name: 'Pão francês' } },
      },
      activated(2, salted),
    ];
    givenHistory(recipes, created())
      .when(change({ details: { name: 'Pão salgado' }, formula: { items: salted.items } }))
      .then(...facts2);
  });

  test('starts from what is in force', () => {
    const both = { ...salted, yieldQty: dec(2) };
    givenHistory(recipes, created(), activated(2, salted))
      .when(change({ formula: { yieldQty: dec(2) } }))
      .then(activated(3, both, { before: salted }));
  });

  test('asks for its reason in the industrial segment, draft or not', () => {
    for (const asDraft of [false, true]) {
      givenHistory(recipes, created())
        .when(change({ formula: { yieldQty: dec(2) }, reasonNeeded: true, asDraft }))
        .thenRefused(CHANGE_REASON_REQUIRED);
    }
    givenHistory(recipes, created())
      .when(change({ formula: { yieldQty: dec(2) }, reasonNeeded: true, changeReason: 'lote dobrado' }))
      .then(activated(2, bigger, { changeReason: 'lote dobrado' }));
    givenHistory(recipes, created())
      .when(change({ formula: { yieldQty: dec(1) }, details: { name: 'Pão' }, reasonNeeded: true }))
      .then({
        type: 'RecipeDetailsChanged',
        data: { recipeId: 'r1', changes: { name: 'Pão' }, was: { name: 'Pão francês' } },
      });
  });

  test('is decided again when its components are others than those that were looked up', () => {
    givenHistory(recipes, created(), activated(2, salted))
      .when(change({ formula: { yieldQty: dec(2) }, facts: factsOf(variant('pão', 'KG'), variant('farinha', 'KG')) }))
      .thenRefused(RECIPE_CHANGED);
  });

  test('keeps the rate of a stage for who does not see it', () => {
    const stage = { name: 'Assar', required: true, workCenter: null, standardMinutes: dec(30) };
    const paid = formulaOf({ stages: [{ ...stage, laborRatePerHour: dec(20) }] });
    const longer = formulaOf({ stages: [{ ...stage, standardMinutes: dec(40), laborRatePerHour: dec(20) }] });
    givenHistory(recipes, created('r1', paid))
      .when(change({ formula: { stages: [{ ...stage, standardMinutes: dec(40), laborRatePerHour: undefined }] } }))
      .then(activated(2, longer, { before: paid }));
  });

  test('keeps the rate of each of several stages of one name', () => {
    const stage = { name: 'Assar', required: true, workCenter: null, standardMinutes: dec(30) };
    const paid = (...rates: readonly number[]) =>
      formulaOf({ stages: rates.map((rate) => ({ ...stage, laborRatePerHour: dec(rate) })) });
    const sent = (count: number) =>
      Array.from({ length: count }, () => ({ ...stage, laborRatePerHour: undefined }) as const);
    givenHistory(recipes, created('r1', paid(20, 50)))
      .when(change({ formula: { stages: sent(2) } }))
      .thenNothing();
    const another = formulaOf({ stages: [...paid(20, 50).stages, { ...stage, laborRatePerHour: null }] });
    givenHistory(recipes, created('r1', paid(20, 50)))
      .when(change({ formula: { stages: sent(3) } }))
      .then(activated(2, another, { before: paid(20, 50) }));
  });
});

describe('a draft', () => {
  test('leaves the version in force', () => {
    givenHistory(recipes, created())
      .when(change({ formula: { items: salted.items }, asDraft: true, changeReason: 'teste' }))
      .then(drafted(1, salted, { changeReason: 'teste' }));
    const { version, formula } = fold(recipes.decider, [created(), drafted(1, salted)]).byId.get('r1') ?? {};
    expect([version, formula]).toEqual([1, formulaOf()]);
  });

  test('may be saved of what is in force', () => {
    givenHistory(recipes, created())
      .when(change({ asDraft: true }))
      .then(drafted(1, formulaOf()));
  });

  test('has a number of its own, also when earlier ones are gone', () => {
    const discarded: RecipeEvent = { type: 'RecipeDraftDiscarded', data: { recipeId: 'r1', draft: 2 } };
    givenHistory(recipes, created(), drafted(1, salted), drafted(2, salted), discarded)
      .when(change({ formula: { yieldQty: dec(2) }, asDraft: true }))
      .then(drafted(3, bigger));
  });

  test('is one of at most 200', () => {
    const drafts = Array.from({ length: MAX_DRAFTS }, (_, index) => drafted(index + 1, salted));
    const another = change({ formula: { yieldQty: dec(2) }, asDraft: true });
    givenHistory(recipes, created(), ...drafts.slice(1))
      .when(another)
      .then(drafted(MAX_DRAFTS + 1, bigger));
    givenHistory(recipes, created(), ...drafts)
      .when(another)
      .thenRefused(DRAFT_LIMIT);
  });

  test('comes into force under the next number with its reason', () => {
    givenHistory(recipes, created(), drafted(1, salted))
      .when(activate(1, salted))
      .then(activated(2, salted, { draft: 1, changeReason: 'do rascunho' }));
    givenHistory(recipes, created(), drafted(1, salted))
      .when(activate(1, salted, { changeReason: 'aprovado' }))
      .then(activated(2, salted, { draft: 1, changeReason: 'aprovado' }));
  });

  test('comes into force although another did so first', () => {
    const before = [created(), drafted(1, salted), drafted(2, bigger), activated(2, salted, { draft: 1 })];
    const [event] = recipes.decider.decide(
      fold(recipes.decider, before),
      activate(2, bigger),
      '2026-11-21T12:00:00.000Z',
    );
    expect(event).toMatchObject({ type: 'RecipeVersionActivated', data: { version: 3, replaces: 2, draft: 2 } });
  });

  test('is refused when it is not what was saved', () => {
    givenHistory(recipes, created(), drafted(1, salted)).when(activate(1, bigger)).thenRefused(DRAFT_CORRUPTED);
  });

  test('is refused when a component is no longer there, or no longer active', () => {
    givenHistory(recipes, created(), drafted(1, salted))
      .when(activate(1, salted, { facts: new Map([...facts, ['sal', 'unknown'] as const]) }))
      .thenRefused(DRAFT_CORRUPTED, { variantIds: ['sal'] });
    givenHistory(recipes, created(), drafted(1, salted))
      .when(
        activate(1, salted, {
          facts: new Map([...facts, ['sal', { ...variant('sal', 'KG'), active: false }] as const]),
        }),
      )
      .thenRefused(COMPONENT_INACTIVE);
  });

  test('is activated once', () => {
    givenHistory(recipes, created(), drafted(1, salted), activated(2, salted, { draft: 1 }))
      .when(activate(1, undefined))
      .thenRefused(VERSION_NOT_DRAFT);
  });

  test('is looked at again when it was saved meanwhile', () => {
    givenHistory(recipes, created(), drafted(1, salted)).when(activate(1, undefined)).thenRefused(RECIPE_CHANGED);
  });

  test('is discarded; what is or was in force is not', () => {
    const history = [created(), activated(2, salted), drafted(1, bigger, { base: 2, before: salted })];
    givenHistory(recipes, ...history)
      .when(discard({ draft: 1 }))
      .then({ type: 'RecipeDraftDiscarded', data: { recipeId: 'r1', draft: 1 } });
    for (const version of [1, 2]) {
      givenHistory(recipes, ...history)
        .when(discard({ version }))
        .thenRefused(VERSION_NOT_DRAFT);
      givenHistory(recipes, ...history)
        .when(activate(0, undefined, { version: { version } }))
        .thenRefused(VERSION_NOT_DRAFT);
    }
    for (const version of [{ version: 3 }, { draft: 2 }]) {
      givenHistory(recipes, ...history)
        .when(discard(version))
        .thenRefused(NOT_FOUND);
    }
  });
});

describe('a cycle', () => {
  const of = (finishedVariantId: string, ...components: readonly string[]) =>
    formulaOf({ finishedVariantId, items: components.map((name) => input(name, { quantity: 1 })) });
  const chain = [created('r1', of('pré-mistura', 'farinha')), created('r2', of('pão', 'pré-mistura'))];

  test('through other recipes is refused at creation and at every change', () => {
    givenHistory(recipes, ...chain)
      .when(create('r3', of('bolo', 'pão')))
      .then(created('r3', of('bolo', 'pão')));
    const longer = [...chain, created('r3', of('bolo', 'pão'))];
    const circular = of('pré-mistura', 'bolo');
    givenHistory(recipes, ...longer)
      .when(create('r4', circular))
      .thenRefused(RECIPE_CYCLE);
    givenHistory(recipes, ...longer)
      .when(change({ formula: { items: circular.items } }))
      .thenRefused(RECIPE_CYCLE);
    givenHistory(recipes, ...longer)
      .when(change({ formula: { items: circular.items }, asDraft: true }))
      .thenRefused(RECIPE_CYCLE);
  });

  test('that another change closed first is refused when the draft is activated', () => {
    const draft = of('pré-mistura', 'bolo');
    const history = [...chain, drafted(1, draft, { before: of('pré-mistura', 'farinha') })];
    givenHistory(recipes, ...history)
      .when(activate(1, draft))
      .then(activated(2, draft, { draft: 1, changeReason: 'do rascunho', before: of('pré-mistura', 'farinha') }));
    givenHistory(recipes, ...history, created('r3', of('bolo', 'pão')))
      .when(activate(1, draft))
      .thenRefused(RECIPE_CYCLE);
  });

  test('does not go through recipes that rest, until they are active again', () => {
    const rests: RecipeEvent = {
      type: 'RecipeDetailsChanged',
      data: { recipeId: 'r1', changes: { active: false }, was: { active: true } },
    };
    const circular = of('farinha', 'pão');
    givenHistory(recipes, ...chain)
      .when(create('r3', circular))
      .thenRefused(RECIPE_CYCLE);
    givenHistory(recipes, ...chain, rests)
      .when(create('r3', circular))
      .then(created('r3', circular));
    givenHistory(recipes, ...chain, rests, created('r3', circular))
      .when(change({ details: { active: true } }))
      .thenRefused(RECIPE_CYCLE);
  });

  test('is not looked for in a formula that a recipe gets rid of as it is active again', () => {
    const rests: RecipeEvent = {
      type: 'RecipeDetailsChanged',
      data: { recipeId: 'r1', changes: { active: false }, was: { active: true } },
    };
    const resumes: RecipeEvent = {
      type: 'RecipeDetailsChanged',
      data: { recipeId: 'r1', changes: { active: true }, was: { active: false } },
    };
    const history = [...chain, rests, created('r3', of('farinha', 'pão'))];
    const [before, salty] = [of('pré-mistura', 'farinha'), of('pré-mistura', 'sal')];
    const wanted = { details: { active: true }, formula: { items: salty.items } };
    givenHistory(recipes, ...history)
      .when(change(wanted))
      .then(resumes, activated(2, salty, { before }));
    givenHistory(recipes, ...history)
      .when(change({ ...wanted, asDraft: true }))
      .thenRefused(RECIPE_CYCLE);
  });

  test('follows a recipe to its new product', () => {
    const moved = of('bolo', 'farinha');
    givenHistory(recipes, ...chain, activated(2, moved, { before: of('pré-mistura', 'farinha') }))
      .when(create('r3', of('farinha', 'pão')))
      .then(created('r3', of('farinha', 'pão')));
  });

  test('is looked for once in each product, however many recipes name it', () => {
    let looks = 0;
    const made = (variantId: string): readonly string[] => {
      looks += 1;
      return variantId === 'massa' ? Array<string>(300_000).fill('farinha') : [];
    };
    expect(needsItself('pão', ['massa', 'massa'], made)).toBe(false);
    expect(looks).toBe(2);
  });

  test('of any depth is found without a stack', () => {
    const depth = 2_000;
    const links = Array.from({ length: depth }, (_, index) =>
      created(`r${String(index)}`, of(`v${String(index)}`, `v${String(index + 1)}`)),
    );
    const known = factsOf(variant('v0', 'KG'), variant(`v${String(depth)}`, 'KG'));
    givenHistory(recipes, ...links)
      .when(create('last', of(`v${String(depth)}`, 'v0'), known))
      .thenRefused(RECIPE_CYCLE);
  });
});

describe('a standard cost', () => {
  const set = (version: number): RecipeCommand => ({
    type: 'setStandardCost',
    recipeId: 'r1',
    version,
    standardUnitCost: dec('1.2345678901'),
  });

  test('is stored for the version that it was computed of', () => {
    givenHistory(recipes, created())
      .when(set(1))
      .then({
        type: 'RecipeDetailsChanged',
        data: { recipeId: 'r1', changes: { standardUnitCost: dec('1.2345678901') }, was: { standardUnitCost: null } },
      });
    givenHistory(recipes, created(), activated(2, salted)).when(set(1)).thenRefused(RECIPE_CHANGED);
  });
});

test('the state comes back whole from its snapshot', () => {
  const history = [
    created(),
    created('r2', formulaOf({ finishedVariantId: 'bolo' })),
    drafted(1, salted),
    drafted(2, bigger),
    activated(2, salted, { draft: 1 }),
  ];
  const state = fold(recipes.decider, history);
  expect(throughSnapshot(recipes, state)).toEqual(state);
});
