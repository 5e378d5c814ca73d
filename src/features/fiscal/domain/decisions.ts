import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import { DOCUMENT_EXISTS } from '../../contracts/sales-to-tax.js';
import type { FiscalEvent } from '../events.js';
import { digestIn } from '../events.js';
import {
  CANCELLATION_TOO_LATE,
  DOCUMENT_DENIED,
  DOCUMENT_REPLACED,
  DOCUMENT_STATE,
  NUMBER_TAKEN,
  SERIES_FULL,
} from '../rejections.js';
import type {
  AuthorityAnswer,
  FailDocument,
  FiscalCommand,
  KnownDocument,
  PrepareDocument,
  RecordAnswer,
  RecordCancellation,
  RecordVoid,
  RequestCancellation,
  RequestVoid,
} from './commands.js';
import type { FiscalDocument } from './document.js';
import { earlierTextOf, isAwaited, isLive, isWaiting } from './document.js';
import type { FiscalState } from './state.js';
import { nextNumber, openOf, remembered } from './state.js';

/** The layout has room for nine digits. */
const LAST_NUMBER = 999_999_999;

/** The number that was written into the document is not the next any more: write it again with another. */
export class NumberMoved extends Error {}

/** The document was replaced or refused since it was looked at: more is to be done once it is authorized. */
export class AwaitedNoMore extends Error {}

/** The state has forgotten the document: look it up and ask again. */
class DocumentForgotten extends Error {}

export function decideFiscal(state: FiscalState, command: FiscalCommand, at: string): FiscalEvent[] {
  switch (command.type) {
    case 'prepare':
      return prepare(state, command);
    case 'fail':
      return fail(state, command);
    case 'recordAnswer':
      return recordAnswer(state, command);
    case 'requestCancellation':
      return requestCancellation(state, command, at);
    case 'recordCancellation':
      return recordCancellation(state, command);
    case 'requestVoid':
      return requestVoid(state, command);
    case 'recordVoid':
      return recordVoid(state, command);
    case 'abandon': {
      const { documentId, saleId } = command;
      return remembered(state, documentId) === undefined
        ? [{ type: 'DocumentAbandoned', data: { documentId, saleId } }]
        : [];
    }
    case 'advance': {
      const { model, series, next } = command;
      const present = nextNumber(state, model, series);
      if (next < present) throw new Rejection(NUMBER_TAKEN, undefined, { model, series, next: present });
      return next === present ? [] : [{ type: 'NumberingAdvanced', data: { model, series, next } }];
    }
  }
}

/** Refuses a document that was given up, or whose sale has another that is live. */
function expectFree(
  state: FiscalState,
  { documentId, saleId, model }: { readonly documentId: string; readonly saleId: string; readonly model: number },
  replaces: string | null,
): void {
  if (remembered(state, documentId) === null) throw new Rejection(DOCUMENT_EXISTS);
  for (const other of openOf(state, saleId)) {
    const { facts } = other;
    if (facts.documentId === documentId || facts.documentId === replaces || !isLive(other)) continue;
    if (isHarmless(other, model)) continue;
    throw new Rejection(DOCUMENT_EXISTS, undefined, { documentId: facts.documentId });
  }
}

/** A failure without a number does not stand in the way of the other model. */
const isHarmless = ({ facts: { status, number, model } }: FiscalDocument, wanted: number): boolean =>
  status === 'FAILED' && number === null && model !== wanted;

function prepare(state: FiscalState, { prepared, contingency }: PrepareDocument): FiscalEvent[] {
  const { document, attempt, replaces, keepsNumber } = prepared;
  const { documentId, saleId, model, series, number } = document;
  const before = remembered(state, documentId);
  if (before && before.attempt >= attempt) return [];
  expectFree(state, document, replaces);
  if (before) expectTransmissible(before);
  const own = before?.numberTaken === false && before.facts.number !== null;
  if (!own && !keepsNumber && number !== nextNumber(state, model, series)) throw new NumberMoved();
  if (number !== null) expectRoom(number, { model, series });
  const old = replaces === null ? undefined : remembered(state, replaces);
  const isTaken = !old || old.replacedBy !== null || isKept(old) || (keepsNumber && isGivenUp(old));
  if (replaces !== null && isTaken) throw new Rejection(DOCUMENT_EXISTS, undefined, { documentId: replaces });
  const harmless = openOf(state, saleId).filter((other) => isLive(other) && isHarmless(other, model));
  const replaced = [...(replaces === null ? [] : [replaces]), ...harmless.map(({ facts }) => facts.documentId)];
  return [
    ...replaced.map((old): FiscalEvent => {
      return { type: 'DocumentReplaced', data: { documentId: old, saleId, replacedBy: documentId } };
    }),
    { type: 'DocumentPrepared', data: prepared },
    ...(contingency ? [enteredContingency(prepared.document, contingency)] : []),
  ];
}

