import type { PermissionDeclaration } from '../contracts/permissions.js';

export const brandPermissions = [
  {
    name: 'brands.manage',
    group: 'catalogue',
    label: 'Gerenciar marcas',
    description: 'Cadastrar, alterar e excluir marcas.',
    english: { label: 'Manage brands', description: 'Create, change and delete brands.' },
    roles: ['MANAGER'],
    everyKey: true,
  },
] as const satisfies readonly PermissionDeclaration[];
