import { z } from 'zod';
import type { EventOf } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';
import { storedDecimal } from '../../kernel/values/fields.js';
import { ENVIRONMENTS } from '../contracts/fiscal-settings.js';

/**
 * Fiscal documents of a store and the numbers that they use up. XML stands in the events compressed and sealed under a key of its document;
 * everything else of them is about the store, never about a person.
 */

const text = z.string();
const optionalText = z.string().nullable();

export const MODELS = [55, 65] as const;
export type Model = (typeof MODELS)[number];
const model = z.literal(MODELS);
export const STATUSES = ['PENDING', 'AUTHORIZED', 'REJECTED', 'CANCELLED', 'CONTINGENCY', 'FAILED', 'VOIDED'] as const;

const rejection = z.object({ code: text, message: text });
const contingency = z.object({ type: z.enum(['OFFLINE', 'SVC_AN', 'SVC_RS']), since: text, reason: text });
const cancellation = z.object({
  status: z.enum(['PENDING', 'DONE']),
  protocol: optionalText,
  reason: text,
  cancelledAt: optionalText,
});

/** A document as it stands after the event: what a notification of it says. */
export const documentFacts = z.object({
  documentId: text,
  saleId: text,
  model,
  series: z.int(),
  number: z.int().nullable(),
  accessKey: optionalText,
  status: z.enum(STATUSES),
  protocol: optionalText,
  environment: z.enum(ENVIRONMENTS),
  issuedAt: text,
  qrCodeUrl: optionalText,
  rejection: rejection.nullable(),
  contingency: contingency.nullable(),
  cancellation: cancellation.nullable(),
});

/** Signed XML: deflated, then encrypted under the document's key; base64. */
const sealedXml = text;

/**
 * Number, random code, key and signed XML, fixed before anything leaves. A correction prepares the same document again: `attempt` counts.
 * `replaces` names the document whose place, and with `keepsNumber` whose number, this one takes.
 */
const documentPrepared = defineEvent(
  'DocumentPrepared',
  1,
  z.object({
    document: documentFacts,
    attempt: z.int(),
    randomCode: text,
    emissionType: z.int(),
    digestValue: text,
    total: storedDecimal,
    replaces: optionalText,
    keepsNumber: z.boolean(),
    sealedXml,
  }),
);
/** `protocolXml` is the authority's `protNFe`; `code` 150 says that it came late. */
const documentAuthorized = defineEvent(
  'DocumentAuthorized',
  1,
  z.object({ document: documentFacts, code: text, authorizedAt: text, protocolXml: text }),
);
/** `numberTaken`: the number lives under another key. `final`: it was denied with a protocol and is never sent again. */
const documentRejected = defineEvent(
  'DocumentRejected',
  1,
  z.object({ document: documentFacts, numberTaken: z.boolean(), final: z.boolean() }),
);
/** It failed before the authority heard of it. `replaces` means what it means in a preparation; a document that had no number needs none. */
const documentFailed = defineEvent(
  'DocumentFailed',
  1,
  z.object({
    document: documentFacts,
    failure: z.object({ code: text, message: text, missing: z.array(text) }),
    replaces: optionalText,
  }),
);
const documentEnteredContingency = defineEvent('DocumentEnteredContingency', 1, z.object({ document: documentFacts }));
/** It is no longer live; what becomes of its number, where the next has another, follows on it. */
const documentReplaced = defineEvent(
  'DocumentReplaced',
  1,
  z.object({ documentId: text, saleId: text, replacedBy: text }),
);
/** The signed event of the cancellation, fixed before it leaves. */
const cancellationRequested = defineEvent(
  'DocumentCancellationRequested',
  1,
  z.object({ document: documentFacts, reason: text, requestedAt: text, sealedXml }),
);
const cancellationRefused = defineEvent(
  'DocumentCancellationRefused',
  1,
  z.object({ documentId: text, saleId: text, code: text, message: text }),
);
/** `answerXml` is the authority's `retEvento`; null where it only said that the document is cancelled. */
const documentCancelled = defineEvent(
  'DocumentCancelled',
  1,
  z.object({ document: documentFacts, code: text, answerXml: optionalText }),
);
const voidRequested = defineEvent(
  'NumberVoidRequested',
  1,
  z.object({
    documentId: text,
    saleId: text,
    model,
    series: z.int(),
    number: z.int(),
    reason: text,
    requestedAt: text,
    sealedXml,
  }),
);
const voidRefused = defineEvent(
  'NumberVoidRefused',
  1,
  z.object({ documentId: text, saleId: text, code: text, message: text }),
);
const numberVoided = defineEvent(
  'NumberVoided',
  1,
  z.object({
    document: documentFacts,
    reason: text,
    protocol: optionalText,
    voidedAt: text,
    code: text,
    answerXml: optionalText,
  }),
);
/** Nothing was ever prepared of it and nothing will be: its sale is free for another. */
const documentAbandoned = defineEvent('DocumentAbandoned', 1, z.object({ documentId: text, saleId: text }));
/** Sets the next number of a store that comes from elsewhere, upwards only. */
const numberingAdvanced = defineEvent('NumberingAdvanced', 1, z.object({ model, series: z.int(), next: z.int() }));

