import { expect, test } from '@jest/globals';
import type { FeatureServices, Provided } from '../../src/features/contracts/feature.js';
import { features } from '../../src/features/index.js';

/** The compiler holds this list to be whole. */
const ASKED_FOR: Readonly<Record<keyof Provided, true>> = {
  catalogue: true,
  recipes: true,
  stock: true,
  customers: true,
  locations: true,
  taxRules: true,
  cardFees: true,
  fiscalSettings: true,
  salesToTax: true,
  documents: true,
};

test('what features ask of each other is provided, each by one of them', () => {
  const provided = features.flatMap(({ provides }) => Object.keys(provides?.({} as FeatureServices) ?? {}));
  expect(provided.sort()).toEqual(Object.keys(ASKED_FOR).sort());
});
