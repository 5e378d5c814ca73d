import { afterAll, describe, expect, test } from '@jest/globals';
import { RECIPES, breadOf, granted, newIngredients, newProduct, newRecipe } from '../support/bakery.js';
import { loseAnswer } from '../support/lost-answer.js';
import { refusal } from '../support/people.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();
const goods = await newIngredients(store);

const saveDraft = (id: string, body: object) =>
  granted(store.call('PUT', `${RECIPES}/${id}`, { ...body, saveAsDraft: true }));
const activate = (id: string, version: string, body?: object, headers?: Readonly<Record<string, string>>) =>
  store.call('POST', `${RECIPES}/${id}/versions/${version}/activate`, body, headers);
const discard = (id: string, version: string) => store.call('DELETE', `${RECIPES}/${id}/versions/${version}`);
const versionsOf = async (id: string, query = '') =>
  (await granted(store.call('GET', `${RECIPES}/${id}/versions${query}`))).body as {
    readonly currentVersion: number;
    readonly versions: readonly {
      readonly version: number | string;
      readonly status: string;
      readonly changeReason: string | null;
      readonly snapshot: { readonly yieldQty: number };
      readonly sha256: string;
      readonly changes: readonly object[];
    }[];
    readonly nextCursor: string | null;
  };
const outline = async (id: string) =>
  (await versionsOf(id)).versions.map(({ version, status }) => [version, status] as const);

