import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';

export type FiscalDocument = components['schemas']['FiscalDocument'];

/** The documents of a sale, asked for by who may see them. */
export const useDocumentsOf = (saleId: string, when = true) =>
  useRead({
    key: ['documents', 'of-sale', saleId],
    kinds: ['document', 'sale'],
    when,
    read: (signal) => body(api.GET('/fiscal/documents/by-sale/{saleId}', { params: { path: { saleId } }, signal })),
  });

/** What a customer is given: what was only tried, or counts no more, is the store's own. */
export const isGiven = ({ status, replacedBy }: FiscalDocument): boolean =>
  replacedBy === null && (status === 'AUTHORIZED' || status === 'CONTINGENCY');