const enteredContingency = (
  document: PrepareDocument['prepared']['document'],
  contingency: NonNullable<PrepareDocument['contingency']>,
): FiscalEvent => ({
  type: 'DocumentEnteredContingency',
  data: { document: { ...document, status: 'CONTINGENCY', contingency } },
});

/** Refuses the number after the last one of a series. */
export function expectRoom(number: number, of: { readonly model: number; readonly series: number }): void {
  if (number > LAST_NUMBER) throw new Rejection(SERIES_FULL, undefined, { ...of });
}

/** Whether none takes its place any more: it was authorized, or its customer has it since it went offline. */
const isKept = ({ facts: { status } }: FiscalDocument): boolean =>
  status === 'AUTHORIZED' || status === 'CANCELLED' || status === 'CONTINGENCY';

/** Whether its number is given up, or asked to be: nothing is issued under it any more. */
const isGivenUp = ({ facts: { status }, voiding }: FiscalDocument): boolean => voiding !== null || status === 'VOIDED';

/** Whether it may be prepared once more. */
export function expectTransmissible({ facts: { status }, replacedBy, final, voiding }: FiscalDocument): void {
  if (replacedBy !== null) throw new Rejection(DOCUMENT_REPLACED, undefined, { replacedBy });
  if (final) throw new Rejection(DOCUMENT_DENIED);
  if (voiding) throw new Rejection(DOCUMENT_STATE, 'Its number is being given up');
  if (status === 'AUTHORIZED' || status === 'CANCELLED' || status === 'VOIDED') {
    throw new Rejection(DOCUMENT_STATE, `The document is ${status}`);
  }
}

function fail(state: FiscalState, { document, failure }: FailDocument): FiscalEvent[] {
  const before = remembered(state, document.documentId);
  if (before) expectTransmissible(before);
  expectFree(state, document, null);
  const number = before ? { number: before.facts.number, accessKey: before.facts.accessKey } : {};
  return [{ type: 'DocumentFailed', data: { document: { ...document, ...number }, failure, replaces: null } }];
}

function recordAnswer(state: FiscalState, command: RecordAnswer): FiscalEvent[] {
  const { documentId, attempt, answer } = command;
  const before = remembered(state, documentId);
  if (!before) return [];
  if (answer.kind === 'authorized') return authorized(before, command, answer);
  // A refusal is of the text that was sent: where it was signed anew since, that one is on its way.
  if (!isWaiting(before) || before.attempt !== attempt) return [];
  const { words, numberTaken, final } = answer;
  const document = { ...before.facts, status: 'REJECTED', rejection: words } as const;
  return [{ type: 'DocumentRejected', data: { document, numberTaken, final } }];
}

/** The authority has it: whatever was believed of it, and whichever of its texts it is. */
function authorized(
  before: FiscalDocument,
  command: RecordAnswer,
  { code, protocol, at, protocolXml }: Extract<AuthorityAnswer, { readonly kind: 'authorized' }>,
): FiscalEvent[] {
  const { facts, digestValue } = before;
  if (!isWaiting(before) && facts.status !== 'REJECTED' && facts.status !== 'FAILED') return [];
  const digest = digestIn(protocolXml);
  const earlier = earlierTextOf(before, digest);
  if (!earlier && digest !== digestValue && before.attempt !== command.attempt) return [];
  if (command.isAwaited && !isAwaited(before)) throw new AwaitedNoMore();
  const { accessKey, issuedAt, qrCodeUrl, contingency } = earlier ?? facts;
  const text = { accessKey, issuedAt, qrCodeUrl, contingency };
  const document = { ...facts, ...text, status: 'AUTHORIZED', protocol, rejection: null } as const;
  return [{ type: 'DocumentAuthorized', data: { document, code, authorizedAt: at, protocolXml } }];
}

