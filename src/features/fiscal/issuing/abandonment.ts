import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { SaleToTax } from '../../contracts/sales-to-tax.js';
import { isLive } from '../domain/document.js';
import type { IssuingServices } from './services.js';
import type { Work } from './work-rows.js';

/** Sales that are held for documents of which nothing came. */
export class Abandonment {
  constructor(private readonly services: Pick<IssuingServices, 'documents' | 'sales' | 'work'>) {}

  /** Frees a sale that was held for a document of which nothing will come, or gives it back. */
  async letGo(context: RequestContext, work: Work): Promise<void> {
    const { documentId, saleId } = work;
    if (!(await this.isAbandoned(context, documentId, saleId))) return;
    const sale = await this.services.sales.read(context, saleId);
    const isGivenBack = sale?.heldBy === documentId && (await this.givenBack(context, sale)) !== undefined;
    if (!isGivenBack) await this.services.sales.release(context, saleId, documentId);
    await this.services.work.done(work);
  }

  /** From now on nothing can come of it; false of one that has come to be. */
  async isAbandoned(context: RequestContext, documentId: string, saleId: string): Promise<boolean> {
    const { documents } = this.services;
    const found = await documents.find(context, documentId);
    if (found !== undefined) return found === null;
    await documents.execute(context, { type: 'abandon', documentId, saleId }, { name: `abandon ${documentId}` });
    return (await documents.find(context, documentId)) === null;
  }

  /**
   * Where the holder of which nothing came was to take the place of a document that lives, that one holds the sale again: it may be authorized
   * by now, and then the sale must have no other. Gives its id.
   */
  async givenBack(context: RequestContext, { saleId, heldBy, heldBefore }: SaleToTax): Promise<string | undefined> {
    const { documents, sales, work } = this.services;
    const before = heldBefore === null ? undefined : await documents.find(context, heldBefore);
    if (heldBy === null || !before || !isLive(before)) return undefined;
    const { documentId } = before.facts;
    // It may have come to its end meanwhile: whoever takes the row sees.
    const rows = [work.row({ storeId: context.storeId, documentId, saleId })];
    await sales.release(context, saleId, heldBy, { heir: documentId, rows });
    return documentId;
  }
}
