import type { PermissionDeclaration } from '../contracts/permissions.js';

export const fiscalPermissions = [
  {
    name: 'fiscal.view',
    group: 'fiscal',
    label: 'Ver documentos fiscais',
    description: 'Consultar documentos fiscais e entregas de webhooks.',
    roles: ['MANAGER', 'CASHIER', 'ACCOUNTANT'],
    everyKey: false,
  },
  {
    name: 'fiscal.issue',
    group: 'fiscal',
    label: 'Emitir documentos fiscais',
    description: 'Emitir a NFC-e ou a NF-e de uma venda.',
    roles: ['MANAGER', 'CASHIER'],
    everyKey: false,
  },
  {
    name: 'fiscal.manage',
    group: 'fiscal',
    label: 'Gerenciar fiscal',
    description: 'Emitir, corrigir e cancelar documentos, inutilizar números, regras de tributação e webhooks.',
    roles: ['MANAGER'],
    includes: ['fiscal.issue'],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
