import type { PermissionDeclaration } from '../contracts/permissions.js';

export const traceabilityPermissions = [
  {
    name: 'reports.view',
    group: 'finance',
    label: 'Ver relatórios',
    description: 'Consultar relatórios, inclusive o de recall.',
    english: { label: 'See reports', description: 'Look up reports, that of recalls included.' },
    roles: ['MANAGER', 'ACCOUNTANT'],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
