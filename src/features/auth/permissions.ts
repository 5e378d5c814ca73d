import type { PermissionDeclaration } from '../contracts/permissions.js';

export const authPermissions = [
  {
    name: 'users.manage',
    group: 'administration',
    label: 'Gerenciar usuários',
    description: 'Incluir e retirar usuários e mudar o que cada um pode fazer.',
    roles: ['MANAGER'],
    everyKey: false,
  },
  {
    name: 'apiKeys.manage',
    group: 'administration',
    label: 'Gerenciar chaves de API',
    description: 'Criar e revogar chaves de API.',
    roles: [],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
