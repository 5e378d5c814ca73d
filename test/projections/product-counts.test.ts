import { describe, test } from '@jest/globals';
import { brandsProjector } from '../../projections/brands/brands.js';
import { categoriesProjector } from '../../projections/categories/categories.js';
import { tagsProjector } from '../../projections/tags/tags.js';
import type { DomainEvent } from '../../src/kernel/events/event.js';
import type { Projector } from '../../src/kernel/projections/projector.js';
import { givenProjection } from '../support/given-projection.js';
import { productChanged, productCreated, productDeleted } from '../support/product-events.js';

const named = (type: string, id: string): DomainEvent => ({ type, data: { id, name: id, fields: {} } });

const counted = (id: string, productCount: number, last: number, at = 0) => ({
  [id]: {
    id,
    name: id,
    productCount,
    createdAt: `2026-01-01T00:00:0${String(at)}.000Z`,
    updatedAt: `2026-01-01T00:00:0${String(at)}.000Z`,
    revision: at,
    countedAt: String(last + 1).padStart(12, '0'),
  },
});

describe.each<[string, Projector, string, string, (id: string | null) => object]>([
  ['category', categoriesProjector, 'CategoryCreated', 'CategoriesDeleted', (id) => ({ categoryId: id })],
  ['brand', brandsProjector, 'BrandCreated', 'BrandsDeleted', (id) => ({ brandId: id })],
  [
    'product tag',
    tagsProjector,
    'ProductTagCreated',
    'ProductTagsDeleted',
    (id) => ({ tagIds: id === null ? [] : [id] }),
  ],
])('the products of a %s', (_, projector, created, deleted, refers) => {
  const given = givenProjection(projector);
  const gone = (id: string): DomainEvent => ({ type: deleted, data: { ids: [id] } });

  test('are counted from their creation', () => {
    given
      .when([named(created, 'a'), productCreated('p', refers('a')), productCreated('q', refers('a'))])
      .then(counted('a', 2, 2));
  });

  test('are counted where they go, and no more where they were', () => {
    given
      .when([
        named(created, 'a'),
        named(created, 'b'),
        productCreated('p', refers('a')),
        productChanged('p', refers('b'), refers('a')),
      ])
      .then({ ...counted('a', 0, 3), ...counted('b', 1, 3, 1) });
  });

  test('are not counted twice by changes of something else', () => {
    given
      .when([
        named(created, 'a'),
        productCreated('p', refers('a')),
        productChanged('p', { active: false }, { active: true }),
      ])
      .then(counted('a', 1, 1));
  });

  test('are not counted when they are gone', () => {
    given
      .when([named(created, 'a'), productCreated('p', refers('a')), productDeleted('p', refers('a'))])
      .then(counted('a', 0, 2));
  });

  test('count nowhere once it is gone', () => {
    given
      .when([
        named(created, 'a'),
        productCreated('p', refers('a')),
        gone('a'),
        productChanged('p', refers(null), refers('a')),
        productCreated('q', refers('a')),
      ])
      .then({});
  });
});

test('of several tags count in each of them', () => {
  givenProjection(tagsProjector)
    .when([
      named('ProductTagCreated', 'a'),
      named('ProductTagCreated', 'b'),
      productCreated('p', { tagIds: ['a'] }),
      productChanged('p', { tagIds: ['a', 'b'] }, { tagIds: ['a'] }),
    ])
    .then({ ...counted('a', 1, 3), ...counted('b', 1, 3, 1) });
});
