import type { FiscalRecord } from '../../../../projections/fiscal/documents.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import { matches } from '../../../kernel/events/if-match.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply } from '../../../kernel/routes/route.js';
import { waitAtMost } from '../../../kernel/values/pause.js';
import type { FiscalDesk } from '../issuing/desk.js';
import type { IssuingServices } from '../issuing/services.js';
import type { DocumentPrinter } from '../print/printer.js';
import { told } from './failure-words.js';

/** What the routes of documents work with. */
export interface DocumentServices {
  readonly issuing: IssuingServices;
  readonly desk: FiscalDesk;
  readonly printer: DocumentPrinter;
}

export const viewing = { tag: 'Fiscal documents', permission: 'fiscal.view' } as const;
export const managing = { tag: 'Fiscal documents', permission: 'fiscal.manage' } as const;

/** How long an answer waits for the authority's, unless something else is said. */
const PATIENCE = 5_000;

export async function withPatience({ issuing }: DocumentServices, ended: Promise<unknown>): Promise<void> {
  const watched = ended.catch((error: unknown) => {
    issuing.onError(error);
  });
  await waitAtMost(issuing.authorityPatience ?? PATIENCE, watched);
}

export async function expectRecord(
  { issuing }: DocumentServices,
  context: RequestContext,
  id: string,
): Promise<FiscalRecord> {
  const record = await issuing.documents.record(context, id);
  if (!record) throw new Rejection(NOT_FOUND);
  return record;
}

/** Refuses who speaks of an older state of the document (If-Match). */
export function expectCurrent({ ifMatch }: RequestContext, { revision }: FiscalRecord): void {
  if (!matches(ifMatch, revision)) throw new Rejection(STALE);
}

export async function documentReply(services: DocumentServices, context: RequestContext, id: string): Promise<Reply> {
  const record = await expectRecord(services, context, id);
  return { body: told(context, shown(record)), etag: record.revision };
}

/** What is hidden is left out; written out, for each document that is issued is answered so. */
const shown = (record: FiscalRecord): Omit<FiscalRecord, 'revision' | 'texts' | 'signed'> => ({
  id: record.id,
  saleId: record.saleId,
  model: record.model,
  series: record.series,
  number: record.number,
  accessKey: record.accessKey,
  status: record.status,
  protocol: record.protocol,
  environment: record.environment,
  issuedAt: record.issuedAt,
  qrCodeUrl: record.qrCodeUrl,
  rejection: record.rejection,
  contingency: record.contingency,
  cancellation: record.cancellation,
  links: record.links,
  total: record.total,
  failure: record.failure,
  numberTaken: record.numberTaken,
  final: record.final,
  voided: record.voided,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  authorizedAt: record.authorizedAt,
  replaces: record.replaces,
  replacedBy: record.replacedBy,
});
