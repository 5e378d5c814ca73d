import type { PermissionDeclaration } from '../contracts/permissions.js';

export const storePermissions = [
  {
    name: 'store.manage',
    group: 'administration',
    label: 'Gerenciar a loja',
    description: 'Alterar os dados e as configurações da loja.',
    english: { label: 'Manage the store', description: 'Change the data and the settings of the store.' },
    roles: [],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
