import { describe, expect, test } from '@jest/globals';
import { DOCUMENT_EXISTS } from '../../../src/features/contracts/sales-to-tax.js';
import { fiscal } from '../../../src/features/fiscal/decider.js';
import type { KnownDocument, RequestCancellation } from '../../../src/features/fiscal/domain/commands.js';
import { REMEMBERED, nextNumber, openOf, remembered } from '../../../src/features/fiscal/domain/state.js';
import {
  CANCELLATION_TOO_LATE,
  DOCUMENT_DENIED,
  DOCUMENT_REPLACED,
  DOCUMENT_STATE,
} from '../../../src/features/fiscal/rejections.js';
import { fold } from '../../support/fold.js';
import { NOT_FOUND } from '../../../src/kernel/events/rejection.js';
import {
  accessKey,
  authorized,
  AUTHORIZED_AT,
  cancelled,
  cancelling,
  denied,
  documentId,
  event,
  failureOf,
  model,
  offline,
  OTHER,
  preparation,
  prepare,
  prepared,
  rejected,
  replaced,
  saleId,
  series,
  since,
  takenElsewhere,
  voided,
  voiding,
  voidRequest,
  words,
  asked,
  first,
} from '../../support/fiscal/document-facts.js';
import { NOON, given } from '../../support/given.js';
import { throughSnapshot } from '../../support/through-snapshot.js';

/** What may become of a document once it has its number. */

