import type { PermissionDeclaration } from '../contracts/permissions.js';

export const authPermissions = [
  {
    name: 'users.manage',
    group: 'administration',
    label: 'Gerenciar usuários',
    description: 'Incluir e retirar usuários e mudar o que cada um pode fazer.',
    english: { label: 'Manage users', description: 'Add and remove users and change what each may do.' },
    roles: ['MANAGER'],
    everyKey: false,
  },
  {
    name: 'apiKeys.manage',
    group: 'administration',
    label: 'Gerenciar chaves de API',
    description: 'Criar e revogar chaves de API.',
    english: { label: 'Manage API keys', description: 'Create and revoke API keys.' },
    roles: [],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
