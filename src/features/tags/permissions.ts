import type { PermissionDeclaration } from '../contracts/permissions.js';

export const tagPermissions = [
  {
    name: 'tags.manage',
    group: 'catalogue',
    label: 'Gerenciar etiquetas',
    description: 'Cadastrar, alterar e excluir etiquetas de produtos.',
    english: { label: 'Manage tags', description: 'Create, change and delete product tags.' },
    roles: ['MANAGER'],
    everyKey: true,
  },
] as const satisfies readonly PermissionDeclaration[];
