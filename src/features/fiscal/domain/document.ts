import type { Decimal } from '../../../kernel/values/decimal.js';
import type { Contingency, DocumentFacts, FiscalEvent, FiscalFact } from '../events.js';
import { digestIn, hasSameNumber } from '../events.js';

/** A signed text as it may come to be authorized. */
export interface SignedText {
  readonly digestValue: string;
  readonly total: Decimal | null;
}

/** One that another took the place of under the same number: where its answer was late, it may be the one that the authority has. */
export interface EarlierText extends SignedText {
  readonly revision: number;
  readonly accessKey: string | null;
  readonly issuedAt: string;
  readonly qrCodeUrl: string | null;
  readonly contingency: Contingency | null;
}

/** A document as decisions need it. */
export interface FiscalDocument extends SignedText {
  readonly facts: DocumentFacts;
  /** How often it was prepared; 0: never, it has no number. */
  readonly attempt: number;
  readonly randomCode: string;
  readonly emissionType: number;
  readonly earlier: readonly EarlierText[];
  readonly replacedBy: string | null;
  readonly numberTaken: boolean;
  readonly final: boolean;
  readonly authorizedAt: string | null;
  readonly voiding: { readonly reason: string } | null;
  /** Why its number was given up, as long as no protocol proves it; snapshots of earlier releases do not say. */
  readonly unprovenVoid?: string | null;
  /** The revisions of the events that hold its signed texts. */
  readonly revisions: { readonly note?: number; readonly cancellation?: number; readonly void?: number };
}

const UNPREPARED = {
  attempt: 0,
  randomCode: '',
  emissionType: 1,
  digestValue: '',
  total: null,
  earlier: [],
  replacedBy: null,
  numberTaken: false,
  final: false,
  authorizedAt: null,
  voiding: null,
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
    case 'DocumentPrepared':
      return prepared(before, event.data, revision);
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

/** Written out, as the next one: every document passes here, and objects that come to be by spreads take V8 far longer. */
function prepared(
  before: FiscalDocument | undefined,
  { document: facts, attempt, randomCode, emissionType, digestValue, total }: FiscalFact<'DocumentPrepared'>,
  revision: number,
): FiscalDocument {
  const { replacedBy, final, authorizedAt, voiding } = before ?? UNPREPARED;
  return {
    facts,
    attempt,
    randomCode,
    emissionType,
    digestValue,
    total,
    earlier: earlierTexts(before, facts),
    replacedBy,
    numberTaken: false,
    final,
    authorizedAt,
    voiding,
    revisions: before ? { ...before.revisions, note: revision } : { note: revision },
  };
}

/** More are not waited for. */
const MOST_EARLIER = 20;
const NONE: readonly EarlierText[] = [];

function earlierTexts(before: FiscalDocument | undefined, now: DocumentFacts): readonly EarlierText[] {
  const revision = before?.revisions.note;
  if (!before || revision === undefined || !hasSameNumber(before.facts, now)) return NONE;
  const { digestValue, total, facts, earlier } = before;
  const { accessKey, issuedAt, qrCodeUrl, contingency } = facts;
  const text = { digestValue, total, revision, accessKey, issuedAt, qrCodeUrl, contingency };
  return [...earlier, text].slice(-MOST_EARLIER);
}

/** The earlier text that the authority has, where it is not the present one. */
export const earlierTextOf = ({ earlier }: FiscalDocument, digestValue: string | undefined): EarlierText | undefined =>
  earlier.findLast((text) => text.digestValue === digestValue);

function authorized(document: FiscalDocument, data: FiscalFact<'DocumentAuthorized'>): FiscalDocument {
  const { document: facts, authorizedAt, protocolXml } = data;
  const earlier = earlierTextOf(document, digestIn(protocolXml));
  const { revisions } = document;
  const { digestValue, total } = earlier ?? document;
  return {
    facts,
    attempt: document.attempt,
    randomCode: document.randomCode,
    emissionType: document.emissionType,
    digestValue,
    total,
    earlier: NONE,
    replacedBy: document.replacedBy,
    numberTaken: false,
    final: document.final,
    authorizedAt,
    // The number is used: nobody gives it up any more.
    voiding: null,
    revisions: earlier ? { ...revisions, note: earlier.revision } : revisions,
  };
}

type Later = Exclude<
  FiscalEvent,
  { readonly type: 'DocumentPrepared' | 'DocumentFailed' | 'DocumentCancellationRequested' }
>;

function changed(document: FiscalDocument, event: Later, revision: number): FiscalDocument | undefined {
  const { facts, revisions } = document;
  switch (event.type) {
    case 'DocumentAuthorized':
      return authorized(document, event.data);
    case 'DocumentRejected':
      return { ...document, facts: event.data.document, numberTaken: event.data.numberTaken, final: event.data.final };
    case 'DocumentEnteredContingency':
    case 'DocumentCancelled':
      return { ...document, facts: event.data.document };
    case 'NumberVoided':
      return { ...document, facts: event.data.document, voiding: null, unprovenVoid: unprovenVoidIn(event.data) };
    case 'DocumentReplaced':
      return { ...document, replacedBy: event.data.replacedBy };
    case 'DocumentCancellationRefused':
      return { ...document, facts: { ...facts, cancellation: null } };
    case 'NumberVoidRequested':
      return { ...document, voiding: { reason: event.data.reason }, revisions: { ...revisions, void: revision } };
    case 'NumberVoidRefused':
      return { ...document, voiding: null };
    case 'DocumentAbandoned':
    case 'NumberingAdvanced':
      return document;
  }
}

const unprovenVoidIn = ({ protocol, reason }: FiscalFact<'NumberVoided'>): string | null =>
  protocol === null ? reason : null;

/** The keys under which the number may be used by a text of before: going offline and the turn of a month change the key. */
export const formerKeysOf = ({ facts, earlier }: FiscalDocument): readonly string[] => [
  ...new Set(earlier.flatMap(({ accessKey }) => accessKey ?? []).filter((key) => key !== facts.accessKey)),
];

/** Whether the authority has still to decide. */
export const isWaiting = ({ facts: { status } }: FiscalDocument): boolean =>
  status === 'PENDING' || status === 'CONTINGENCY';

/** Whether its authorization is the end of the work on it: what was replaced is to be cancelled then, and what was refused has let its sale go. */
export const isAwaited = (document: FiscalDocument): boolean => isWaiting(document) && document.replacedBy === null;

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
