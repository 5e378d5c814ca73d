import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fiscalDocumentsProjector } from '../../../projections/fiscal/documents.js';
import { fiscal } from '../../../src/features/fiscal/decider.js';
import type { RecordAnswer } from '../../../src/features/fiscal/domain/commands.js';
import { AwaitedNoMore } from '../../../src/features/fiscal/domain/decisions.js';
import type { DocumentFacts, FiscalEvent, FiscalFact } from '../../../src/features/fiscal/events.js';
import { fiscalEvents } from '../../../src/features/fiscal/events.js';
import { fold } from '../../support/fold.js';
import { given } from '../../support/given.js';
import { recorded } from '../../support/given-projection.js';
import { documentsOf } from '../../support/projected.js';
import { throughSnapshot } from '../../support/through-snapshot.js';

/** A document that was signed anew or refused, of which a text that nobody counted on turns out to be the one that the authority has. */

const sample = JSON.parse(readFileSync('test/fixtures/events/DocumentPrepared.v1.json', 'utf8')) as unknown;
const first = fiscalEvents.decode('DocumentPrepared', 1, sample).data as FiscalFact<'DocumentPrepared'>;
const { documentId, accessKey, saleId } = first.document;
const OTHER_KEY = '1'.repeat(44);
const LATER = '2026-11-21T12:09:00.000Z';
const second = {
  ...first,
  attempt: 2,
  digestValue: 'c2Vjb25kIHRleHQgb2YgaXQuLi4=',
  document: { ...first.document, issuedAt: LATER },
};
const prepared: readonly FiscalEvent[] = [first, second].map((data) => ({ type: 'DocumentPrepared', data }));
const preparedAs = (facts: Partial<DocumentFacts>): FiscalEvent => ({
  type: 'DocumentPrepared',
  data: {
    ...second,
    attempt: 3,
    digestValue: 'dGhpcmQgdGV4dCBvZiBpdC4uLi4=',
    document: { ...second.document, ...facts },
  },
});

const authorizedWith = (digestValue: string, more: Partial<RecordAnswer> = {}): RecordAnswer => ({
  type: 'recordAnswer',
  documentId,
  attempt: 2,
  isAwaited: true,
  answer: {
    kind: 'authorized',
    code: '100',
    protocol: '135260000000001',
    at: LATER,
    protocolXml: `<protNFe><infProt><digVal>${digestValue}</digVal></infProt></protNFe>`,
  },
  ...more,
});

const decided = (events: readonly FiscalEvent[], command: RecordAnswer): FiscalEvent => {
  const [event] = fiscal.decider.decide(fold(fiscal.decider, events), command, LATER);
  if (!event) throw new Error('nothing was decided');
  return event;
};
const authorized = (digestValue: string): FiscalEvent => decided(prepared, authorizedWith(digestValue));

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

  test('remembers both in a snapshot, and neither under another number', () => {
    const state = fold(fiscal.decider, prepared);
    const found = throughSnapshot(fiscal, state).open.get(documentId);
    expect(found?.earlier).toEqual(state.open.get(documentId)?.earlier);
    expect(found?.earlier).toHaveLength(1);
    const next = { accessKey: OTHER_KEY, number: 102 };
    const moved = fold(fiscal.decider, [...prepared, preparedAs(next)]);
    expect(moved.open.get(documentId)?.earlier).toEqual([]);
  });

  test('is known by a snapshot of an earlier release, which says no key of its first text', () => {
    const { snapshot } = fiscal;
    if (!snapshot) throw new Error('the state has no snapshot');
    const parts = JSON.parse(JSON.stringify([...snapshot.save(fold(fiscal.decider, prepared))])) as {
      document?: { earlier: { accessKey?: unknown; contingency?: unknown }[] };
    }[];
    for (const { document } of parts)
      for (const text of document?.earlier ?? []) {
        delete text.accessKey;
        delete text.contingency;
      }
    const loader = snapshot.load();
    for (const part of parts) loader.add(part);
    const [event] = fiscal.decider.decide(loader.state(), authorizedWith(first.digestValue), LATER);
    expect(event?.data).toMatchObject({ document: { accessKey, contingency: null } });
  });

  test('is refused once where what lives there is none of its texts', () => {
    const words = { code: '204', message: 'Duplicidade' };
    given(fiscal, ...prepared)
      .when({
        type: 'recordAnswer',
        documentId,
        attempt: 2,
        isAwaited: true,
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

describe('a document whose authorization nobody awaits', () => {
  const contingency = { type: 'OFFLINE', since: LATER, reason: 'Falha de comunicacao' } as const;
  const offline: readonly FiscalEvent[] = [
    ...prepared,
    preparedAs({ accessKey: OTHER_KEY }),
    {
      type: 'DocumentEnteredContingency',
      data: { document: { ...second.document, accessKey: OTHER_KEY, status: 'CONTINGENCY', contingency } },
    },
  ];
  const rest = (status: 'REJECTED' | 'FAILED'): FiscalEvent => {
    const document = { ...second.document, status };
    if (status === 'REJECTED') return { type: 'DocumentRejected', data: { document, numberTaken: true, final: false } };
    const failure = { code: 'DATA_MISSING', message: 'Something is missing', missing: [] };
    return { type: 'DocumentFailed', data: { document, failure, replaces: null } };
  };

  test.each([
    ['a text under a former key', second.digestValue, accessKey, null],
    ['its present text', 'dGhpcmQgdGV4dCBvZiBpdC4uLi4=', OTHER_KEY, contingency],
  ])('is authorized as %s, whichever the authority has', (_, digestValue, key, entered) => {
    const { data } = decided(offline, authorizedWith(digestValue));
    expect(data).toMatchObject({ document: { status: 'AUTHORIZED', accessKey: key, contingency: entered } });
  });

  test('is not authorized as what was never its text', () => {
    given(fiscal, ...offline)
      .when(authorizedWith('b2Ygc29tZWJvZHkgZWxzZS4uLi4='))
      .thenNothing();
  });

  test.each(['REJECTED', 'FAILED'] as const)(
    'is believed to be authorized though it is %s, by who knows that',
    (status) => {
      const events = [...prepared, rest(status)];
      const late = authorizedWith(first.digestValue);
      expect(() => decided(events, late)).toThrow(AwaitedNoMore);
      const authorization = decided(events, { ...late, isAwaited: false });
      expect(authorization).toMatchObject({ type: 'DocumentAuthorized', data: { document: { status: 'AUTHORIZED' } } });
      const { ended } = fold(fiscal.decider, [...events, authorization]);
      expect(ended.young.get(documentId)).toMatchObject({ numberTaken: false, earlier: [] });
      given(fiscal, ...events, authorization)
        .when({ ...late, isAwaited: false })
        .thenNothing();
    },
  );
});
