import { Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { DOCUMENT_EXISTS, NOTHING_TO_TAX } from '../../contracts/sales-to-tax.js';
import type { FiscalDocument } from '../domain/document.js';
import { isWaiting } from '../domain/document.js';
import type { IssuingServices } from './services.js';
import type { Work } from './work-rows.js';

/** Whose a sale is whose document came to rest, or was authorized after that. */
export class SaleHolds {
  constructor(private readonly services: Pick<IssuingServices, 'documents' | 'sales' | 'work'>) {}

  /**
   * An authorized document holds its sale, if need be again. Gives who holds it otherwise, null where the sale is over; unknown as long as
   * nothing is known of that one.
   */
  async holdAgain(
    context: RequestContext,
    { facts: { documentId, saleId }, attempt }: FiscalDocument,
  ): Promise<'itself' | 'unknown' | { readonly holder: string | null }> {
    const { sales } = this.services;
    const sale = await sales.read(context, saleId);
    if (!sale) return 'itself';
    const { heldBy, heldFor } = sale;
    const isOwn = heldBy === documentId;
    // Whoever is about to let it go, as the document was refused, does so for an attempt of before.
    const later = Math.max(attempt, isOwn ? heldFor : 0) + 1;
    try {
      await sales.hold(context, sale, { documentId, insteadOf: null, attempt: later }, []);
      return 'itself';
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      if (error.kind === DOCUMENT_EXISTS) return this.holderOf(context, heldBy);
      return error.kind === NOTHING_TO_TAX && isOwn ? 'itself' : { holder: null };
    }
  }

  private async holderOf(context: RequestContext, heldBy: string | null) {
    const holder = heldBy === null ? undefined : await this.services.documents.find(context, heldBy);
    const isLiving = holder && (isWaiting(holder) || holder.facts.status === 'AUTHORIZED');
    return isLiving ? { holder: heldBy } : 'unknown';
  }

  /** Lets the sale go of a document that came to rest, unless somebody takes it up again. */
  async letGo(context: RequestContext, { facts }: FiscalDocument, job: Work): Promise<void> {
    const { documents, sales, work } = this.services;
    const { documentId, saleId } = facts;
    const version = await work.versionOf(job);
    const sale = await sales.read(context, saleId);
    const known = await documents.find(context, documentId);
    // It was looked at before its sale: the hold may be of whoever has it on its way since.
    if (known && (isWaiting(known) || known.facts.status !== facts.status)) return;
    const isOver = await sales.release(context, saleId, documentId, sale ? { attempt: sale.heldFor } : {});
    if (isOver) await work.doneAsOf(job, version);
  }
}
