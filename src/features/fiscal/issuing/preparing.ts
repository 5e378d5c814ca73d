import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { StoreFacts } from '../../contracts/feature.js';
import type { SaleToTax } from '../../contracts/sales-to-tax.js';
import { DOCUMENT_EXISTS, NOTHING_TO_TAX } from '../../contracts/sales-to-tax.js';
import type { FiscalDocument } from '../domain/document.js';
import { isWaiting } from '../domain/document.js';
import type { Contingency, Failure, Model } from '../events.js';
import type { Abandonment } from './abandonment.js';
import type { Draft } from './drafting.js';
import { draftOf } from './drafting.js';
import { SigningThreads } from '../signing/signing-threads.js';
import type { Preparation, PreparedDocument } from './preparation-queue.js';
import { PreparationQueue } from './preparation-queue.js';
import type { IssuingServices } from './services.js';
import type { Wish } from './wishes.js';
import { failedAs, modelKey, offlineSince, passesNumberOn, wasOffline } from './wishes.js';

const STORES = 1_000;

const allReturned: Failure = {
  code: 'NOTHING_TO_TAX',
  message: 'All of the sale was returned before the document was authorized: its number can be given up',
  missing: [],
};

/** Gives documents their numbers, keys and signed texts: for the first time, once more, or in place of another. */
export class Preparing {
  private readonly queues = new LRUCache<string, PreparationQueue>({ max: STORES });

  private readonly signing: SigningThreads;

  constructor(
    private readonly services: IssuingServices,
    private readonly abandonment: Abandonment,
  ) {
    this.signing = new SigningThreads(services.clock);
  }

  workRow(store: StoreFacts, documentId: string, saleId: string) {
    return [this.services.work.row({ storeId: store.id, documentId, saleId })];
  }

  /** The sale changed until it was held: what was drafted before is drafted again. */
  async draftAgain(context: RequestContext, store: StoreFacts, sale: SaleToTax, model: Model): Promise<Draft> {
    const draft = await draftOf(this.services, context, store, sale, model);
    if ('code' in draft) throw new Error(`the sale changed meanwhile: ${draft.message}`);
    return draft;
  }

  prepare(
    context: RequestContext,
    store: StoreFacts,
    of: Wish & { readonly documentId: string; readonly draft: Draft; readonly replaced: FiscalDocument | undefined },
  ): Promise<PreparedDocument> {
    const { replaced, model } = of;
    const takesOver = passesNumberOn(replaced) ? replaced : undefined;
    const number = takesOver?.facts.number ?? undefined;
    return this.firstText(context, store, of, {
      series: takesOver?.facts.series ?? store.fiscal.series[modelKey(model)],
      number: number === undefined ? undefined : { number, randomCode: takesOver?.randomCode ?? '' },
      replaces: replaced?.facts.documentId ?? null,
      keepsNumber: number !== undefined,
      contingency: wasOffline(replaced)
        ? replaced.facts.contingency
        : of.contingency
          ? offlineSince(this.services.clock.now(), of.contingencyReason)
          : null,
    });
  }

  /**
   * Nobody knows whether it arrived: the customer gets another document under the next number. Gives its id; undefined where none is made, as
   * of one that somebody else has heard of meanwhile.
   */
  async replaceOffline(
    context: RequestContext,
    store: StoreFacts,
    { facts: { saleId, documentId: old, series, model } }: FiscalDocument,
  ): Promise<string | undefined> {
    try {
      const sale = await this.services.sales.read(context, saleId);
      const early = sale && (await draftOf(this.services, context, store, sale, model));
      if (!early || 'code' in early) return undefined;
      const documentId = context.newId();
      const rows = this.workRow(store, documentId, saleId);
      const held = await this.services.sales.hold(context, sale, { documentId, insteadOf: old, attempt: 1 }, rows);
      const draft = held === sale ? early : await this.draftAgain(context, store, held, model);
      await this.firstText(
        context,
        store,
        { documentId, saleId, draft },
        {
          series,
          number: undefined,
          replaces: old,
          keepsNumber: false,
          contingency: offlineSince(this.services.clock.now(), undefined),
        },
      );
      return documentId;
    } catch (error) {
      if (error instanceof Rejection) return undefined;
      throw error;
    }
  }

