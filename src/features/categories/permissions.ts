import type { PermissionDeclaration } from '../contracts/permissions.js';

export const categoryPermissions = [
  {
    name: 'categories.manage',
    group: 'catalogue',
    label: 'Gerenciar categorias',
    description: 'Cadastrar, alterar e excluir categorias e aplicar o NCM padrão.',
    english: {
      label: 'Manage categories',
      description: 'Create, change and delete categories and apply their default NCM.',
    },
    roles: ['MANAGER'],
    everyKey: true,
  },
] as const satisfies readonly PermissionDeclaration[];