/** The document, as the state or who asks knows it. */
function expectDocument(state: FiscalState, documentId: string, known: KnownDocument | undefined): FiscalDocument {
  const found = remembered(state, documentId);
  if (found) return found;
  if (state.ended.since > 0 && found === undefined) {
    if (!known || known.asOf + 1 < state.ended.since) throw new DocumentForgotten();
    if (known.document) return known.document;
  }
  throw new Rejection(NOT_FOUND);
}

function requestCancellation(state: FiscalState, command: RequestCancellation, at: string): FiscalEvent[] {
  const { documentId, reason, requestedAt, sealedXml, within, known } = command;
  const { facts, authorizedAt } = expectDocument(state, documentId, known);
  if (facts.status !== 'AUTHORIZED') throw new Rejection(DOCUMENT_STATE, `The document is ${facts.status}`);
  if (facts.cancellation) return [];
  if (Date.parse(at) > Date.parse(authorizedAt ?? facts.issuedAt) + within) throw new Rejection(CANCELLATION_TOO_LATE);
  const cancellation = { status: 'PENDING', protocol: null, reason, cancelledAt: null } as const;
  const document = { ...facts, cancellation };
  return [{ type: 'DocumentCancellationRequested', data: { document, reason, requestedAt, sealedXml } }];
}

function recordCancellation(state: FiscalState, { documentId, answer }: RecordCancellation): FiscalEvent[] {
  const before = remembered(state, documentId);
  if (before?.facts.status !== 'AUTHORIZED' || !before.facts.cancellation) return [];
  const { facts } = before;
  const { saleId, cancellation } = facts;
  if (answer.kind === 'refused') {
    const { code, message } = answer.words;
    return [{ type: 'DocumentCancellationRefused', data: { documentId, saleId, code, message } }];
  }
  const { code, protocol, at, answerXml } = answer;
  const done = { status: 'DONE', protocol, reason: cancellation?.reason ?? '', cancelledAt: at } as const;
  const document = { ...facts, status: 'CANCELLED', cancellation: done } as const;
  return [{ type: 'DocumentCancelled', data: { document, code, answerXml } }];
}

/** A number is given up when no document lives under it: rejected or failed, or sent with an end that nobody heard of. */
function requestVoid(state: FiscalState, command: RequestVoid): FiscalEvent[] {
  const { documentId, reason, requestedAt, sealedXml, known } = command;
  const document = expectDocument(state, documentId, known);
  const { facts, voiding, numberTaken, final, replacedBy } = document;
  const { status, number, saleId, model, series } = facts;
  if (voiding) return [];
  const unheard = status === 'PENDING' && replacedBy !== null;
  if ((status !== 'REJECTED' && status !== 'FAILED' && !unheard) || number === null || numberTaken || final) {
    throw new Rejection(DOCUMENT_STATE, 'Only the number of a rejected or failed document can be given up');
  }
  if (!unheard && mayLiveElsewhere(state, document)) throw new Rejection(DOCUMENT_REPLACED, undefined, { replacedBy });
  const data = { documentId, saleId, model, series, number, reason, requestedAt, sealedXml };
  return [{ type: 'NumberVoidRequested', data }];
}

/** Whether the document in its place may have its number: not one that came while that was being given up. What was forgotten may have passed it on. */
function mayLiveElsewhere(state: FiscalState, { facts, replacedBy }: FiscalDocument): boolean {
  if (replacedBy === null) return false;
  const successor = remembered(state, replacedBy);
  if (!successor || !remembered(state, facts.documentId)) return true;
  return successor.facts.number === facts.number && successor.facts.series === facts.series;
}

/**
 * For the reason that stands in the request, whoever asks for the same again meanwhile. Who hears that it is done may be faster than who did it
 * and has the protocol: that is recorded then.
 */
function recordVoid(state: FiscalState, { documentId, answer }: RecordVoid): FiscalEvent[] {
  const before = remembered(state, documentId);
  if (!before) return [];
  const { facts, voiding, unprovenVoid = null } = before;
  if (answer.kind === 'refused') {
    if (!voiding) return [];
    const { code, message } = answer.words;
    return [{ type: 'NumberVoidRefused', data: { documentId, saleId: facts.saleId, code, message } }];
  }
  const { code, protocol, at, answerXml } = answer;
  const reason = voiding?.reason ?? (protocol === null ? null : unprovenVoid);
  if (reason === null) return [];
  const document = { ...facts, status: 'VOIDED' } as const;
  return [{ type: 'NumberVoided', data: { document, reason, protocol, voidedAt: at, code, answerXml } }];
}
