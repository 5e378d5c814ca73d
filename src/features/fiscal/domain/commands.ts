import type { AuthorityWords, Contingency, Failure, FiscalFact, Model } from '../events.js';
import type { FiscalDocument } from './document.js';

/** What is asked of the documents of a store. */

/** A document that the state may have forgotten, as the read models know it up to a revision. */
export interface KnownDocument {
  readonly asOf: number;
  readonly document: FiscalDocument | undefined;
}

export type Prepared = FiscalFact<'DocumentPrepared'>;

/** Fixes a document; its number must be the next, unless it has it or takes another's over. */
export interface PrepareDocument {
  readonly type: 'prepare';
  readonly prepared: Prepared;
  /** It goes to the customer before the authority has seen it. */
  readonly contingency: Contingency | null;
}

export interface FailDocument {
  readonly type: 'fail';
  readonly document: FiscalFact<'DocumentFailed'>['document'];
  readonly failure: Failure;
}

export type AuthorityAnswer =
  | {
      readonly kind: 'authorized';
      readonly code: string;
      readonly protocol: string;
      readonly at: string;
      readonly protocolXml: string;
    }
  | {
      readonly kind: 'rejected';
      readonly words: AuthorityWords;
      readonly numberTaken: boolean;
      readonly final: boolean;
    };

/** What the authority said of it. */
export interface RecordAnswer {
  readonly type: 'recordAnswer';
  readonly documentId: string;
  /** Which text of it was sent or asked about. */
  readonly attempt: number;
  readonly answer: AuthorityAnswer;
  /** As who records it knows the document: where nobody awaits its authorization, more is to be done after it. */
  readonly isAwaited: boolean;
}

export interface RequestCancellation {
  readonly type: 'requestCancellation';
  readonly documentId: string;
  readonly reason: string;
  readonly requestedAt: string;
  readonly sealedXml: string;
  /** Milliseconds after its authorization; Infinity for what the service itself takes back. */
  readonly within: number;
  readonly known?: KnownDocument;
}

export type EventAnswer =
  | {
      readonly kind: 'registered';
      readonly code: string;
      readonly protocol: string | null;
      readonly at: string;
      readonly answerXml: string | null;
    }
  | { readonly kind: 'refused'; readonly words: AuthorityWords };

export interface RecordCancellation {
  readonly type: 'recordCancellation';
  readonly documentId: string;
  readonly answer: EventAnswer;
}

export interface RequestVoid {
  readonly type: 'requestVoid';
  readonly documentId: string;
  readonly reason: string;
  readonly requestedAt: string;
  readonly sealedXml: string;
  readonly known?: KnownDocument;
}

export interface RecordVoid {
  readonly type: 'recordVoid';
  readonly documentId: string;
  readonly answer: EventAnswer;
}

export type FiscalCommand =
  | PrepareDocument
  | FailDocument
  | RecordAnswer
  | RequestCancellation
  | RecordCancellation
  | RequestVoid
  | RecordVoid
  | { readonly type: 'abandon'; readonly documentId: string; readonly saleId: string }
  | { readonly type: 'advance'; readonly model: Model; readonly series: number; readonly next: number };
