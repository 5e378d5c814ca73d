import type { PermissionDeclaration } from '../contracts/permissions.js';

export const categoryPermissions = [
  {
    name: 'categories.manage',
    group: 'catalogue',
    label: 'Gerenciar categorias',
    description: 'Cadastrar, alterar e excluir categorias e aplicar o NCM padrão.',
    roles: ['MANAGER'],
    everyKey: true,
  },
] as const satisfies readonly PermissionDeclaration[];
