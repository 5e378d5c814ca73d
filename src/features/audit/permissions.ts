import type { PermissionDeclaration } from '../contracts/permissions.js';

export const auditPermissions = [
  {
    name: 'audit.view',
    group: 'administration',
    label: 'Ver auditoria',
    description: 'Consultar o histórico de tudo o que aconteceu na loja.',
    english: { label: 'See the audit', description: 'Look up the history of everything that happened in the store.' },
    roles: ['MANAGER', 'ACCOUNTANT'],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
