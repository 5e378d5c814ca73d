import type { components } from 'openapi-client';
import type { Catalogue } from './words.js';

export type PaymentMethod = components['schemas']['SaleBody']['payments'][number]['method'];

/** The ways of paying, in the order in which a till offers them. */
export const PAYMENT_METHODS = ['CASH', 'PIX', 'DEBIT', 'CREDIT', 'OTHER'] as const satisfies readonly PaymentMethod[];

export const paymentMethods = {
  CASH: ['Dinheiro', 'Cash'],
  PIX: ['PIX', 'PIX'],
  DEBIT: ['Débito', 'Debit card'],
  CREDIT: ['Crédito', 'Credit card'],
  OTHER: ['Outro', 'Other'],
} as const satisfies Catalogue;
