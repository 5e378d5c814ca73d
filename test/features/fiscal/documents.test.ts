import { describe, expect, test } from '@jest/globals';
import { DOCUMENT_EXISTS } from '../../../src/features/contracts/sales-to-tax.js';
import { fiscal } from '../../../src/features/fiscal/decider.js';
import { NumberMoved } from '../../../src/features/fiscal/domain/decisions.js';
import { nextNumber } from '../../../src/features/fiscal/domain/state.js';
import type { DocumentFacts, Model } from '../../../src/features/fiscal/events.js';
import { NUMBER_TAKEN, SERIES_FULL } from '../../../src/features/fiscal/rejections.js';
import { fold } from '../../support/fold.js';
import {
  accessKey,
  authorized,
  cancelled,
  cancelling,
  denied,
  documentId,
  event,
  failureOf,
  first,
  model,
  offline,
  OTHER,
  OTHER_KEY,
  preparation,
  prepare,
  prepared,
  rejected,
  replaced,
  saleId,
  series,
  since,
  takenElsewhere,
  THIRD,
  words,
} from '../../support/fiscal/document-facts.js';
import { NOON, given } from '../../support/given.js';

/** Under which number a document is issued, and which a sale may have. */

describe('numbers', () => {
  test('ascend without gaps, of each model and series on its own', () => {
    const next = preparation({ documentId: OTHER, saleId: 'another', number: 2 });
    given(fiscal).when(prepare(first)).then(prepared);
    given(fiscal, prepared).when(prepare(next)).then(event('DocumentPrepared', next));
    for (const apart of [{ model: 55 as Model }, { series: 2 }]) {
      const own = preparation({ documentId: OTHER, saleId: 'another', ...apart });
      given(fiscal, prepared).when(prepare(own)).then(event('DocumentPrepared', own));
    }
    const tooFar = prepare(preparation({ documentId: OTHER, saleId: 'another', number: 3 }));
    expect(() => fiscal.decider.decide(fold(fiscal.decider, [prepared]), tooFar, NOON)).toThrow(NumberMoved);
  });

  test('are nine digits long at most', () => {
    const nearly = event('NumberingAdvanced', { model, series, next: 999_999_999 });
    const last = preparation({ number: 999_999_999 });
    given(fiscal, nearly).when(prepare(last)).then(event('DocumentPrepared', last));
    given(fiscal, nearly, event('DocumentPrepared', last))
      .when(prepare(preparation({ documentId: OTHER, saleId: 'another', number: 1_000_000_000 })))
      .thenRefused(SERIES_FULL, { model, series });
  });

  test('are advanced upwards alone', () => {
    const advance = (next: number) => ({ type: 'advance', model, series, next }) as const;
    given(fiscal, prepared).when(advance(1)).thenRefused(NUMBER_TAKEN, { next: 2 });
    given(fiscal, prepared).when(advance(2)).thenNothing();
    const advanced = event('NumberingAdvanced', { model, series, next: 7 });
    given(fiscal, prepared).when(advance(7)).then(advanced);
    given(fiscal, prepared, advanced).when(advance(7)).thenNothing();
  });

  test('stay with a document that is corrected, unless they live under another key', () => {
    const again = preparation({}, { attempt: 2 });
    given(fiscal, prepared, rejected).when(prepare(again)).then(event('DocumentPrepared', again));
    given(fiscal, prepared, rejected).when(prepare(first)).thenNothing();
    const underNext = preparation({ number: 2 }, { attempt: 2 });
    given(fiscal, prepared, takenElsewhere).when(prepare(underNext)).then(event('DocumentPrepared', underNext));
    const correct = () => fiscal.decider.decide(fold(fiscal.decider, [prepared, takenElsewhere]), prepare(again), NOON);
    expect(correct).toThrow(NumberMoved);
    const second = preparation({ documentId: OTHER, saleId: 'another', number: 2 });
    const corrected = [prepared, event('DocumentPrepared', second), rejected, event('DocumentPrepared', again)];
    expect(nextNumber(fold(fiscal.decider, corrected), model, series)).toBe(3);
  });

  test('are taken by what failed without one as by any other', () => {
    const failed = event('DocumentFailed', failureOf({}));
    given(fiscal, failed).when(prepare(first)).then(prepared);
    const later = prepare(preparation({ number: 2 }));
    expect(() => fiscal.decider.decide(fold(fiscal.decider, [failed]), later, NOON)).toThrow(NumberMoved);
  });

  test('stay with a document that goes offline before it was sent', () => {
    const again = preparation({}, { attempt: 2, emissionType: 9 });
    given(fiscal, prepared)
      .when({ ...prepare(again), contingency: since })
      .then(event('DocumentPrepared', again), offline);
  });
});

