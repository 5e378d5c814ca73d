import type { DocumentFacts, Failure, FiscalEvent } from '../../src/features/fiscal/events.js';
import { digestIn, fiscalEvents, hasSameNumber, linksOf } from '../../src/features/fiscal/events.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { RecordHandler } from '../../src/kernel/projections/projector.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';

/** A fiscal document with everything that became of it, but for its XML. */
export interface FiscalRecord extends Omit<DocumentFacts, 'documentId'> {
  readonly id: string;
  readonly links: ReturnType<typeof linksOf>;
  readonly total: number | null;
  readonly failure: Failure | null;
  readonly numberTaken: boolean;
  readonly final: boolean;
  /** Since when its number is given up; null while the authority has not answered. */
  readonly voided: { readonly reason: string; readonly protocol: string | null; readonly at: string | null } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly authorizedAt: string | null;
  readonly replaces: string | null;
  readonly replacedBy: string | null;
  /** Becomes the entity tag. */
  readonly revision: number;
  /** Where the events stand that hold its signed texts, and the authority's answers to them. */
  readonly texts: DocumentTexts;
  /** What was signed under the present number, in its order: any of it may come to be authorized. */
  readonly signed: readonly { readonly digestValue: string; readonly revision: number; readonly total: number }[];
}

export interface DocumentTexts {
  readonly note?: number;
  readonly authorization?: number;
  readonly cancellation?: number;
  readonly cancelled?: number;
  readonly void?: number;
  readonly voided?: number;
}

export const fiscalDocuments = recordCollection<FiscalRecord>({
  name: 'fiscal-documents',
  version: 5,
  hidden: ['revision', 'texts', 'signed'],
  columns: {
    createdAt: { type: 'text', of: ({ createdAt }) => createdAt },
    saleId: { type: 'id', of: ({ saleId }) => saleId },
    status: { type: 'text', of: ({ status }) => status },
    model: { type: 'integer', of: ({ model }) => model },
    issuedAt: { type: 'text', of: ({ issuedAt }) => issuedAt },
  },
  indexes: [['createdAt'], ['saleId', 'createdAt'], ['status', 'createdAt'], ['model', 'createdAt'], ['issuedAt']],
});

type Told = Extract<FiscalEvent, { readonly data: { readonly document: DocumentFacts } }>;
type Named = Extract<FiscalEvent, { readonly data: { readonly documentId: string } }>;

const moment = ({ meta, revision }: Recorded<FiscalEvent>) => ({ updatedAt: meta.at, revision });

/** What a record has beside the facts that events tell. */
type Own = Omit<FiscalRecord, keyof DocumentFacts | 'updatedAt' | 'revision'>;
/** What of it events may change. */
type Changes = Partial<Omit<Own, 'id' | 'links' | 'createdAt'>>;
/** What it follows from. */
type Before = Own & Pick<FiscalRecord, 'environment' | 'series' | 'number'>;

const begun = ({ data: { document }, meta }: Recorded<Told>): Before => ({
  environment: document.environment,
  series: document.series,
  number: document.number,
  id: document.documentId,
  links: linksOf(document.documentId),
  total: null,
  failure: null,
  numberTaken: false,
  final: false,
  voided: null,
  authorizedAt: null,
  replaces: null,
  replacedBy: null,
  texts: {},
  signed: [],
  createdAt: meta.at,
});

const either = <T>(changed: T | undefined, kept: T): T => (changed === undefined ? kept : changed);

