/** What a credential may do. Routes name the one they need. */
export const PERMISSIONS = [
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
  'production.costs',
  'production.reverse',
  'reports.view',
  'cardFees.view',
  'cardFees.manage',
  'fiscal.view',
  'fiscal.manage',
  'users.manage',
  'apiKeys.manage',
  'store.manage',
  'audit.view',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export const isPermission = (text: string): text is Permission => (PERMISSIONS as readonly string[]).includes(text);

/** What an API key may do unless its creator says otherwise: sales, stock and registers. */
export const DEFAULT_KEY_PERMISSIONS: readonly Permission[] = [
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
];