describe('a sale', () => {
  const other = (facts: Partial<DocumentFacts>) => prepare(preparation({ documentId: OTHER, number: 2, ...facts }));

  test.each([
    ['is on its way', [prepared]],
    ['is in contingency', [prepared, offline]],
    ['failed under a number', [prepared, event('DocumentFailed', failureOf({ number: 1, accessKey }))]],
    ['failed without one', [event('DocumentFailed', failureOf({}))]],
    ['is being cancelled', [prepared, authorized, cancelling]],
  ])('has no second document while one of its model %s', (_, history) => {
    const number = history.includes(prepared) ? 2 : 1;
    given(fiscal, ...history)
      .when(other({ number }))
      .thenRefused(DOCUMENT_EXISTS, { documentId });
    const failure = failureOf({ documentId: OTHER });
    given(fiscal, ...history)
      .when({ type: 'fail', document: failure.document, failure: failure.failure })
      .thenRefused(DOCUMENT_EXISTS, { documentId });
  });

  test('may have one of the other model in place of what failed without a number, and under one it may not', () => {
    const company = preparation({ documentId: OTHER, model: 55 });
    given(fiscal, event('DocumentFailed', failureOf({})))
      .when(prepare(company))
      .then(replaced, event('DocumentPrepared', company));
    given(fiscal, prepared, event('DocumentFailed', failureOf({ number: 1, accessKey })))
      .when(prepare(company))
      .thenRefused(DOCUMENT_EXISTS, { documentId });
    given(fiscal, prepared).when(prepare(company)).thenRefused(DOCUMENT_EXISTS, { documentId });
  });

  test('has another beside what was denied or rejected', () => {
    for (const end of [denied, rejected]) {
      given(fiscal, prepared, end)
        .when(other({}))
        .then(event('DocumentPrepared', other({}).prepared));
    }
  });

  test('has no document in place of one that was authorized meanwhile, or replaced already, or is with its customer', () => {
    const inPlace = prepare({ ...other({}).prepared, replaces: documentId });
    given(fiscal, prepared).when(inPlace).then(replaced, event('DocumentPrepared', inPlace.prepared));
    for (const meanwhile of [[authorized], [authorized, cancelling, cancelled], [replaced], [offline]]) {
      given(fiscal, prepared, ...meanwhile)
        .when(inPlace)
        .thenRefused(DOCUMENT_EXISTS, { documentId });
    }
  });

  test('has another in place of one that took a place itself', () => {
    const second = preparation({ documentId: OTHER, number: 2, accessKey: OTHER_KEY }, { replaces: documentId });
    const refused = { ...second.document, status: 'REJECTED', rejection: words } as const;
    const third = preparation({ documentId: THIRD, number: 2 }, { replaces: OTHER, keepsNumber: true });
    const placeTaken = event('DocumentReplaced', { documentId: OTHER, saleId, replacedBy: THIRD });
    given(
      fiscal,
      prepared,
      replaced,
      event('DocumentPrepared', second),
      event('DocumentRejected', { document: refused, numberTaken: false, final: false }),
    )
      .when(prepare(third))
      .then(placeTaken, event('DocumentPrepared', third));
  });

  test('has no document that was given up before it was prepared', () => {
    const abandon = { type: 'abandon', documentId, saleId } as const;
    const abandoned = event('DocumentAbandoned', { documentId, saleId });
    given(fiscal).when(abandon).then(abandoned);
    given(fiscal, prepared).when(abandon).thenNothing();
    given(fiscal, abandoned).when(abandon).thenNothing();
    given(fiscal, abandoned).when(prepare(first)).thenRefused(DOCUMENT_EXISTS);
  });
});
