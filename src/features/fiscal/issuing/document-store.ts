import { z } from 'zod';
import { fiscalDocuments, fiscalRecordAfter } from '../../../../projections/fiscal/documents.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import type { DocumentTexts, FiscalRecord } from '../../../../projections/fiscal/documents.js';
import { isUuid } from '../../../kernel/values/ids.js';
import type { CommandOptions } from '../../../kernel/lanes/commands.js';
import type { Executed } from '../../../kernel/lanes/decision.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Vault, VaultWrite } from '../../../ports/vault.js';
import { fiscal } from '../decider.js';
import type { FiscalCommand, KnownDocument } from '../domain/commands.js';
import type { FiscalDocument } from '../domain/document.js';
import type { FiscalState } from '../domain/state.js';
import { remembered } from '../domain/state.js';
import type { FiscalEvent } from '../events.js';
import type { SealedPlace } from '../signing/sealed-xml.js';
import { newDocumentKey, openXml } from '../signing/sealed-xml.js';
import { documentOf as storedDocument } from '../../../kernel/routes/stored-records.js';

const KEY = 'fiscal-document-key';
const keyRow = z.object({ key: z.base64() });

/** Where documents and their signed texts are found: recent ones in the lane, all of them in the read models, texts in the events. */
export class DocumentStore {
  /** What each request made of the document that begins with it. */
  private readonly begun = new WeakMap<RequestContext, { readonly documentId: string; record?: FiscalRecord }>();

  constructor(private readonly vault: Vault) {}

  /** From now on the request's own commands tell everything of a document that does not exist yet. */
  begin(context: RequestContext, documentId: string): void {
    this.begun.set(context, { documentId });
  }

  async execute(
    context: RequestContext,
    command: FiscalCommand,
    options?: CommandOptions<FiscalState>,
  ): Promise<Executed<FiscalEvent>> {
    const executed = await context.execute(fiscal, command, options);
    const begun = this.begun.get(context);
    if (!begun) return executed;
    for (const event of executed.events) {
      const record = fiscalRecordAfter(begun.record, event, begun.documentId);
      if (record) begun.record = record;
    }
    return executed;
  }

  /** A fresh key, and the row that keeps it. */
  newKey(storeId: string, documentId: string): { readonly key: Buffer; readonly row: VaultWrite } {
    const key = newDocumentKey();
    const value = { key: key.toString('base64') };
    return { key, row: { kind: KEY, id: `${storeId}/${documentId}`, value, expected: 'absent' } };
  }

  /** Undefined for a document that was never prepared. */
  async keyOf(storeId: string, documentId: string): Promise<Buffer | undefined> {
    const found = await this.vault.get(KEY, `${storeId}/${documentId}`);
    return found && Buffer.from(keyRow.parse(found.value).key, 'base64');
  }

  /** The document as decisions see it; null of one that was abandoned, undefined where there is none. */
  async find(context: RequestContext, documentId: string): Promise<FiscalDocument | null | undefined> {
    const { state } = await context.head(fiscal);
    const found = remembered(state, documentId);
    if (found !== undefined || state.ended.since === 0 || !isUuid(documentId)) return found;
    return (await this.known(context, documentId)).document;
  }

  /** What the read models know of it. */
  async known(context: RequestContext, documentId: string): Promise<KnownDocument> {
    const head = await context.head(fiscal);
    const record = await context.readsPast(head.position).get(fiscalDocuments, documentId);
    return { asOf: head.revision, document: record && documentOf(recordOf(record)) };
  }

  async record(context: RequestContext, documentId: string): Promise<FiscalRecord | undefined> {
    const begun = this.begun.get(context);
    if (begun?.documentId === documentId && begun.record) return begun.record;
    if (!isUuid(documentId)) return undefined;
    const found = await context.reads.get(fiscalDocuments, documentId);
    return found && recordOf(found);
  }

  /** The event of one of its texts. */
  async eventAt(context: RequestContext, revision: number | undefined): Promise<FiscalEvent | undefined> {
    if (revision === undefined) return undefined;
    const [event] = await context.eventsAt(fiscal, [revision]);
    return event;
  }

  /** A signed text as it was sent; undefined where there is none, as of a document that was cancelled elsewhere. */
  async text(
    context: RequestContext,
    documentId: string,
    part: SealedPlace['part'],
    texts: DocumentTexts,
  ): Promise<string | undefined> {
    const event = await this.eventAt(context, texts[part]);
    const key = await this.keyOf(context.storeId, documentId);
    if (!event || !key || !('sealedXml' in event.data) || event.data.sealedXml === '') return undefined;
    return openXml(key, { documentId, part }, event.data.sealedXml);
  }
}

export const recordOf = (stored: Pick<StoredRecord, 'body' | 'hidden'>): FiscalRecord =>
  storedDocument(fiscalDocuments, stored);

/** A document that ended so long ago that the lane has forgotten it: enough for what may still be asked of it. */
function documentOf(record: FiscalRecord): FiscalDocument {
  const { id, saleId, model, series, number, accessKey, status, protocol, environment, issuedAt } = record;
  const { qrCodeUrl, rejection, contingency, cancellation } = record;
  const place = { documentId: id, saleId, model, series, number, accessKey, status, protocol, environment };
  return {
    facts: { ...place, issuedAt, qrCodeUrl, rejection, contingency, cancellation },
    attempt: 1,
    randomCode: '',
    emissionType: 1,
    digestValue: '',
    total: null,
    voiding: null,
    replacedBy: record.replacedBy,
    numberTaken: record.numberTaken,
    final: record.final,
    authorizedAt: record.authorizedAt,
    earlier: [],
    revisions: record.texts,
  };
}
