import type { components } from 'openapi-client';
import type { Tone } from '../parts/status.js';
import type { Catalogue } from './words.js';

type State = components['schemas']['FiscalDocument']['status'];

/** How the states of fiscal documents are called, wherever one is shown. */
export const documentStates = {
  PENDING: ['Em processamento', 'Being processed'],
  AUTHORIZED: ['Autorizado', 'Authorized'],
  REJECTED: ['Rejeitado', 'Rejected'],
  CANCELLED: ['Cancelado', 'Cancelled'],
  CONTINGENCY: ['Em contingência', 'In contingency'],
  FAILED: ['Falhou', 'Failed'],
  VOIDED: ['Numeração inutilizada', 'Number voided'],
} as const satisfies Catalogue & Record<State, unknown>;

export const documentTones: Readonly<Record<State, Tone>> = {
  PENDING: 'active',
  AUTHORIZED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'calm',
  CONTINGENCY: 'warn',
  FAILED: 'bad',
  VOIDED: 'calm',
};

export const documentModels = {
  '55': ['NF-e', 'NF-e'],
  '65': ['NFC-e', 'NFC-e'],
} as const satisfies Catalogue;