  /** The sale is held for the document by now: where that is refused after all, the sale is let go. */
  private async firstText(
    context: RequestContext,
    store: StoreFacts,
    { documentId, saleId, draft }: Pick<Preparation, 'documentId' | 'saleId' | 'draft'>,
    place: Pick<Preparation, 'series' | 'number' | 'replaces' | 'keepsNumber' | 'contingency'>,
  ): Promise<PreparedDocument> {
    const { documents, clock } = this.services;
    const { key, row } = documents.newKey(store.id, documentId);
    try {
      return await this.queueOf(store.id).prepare({
        ...place,
        context,
        documentId,
        saleId,
        draft,
        attempt: 1,
        documentKey: key,
        rows: [row],
        timeZone: store.timeZone,
        now: () => clock.now(),
      });
    } catch (error) {
      if (error instanceof Rejection) await this.abandonment.letGo(context, { storeId: store.id, documentId, saleId });
      throw error;
    }
  }

  /** Signs a document once more: with a new time, under its own number unless that is taken. */
  async again(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    contingency: Contingency | null,
  ): Promise<{ readonly fixed: PreparedDocument } | { readonly failure: Failure }> {
    const { documents, sales, clock } = this.services;
    const { documentId, saleId, model, number, series } = document.facts;
    const rows = this.workRow(store, documentId, saleId);
    const first = await sales.read(context, saleId);
    if (!first) throw new Rejection(NOT_FOUND);
    const early = await this.draftOnceMore(context, store, first, document);
    if ('code' in early) {
      // Where nothing is missing it is refused when it would hold the sale.
      const { heldBy } = first;
      if (heldBy !== null && heldBy !== documentId) {
        throw new Rejection(DOCUMENT_EXISTS, undefined, { documentId: heldBy });
      }
      return this.failed(context, document, early);
    }
    const attempt = document.attempt + 1;
    const sale = await sales
      .hold(context, first, { documentId, insteadOf: null, attempt }, rows)
      .catch((error: unknown) => {
        // All of it came back since it was read.
        if (isWaiting(document) && error instanceof Rejection && error.kind === NOTHING_TO_TAX) return undefined;
        throw error;
      });
    if (!sale) return this.failed(context, document, allReturned);
    const draft = sale === first ? early : await this.draftAgain(context, store, sale, model);
    const known = await documents.keyOf(store.id, documentId);
    const fresh = known ? undefined : documents.newKey(store.id, documentId);
    const keeps = number !== null && !document.numberTaken;
    const fixed = await this.queueOf(store.id).prepare({
      context,
      documentId,
      saleId,
      draft,
      attempt,
      documentKey: known ?? fresh?.key ?? Buffer.alloc(0),
      rows: fresh ? [fresh.row] : [],
      series: keeps ? series : store.fiscal.series[modelKey(model)],
      timeZone: store.timeZone,
      number: keeps ? { number, randomCode: document.randomCode } : undefined,
      replaces: null,
      keepsNumber: false,
      contingency,
      now: () => clock.now(),
    });
    return { fixed };
  }

  private async failed(context: RequestContext, document: FiscalDocument, failure: Failure) {
    await this.services.documents.execute(context, { type: 'fail', document: failedAs(document), failure });
    return { failure };
  }

  /** Of one that never arrived nothing comes any more once all of its sale was returned. Where somebody asks for one, the refusal says so. */
  private async draftOnceMore(
    context: RequestContext,
    store: StoreFacts,
    sale: SaleToTax,
    document: FiscalDocument,
  ): Promise<Draft | Failure> {
    if (isWaiting(document) && sale.lines.length === 0) return allReturned;
    return draftOf(this.services, context, store, sale, document.facts.model);
  }

  private queueOf(storeId: string): PreparationQueue {
    const known = this.queues.get(storeId) ?? new PreparationQueue(this.services.documents, this.signing);
    this.queues.set(storeId, known);
    return known;
  }
}
