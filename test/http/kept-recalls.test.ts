import { expect, jest, test } from '@jest/globals';
import { newProduct, newRecipe } from '../support/bakery.js';
import { NOT_KEPT } from '../../src/ports/read-models.js';
import { newTracedBakery, ORDERS, recallOf, sell } from '../support/traced-bakery.js';
import type { Answer, StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** What was worked out for a recall is kept while nothing is written about its lots: whatever happens to them, it must be as one made anew. */

const STEPS = 140;
const SEEDS = [1, 2, 3];

/** The same numbers each time. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const pick = <T>(some: readonly T[], draw: (below: number) => number): T | undefined => some[draw(some.length)];

const QUERIES = [
  'recall?pageSize=500&',
  'recall/lots?limit=500&',
  'recall/remaining?limit=500&',
  'traceability?direction=forward&',
];

async function everythingOf(store: StoreClient, codes: Iterable<string>): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const code of codes) {
    for (const query of QUERIES) {
      const { text } = await store.call('GET', `/bakery-production/${query}lotCode=${encodeURIComponent(code)}`);
      texts.push(`${code} ${query} ${text.replace(/"requestId":"[^"]*"/, '')}`);
    }
  }
  return texts;
}

/** Flour becomes premix, premix becomes bread; all three are sold, and lie in two places. */
async function prepared(store: StoreClient) {
  const fields = { saleUnit: 'KG', ncm: '19059090' };
  const flour = (await newProduct(store, 'Farinha', fields)).variantId;
  const premix = (await newProduct(store, 'Pré-mistura', fields)).variantId;
  const bread = await newProduct(store, 'Pão', { ncm: '19059090' });
  const recipe = async (name: string, finishedVariantId: string, componentVariantId: string) =>
    (await newRecipe(store, { name, finishedVariantId, yieldQty: 10, items: [{ componentVariantId, quantity: 4 }] }))
      .id;
  const recipes = [await recipe('Pré-mistura', premix, flour), await recipe('Pão', bread.variantId, premix)];
  const customer = await store.call('POST', '/customers', { name: 'Dona Cida' });
  const here = (await store.call('GET', '/locations')).body as readonly { readonly id: string }[];
  const there = (await store.call('POST', '/locations', { name: 'Fundos' })).body as { readonly id: string };
  return {
    variants: [flour, premix, bread.variantId],
    recipes,
    customerId: (customer.body as { readonly id: string }).id,
    locations: [here[0]?.id ?? '', there.id],
  };
}

async function live(store: StoreClient, seed: number) {
  const draw = draws(seed);
  const { variants, recipes, customerId, locations } = await prepared(store);
  const codes = new Set(['F-0']);
  const sales: string[] = [];
  const orders: string[] = [];
  const answers = new Map<number, number>();
  const variantId = () => pick(variants, draw) ?? '';
  const keep = (ids: string[], { status, body }: Answer): Answer => {
    if (status === 201) ids.push((body as { id: string }).id);
    return { status, body } as Answer;
  };
  const owing = () => (draw(4) === 0 ? { allowNegativeStock: true } : {});
  const aCode = () => pick([...codes], draw) ?? '';
  // The same code in several products, and in another case.
  const newCode = () => {
    const code = `${pick(['F', 'f', 'M', 'P'], draw) ?? ''}-${String(draw(9))}`;
    codes.add(code);
    return code;
  };
  const deeds: readonly (() => Promise<Answer>)[] = [
    () =>
      store.call('POST', '/stock/receipts', {
        items: [{ variantId: variantId(), quantity: 5 + draw(40), unitCost: 2, lotCode: newCode() }],
      }),
    async () => {
      const more = { ...(draw(2) === 0 ? {} : { outputLotCode: newCode() }), ...owing() };
      return keep(
        orders,
        await store.call('POST', ORDERS, { recipeId: pick(recipes, draw), batches: 1 + draw(2), ...more }),
      );
    },
    async () => {
      const quantity = 1 + draw(6);
      return keep(
        sales,
        await store.call('POST', '/sales', {
          items: [{ variantId: variantId(), quantity, unitPrice: 2 }],
          payments: [{ method: 'PIX', amount: quantity * 2 }],
          ...(draw(2) === 0 ? {} : { customerId }),
          ...owing(),
        }),
      );
    },
    () => store.call('POST', `/sales/${pick(sales, draw) ?? customerId}/cancel`, { reason: 'engano' }),
    () => {
      const items = [{ variantId: variantId(), quantity: 1 }];
      return store.call('POST', `/sales/${pick(sales, draw) ?? customerId}/returns`, { items });
    },
    () => {
      const partial = draw(2) === 0 ? {} : { partial: true };
      return store.call('POST', `${ORDERS}/${pick(orders, draw) ?? customerId}/reverse`, {
        reason: 'engano',
        ...partial,
      });
    },
    () => {
      const [fromLocationId, toLocationId] = draw(2) === 0 ? locations : [...locations].reverse();
      const items = [{ variantId: variantId(), quantity: 1 + draw(3) }];
      return store.call('POST', '/stock/transfers', { fromLocationId, toLocationId, items });
    },
    () => {
      const items = [{ variantId: variantId(), quantity: draw(2) === 0 ? -1 : 2 }];
      return store.call('POST', '/stock/adjustments', { reason: 'contagem', items });
    },
    () => store.call('POST', '/stock/lots/block', { lotCode: aCode(), reason: 'suspeita' }),
    () => store.call('POST', '/stock/lots/release', { lotCode: aCode(), reason: 'em ordem' }),
    () => store.call('PATCH', `/customers/${customerId}`, { name: `Dona Cida ${String(draw(9))}` }),
  ];
  for (let step = 0; step < STEPS; step++) {
    // Goods come and go more often than anything else.
    const deed = deeds[draw(2) === 0 ? draw(3) : draw(deeds.length)];
    const { status } = (await deed?.()) ?? { status: 0 };
    answers.set(status, (answers.get(status) ?? 0) + 1);
    await everythingOf(store, [aCode(), aCode()]);
  }
  return { codes, answers };
}

test.each(SEEDS)('a service that has lived through much recalls as one that was just started (%d)', async (seed) => {
  const world = await openWorld();
  const store = await world.newStore();
  const { codes, answers } = await live(store, seed);
  const lived = await everythingOf(store, codes);
  await world.close('keep');
  const fresh = await openWorld({ dataDir: world.dataDir });
  const anew = await everythingOf(await fresh.newKey(store.slug), codes);
  await fresh.close();
  expect(answers.get(201) ?? 0).toBeGreaterThan(STEPS / 2);
  expect([...answers.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(lived).toEqual(anew);
  expect(lived.filter((text) => text.includes('"kind":"REACHED"')).length).toBeGreaterThan(0);
});

test('an answer is kept by itself, where there is no room for what the recall reaches', async () => {
  const world = await openWorld();
  const store = await world.newStore();
  const { bread, flour } = await newTracedBakery(store);
  // What is projected of the bakery later, by whom nobody waited for, would end the answer.
  await world.service.projections.caughtUp();
  const { reads } = world.service.core.engines;
  const keep = reads.kept.bind(reads);
  jest
    .spyOn(reads, 'kept')
    .mockImplementation((beneath, of, key, make) =>
      key.startsWith('reach ') ? make(NOT_KEPT) : keep(beneath, of, key, make),
    );
  const walking = jest.spyOn(reads, 'findRows');
  const soldOfFlour = async () => (await recallOf(store, { lotCode: 'F-1' })).summary.sales;
  expect(await soldOfFlour()).toBe(0);
  expect(walking).toHaveBeenCalled();
  walking.mockClear();
  expect(await soldOfFlour()).toBe(0);
  expect(walking).not.toHaveBeenCalled();
  await sell(store, bread, 1);
  expect(await soldOfFlour()).toBe(1);
  await sell(store, flour, 1);
  expect(await soldOfFlour()).toBe(2);
  await world.close();
});

test('of a lot that hundreds of orders took from what came since is added to what was known', async () => {
  const world = await openWorld();
  const store = await world.newStore();
  const { variants, recipes } = await prepared(store);
  const items = [{ variantId: variants[0], quantity: 10_000, unitCost: 2, lotCode: 'F-0' }];
  await store.call('POST', '/stock/receipts', { items });
  const mix = async (times: number) => {
    for (let order = 0; order < times; order++) {
      await store.call('POST', ORDERS, { recipeId: recipes[0], batches: 1 });
    }
  };
  const lotCount = async () => {
    const { text } = await store.call('GET', '/bakery-production/recall?lotCode=F-0');
    return (JSON.parse(text) as { readonly lotCount: number }).lotCount;
  };
  const reading = jest.spyOn(world.service.core.engines.reads, 'findRows');
  await mix(230);
  expect(await lotCount()).toBe(231);
  await mix(2);
  reading.mockClear();
  expect(await lotCount()).toBe(233);
  expect(reading.mock.calls.map(([, { offset = 0 }]) => offset)).toContain(230);
  await world.close();
});
