import type { StoreFacts } from '../../contracts/feature.js';
import type { FiscalDocument } from '../domain/document.js';
import type { Contingency, DocumentFacts, Model } from '../events.js';
import type { FallbackAuthority } from '../../../ports/fiscal-authority.js';
import type { Work } from './work-rows.js';

/** What is asked for when a document of a sale is to be issued. */
export interface Wish {
  readonly saleId: string;
  readonly model: Model;
  readonly contingency: boolean;
  readonly contingencyReason: string | undefined;
}

/** The row of the work on a document. */
export const workOf = ({ id }: StoreFacts, { facts: { documentId, saleId } }: FiscalDocument): Work => ({
  storeId: id,
  documentId,
  saleId,
});

export const failedAs = ({ facts }: FiscalDocument): DocumentFacts => ({ ...facts, status: 'FAILED', rejection: null });

export const modelKey = (model: Model): '55' | '65' => (model === 55 ? '55' : '65');

/** Whether a document in its place has its number: not one that another has, nor one that is being given up. */
export const passesNumberOn = (document: FiscalDocument | undefined): document is FiscalDocument =>
  document?.numberTaken === false && document.voiding === null;

/** What its customer has already stays offline under its number, however often it is corrected. */
export const wasOffline = (document: FiscalDocument | undefined): document is FiscalDocument =>
  passesNumberOn(document) && document.emissionType === 9;

const PLAIN_REASON = 'Falha de comunicacao com a autorizadora';

export const offlineSince = (now: number, reason: string | undefined): Contingency => ({
  type: 'OFFLINE',
  since: new Date(now).toISOString(),
  reason: reason ?? PLAIN_REASON,
});

/** The time while the state's authority is away and another stands in for it. */
export const fallbackSince = (now: number, type: FallbackAuthority): Contingency => ({
  type,
  since: new Date(now).toISOString(),
  reason: PLAIN_REASON,
});
