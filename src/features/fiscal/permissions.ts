import type { PermissionDeclaration } from '../contracts/permissions.js';

export const fiscalPermissions = [
  {
    name: 'fiscal.view',
    group: 'fiscal',
    label: 'Ver documentos fiscais',
    description: 'Consultar documentos fiscais e entregas de webhooks.',
    english: { label: 'See fiscal documents', description: 'Look up fiscal documents and webhook deliveries.' },
    roles: ['MANAGER', 'ACCOUNTANT'],
    everyKey: false,
  },
  {
    name: 'fiscal.manage',
    group: 'fiscal',
    label: 'Gerenciar fiscal',
    description: 'Emitir e cancelar documentos e configurar webhooks.',
    english: { label: 'Manage fiscal documents', description: 'Issue and cancel documents and set up webhooks.' },
    roles: ['MANAGER'],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
