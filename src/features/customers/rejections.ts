import { rejection } from '../../kernel/events/rejection.js';

export const DOCUMENT_TAKEN = rejection(409, 'DOCUMENT_TAKEN', 'Another customer of the store has this document');
export const CUSTOMER_ERASED = rejection(409, 'CUSTOMER_ERASED', 'The data of this customer was erased');
