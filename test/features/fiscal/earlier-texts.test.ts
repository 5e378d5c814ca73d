import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fiscalDocumentsProjector } from '../../../projections/fiscal/documents.js';
import { fiscal } from '../../../src/features/fiscal/decider.js';
import type { FiscalCommand } from '../../../src/features/fiscal/domain/commands.js';
import type { FiscalEvent, FiscalFact } from '../../../src/features/fiscal/events.js';
import { fiscalEvents } from '../../../src/features/fiscal/events.js';
import { fold } from '../../../src/kernel/events/decider.js';
import { given } from '../../support/given.js';
import { documentsOf, recorded } from '../../support/given-projection.js';
import { throughSnapshot } from '../../support/through-snapshot.js';

/** A document that was signed anew because nothing was heard of it, whose first text turns out to be the one that the authority has. */

const sample = JSON.parse(readFileSync('test/fixtures/events/DocumentPrepared.v1.json', 'utf8')) as unknown;
const first = fiscalEvents.decode('DocumentPrepared', 1, sample).data as FiscalFact<'DocumentPrepared'>;
const { documentId, accessKey, saleId } = first.document;
const LATER = '2026-11-21T12:09:00.000Z';
const second = {
  ...first,
  attempt: 2,
  digestValue: 'c2Vjb25kIHRleHQgb2YgaXQuLi4=',
  document: { ...first.document, issuedAt: LATER },
};
const prepared: readonly FiscalEvent[] = [first, second].map((data) => ({ type: 'DocumentPrepared', data }));

const authorizedWith = (digestValue: string): FiscalCommand => ({
  type: 'recordAnswer',
  documentId,
  accessKey: accessKey ?? '',
  replacedBy: null,
  answer: {
    kind: 'authorized',
    code: '100',
    protocol: '135260000000001',
    at: LATER,
    protocolXml: `<protNFe><infProt><digVal>${digestValue}</digVal></infProt></protNFe>`,
  },
});

const authorized = (digestValue: string): FiscalEvent => {
  const [event] = fiscal.decider.decide(fold(fiscal.decider, prepared), authorizedWith(digestValue), LATER);
  if (!event) throw new Error('nothing was decided');
  return event;
};

describe('a document that was signed twice under its key', () => {
  test('is authorized as what the authority has of it', () => {
    expect(authorized(first.digestValue).data).toMatchObject({ document: { issuedAt: first.document.issuedAt } });
    expect(authorized(second.digestValue).data).toMatchObject({ document: { issuedAt: LATER } });
  });

  test.each([
    ['first', first, 0],
    ['second', second, 1],
  ])('hands the %s text out where it is the authorized one', (_, { digestValue }, revision) => {
    const events = [...prepared, authorized(digestValue)];
    const { ended } = fold(fiscal.decider, events);
    expect(ended.young.get(documentId)).toMatchObject({ digestValue, revisions: { note: revision }, earlier: [] });
    const records = documentsOf(
      fiscalDocumentsProjector,
      events.map((event, index) => recorded(event, index)),
    );
    expect(records[documentId]).toMatchObject({ texts: { note: revision, authorization: 2 }, signed: [] });
  });

  test('remembers both in a snapshot, and neither under another key', () => {
    const state = fold(fiscal.decider, prepared);
    const found = throughSnapshot(fiscal, state).open.get(documentId);
    expect(found?.earlier).toEqual(state.open.get(documentId)?.earlier);
    expect(found?.earlier).toHaveLength(1);
    const offline = { ...second, attempt: 3, document: { ...second.document, accessKey: '1'.repeat(44) } };
    const moved = fold(fiscal.decider, [...prepared, { type: 'DocumentPrepared', data: offline }]);
    expect(moved.open.get(documentId)?.earlier).toEqual([]);
  });

  test('is refused once where what lives there is none of its texts', () => {
    const words = { code: '204', message: 'Duplicidade' };
    given(fiscal, ...prepared)
      .when({
        type: 'recordAnswer',
        documentId,
        accessKey: accessKey ?? '',
        replacedBy: null,
        answer: { kind: 'rejected', words, numberTaken: true, final: false },
      })
      .then({
        type: 'DocumentRejected',
        data: {
          document: { ...second.document, saleId, status: 'REJECTED', rejection: words },
          numberTaken: true,
          final: false,
        },
      });
  });
});
