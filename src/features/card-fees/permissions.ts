import type { PermissionDeclaration } from '../contracts/permissions.js';

export const cardFeePermissions = [
  {
    name: 'cardFees.view',
    group: 'finance',
    label: 'Ver taxas de cartão',
    description: 'Consultar maquininhas, bandeiras e taxas.',
    english: { label: 'See card fees', description: 'Look up card machines, card brands and fees.' },
    roles: ['MANAGER', 'CASHIER', 'ACCOUNTANT'],
    everyKey: false,
  },
  {
    name: 'cardFees.manage',
    group: 'finance',
    label: 'Gerenciar taxas de cartão',
    description: 'Alterar maquininhas, taxas e faixas e recalcular vendas.',
    english: { label: 'Manage card fees', description: 'Change machines, fees and tiers and recalculate sales.' },
    roles: ['MANAGER'],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
