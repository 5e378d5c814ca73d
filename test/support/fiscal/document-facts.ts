import { readFileSync } from 'node:fs';
import type { DocumentFacts, FiscalEvent, FiscalFact } from '../../../src/features/fiscal/events.js';
import { fiscalEvents } from '../../../src/features/fiscal/events.js';
import { NOON } from '../given.js';

/** The first document of a store, and what may happen to it. */

const sample = JSON.parse(readFileSync('test/fixtures/events/DocumentPrepared.v1.json', 'utf8')) as unknown;
const made = fiscalEvents.decode('DocumentPrepared', 1, sample).data as FiscalFact<'DocumentPrepared'>;
export const first = { ...made, document: { ...made.document, number: 1 } };
export const { documentId, saleId, model, series } = first.document;
export const accessKey = made.document.accessKey ?? '';
export const words = { code: '778', message: 'NCM inexistente' };
const reason = 'Cliente desistiu da compra';
export const AUTHORIZED_AT = '2026-11-21T12:10:00.000Z';
export const THIRD = '019b76da-a800-7000-8000-00000000abce';
export const OTHER = '019b76da-a800-7000-8000-00000000abcd';
export const OTHER_KEY = '35261111222333000181650010000000021008480908';

export const event = <T extends FiscalEvent['type']>(type: T, data: FiscalFact<T>): FiscalEvent =>
  ({ type, data }) as FiscalEvent;
export const preparation = (facts: Partial<DocumentFacts>, more: Partial<FiscalFact<'DocumentPrepared'>> = {}) => ({
  ...first,
  ...more,
  document: { ...first.document, ...facts },
});
export const prepare = (prepared: FiscalFact<'DocumentPrepared'>) =>
  ({ type: 'prepare', prepared, contingency: null }) as const;
export const prepared = event('DocumentPrepared', first);
const rejection = { document: { ...first.document, status: 'REJECTED', rejection: words } } as const;
export const rejected = event('DocumentRejected', { ...rejection, numberTaken: false, final: false });
export const takenElsewhere = event('DocumentRejected', { ...rejection, numberTaken: true, final: false });
export const denied = event('DocumentRejected', { ...rejection, numberTaken: false, final: true });
const authorization = { ...first.document, status: 'AUTHORIZED', protocol: '135260000000001' } as const;
export const authorized = event('DocumentAuthorized', {
  document: authorization,
  code: '100',
  authorizedAt: AUTHORIZED_AT,
  protocolXml: '<protNFe/>',
});
export const since = { type: 'OFFLINE', since: NOON, reason } as const;
export const offline = event('DocumentEnteredContingency', {
  document: { ...first.document, status: 'CONTINGENCY', contingency: since },
});
export const failureOf = (facts: Partial<DocumentFacts>): FiscalFact<'DocumentFailed'> => ({
  document: { ...first.document, status: 'FAILED', number: null, accessKey: null, ...facts },
  failure: { code: 'INCOMPLETE', message: 'Something is missing', missing: ['store.taxId'] },
  replaces: null,
});
export const replaced = event('DocumentReplaced', { documentId, saleId, replacedBy: OTHER });
export const asked = { reason, requestedAt: NOON, sealedXml: 'sealed' };
const cancellation = { status: 'PENDING', protocol: null, reason, cancelledAt: null } as const;
export const cancelling = event('DocumentCancellationRequested', {
  document: { ...authorization, cancellation },
  ...asked,
});
export const cancelled = event('DocumentCancelled', {
  document: {
    ...authorization,
    status: 'CANCELLED',
    cancellation: { ...cancellation, status: 'DONE', protocol: '9', cancelledAt: NOON },
  },
  code: '135',
  answerXml: '<retEvento/>',
});
export const voidRequest = { type: 'requestVoid', documentId, ...asked } as const;
export const voiding = event('NumberVoidRequested', { documentId, saleId, model, series, number: 1, ...asked });
export const voided = event('NumberVoided', {
  document: { ...rejection.document, status: 'VOIDED' },
  reason,
  protocol: '8',
  voidedAt: NOON,
  code: '102',
  answerXml: null,
});