describe('a document', () => {
  test('is sent once more only before its end', () => {
    const again = prepare(preparation({}, { attempt: 2 }));
    given(fiscal, prepared, authorized).when(again).thenRefused(DOCUMENT_STATE);
    given(fiscal, prepared, authorized, cancelling, cancelled).when(again).thenRefused(DOCUMENT_STATE);
    given(fiscal, prepared, rejected, voiding, voided).when(again).thenRefused(DOCUMENT_STATE);
    given(fiscal, prepared, denied).when(again).thenRefused(DOCUMENT_DENIED);
    given(fiscal, prepared, rejected, replaced).when(again).thenRefused(DOCUMENT_REPLACED, { replacedBy: OTHER });
  });

  test('that cannot be corrected keeps its number and key', () => {
    const { document, failure, replaces } = failureOf({ number: 1, accessKey });
    given(fiscal, prepared, rejected)
      .when({ type: 'fail', document: failureOf({}).document, failure })
      .then(event('DocumentFailed', { document, failure, replaces }));
    const fail = { type: 'fail', document: failureOf({}).document, failure } as const;
    given(fiscal, prepared, authorized).when(fail).thenRefused(DOCUMENT_STATE);
    const company = preparation({ documentId: OTHER, model: 55 });
    given(fiscal, prepared, rejected, event('DocumentPrepared', company))
      .when(fail)
      .thenRefused(DOCUMENT_EXISTS, { documentId: OTHER });
  });

  test('takes a refusal once, of the text that was sent last, in contingency as well', () => {
    const refusal = { kind: 'rejected', words, numberTaken: true, final: false } as const;
    const command = { type: 'recordAnswer', documentId, answer: refusal, isAwaited: true } as const;
    const answer = (attempt: number) => ({ ...command, attempt });
    given(fiscal, prepared).when(answer(1)).then(takenElsewhere);
    given(fiscal, prepared, event('DocumentPrepared', preparation({}, { attempt: 2 })))
      .when(answer(1))
      .thenNothing();
    for (const end of [authorized, rejected]) given(fiscal, prepared, end).when(answer(1)).thenNothing();
    given(fiscal, prepared, offline)
      .when(answer(1))
      .then(
        event('DocumentRejected', {
          document: { ...first.document, status: 'REJECTED', rejection: words, contingency: since },
          numberTaken: true,
          final: false,
        }),
      );
  });

  test('is cancelled within its time, which the last moment belongs to', () => {
    const cancel: RequestCancellation = { type: 'requestCancellation', documentId, ...asked, within: 1_800_000 };
    const at = (time: string) => NOON.replace('12:00:00.000', time);
    given(fiscal, prepared, authorized).when(cancel, at('12:40:00.000')).then(cancelling);
    given(fiscal, prepared, authorized).when(cancel, at('12:40:00.001')).thenRefused(CANCELLATION_TOO_LATE);
    given(fiscal, prepared, authorized, cancelling).when(cancel, at('12:50:00.000')).thenNothing();
    given(fiscal, prepared).when(cancel).thenRefused(DOCUMENT_STATE);
    given(fiscal, prepared, authorized, cancelling, cancelled).when(cancel).thenRefused(DOCUMENT_STATE);
  });

  test('is cancelled by the answer to a request alone, for its reason', () => {
    const done = { kind: 'registered', code: '135', protocol: '9', at: NOON, answerXml: '<retEvento/>' } as const;
    const record = { type: 'recordCancellation', documentId, answer: done } as const;
    given(fiscal, prepared, authorized, cancelling).when(record).then(cancelled);
    given(fiscal, prepared, authorized).when(record).thenNothing();
    given(fiscal, prepared, authorized, cancelling, cancelled).when(record).thenNothing();
    const refused = event('DocumentCancellationRefused', { documentId, saleId, ...words });
    given(fiscal, prepared, authorized, cancelling)
      .when({ ...record, answer: { kind: 'refused', words } })
      .then(refused);
    given(fiscal, prepared, authorized, cancelling, refused).when(record).thenNothing();
  });

  test('gives up its number when it was rejected or failed, or was never heard of and replaced, and has one to give up', () => {
    const failed = event('DocumentFailed', failureOf({ number: 1, accessKey }));
    for (const history of [[rejected], [failed], [replaced]]) {
      given(fiscal, prepared, ...history)
        .when(voidRequest)
        .then(voiding);
    }
    for (const history of [[], [authorized], [offline], [offline, replaced], [denied], [takenElsewhere]]) {
      given(fiscal, prepared, ...history)
        .when(voidRequest)
        .thenRefused(DOCUMENT_STATE);
    }
    given(fiscal, event('DocumentFailed', failureOf({})))
      .when(voidRequest)
      .thenRefused(DOCUMENT_STATE);
  });

  test('keeps its number where the authority refuses to have it given up', () => {
    const record = { type: 'recordVoid', documentId, answer: { kind: 'refused', words } } as const;
    const refused = event('NumberVoidRefused', { documentId, saleId, ...words });
    given(fiscal, prepared, rejected, voiding).when(record).then(refused);
    given(fiscal, prepared, rejected).when(record).thenNothing();
    given(fiscal, prepared, rejected, voiding, refused).when(record).thenNothing();
    given(fiscal, prepared, rejected, voiding, voided).when(record).thenNothing();
  });

  test('is known as one of its sale for as long as anything of it is to be done', () => {
    const failed = event('DocumentFailed', failureOf({}));
    const open = [
      [prepared],
      [prepared, offline],
      [failed],
      [prepared, rejected],
      [prepared, replaced],
      [prepared, replaced, authorized],
      [prepared, authorized, cancelling],
      [prepared, rejected, voiding, replaced],
    ];
    const ended = [
      [prepared, authorized],
      [prepared, authorized, cancelling, cancelled],
      [prepared, denied],
      [prepared, rejected, replaced],
      [failed, replaced],
      [prepared, rejected, voiding, voided],
      [prepared, replaced, voiding, authorized, cancelling, cancelled],
    ];
    for (const history of [...open, ...ended]) {
      const known = throughSnapshot(fiscal, fold(fiscal.decider, history));
      const ids = open.includes(history) ? [documentId] : [];
      expect(openOf(known, saleId).map(({ facts }) => facts.documentId)).toEqual(ids);
      expect(nextNumber(known, model, series)).toBe(history.includes(failed) ? 1 : 2);
    }
  });

  test('is remembered for as long as is promised after its end, and longer while anything is to be done', () => {
    const { evolve, initial } = fiscal.decider;
    const at = (revision: number) => ({ revision }) as Parameters<typeof evolve>[2];
    const ended = (id: string) => event('DocumentAbandoned', { documentId: id, saleId: 'none' });
    const open = [prepared, rejected].reduce((state, fact, index) => evolve(state, fact, at(index)), initial);
    let state = evolve(open, ended('early'), at(2));
    for (const [id, revision] of [
      ['late', REMEMBERED - 1],
      ['turn', REMEMBERED],
      ['far', 2 * REMEMBERED - 1],
    ] as const) {
      state = evolve(state, ended(id), at(revision));
    }
    const known = throughSnapshot(fiscal, state);
    expect(['early', 'late', 'turn', 'far'].map((id) => remembered(known, id))).toEqual([null, null, null, null]);
    const later = evolve(known, ended('next'), at(2 * REMEMBERED));
    expect(['early', 'late', 'turn', 'next'].map((id) => remembered(later, id))).toEqual([
      undefined,
      undefined,
      null,
      null,
    ]);
    expect([later.ended.since, remembered(later, documentId)?.facts.status]).toEqual([REMEMBERED, 'REJECTED']);
    expect(throughSnapshot(fiscal, later).ended).toEqual(later.ended);
  });

  test('that the state has forgotten is decided on what is known of it, if that is recent enough', () => {
    const { initial } = fiscal.decider;
    const document = remembered(fold(fiscal.decider, [prepared, authorized]), documentId) ?? undefined;
    const later = { ...initial, ended: { ...initial.ended, since: 20_000, youngSince: 30_000 } };
    const cancel: RequestCancellation = { type: 'requestCancellation', documentId, ...asked, within: Infinity };
    const decided = (known?: KnownDocument) => () =>
      fiscal.decider.decide(later, known ? { ...cancel, known } : cancel, AUTHORIZED_AT);
    expect(decided({ asOf: 19_999, document })()).toEqual([cancelling]);
    expect(decided({ asOf: 19_998, document })).toThrow();
    expect(decided()).toThrow();
    given({ ...fiscal, decider: { ...fiscal.decider, initial: later } })
      .when({ ...cancel, known: { asOf: 19_999, document: undefined } })
      .thenRefused(NOT_FOUND);
    given(fiscal)
      .when({ ...cancel, known: { asOf: 9, document } })
      .thenRefused(NOT_FOUND);
  });
});