describe('a draft', () => {
  test('leaves the version in force until it is activated', async () => {
    const { id, etag } = await newRecipe(store, breadOf(goods));
    const saved = await saveDraft(id, { yieldQty: 16, changeReason: 'forno novo' });
    expect(saved.body).toMatchObject({ yieldQty: 15, currentVersion: 1, drafts: ['draft-1'] });
    expect(saved.headers.get('etag')).not.toBe(etag);
    expect(await outline(id)).toEqual([
      ['draft-1', 'DRAFT'],
      [1, 'ACTIVE'],
    ]);
    const now = await granted(activate(id, 'draft-1'));
    expect(now.body).toMatchObject({ yieldQty: 16, currentVersion: 2, drafts: [] });
    const { currentVersion, versions } = await versionsOf(id);
    expect(currentVersion).toBe(2);
    expect(versions).toMatchObject([
      {
        version: 2,
        status: 'ACTIVE',
        changeReason: 'forno novo',
        activatedDraft: 'draft-1',
        basedOn: 1,
        changes: [{ path: 'yieldQty', from: 15, to: 16 }],
        createdBy: { kind: 'apiKey', name: 'Teste' },
      },
      { version: 1, status: 'OBSOLETE', changeReason: null, changes: [], snapshot: { yieldQty: 15 } },
    ]);
  });

  test('takes the reason of its activation when there is one', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    await saveDraft(id, { yieldQty: 16, changeReason: 'primeira' });
    await granted(activate(id, 'draft-1', { changeReason: 'aprovada' }));
    await saveDraft(id, { yieldQty: 17, changeReason: 'segunda' });
    await granted(activate(id, 'draft-2', { changeReason: '' }));
    expect((await versionsOf(id)).versions.map(({ changeReason }) => changeReason)).toEqual([
      'segunda',
      'aprovada',
      null,
    ]);
    expect((await activate(id, 'draft-2', { changeReason: 'x'.repeat(501) })).status).toBe(400);
  });

  test('comes into force although another version did so since, and says that it is outdated', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    await saveDraft(id, { yieldQty: 16 });
    await saveDraft(id, { yieldQty: 17 });
    const drafts = async () => (await versionsOf(id)).versions.filter(({ status }) => status === 'DRAFT');
    expect(await drafts()).toMatchObject([
      { version: 'draft-2', baseVersion: 1, outdated: false },
      { version: 'draft-1', baseVersion: 1, outdated: false },
    ]);
    await granted(activate(id, 'draft-1'));
    expect(await drafts()).toMatchObject([{ version: 'draft-2', baseVersion: 1, outdated: true }]);
    expect((await granted(activate(id, 'draft-2'))).body).toMatchObject({ yieldQty: 17, currentVersion: 3 });
    expect((await versionsOf(id)).versions[0]).not.toHaveProperty('outdated');
  });

  test('is not activated over a version that the client has not seen, when it says so', async () => {
    const { id, etag } = await newRecipe(store, breadOf(goods));
    await saveDraft(id, { yieldQty: 16 });
    expect((await activate(id, 'draft-1', undefined, { 'if-match': etag })).status).toBe(412);
  });

  test('of one recipe is activated once by many', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    await saveDraft(id, { yieldQty: 16 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => activate(id, 'draft-1')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect((await versionsOf(id)).currentVersion).toBe(2);
  });

  test('is removed; what is or was in force stays', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    await granted(store.call('PUT', `${RECIPES}/${id}`, { yieldQty: 16 }));
    await saveDraft(id, { yieldQty: 17 });
    expect((await discard(id, 'draft-1')).status).toBe(204);
    expect(refusal(await discard(id, 'draft-1'))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await activate(id, 'draft-1'))).toEqual([404, 'NOT_FOUND']);
    for (const version of ['1', '2']) {
      expect(refusal(await discard(id, version))).toEqual([409, 'VERSION_NOT_DRAFT']);
      expect(refusal(await activate(id, version))).toEqual([409, 'VERSION_NOT_DRAFT']);
    }
    for (const version of ['3', '0', 'draft-9', 'draft', 'draft-0', '1.5', 'x']) {
      expect(refusal(await discard(id, version))).toEqual([404, 'NOT_FOUND']);
      expect(refusal(await activate(id, version))).toEqual([404, 'NOT_FOUND']);
    }
    expect(await outline(id)).toEqual([
      [2, 'ACTIVE'],
      [1, 'OBSOLETE'],
    ]);
  });

  test('with a component that is no longer there is corrupted', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    const yeast = await newProduct(store, 'Fermento');
    await saveDraft(id, { items: [{ componentVariantId: yeast.variantId, quantity: 1 }] });
    await granted(store.call('DELETE', `/products/${yeast.id}`));
    const refused = await activate(id, 'draft-1');
    expect([...refusal(refused), refused.body.variantIds]).toEqual([409, 'DRAFT_CORRUPTED', [yeast.variantId]]);
    expect((await discard(id, 'draft-1')).status).toBe(204);
  });

  test('is activated only as the client saw the recipe', async () => {
    const { id, etag } = await newRecipe(store, breadOf(goods));
    const saved = await saveDraft(id, { yieldQty: 16 });
    expect((await activate(id, 'draft-1', {}, { 'if-match': etag })).status).toBe(412);
    const seen = { 'if-match': saved.headers.get('etag') ?? '' };
    expect((await activate(id, 'draft-1', {}, seen)).status).toBe(200);
  });

  test('is repeated by its idempotency key', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    await saveDraft(id, { yieldQty: 16 });
    const key = { 'idempotency-key': `activate-${id}` };
    const first = await granted(activate(id, 'draft-1', {}, key));
    expect((await granted(activate(id, 'draft-1', {}, key))).text).toBe(first.text);
  });
});

