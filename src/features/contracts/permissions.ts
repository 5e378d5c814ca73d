/** How a feature declares what a credential may be allowed to do with it. */

/** The groups in which people see the permissions when they choose, in their order. */
export const PERMISSION_GROUPS = {
  catalogue: { pt: 'Catálogo', en: 'Catalogue' },
  stock: { pt: 'Estoque', en: 'Stock' },
  sales: { pt: 'Vendas e clientes', en: 'Sales and customers' },
  production: { pt: 'Produção', en: 'Production' },
  finance: { pt: 'Relatórios e taxas', en: 'Reports and fees' },
  fiscal: { pt: 'Fiscal', en: 'Fiscal' },
  administration: { pt: 'Administração', en: 'Administration' },
} as const;

/** The parts that people play in a store. */
export const ROLES = ['OWNER', 'MANAGER', 'CASHIER', 'BAKER', 'ACCOUNTANT'] as const;
export type Role = (typeof ROLES)[number];

export interface PermissionDeclaration {
  readonly name: `${string}.${string}`;
  readonly group: keyof typeof PERMISSION_GROUPS;
  readonly label: string;
  readonly description: string;
  readonly english: { readonly label: string; readonly description: string };
  /** The roles that have it beside the owner, who has every permission. */
  readonly roles: readonly Exclude<Role, 'OWNER'>[];
  /** Whether an API key has it when its creator names no permissions. */
  readonly everyKey: boolean;
}
