import type { PermissionDeclaration } from '../contracts/permissions.js';

export const customerPermissions = [
  {
    name: 'customers.view',
    group: 'sales',
    label: 'Ver clientes',
    description: 'Consultar o cadastro de clientes.',
    english: { label: 'See customers', description: 'Look up customers.' },
    roles: ['MANAGER', 'CASHIER', 'ACCOUNTANT'],
    everyKey: true,
  },
  {
    name: 'customers.manage',
    group: 'sales',
    label: 'Gerenciar clientes',
    description: 'Cadastrar, alterar e apagar dados de clientes.',
    english: { label: 'Manage customers', description: 'Create, change and erase customers.' },
    roles: ['MANAGER', 'CASHIER'],
    everyKey: true,
  },
] as const satisfies readonly PermissionDeclaration[];