describe('versions', () => {
  test('come 50 at a time, newest first', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    await Promise.all(
      Array.from({ length: 51 }, (_, more) =>
        granted(store.call('PATCH', `${RECIPES}/${id}`, { yieldQty: 16 + more })),
      ),
    );
    const first = await versionsOf(id);
    expect(first.versions.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, index) => 52 - index));
    const second = await versionsOf(id, `?cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
    expect([second.versions.map(({ version }) => version), second.nextCursor]).toEqual([[2, 1], null]);
    expect(new Set([...first.versions, ...second.versions].map(({ sha256 }) => sha256)).size).toBe(52);
    for (const query of ['?cursor=x', '?limit=10']) {
      expect((await store.call('GET', `${RECIPES}/${id}/versions${query}`)).status).toBe(400);
    }
  });

  test('of a recipe that is not there are not found', async () => {
    const unknown = '01a1fe3e-9906-738c-84d5-8a2d82a0e196';
    expect(refusal(await store.call('GET', `${RECIPES}/${unknown}/versions`))).toEqual([404, 'NOT_FOUND']);
  });

  test('of the same formula have the same hash', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    await granted(store.call('PATCH', `${RECIPES}/${id}`, { yieldQty: 16 }));
    await granted(store.call('PATCH', `${RECIPES}/${id}`, { yieldQty: 15 }));
    const [third, second, first] = (await versionsOf(id)).versions.map(({ sha256 }) => sha256);
    expect(third).toBe(first);
    expect(third).not.toBe(second);
    expect(third).toMatch(/^[0-9a-f]{64}$/);
    // By it, who may not see the rates of a formula could guess them.
    const baker = await world.newKey(store.slug, 'production.view');
    const { body } = await granted(baker.call('GET', `${RECIPES}/${id}/versions`));
    expect((body as { versions: readonly object[] }).versions.map((one) => 'sha256' in one)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('the taxable unit', () => {
  const suggestionPath = (id: string) => `${RECIPES}/${id}/tributary-suggestion`;
  const apply = (id: string, body: object) => store.call('POST', `${RECIPES}/${id}/apply-tributary-factor`, body);
  const cleaner = async (description: string, product: object, recipe: object) => {
    const { id, variantId } = await newProduct(store, description, product);
    const made = await newRecipe(store, { ...breadOf(goods), finishedVariantId: variantId, ...recipe });
    return { productId: id, variantId, recipeId: made.id };
  };

  test('is suggested from volume and density, and written on the product', async () => {
    const { productId, variantId, recipeId } = await cleaner(
      'Limpador 6 × 2 L',
      { unitVolumeLiters: 12, saleUnit: 'CX' },
      { densityKgPerL: 1.04 },
    );
    const suggestion = {
      recipeId,
      variantId,
      productDescription: 'Limpador 6 × 2 L',
      saleUnit: 'CX',
      tributaryUnit: null,
      densityKgPerL: 1.04,
      unitVolumeLiters: 12,
      currentFactor: null,
      litersPerUnit: 12,
      kgPerUnit: 12.48,
      suggestedFactor: { L: 12, KG: 12.48 },
      missing: [],
    };
    expect((await granted(store.call('GET', suggestionPath(recipeId)))).body).toEqual(suggestion);
    const applied = await granted(apply(recipeId, { basis: 'KG' }));
    expect(applied.body).toEqual({ ...suggestion, tributaryUnit: 'KG', currentFactor: 12.48, appliedBasis: 'KG' });
    const { body: product } = await granted(store.call('PATCH', `/products/${productId}`, { isFavorite: true }));
    expect([product.tribUnit, product.variants[0].tribUnitFactor]).toEqual(['KG', '12.48']);
  });

  test.each([
    ['has no density any more', () => Promise.resolve({ densityKgPerL: null })],
    [
      'makes another product by now',
      async () => ({ finishedVariantId: (await newProduct(store, 'Limpador 5 L', { unitVolumeLiters: 5 })).variantId }),
    ],
  ])('is written once when the answer is lost and the recipe %s', async (_, change) => {
    const { variantId, recipeId } = await cleaner('Limpador 1 L', { unitVolumeLiters: 1 }, { densityKgPerL: 1.1 });
    const path = `${RECIPES}/${recipeId}`;
    const { repeat } = await loseAnswer(world, store, 'POST', `${path}/apply-tributary-factor`, { basis: 'KG' });
    await granted(store.call('PATCH', path, await change()));
    expect((await repeat()).body).toMatchObject({ variantId, currentFactor: 1.1, tributaryUnit: 'KG' });
  });

  test('cannot be computed of what is missing', async () => {
    const { recipeId } = await cleaner('Limpador 2 L', { unitVolumeLiters: 2 }, {});
    expect((await granted(store.call('GET', suggestionPath(recipeId)))).body).toMatchObject({
      litersPerUnit: 2,
      kgPerUnit: null,
      missing: ['densityKgPerL'],
      suggestedFactor: { L: 2, KG: null },
    });
    const refused = await apply(recipeId, { basis: 'KG' });
    expect([...refusal(refused), refused.body.missing]).toEqual([409, 'FACTOR_NOT_COMPUTABLE', ['densityKgPerL']]);
    expect((await apply(recipeId, { basis: 'L' })).status).toBe(200);
    for (const body of [{}, { basis: 'UN' }, { basis: 'l' }]) expect((await apply(recipeId, body)).status).toBe(400);
  });
});
