import type { PermissionDeclaration } from '../contracts/permissions.js';

export const customerPermissions = [
  {
    name: 'customers.view',
    group: 'sales',
    label: 'Ver clientes',
    description: 'Consultar o cadastro de clientes.',
    roles: ['MANAGER', 'CASHIER', 'ACCOUNTANT'],
    everyKey: true,
  },
  {
    name: 'customers.manage',
    group: 'sales',
    label: 'Gerenciar clientes',
    description: 'Cadastrar, alterar e apagar dados de clientes.',
    roles: ['MANAGER', 'CASHIER'],
    everyKey: true,
  },
] as const satisfies readonly PermissionDeclaration[];
