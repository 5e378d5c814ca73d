import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { features } from '../../src/features/index.js';
import {
  DEFAULT_KEY_PERMISSIONS,
  PERMISSION_CATALOGUE,
  PERMISSIONS,
  PERMISSIONS_OF_ROLE,
} from '../../src/features/permissions.js';
import type { FeatureServices } from '../../src/features/contracts/feature.js';
import type { Permission } from '../../src/kernel/values/permissions.js';
import { isPermission } from '../../src/kernel/values/permissions.js';

/** Routes are made of services that nobody asks for anything here: an empty list, too, where one is gone through. */
const nothing: FeatureServices = new Proxy({} as FeatureServices, {
  get: (_, name) => (name === 'auditedRecords' ? [] : new Uint8Array(32)),
});

test('every declared permission is named once', () => {
  expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
});

test('every feature that declares permissions is listed', async () => {
  const folders = readdirSync('src/features', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const declaring = folders
    .map(({ name }) => name)
    .filter((name) => name !== 'contracts' && readdirSync(`src/features/${name}`).includes('permissions.ts'));
  const modules = await Promise.all(
    declaring.map(
      async (name) =>
        (await import(`../../src/features/${name}/permissions.js`)) as Record<string, { name: Permission }[]>,
    ),
  );
  const names = modules.flatMap((module) =>
    Object.values(module)
      .flat()
      .map(({ name }) => name),
  );
  expect(names.sort()).toEqual([...PERMISSIONS].sort());
});

test('every route needs a permission that is declared', () => {
  const routes = features.flatMap((feature) => feature.routes(nothing));
  const needed = new Set(routes.map(({ permission }) => permission).filter(isPermission));
  expect(needed.size).toBeGreaterThan(10);
  expect([...needed].filter((name) => !PERMISSIONS.includes(name))).toEqual([]);
});

test('the catalogue shows each of them', () => {
  for (const catalogue of [PERMISSION_CATALOGUE.pt, PERMISSION_CATALOGUE.en]) {
    expect(catalogue.flatMap(({ permissions }) => permissions.map(({ name }) => name))).toEqual(PERMISSIONS);
  }
});

test('a new permission is no part of the usual scope of a key by itself', () => {
  expect(DEFAULT_KEY_PERMISSIONS).toEqual([
    'products.view',
    'products.manage',
    'categories.manage',
    'brands.manage',
    'tags.manage',
    'stock.view',
    'stock.manage',
    'sales.view',
    'sales.manage',
    'customers.view',
    'customers.manage',
    'production.view',
    'production.manage',
  ]);
});

describe('a role', () => {
  test('OWNER may do everything', () => {
    expect(PERMISSIONS_OF_ROLE.OWNER).toEqual(PERMISSIONS);
  });
  test('MANAGER may do everything but manage the store and its keys', () => {
    const others = PERMISSIONS.filter((name) => name !== 'store.manage' && name !== 'apiKeys.manage');
    expect(PERMISSIONS_OF_ROLE.MANAGER).toEqual(others);
  });
  test.each([
    ['CASHIER', 'products.view stock.view sales.view sales.manage customers.view customers.manage cardFees.view'],
    ['BAKER', 'products.view stock.view stock.manage production.view production.manage'],
    [
      'ACCOUNTANT',
      'products.view stock.view sales.view customers.view production.view production.costs reports.view cardFees.view fiscal.view audit.view',
    ],
  ] as const)('%s may do what is declared', (role, names) => {
    expect(PERMISSIONS_OF_ROLE[role].join(' ')).toBe(names);
  });
});