const definitions = [
  documentPrepared,
  documentAuthorized,
  documentRejected,
  documentFailed,
  documentEnteredContingency,
  documentReplaced,
  cancellationRequested,
  cancellationRefused,
  documentCancelled,
  voidRequested,
  voidRefused,
  numberVoided,
  documentAbandoned,
  numberingAdvanced,
] as const;

export const fiscalEvents = eventCodec(...definitions);
export type FiscalEvent = EventOf<(typeof definitions)[number]>;
export type FiscalFact<T extends FiscalEvent['type']> = Extract<FiscalEvent, { readonly type: T }>['data'];
export type DocumentFacts = z.output<typeof documentFacts>;
export type Failure = FiscalFact<'DocumentFailed'>['failure'];
export type Contingency = z.output<typeof contingency>;
export type AuthorityWords = z.output<typeof rejection>;

/** The digest of the document that the authority has, out of its `protNFe`. */
export const digestIn = (protocolXml: string): string | undefined => /<digVal>([^<]+)<\/digVal>/.exec(protocolXml)?.[1];

type Numbered = Pick<DocumentFacts, 'environment' | 'series' | 'number'>;

/** Whether a document was signed anew under its number: any of its texts may be the one that the authority has. */
export const hasSameNumber = (before: Numbered, now: Numbered): boolean =>
  before.number === now.number && before.series === now.series && before.environment === now.environment;

/** The notices that the outside world gets of a document. */
export const NOTIFICATIONS = {
  DocumentAuthorized: 'fiscal.document.authorized',
  DocumentRejected: 'fiscal.document.rejected',
  DocumentCancelled: 'fiscal.document.cancelled',
  DocumentEnteredContingency: 'fiscal.document.contingency',
  DocumentFailed: 'fiscal.document.failed',
} as const;

/** Where a document, its XML and its print are found: absolute paths of this interface. */
export const linksOf = (documentId: string) => ({
  document: `/fiscal/documents/${documentId}`,
  xml: `/fiscal/documents/${documentId}/xml`,
  pdf: `/fiscal/documents/${documentId}/pdf`,
});

interface FiscalNotification {
  readonly event: (typeof NOTIFICATIONS)[keyof typeof NOTIFICATIONS];
  readonly data: DocumentFacts & { readonly links: ReturnType<typeof linksOf> };
}

/** What an event tells the outside world; undefined where it says nothing. */
export function notificationOf(event: FiscalEvent): FiscalNotification | undefined {
  switch (event.type) {
    case 'DocumentAuthorized':
    case 'DocumentRejected':
    case 'DocumentCancelled':
    case 'DocumentEnteredContingency':
    case 'DocumentFailed': {
      const { document } = event.data;
      return { event: NOTIFICATIONS[event.type], data: { ...document, links: linksOf(document.documentId) } };
    }
    default:
      return undefined;
  }
}
