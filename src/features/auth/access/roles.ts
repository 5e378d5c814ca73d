import type { Permission } from '../../../kernel/values/permissions.js';
import { PERMISSIONS } from '../../../kernel/values/permissions.js';

export const ROLES = ['OWNER', 'MANAGER', 'CASHIER', 'BAKER', 'ACCOUNTANT'] as const;
export type Role = (typeof ROLES)[number];

/** What each role may do, unless a member has permissions of their own. */
export const PERMISSIONS_OF_ROLE: Readonly<Record<Role, readonly Permission[]>> = {
  OWNER: PERMISSIONS,
  MANAGER: PERMISSIONS.filter((permission) => permission !== 'store.manage' && permission !== 'apiKeys.manage'),
  CASHIER: [
    'products.view',
    'stock.view',
    'sales.view',
    'sales.manage',
    'customers.view',
    'customers.manage',
    'cardFees.view',
  ],
  BAKER: ['products.view', 'stock.view', 'stock.manage', 'production.view', 'production.manage'],
  ACCOUNTANT: [
    'products.view',
    'stock.view',
    'sales.view',
    'customers.view',
    'production.view',
    'production.costs',
    'reports.view',
    'cardFees.view',
    'fiscal.view',
    'audit.view',
  ],
};
