import { expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { fiscalDocumentsProjector } from '../../projections/fiscal/documents.js';
import type { FiscalEvent } from '../../src/features/fiscal/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import {
  AUTHORIZED_AT,
  OTHER,
  OTHER_KEY,
  authorized,
  cancelled,
  cancelling,
  denied,
  documentId,
  event,
  failureOf,
  first,
  offline,
  prepared,
  preparation,
  rejected,
  replaced,
  saleId,
  since,
  takenElsewhere,
  voided,
  voiding,
  words,
} from '../support/fiscal/document-facts.js';
import { NOON } from '../support/given.js';
import { recorded } from '../support/given-projection.js';
import { documentsOf } from '../support/projected.js';

/** What is told of a fiscal document, event after event. */

const after = (...events: readonly FiscalEvent[]): FiscalRecord =>
  documentsOf(
    fiscalDocumentsProjector,
    events.map((each, revision) => recorded(each, revision)),
  )[documentId] as FiscalRecord;

const corrected = event(
  'DocumentPrepared',
  preparation({}, { attempt: 2, digestValue: 'later', total: Decimal.from(30) }),
);
const refusedWords = { documentId, saleId, ...words };
const reason = 'Cliente desistiu da compra';

test('a document begins with what was signed of it and nothing that became of it', () => {
  const { documentId: id, ...facts } = first.document;
  expect(after(prepared)).toEqual({
    ...facts,
    id,
    links: {
      document: `/fiscal/documents/${id}`,
      xml: `/fiscal/documents/${id}/xml`,
      pdf: `/fiscal/documents/${id}/pdf`,
    },
    total: 28,
    failure: null,
    numberTaken: false,
    final: false,
    voided: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    authorizedAt: null,
    replaces: null,
    replacedBy: null,
    revision: 0,
    texts: { note: 0 },
    signed: [{ digestValue: first.digestValue, revision: 0, total: 28 }],
  });
});

test.each([
  [
    'that failed',
    [event('DocumentFailed', failureOf({}))],
    {
      status: 'FAILED',
      total: null,
      failure: failureOf({}).failure,
      texts: {},
      signed: [],
      numberTaken: false,
      final: false,
    },
  ],
  [
    'that failed and was mended',
    [event('DocumentFailed', failureOf({})), prepared],
    { status: 'PENDING', failure: null, total: 28 },
  ],
  [
    'that failed before and since',
    [event('DocumentFailed', failureOf({})), prepared, event('DocumentFailed', failureOf({ number: 1 }))],
    { failure: failureOf({}).failure, total: 28 },
  ],
  [
    'whose number lives elsewhere',
    [prepared, takenElsewhere],
    { status: 'REJECTED', rejection: words, numberTaken: true, final: false },
  ],
  ['that was denied', [prepared, denied], { numberTaken: false, final: true }],
  [
    'that was corrected',
    [prepared, takenElsewhere, corrected],
    {
      status: 'PENDING',
      rejection: null,
      numberTaken: false,
      total: 30,
      texts: { note: 2 },
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:02.000Z',
    },
  ],
  ['that goes offline', [prepared, offline], { status: 'CONTINGENCY', contingency: since, total: 28 }],
  [
    'that was authorized',
    [prepared, authorized],
    { status: 'AUTHORIZED', authorizedAt: AUTHORIZED_AT, total: 28, texts: { note: 0, authorization: 1 }, signed: [] },
  ],
  [
    'that is in place of another',
    [event('DocumentPrepared', preparation({}, { replaces: OTHER })), corrected],
    { replaces: OTHER, replacedBy: null },
  ],
  [
    'that another is in place of',
    [prepared, rejected, replaced],
    { status: 'REJECTED', replaces: null, replacedBy: OTHER, revision: 2, updatedAt: '2026-01-01T00:00:02.000Z' },
  ],
  [
    'that is to be cancelled',
    [prepared, authorized, cancelling],
    {
      status: 'AUTHORIZED',
      cancellation: { status: 'PENDING', reason },
      texts: { note: 0, authorization: 1, cancellation: 2 },
    },
  ],
  [
    'whose cancellation was refused',
    [prepared, authorized, cancelling, event('DocumentCancellationRefused', refusedWords)],
    { status: 'AUTHORIZED', cancellation: null, authorizedAt: AUTHORIZED_AT, revision: 3 },
  ],
  [
    'that was cancelled',
    [prepared, authorized, cancelling, cancelled],
    {
      status: 'CANCELLED',
      authorizedAt: AUTHORIZED_AT,
      cancellation: { status: 'DONE', protocol: '9' },
      texts: { note: 0, authorization: 1, cancellation: 2, cancelled: 3 },
    },
  ],
  [
    'whose number is given up',
    [prepared, rejected, voiding],
    { status: 'REJECTED', voided: { reason, protocol: null, at: null }, texts: { note: 0, void: 2 } },
  ],
  [
    'whose number was not let go',
    [prepared, rejected, voiding, event('NumberVoidRefused', refusedWords)],
    { status: 'REJECTED', voided: null, revision: 3 },
  ],
  [
    'that was authorized while its number was to be given up',
    [prepared, replaced, voiding, authorized],
    { status: 'AUTHORIZED', voided: null, authorizedAt: AUTHORIZED_AT },
  ],
  [
    'whose number was given up',
    [prepared, rejected, voiding, voided],
    { status: 'VOIDED', voided: { reason, protocol: '8', at: NOON }, texts: { note: 0, void: 2, voided: 3 } },
  ],
] as const)('of one %s that is told', (_, events, told) => {
  expect(after(...events)).toMatchObject(told);
});

test('what was signed under another key of its number may be what was authorized, under another number never', () => {
  const offline = event(
    'DocumentPrepared',
    preparation({ accessKey: OTHER_KEY }, { attempt: 3, digestValue: 'offline' }),
  );
  const next = { accessKey: OTHER_KEY, number: 2 };
  const moved = event('DocumentPrepared', preparation(next, { attempt: 4, digestValue: 'moved' }));
  const digests = (...events: readonly FiscalEvent[]) => after(...events).signed.map(({ digestValue }) => digestValue);
  expect(digests(prepared, corrected, offline)).toEqual([first.digestValue, 'later', 'offline']);
  expect(digests(prepared, corrected, offline, moved)).toEqual(['moved']);
});

test('the total is that of the text that the authority has', () => {
  const withDigest = (digest: string) => {
    if (authorized.type !== 'DocumentAuthorized') throw new Error('another event');
    return event('DocumentAuthorized', { ...authorized.data, protocolXml: `<digVal>${digest}</digVal>` });
  };
  const totalWith = (digest: string) => after(prepared, corrected, withDigest(digest)).total;
  expect([first.digestValue, 'later', 'unknown'].map(totalWith)).toEqual([28, 30, 30]);
});

test('what is told of a document that is not known makes none', () => {
  const alone = [replaced, voiding, event('NumberVoidRefused', refusedWords)];
  expect(alone.map((each) => after(each))).toEqual([undefined, undefined, undefined]);
});
