import { z } from 'zod';
import { rejection } from '../../kernel/events/rejection.js';

const authority = z.object({ code: z.string(), message: z.string() }).meta({ description: 'What the authority said' });
const series = { model: z.int(), series: z.int() };

export const DOCUMENT_REPLACED = rejection(409, 'DOCUMENT_REPLACED', 'Another document has taken its place', {
  replacedBy: z.uuid().meta({ description: 'The id of that document' }),
});
export const DOCUMENT_STATE = rejection(409, 'DOCUMENT_STATE', 'The document is not in a state for this');
export const DOCUMENT_DENIED = rejection(409, 'DOCUMENT_DENIED', 'The authority denied the document for good');
export const CANCELLATION_TOO_LATE = rejection(409, 'CANCELLATION_TOO_LATE', 'The time to cancel it is over');
export const CANCELLATION_REFUSED = rejection(409, 'CANCELLATION_REFUSED', 'The authority refused the cancellation', {
  authority,
});
export const VOID_REFUSED = rejection(409, 'VOID_REFUSED', 'The authority refused to void the number', { authority });
export const NUMBER_TAKEN = rejection(409, 'NUMBER_NOT_HIGHER', 'The next number can only go up', {
  ...series,
  next: z.int().meta({ description: 'The next number as it is' }),
});
export const SERIES_FULL = rejection(
  409,
  'SERIES_FULL',
  'Every number of the series is taken: set another series',
  series,
);
export const NO_XML = rejection(404, 'NO_XML', 'The document has no XML yet');
export const CERTIFICATE_MISSING = rejection(
  409,
  'CERTIFICATE_MISSING',
  'The store has no valid certificate to sign this with: set fiscal.certificate',
);
export const CERTIFICATE_INVALID = rejection(400, 'CERTIFICATE_INVALID', 'The certificate cannot be used');
export const CONTINGENCY_NOT_POSSIBLE = rejection(
  400,
  'CONTINGENCY_NOT_POSSIBLE',
  'Contingency is for model 65 alone, where the store allows it',
);
