import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KitComponent, KitEvent } from '../../../src/features/products/events.js';
import { kits } from '../../../src/features/products/kit-decider.js';
import { KIT_CYCLE, KIT_OF_SERVICE, KIT_TOO_DEEP, KIT_TOO_LARGE } from '../../../src/features/products/rejections.js';
import { fold } from '../../support/fold.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import type { Rejection } from '../../../src/kernel/events/rejection.js';
import { STALE } from '../../../src/kernel/events/rejection.js';
import { given } from '../../support/given.js';
import { throughSnapshot } from '../../support/through-snapshot.js';

const part = (componentProductId: string, quantity = '1', parentVariantId: string | null = null): KitComponent => ({
  componentVariantId: `${componentProductId}-v`,
  componentProductId,
  quantity: Decimal.from(quantity),
  parentVariantId,
});
const replaced = (productId: string, ...components: KitComponent[]): KitEvent => ({
  type: 'KitComponentsReplaced',
  data: { productId, components },
});
const MINE = { id: 'mine', revision: 3 };
const ANOTHERS = { id: 'another', revision: 4 };
const keptOut = (productId: string, hold?: typeof MINE): KitEvent => ({
  type: 'ProductKeptOutOfKits',
  data: { productId, ...(hold && { hold }) },
});
const letIn = (productId: string, holds?: string[]): KitEvent => ({
  type: 'ProductLetIntoKits',
  data: { productId, ...(holds && { holds }) },
});
const replace = (productId: string, ...components: KitComponent[]) =>
  ({ type: 'replace', productId, components }) as const;

