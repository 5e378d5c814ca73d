import type { PermissionDeclaration } from '../contracts/permissions.js';

export const productPermissions = [
  {
    name: 'products.view',
    group: 'catalogue',
    label: 'Ver produtos',
    description: 'Consultar produtos, categorias, marcas, etiquetas e preços.',
    english: { label: 'See products', description: 'Look up products, categories, brands, tags and prices.' },
    roles: ['MANAGER', 'CASHIER', 'BAKER', 'ACCOUNTANT'],
    everyKey: true,
  },
  {
    name: 'products.manage',
    group: 'catalogue',
    label: 'Gerenciar produtos',
    description: 'Cadastrar, alterar e excluir produtos, variações e preços.',
    english: { label: 'Manage products', description: 'Create, change and delete products, variants and prices.' },
    roles: ['MANAGER'],
    everyKey: true,
  },
] as const satisfies readonly PermissionDeclaration[];
