import { readFileSync } from 'node:fs';
import { describe, test } from '@jest/globals';
import { DOCUMENT_EXISTS } from '../../../src/features/contracts/sales-to-tax.js';
import { fiscal } from '../../../src/features/fiscal/decider.js';
import { evolveFiscal, remembered } from '../../../src/features/fiscal/domain/state.js';
import type { FiscalEvent, FiscalFact } from '../../../src/features/fiscal/events.js';
import { fiscalEvents } from '../../../src/features/fiscal/events.js';
import { DOCUMENT_REPLACED, DOCUMENT_STATE } from '../../../src/features/fiscal/rejections.js';
import { given } from '../../support/given.js';

/** A number that is being given up while somebody would use it once more. */

const sample = JSON.parse(readFileSync('test/fixtures/events/DocumentPrepared.v1.json', 'utf8')) as unknown;
const first = fiscalEvents.decode('DocumentPrepared', 1, sample).data as FiscalFact<'DocumentPrepared'>;
const { documentId, saleId, model, series, number } = first.document;
const words = { code: '778', message: 'NCM inexistente' };
const refused = { ...first.document, status: 'REJECTED', rejection: words } as const;
const reason = 'Cliente desistiu da compra';
const asked = { documentId, saleId, model, series, number: number ?? 0, reason, requestedAt: first.document.issuedAt };

const rejected: readonly FiscalEvent[] = [
  { type: 'DocumentPrepared', data: first },
  { type: 'DocumentRejected', data: { document: refused, numberTaken: false, final: false } },
];
const requested: FiscalEvent = { type: 'NumberVoidRequested', data: { ...asked, sealedXml: 'sealed' } };
const voided = {
  type: 'NumberVoided',
  data: {
    document: { ...refused, status: 'VOIDED' },
    reason,
    protocol: null,
    voidedAt: first.document.issuedAt,
    code: '102',
    answerXml: null,
  },
} satisfies FiscalEvent;

const SUCCESSOR = '019b76da-a800-7000-8000-00000000abcd';
const successor = {
  ...first,
  replaces: documentId,
  keepsNumber: true,
  document: { ...first.document, documentId: SUCCESSOR },
};
const replace = { type: 'prepare', prepared: successor, contingency: null } as const;
const replaced: FiscalEvent = { type: 'DocumentReplaced', data: { documentId, saleId, replacedBy: SUCCESSOR } };
const notGivenUp: FiscalEvent = { type: 'NumberVoidRefused', data: { documentId, saleId, ...words } };
const underNext = {
  ...successor,
  keepsNumber: false,
  document: { ...successor.document, number: (number ?? 0) + 1 },
};
const replaceUnderNext = { type: 'prepare', prepared: underNext, contingency: null } as const;
const preparedUnderNext: FiscalEvent = { type: 'DocumentPrepared', data: underNext };
const sendAgain = { type: 'prepare', prepared: { ...first, attempt: 2 }, contingency: null } as const;

describe('a number that is asked to be given up', () => {
  test('is not taken over by another document of the sale', () => {
    given(fiscal, ...rejected, requested)
      .when(replace)
      .thenRefused(DOCUMENT_EXISTS);
  });

  test('is not taken over after it was given up', () => {
    given(fiscal, ...rejected, requested, voided)
      .when(replace)
      .thenRefused(DOCUMENT_EXISTS);
  });

  test('leaves the place of its document to another one, which takes the next number', () => {
    given(fiscal, ...rejected, requested)
      .when(replaceUnderNext)
      .then(replaced, preparedUnderNext);
  });

  test('is asked for again where the authority refused, though its document is replaced', () => {
    const again = { type: 'requestVoid', ...asked, sealedXml: 'sealed again' } as const;
    given(fiscal, ...rejected, requested, replaced, preparedUnderNext, notGivenUp)
      .when(again)
      .then({ type: 'NumberVoidRequested', data: { ...asked, sealedXml: 'sealed again' } });
    given(fiscal, ...rejected, replaced, { type: 'DocumentPrepared', data: successor })
      .when(again)
      .thenRefused(DOCUMENT_REPLACED);
  });

  test('is not sent again, lest it end as given up and authorized', () => {
    given(fiscal, ...rejected, requested)
      .when(sendAgain)
      .thenRefused(DOCUMENT_STATE);
  });

  test('is given up for the reason that was asked for first, which stands in what was sent', () => {
    const answer = {
      kind: 'registered',
      code: '102',
      protocol: null,
      at: first.document.issuedAt,
      answerXml: null,
    } as const;
    given(fiscal, ...rejected, requested)
      .when({ type: 'requestVoid', documentId, reason: 'Outro motivo, mais tarde', requestedAt: '', sealedXml: '' })
      .thenNothing();
    given(fiscal, ...rejected, requested)
      .when({ type: 'recordVoid', documentId, answer })
      .then(voided);
  });

  test('is proved by its protocol, also where somebody heard before that it is done', () => {
    const at = first.document.issuedAt;
    const heard = { kind: 'registered', code: '563', protocol: null, at, answerXml: null } as const;
    const done = { ...heard, code: '102', protocol: '135260000000001', answerXml: '<retInutNFe/>' } as const;
    const record = (answer: typeof heard | typeof done) => ({ type: 'recordVoid', documentId, answer }) as const;
    const { kind: _, at: voidedAt, ...proof } = done;
    const proved = { ...voided, data: { ...voided.data, ...proof, voidedAt } };
    given(fiscal, ...rejected, requested, voided)
      .when(record(done))
      .then(proved);
    given(fiscal, ...rejected, requested, voided)
      .when(record(heard))
      .thenNothing();
    given(fiscal, ...rejected, requested, voided, proved)
      .when(record(done))
      .thenNothing();
  });

  test('is not that of a document which the state has forgotten: what took its place may have it', () => {
    const { initial } = fiscal.decider;
    const longAgo = { ...initial, ended: { ...initial.ended, since: 20_000, youngSince: 30_000 } };
    const later = { ...fiscal, decider: { ...fiscal.decider, initial: longAgo } };
    const events = [...rejected, replaced];
    const document = remembered(events.reduce(evolveFiscal, initial), documentId) ?? undefined;
    const command = { type: 'requestVoid', ...asked, sealedXml: '', known: { asOf: 20_000, document } } as const;
    given(later).when(command).thenRefused(DOCUMENT_REPLACED, { replacedBy: SUCCESSOR });
    given(later, { type: 'DocumentPrepared', data: underNext })
      .when(command)
      .thenRefused(DOCUMENT_REPLACED, { replacedBy: SUCCESSOR });
  });

  test('is used again when the authority refused to give it up', () => {
    given(fiscal, ...rejected, requested, notGivenUp)
      .when(replace)
      .then(replaced, { type: 'DocumentPrepared', data: successor });
  });
});