describe('the parts of a kit', () => {
  test('are replaced as a whole', () => {
    given(kits)
      .when(replace('basket', part('bread')))
      .then(replaced('basket', part('bread')));
    given(kits, replaced('basket', part('bread')))
      .when(replace('basket', part('jam'), part('bread', '2')))
      .then(replaced('basket', part('jam'), part('bread', '2')));
    given(kits, replaced('basket', part('bread')))
      .when(replace('basket'))
      .then(replaced('basket'));
  });
  test('that are the same change nothing', () => {
    given(kits, replaced('basket', part('bread', '1.50')))
      .when(replace('basket', part('bread', '1.5')))
      .thenNothing();
    given(kits).when(replace('basket')).thenNothing();
  });
  test('do not hold the kit, at no depth', () => {
    given(kits)
      .when(replace('a', part('a')))
      .thenRefused(KIT_CYCLE);
    given(kits, replaced('b', part('a')))
      .when(replace('a', part('b')))
      .thenRefused(KIT_CYCLE);
    given(kits, replaced('b', part('c')), replaced('c', part('x'), part('a')))
      .when(replace('a', part('b')))
      .thenRefused(KIT_CYCLE);
  });
  test('are at most 20 deep, whether the kit is made longer from above or from below', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, index) =>
        replaced(`k${String(index)}`, part(index === 0 ? 'bread' : `k${String(index - 1)}`)),
      );
    given(kits, ...chain(19))
      .when(replace('top', part('k18')))
      .then(replaced('top', part('k18')));
    given(kits, ...chain(20))
      .when(replace('top', part('k19')))
      .thenRefused(KIT_TOO_DEEP);
    given(kits, ...chain(10), replaced('x9', part('x10')), replaced('x10', part('x11')))
      .when(replace('k0', part('x9')))
      .then(replaced('k0', part('x9')));
    given(kits, ...chain(18), replaced('x9', part('x10')), replaced('x10', part('x11')))
      .when(replace('k0', part('x9')))
      .then(replaced('k0', part('x9')));
    given(kits, ...chain(19), replaced('x9', part('x10')), replaced('x10', part('x11')))
      .when(replace('k0', part('x9')))
      .thenRefused(KIT_TOO_DEEP);
  });
  test('are at most 5,000 down to the last, whether the kit grows from above or from below', () => {
    const breads = (many: number) => Array.from({ length: many }, (_, index) => part(`bread${String(index)}`));
    const each = (many: number, inner: string) =>
      Array.from({ length: many }, (_, index) => ({
        ...part(inner),
        componentVariantId: `${inner}-v${String(index)}`,
      }));
    const pair = [replaced('inner', ...breads(49)), replaced('middle', ...each(10, 'inner'))];
    given(kits, ...pair)
      .when(replace('top', ...each(9, 'middle')))
      .then(replaced('top', ...each(9, 'middle')));
    given(kits, ...pair)
      .when(replace('top', ...each(10, 'middle')))
      .thenRefused(KIT_TOO_LARGE);
    given(kits, ...pair, replaced('top', ...each(9, 'middle')))
      .when(replace('inner', ...breads(60)))
      .thenRefused(KIT_TOO_LARGE);
    given(kits, ...pair, replaced('top', ...each(9, 'middle')))
      .when({
        type: 'restore',
        productId: 'inner',
        replaced: breads(49),
        components: breads(60),
      })
      .thenNothing();
  });
  test('count for each variant by itself', () => {
    const variants = Array.from({ length: 100 }, (_, index) => `v${String(index)}`);
    const ofEach = variants.map((variant) => part('bread', '1', variant));
    const one = { ...part('shirt'), componentVariantId: 'v7' };
    const sets = [replaced('shirt', ...ofEach), replaced('set', ...variants.map(() => one))];
    given(kits, ...sets)
      .when(replace('rack', ...Array.from({ length: 20 }, () => part('set'))))
      .then(replaced('rack', ...Array.from({ length: 20 }, () => part('set'))));
  });
  test('are counted for the variant that has most of them, up to the last that fits', () => {
    const breads = (many: number, variant?: string) =>
      Array.from({ length: many }, (_, index) => part(`bread${String(index)}`, '1', variant));
    const fits = [...breads(5_000, 'v1'), ...breads(4_000, 'v2')];
    expect(kits.decider.decide(kits.decider.initial, replace('set', ...fits), '')).toHaveLength(1);
    given(kits)
      .when(replace('set', ...breads(5_001, 'v1'), ...breads(10, 'v2')))
      .thenRefused(KIT_TOO_LARGE);
  });
  test('are counted at once where kits lie in each other in very many ways', () => {
    const WIDE = 40;
    const level = (depth: number) => Array.from({ length: WIDE }, (_, index) => `${String(depth)}-${String(index)}`);
    const tower = Array.from({ length: 19 }, (_, depth) =>
      level(depth + 1).map((kit) => replaced(kit, ...level(depth).map((inner) => part(inner)))),
    );
    given(kits, ...tower.flat())
      .when(replace('0-0', part('bread')))
      .thenRefused(KIT_TOO_LARGE);
  });
  test('may be in many kits', () => {
    given(kits, replaced('b', part('d')), replaced('c', part('d')))
      .when(replace('a', part('b'), part('c')))
      .then(replaced('a', part('b'), part('c')));
  });
  test('are replaced for who saw the present ones', () => {
    const expecting = (expected: KitComponent[]) => ({ ...replace('a', part('c')), expected });
    given(kits, replaced('a', part('b')))
      .when(expecting([part('b')]))
      .then(replaced('a', part('c')));
    given(kits, replaced('a', part('b')))
      .when(expecting([]))
      .thenRefused(STALE);
  });
  test('come back when the change of the product was refused', () => {
    const restore = { type: 'restore', productId: 'a', replaced: [part('c')], components: [part('b')] } as const;
    given(kits, replaced('a', part('c')))
      .when(restore)
      .then(replaced('a', part('b')));
    given(kits, replaced('a', part('d')))
      .when(restore)
      .thenNothing();
    given(kits, replaced('a', part('c')), replaced('b', part('a')))
      .when(restore)
      .thenNothing();
  });
  test('are no products that become services, until they are none', () => {
    given(kits).when({ type: 'keepOut', productId: 'b', hold: MINE }).then(keptOut('b', MINE));
    given(kits, keptOut('b', MINE)).when({ type: 'keepOut', productId: 'b', hold: MINE }).thenNothing();
    given(kits, keptOut('b'))
      .when(replace('a', part('b')))
      .thenRefused(KIT_OF_SERVICE);
    given(kits, replaced('a', part('c')), keptOut('b'))
      .when({ type: 'restore', productId: 'a', replaced: [part('c')], components: [part('b')] })
      .thenNothing();
    given(kits, keptOut('b'), letIn('b'))
      .when(replace('a', part('b')))
      .then(replaced('a', part('b')));
    given(kits, keptOut('b'))
      .when({ type: 'letIn', productId: 'b', release: { before: 0 } })
      .then(letIn('b', ['']));
    given(kits)
      .when({ type: 'letIn', productId: 'b', release: { before: 9 } })
      .thenNothing();
  });
  test('are none as long as anybody keeps them out, who may still decide by it', () => {
    const release = { own: 'mine', before: 4 };
    given(kits, keptOut('b', MINE), keptOut('b', ANOTHERS))
      .when({ type: 'letIn', productId: 'b', release })
      .then(letIn('b', ['mine']));
    const left = [keptOut('b', MINE), keptOut('b', ANOTHERS), letIn('b', ['mine'])];
    given(kits, ...left)
      .when(replace('a', part('b')))
      .thenRefused(KIT_OF_SERVICE);
    given(kits, ...left)
      .when({ type: 'letIn', productId: 'b', release })
      .thenNothing();
    given(kits, ...left)
      .when({ type: 'letIn', productId: 'b', release: { before: 5 } })
      .then(letIn('b', ['another']));
  });
  test('go with the variant that alone took them', () => {
    given(kits, replaced('a', part('b', '1', 'v1'), part('b', '2', 'v2'), part('c')))
      .when({ type: 'removeParent', productId: 'a', variantId: 'v1' })
      .then(replaced('a', part('b', '2', 'v2'), part('c')));
    given(kits).when({ type: 'removeParent', productId: 'a', variantId: 'v1' }).thenNothing();
  });
  test('survive as a snapshot', () => {
    const parts = [replaced('a', part('b', '1.5', 'v1')), replaced('c', part('a'))];
    const state = fold(kits.decider, [...parts, keptOut('d', MINE)]);
    const loaded = throughSnapshot(kits, state);
    expect(loaded.parts.toJS()).toEqual(state.parts.toJS());
    expect(loaded.keptOut.toJS()).toEqual({ d: [MINE] });
  });
});

test('no sequence of changes makes a cycle', () => {
  const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const changes = fc.array(fc.tuple(letter, fc.uniqueArray(letter, { maxLength: 3 })), { maxLength: 30 });
  fc.assert(
    fc.property(changes, (all) => {
      const history: KitEvent[] = [];
      for (const [kit, parts] of all) {
        try {
          history.push(
            ...kits.decider.decide(fold(kits.decider, history), replace(kit, ...parts.map((one) => part(one))), ''),
          );
        } catch (error) {
          expect((error as Rejection).kind).toBe(KIT_CYCLE);
        }
      }
      const state = fold(kits.decider, history);
      const depth = (kit: string): number =>
        1 + Math.max(0, ...(state.parts.get(kit) ?? []).map(({ componentProductId }) => depth(componentProductId)));
      for (const kit of state.parts.keys()) expect(depth(kit)).toBeLessThanOrEqual(5);
    }),
  );
});