/** Written out: a large object that is put together from others is a hundred times as slow to make. */
const withFacts = (
  facts: DocumentFacts,
  own: Own,
  changes: Changes,
  { updatedAt, revision }: ReturnType<typeof moment>,
): FiscalRecord => ({
  saleId: facts.saleId,
  model: facts.model,
  series: facts.series,
  number: facts.number,
  accessKey: facts.accessKey,
  status: facts.status,
  protocol: facts.protocol,
  environment: facts.environment,
  issuedAt: facts.issuedAt,
  qrCodeUrl: facts.qrCodeUrl,
  rejection: facts.rejection,
  contingency: facts.contingency,
  cancellation: facts.cancellation,
  id: own.id,
  links: own.links,
  total: either(changes.total, own.total),
  failure: either(changes.failure, own.failure),
  numberTaken: either(changes.numberTaken, own.numberTaken),
  final: either(changes.final, own.final),
  voided: either(changes.voided, own.voided),
  authorizedAt: either(changes.authorizedAt, own.authorizedAt),
  replaces: either(changes.replaces, own.replaces),
  replacedBy: either(changes.replacedBy, own.replacedBy),
  texts: either(changes.texts, own.texts),
  signed: either(changes.signed, own.signed),
  createdAt: own.createdAt,
  updatedAt,
  revision,
});

/** What an event tells that carries the document as it stands; of one that is not known yet it is the first. */
const told = <E extends Recorded<Told>>(
  changed: (before: Before, event: E) => Changes,
): RecordHandler<FiscalRecord, E> => ({
  ids: ({ data }) => [data.document.documentId],
  evolve(record, event) {
    const before = record ?? begun(event);
    return withFacts(event.data.document, before, changed(before, event), moment(event));
  },
});

/** The same of an event that only names the document. */
const named = <E extends Recorded<Named>>(
  extra: (record: FiscalRecord, event: E) => Partial<FiscalRecord>,
): RecordHandler<FiscalRecord, E> => ({
  ids: ({ data }) => [data.documentId],
  evolve: (record, event) => record && { ...record, ...extra(record, event), ...moment(event) },
});

/** A document's record after an event of its store; one that does not touch it changes nothing. */
export function fiscalRecordAfter(
  record: FiscalRecord | undefined,
  event: Recorded<FiscalEvent>,
  documentId: string,
): FiscalRecord | undefined {
  const handler = fiscalDocumentsProjector.records.get(event.type);
  if (!handler?.ids(event).includes(documentId)) return record;
  return handler.evolve(record, event, documentId) as FiscalRecord | undefined;
}

export const fiscalDocumentsProjector = recordProjector(fiscalDocuments, [fiscalEvents], {
  DocumentPrepared: told((before, { data, revision }) => ({
    replaces: data.replaces ?? before.replaces,
    texts: { ...before.texts, note: revision },
    total: data.total.toNumber(),
    signed: [
      ...(hasSameNumber(before, data.document) ? before.signed : []),
      { digestValue: data.digestValue, revision, total: data.total.toNumber() },
    ],
    failure: null,
    numberTaken: false,
  })),
  DocumentFailed: told((_, { data: { failure } }) => ({ failure })),
  DocumentAuthorized: told(({ texts, total, signed }, { data: { authorizedAt, protocolXml }, revision }) => {
    const digestValue = digestIn(protocolXml);
    const text = signed.findLast((one) => one.digestValue === digestValue);
    return {
      authorizedAt,
      failure: null,
      numberTaken: false,
      voided: null,
      total: text?.total ?? total,
      texts: { ...texts, ...(text ? { note: text.revision } : {}), authorization: revision },
      signed: [],
    };
  }),
  DocumentRejected: told((_, { data: { numberTaken, final } }) => ({ numberTaken, final })),
  DocumentEnteredContingency: told(() => ({})),
  DocumentReplaced: named((_, { data: { replacedBy } }) => ({ replacedBy })),
  DocumentCancellationRequested: told(({ texts }, { revision }) => ({ texts: { ...texts, cancellation: revision } })),
  DocumentCancellationRefused: named(() => ({ cancellation: null })),
  DocumentCancelled: told(({ texts }, { revision }) => ({ texts: { ...texts, cancelled: revision } })),
  NumberVoidRequested: named(({ texts }, { data: { reason }, revision }) => ({
    voided: { reason, protocol: null, at: null },
    texts: { ...texts, void: revision },
  })),
  NumberVoidRefused: named(() => ({ voided: null })),
  NumberVoided: told(({ texts }, { data: { reason, protocol, voidedAt: at }, revision }) => ({
    voided: { reason, protocol, at },
    texts: { ...texts, voided: revision },
  })),
});
