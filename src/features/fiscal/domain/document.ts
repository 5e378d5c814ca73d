import type { Decimal } from '../../../kernel/values/decimal.js';
import type { DocumentFacts, FiscalEvent } from '../events.js';

/** A document as decisions need it. */
export interface FiscalDocument {
  readonly facts: DocumentFacts;
  /** How often it was prepared; 0: never, it has no number. */
  readonly attempt: number;
  readonly randomCode: string;
  readonly emissionType: number;
  readonly digestValue: string;
  readonly total: Decimal | null;
  readonly replacedBy: string | null;
  readonly numberTaken: boolean;
  readonly final: boolean;
  readonly authorizedAt: string | null;
  readonly voiding: boolean;
  /** The revisions of the events that hold its signed texts. */
  readonly revisions: { readonly note?: number; readonly cancellation?: number; readonly void?: number };
}

const UNPREPARED = {
  attempt: 0,
  randomCode: '',
  emissionType: 1,
  digestValue: '',
  total: null,
  replacedBy: null,
  numberTaken: false,
  final: false,
  authorizedAt: null,
  voiding: false,
  revisions: {},
} satisfies Omit<FiscalDocument, 'facts'>;

/** The documents that an event speaks of; of most it is one. */
export const documentIdOf = (event: FiscalEvent): string | undefined => {
  if (event.type === 'NumberingAdvanced') return undefined;
  return 'document' in event.data ? event.data.document.documentId : event.data.documentId;
};

/** A document after an event of its own. */
export function documentAfter(
  before: FiscalDocument | undefined,
  event: FiscalEvent,
  revision: number,
): FiscalDocument | undefined {
  switch (event.type) {
    case 'DocumentPrepared': {
      const { document: facts, attempt, randomCode, emissionType, digestValue, total } = event.data;
      const kept = before ?? { ...UNPREPARED };
      const revisions = { ...kept.revisions, note: revision };
      return { ...kept, facts, attempt, randomCode, emissionType, digestValue, total, numberTaken: false, revisions };
    }
    case 'DocumentCancellationRequested': {
      // Nothing else is remembered of a document that ended long ago.
      const kept = before ?? UNPREPARED;
      return { ...kept, facts: event.data.document, revisions: { ...kept.revisions, cancellation: revision } };
    }
    case 'DocumentFailed':
      return { ...(before ?? UNPREPARED), facts: event.data.document };
    default:
      return before && changed(before, event, revision);
  }
}

type Later = Exclude<
  FiscalEvent,
  { readonly type: 'DocumentPrepared' | 'DocumentFailed' | 'DocumentCancellationRequested' }
>;

function changed(document: FiscalDocument, event: Later, revision: number): FiscalDocument | undefined {
  const { facts, revisions } = document;
  switch (event.type) {
    case 'DocumentAuthorized':
      return { ...document, facts: event.data.document, authorizedAt: event.data.authorizedAt };
    case 'DocumentRejected':
      return { ...document, facts: event.data.document, numberTaken: event.data.numberTaken, final: event.data.final };
    case 'DocumentEnteredContingency':
    case 'DocumentCancelled':
      return { ...document, facts: event.data.document };
    case 'NumberVoided':
      return { ...document, facts: event.data.document, voiding: false };
    case 'DocumentReplaced':
      return { ...document, replacedBy: event.data.replacedBy };
    case 'DocumentCancellationRefused':
      return { ...document, facts: { ...facts, cancellation: null } };
    case 'NumberVoidRequested':
      return { ...document, voiding: true, revisions: { ...revisions, void: revision } };
    case 'NumberVoidRefused':
      return { ...document, voiding: false };
    case 'DocumentAbandoned':
    case 'NumberingAdvanced':
      return document;
  }
}

/** Whether its sale must not have another. */
export function isLive({ facts: { status }, replacedBy }: FiscalDocument): boolean {
  if (replacedBy !== null) return false;
  return status === 'PENDING' || status === 'AUTHORIZED' || status === 'CONTINGENCY' || status === 'FAILED';
}

/** Whether anything of it is still to be done or decided by somebody. */
export function isOpen(document: FiscalDocument): boolean {
  const { facts, replacedBy, final, voiding } = document;
  if (voiding) return true;
  switch (facts.status) {
    case 'PENDING':
    case 'CONTINGENCY':
      return true;
    case 'FAILED':
      return replacedBy === null;
    case 'REJECTED':
      return replacedBy === null && !final;
    case 'AUTHORIZED':
      return facts.cancellation !== null || replacedBy !== null;
    case 'CANCELLED':
    case 'VOIDED':
      return false;
  }
}
