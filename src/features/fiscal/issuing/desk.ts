import { LRUCache } from 'lru-cache';
import { timeOfId } from '../../../kernel/values/ids.js';
import { NOT_FOUND, Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/route.js';
import type { StoreFacts } from '../../contracts/feature.js';
import type { SaleToTax } from '../../contracts/sales-to-tax.js';
import { DOCUMENT_EXISTS, NOTHING_TO_TAX } from '../../contracts/sales-to-tax.js';
import { fiscal } from '../decider.js';
import type { EventAnswer } from '../domain/commands.js';
import type { FiscalDocument } from '../domain/document.js';
import { expectTransmissible } from '../domain/decisions.js';
import { openOf } from '../domain/state.js';
import type { Contingency, DocumentFacts, Failure, Model } from '../events.js';
import type { Draft } from './drafting.js';
import { draftOf } from './drafting.js';
import type { PreparedDocument } from './preparation-queue.js';
import { PreparationQueue, PreparedBefore } from './preparation-queue.js';
import type { IssuingServices } from './services.js';
import { storeOf } from './services.js';
import { Transmission } from './transmission.js';
import { Voiding } from './voiding.js';
import type { Wish } from './wishes.js';
import { failedAs, modelKey, offlineSince, workOf } from './wishes.js';
import type { Work } from './work-rows.js';

const STORES = 1_000;
/** After this long a sale that is held for a document of which nothing is known is free again. */
const ABANDONED_AFTER = 60_000;
/** A consumer's note must be on its way within five minutes of its time. */
const CONSUMER_FRESH = 4 * 60_000;
const SOON = 10_000;

/** Issues documents, and sees each of them to its end. */
export class FiscalDesk {
  readonly transmission: Transmission;
  readonly voiding: Voiding;
  private readonly queues = new LRUCache<string, PreparationQueue>({ max: STORES });
  /** Documents that this process is at. */
  private readonly inFlight = new Set<string>();

  constructor(private readonly services: IssuingServices) {
    this.transmission = new Transmission(services);
    this.voiding = new Voiding(services, this.transmission);
  }

  /** Gives the document's id when it is fixed, or failed; `ended` settles when the authority has answered or is not going to for now. */
  async issue(context: RequestContext, documentId: string, wish: Wish): Promise<{ readonly ended: Promise<void> }> {
    const { documents, sales } = this.services;
    const known = await documents.find(context, documentId);
    if (known) return { ended: this.goOn(context, known) };
    const store = await storeOf(this.services, context);
    const sale = await sales.read(context, wish.saleId);
    if (!sale) throw notFoundAt('saleId');
    if (!sale.cancelled && sale.lines.length === 0) throw new Rejection(NOTHING_TO_TAX);
    // The sale itself says that it cannot be taxed any more.
    if (sale.cancelled) await sales.hold(context, wish.saleId, { documentId, insteadOf: null }, []);
    const insteadOf = await this.freed(context, sale, documentId);
    const replaced = await this.rejectedOf(context, wish);
    this.inFlight.add(documentId);
    try {
      const first = await draftOf(this.services, context, store, sale, wish.model);
      if ('code' in first) {
        await this.fail(context, store, { ...wish, documentId, failure: first });
        return { ended: Promise.resolve() };
      }
      const held = await sales.hold(
        context,
        wish.saleId,
        { documentId, insteadOf },
        this.workRow(store, documentId, wish.saleId),
      );
      const draft = await this.draftAgain(context, store, held, wish.model);
      const fixed = await this.prepare(context, store, { ...wish, documentId, draft, replaced });
      return { ended: this.sent(context, store, fixed, documentId) };
    } catch (error) {
      this.inFlight.delete(documentId);
      throw error;
    }
  }

  private workRow(store: StoreFacts, documentId: string, saleId: string) {
    return [this.services.work.row({ storeId: store.id, documentId, saleId })];
  }

  /** The document under whose hold the sale still stands though nothing will come of it; refuses a hold that counts. */
  private async freed(
    context: RequestContext,
    { heldBy, saleId }: SaleToTax,
    documentId: string,
  ): Promise<string | null> {
    if (heldBy === null || heldBy === documentId) return null;
    const holder = await this.services.documents.find(context, heldBy);
    const age = this.services.clock.now() - timeOfId(heldBy);
    const isBeing = this.inFlight.has(heldBy) || (!this.services.alone && age < ABANDONED_AFTER);
    if (holder || (holder === undefined && isBeing)) {
      throw new Rejection(DOCUMENT_EXISTS, undefined, { documentId: heldBy });
    }
    if (holder === undefined) {
      await context.execute(fiscal, { type: 'abandon', documentId: heldBy, saleId }, { name: `abandon ${heldBy}` });
    }
    return heldBy;
  }

  /** The rejected document of the sale whose place and number a new one takes. */
  private async rejectedOf(context: RequestContext, { saleId, model }: Wish): Promise<FiscalDocument | undefined> {
    const state = await context.current(fiscal);
    return openOf(state, saleId).find(({ facts, replacedBy, final, voiding }) => {
      const isRejected = facts.status === 'REJECTED' && !final && !voiding;
      return isRejected && replacedBy === null && facts.model === model;
    });
  }

  /** The sale may have changed until it was held: what was drafted before is drafted again. */
  private async draftAgain(context: RequestContext, store: StoreFacts, sale: SaleToTax, model: Model): Promise<Draft> {
    const draft = await draftOf(this.services, context, store, sale, model);
    if ('code' in draft) throw new Error(`the sale changed meanwhile: ${draft.message}`);
    return draft;
  }

  private async fail(
    context: RequestContext,
    { fiscal: settings }: StoreFacts,
    of: { readonly documentId: string; readonly saleId: string; readonly model: Model; readonly failure: Failure },
  ): Promise<void> {
    const { documentId, saleId, model, failure } = of;
    const { environment, series } = settings;
    const document: DocumentFacts = {
      ...{ documentId, saleId, model, series: series[modelKey(model)], number: null, accessKey: null },
      ...{ status: 'FAILED', protocol: null, environment, issuedAt: context.at, qrCodeUrl: null },
      ...{ rejection: null, contingency: null, cancellation: null },
    };
    await context.execute(fiscal, { type: 'fail', document, failure }, { name: 'fail' });
    this.inFlight.delete(documentId);
  }

  private prepare(
    context: RequestContext,
    store: StoreFacts,
    of: Wish & { readonly documentId: string; readonly draft: Draft; readonly replaced: FiscalDocument | undefined },
  ): Promise<PreparedDocument> {
    const { documentId, saleId, draft, replaced, model } = of;
    const { key, row } = this.services.documents.newKey(store.id, documentId);
    const takesOver = replaced && !replaced.numberTaken ? replaced : undefined;
    const number = takesOver?.facts.number ?? undefined;
    return this.queueOf(store.id).prepare({
      ...{ context, documentId, saleId, draft, attempt: 1, documentKey: key, rows: [row] },
      series: takesOver?.facts.series ?? store.fiscal.series[modelKey(model)],
      timeZone: store.timeZone,
      number: number === undefined ? undefined : { number, randomCode: takesOver?.randomCode ?? '' },
      replaces: replaced?.facts.documentId ?? null,
      keepsNumber: number !== undefined,
      contingency: of.contingency ? offlineSince(this.services.clock.now(), of.contingencyReason) : null,
      now: () => this.services.clock.now(),
    });
  }

  private queueOf(storeId: string): PreparationQueue {
    const known = this.queues.get(storeId) ?? new PreparationQueue();
    this.queues.set(storeId, known);
    return known;
  }

  /** A fresh document on its way; its work row goes when it is where it stays. */
  private async sent(
    context: RequestContext,
    store: StoreFacts,
    fixed: PreparedDocument,
    documentId: string,
  ): Promise<void> {
    try {
      const document = await this.known(context, documentId);
      if (document.facts.status === 'CONTINGENCY') {
        await this.services.work.postpone(workOf(store, document), SOON);
        return;
      }
      await this.afterSending(
        context,
        store,
        document,
        await this.transmission.send(context, store, document, fixed.xml),
      );
    } catch (error) {
      if (!(error instanceof PreparedBefore)) throw error;
    } finally {
      this.inFlight.delete(documentId);
    }
  }

  /** What follows from an attempt: the end, an offline document, or another look later. */
  private async afterSending(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    outcome: Awaited<ReturnType<Transmission['send']>>,
  ): Promise<void> {
    const { work } = this.services;
    const job = workOf(store, document);
    if (outcome === 'ended') {
      await work.done(job);
      return;
    }
    const mayGoOffline = document.facts.model === 65 && store.fiscal.offline65 && document.facts.status === 'PENDING';
    if (mayGoOffline && outcome === 'never-sent') await this.goOffline(context, store, document);
    else if (mayGoOffline && outcome === 'unheard' && document.replacedBy === null) {
      await this.replaceOffline(context, store, document);
    }
    await work.postpone(job, SOON);
  }

  /** Nobody has seen it: the same document with the same number goes to the customer before the authority has it. */
  private async goOffline(context: RequestContext, store: StoreFacts, document: FiscalDocument): Promise<void> {
    await this.prepareAgain(context, store, document, offlineSince(this.services.clock.now(), undefined));
  }

  /** Nobody knows whether it arrived: the customer gets another document under the next number, and this one's fate is asked for. */
  private async replaceOffline(context: RequestContext, store: StoreFacts, document: FiscalDocument): Promise<void> {
    const { saleId, documentId: old } = document.facts;
    const model = document.facts.model as Model;
    const sale = await this.services.sales.read(context, saleId);
    const draft = sale && (await draftOf(this.services, context, store, sale, model));
    if (!draft || 'code' in draft) return;
    const documentId = context.newId();
    const { key, row } = this.services.documents.newKey(store.id, documentId);
    const rows = this.workRow(store, documentId, saleId);
    await this.services.sales.hold(context, saleId, { documentId, insteadOf: old }, rows);
    await this.queueOf(store.id).prepare({
      ...{ context, documentId, saleId, draft, attempt: 1, documentKey: key, rows: [row] },
      ...{ series: document.facts.series, timeZone: store.timeZone, number: undefined, keepsNumber: false },
      replaces: old,
      contingency: offlineSince(this.services.clock.now(), undefined),
      now: () => this.services.clock.now(),
    });
    await this.services.work.postpone({ storeId: store.id, documentId, saleId }, SOON);
  }

  /** Signs a document once more: with a new time, under its own number unless that is taken. */
  private async prepareAgain(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    contingency: Contingency | null,
  ): Promise<{ readonly fixed: PreparedDocument } | { readonly failure: Failure }> {
    const { documents, sales, clock } = this.services;
    const { documentId, saleId, number, series } = document.facts;
    const model = document.facts.model as Model;
    const rows = this.workRow(store, documentId, saleId);
    const first = await sales.read(context, saleId);
    if (!first) throw new Rejection(NOT_FOUND);
    const early = await draftOf(this.services, context, store, first, model);
    if ('code' in early) {
      await context.execute(fiscal, { type: 'fail', document: failedAs(document), failure: early });
      return { failure: early };
    }
    const sale = await sales.hold(context, saleId, { documentId, insteadOf: null }, rows);
    const draft = await this.draftAgain(context, store, sale, model);
    const known = await documents.keyOf(store.id, documentId);
    const fresh = known ? undefined : documents.newKey(store.id, documentId);
    const keeps = number !== null && !document.numberTaken;
    const fixed = await this.queueOf(store.id).prepare({
      ...{ context, documentId, saleId, draft, attempt: document.attempt + 1 },
      documentKey: known ?? fresh?.key ?? Buffer.alloc(0),
      rows: fresh ? [fresh.row] : [],
      series: keeps ? series : store.fiscal.series[modelKey(model)],
      timeZone: store.timeZone,
      number: keeps ? { number, randomCode: document.randomCode } : undefined,
      ...{ replaces: null, keepsNumber: false, contingency },
      now: () => clock.now(),
    });
    return { fixed };
  }

  /** On demand: one that was rejected or failed is corrected and sent, one in contingency is handed in. */
  async transmit(context: RequestContext, documentId: string): Promise<{ readonly ended: Promise<void> }> {
    const store = await storeOf(this.services, context);
    const document = await this.known(context, documentId);
    expectTransmissible(document);
    const { status } = document.facts;
    if (status === 'PENDING' || status === 'CONTINGENCY') return { ended: this.goOn(context, document) };
    this.inFlight.add(documentId);
    try {
      const offline = document.emissionType === 9 && status === 'REJECTED' ? document.facts.contingency : null;
      const again = await this.prepareAgain(context, store, document, offline);
      if ('failure' in again) {
        this.inFlight.delete(documentId);
        return { ended: Promise.resolve() };
      }
      const ended = offline
        ? this.goOn(context, await this.known(context, documentId))
        : this.sent(context, store, again.fixed, documentId);
      return { ended };
    } catch (error) {
      this.inFlight.delete(documentId);
      throw error;
    }
  }

  /** A document that is there, however old it is. */
  async known(context: RequestContext, documentId: string): Promise<FiscalDocument> {
    const found = await this.services.documents.find(context, documentId);
    if (!found) throw new Rejection(NOT_FOUND);
    return found;
  }

  /** Takes up a document wherever it stands. */
  async goOn(context: RequestContext, document: FiscalDocument): Promise<void> {
    const store = await storeOf(this.services, context);
    const { documentId, saleId, status, cancellation } = document.facts;
    const job = workOf(store, document);
    if (status === 'PENDING' || status === 'CONTINGENCY') {
      await this.takeUp(context, store, document);
    } else if (status === 'AUTHORIZED' && (cancellation || document.replacedBy !== null)) {
      await this.cancelUnwanted(context, store, document);
    } else if (document.voiding) {
      await this.giveUp(context, store, document);
    } else {
      if (status !== 'AUTHORIZED') await this.services.sales.release(context, saleId, documentId);
      await this.services.work.done(job);
    }
  }

  /** Nobody remembers whether it was sent: first the authority is asked. */
  private async takeUp(context: RequestContext, store: StoreFacts, document: FiscalDocument): Promise<void> {
    const { documents, clock } = this.services;
    const { documentId, model, issuedAt, status } = document.facts;
    const outcome = await this.transmission.ask(context, store, document);
    if (outcome !== 'never-sent') {
      await this.afterSending(context, store, document, outcome);
      await this.followUp(context, documentId);
      return;
    }
    if (document.replacedBy !== null) {
      await this.giveUp(context, store, document);
      return;
    }
    const age = clock.now() - Date.parse(issuedAt);
    if (status === 'PENDING' && model === 65 && age > CONSUMER_FRESH) {
      const again = await this.prepareAgain(context, store, document, null);
      if ('fixed' in again) await this.sent(context, store, again.fixed, documentId);
      return;
    }
    const xml = await documents.text(context, documentId, 'note', document.revisions);
    if (xml === undefined) throw new Error(`the XML of document ${documentId} is lost`);
    await this.afterSending(context, store, document, await this.transmission.send(context, store, document, xml));
  }

  /** One that was replaced and turns out to be authorized is taken back. */
  private async followUp(context: RequestContext, documentId: string): Promise<void> {
    const now = await this.known(context, documentId);
    if (now.facts.status === 'AUTHORIZED' && now.replacedBy !== null) await this.goOn(context, now);
  }

  private async cancelUnwanted(context: RequestContext, store: StoreFacts, document: FiscalDocument): Promise<void> {
    const reason = 'Substituido por documento emitido em contingencia';
    await this.transmission.requestCancellation(context, store, document, { reason, within: Infinity });
    const marked = await this.known(context, document.facts.documentId);
    const answer = await this.transmission.sendCancellation(context, store, marked);
    if (answer === 'unheard') await this.services.work.postpone(workOf(store, document), SOON);
    else await this.services.work.done(workOf(store, document));
  }

  /** The number of a document that never arrived and was replaced. */
  private async giveUp(context: RequestContext, store: StoreFacts, document: FiscalDocument): Promise<void> {
    const reason = 'Numero sem uso por emissao em contingencia';
    const answer = await this.voiding.void(context, store, document, reason);
    if (answer === 'unheard') await this.services.work.postpone(workOf(store, document), SOON);
    else await this.services.work.done(workOf(store, document));
  }

  /** Tells the authority of a cancellation that is fixed; `answer` is undefined as long as it was not heard. */
  cancelRequested(context: RequestContext, store: StoreFacts, documentId: string) {
    let heard: EventAnswer | undefined;
    const tell = async (): Promise<void> => {
      const document = await this.known(context, documentId);
      const answer = await this.transmission.sendCancellation(context, store, document);
      const job = workOf(store, document);
      if (answer === 'unheard') await this.services.work.postpone(job, SOON);
      else await this.services.work.done(job);
      if (answer !== 'unheard') heard = answer;
    };
    return { ended: tell(), answer: () => heard };
  }

  /** A row that came due: whatever its document needs. */
  async resume(context: RequestContext, work: Work): Promise<void> {
    if (this.inFlight.has(work.documentId)) return;
    const { documents, sales, work: rows } = this.services;
    const found = await documents.find(context, work.documentId);
    if (found) {
      await this.goOn(context, found);
      return;
    }
    if (found === undefined) {
      const { documentId, saleId } = work;
      await context.execute(fiscal, { type: 'abandon', documentId, saleId });
    }
    await sales.release(context, work.saleId, work.documentId);
    await rows.done(work);
  }
}
