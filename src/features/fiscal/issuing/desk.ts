import { timeOfId } from '../../../kernel/values/ids.js';
import { Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { StoreFacts } from '../../contracts/feature.js';
import type { SaleToTax } from '../../contracts/sales-to-tax.js';
import { DOCUMENT_EXISTS, NOTHING_TO_TAX } from '../../contracts/sales-to-tax.js';
import { fiscal } from '../decider.js';
import type { EventAnswer } from '../domain/commands.js';
import type { FiscalDocument } from '../domain/document.js';
import { isWaiting } from '../domain/document.js';
import { expectRoom, expectTransmissible } from '../domain/decisions.js';
import { nextNumber, openOf } from '../domain/state.js';
import type { DocumentFacts, Failure, Model } from '../events.js';
import { Abandonment } from './abandonment.js';
import { draftOf } from './drafting.js';
import type { PreparedDocument } from './preparation-queue.js';
import { PreparedBefore, preparationOf } from './preparation-queue.js';
import { Preparing } from './preparing.js';
import { Pursuit } from './pursuit.js';
import type { IssuingServices } from './services.js';
import { storeOf } from './services.js';
import { Transmission } from './transmission.js';
import { Voiding } from './voiding.js';
import type { Wish } from './wishes.js';
import { modelKey, passesNumberOn, wasOffline, workOf } from './wishes.js';
import type { Work } from './work-rows.js';

/** After this long a sale that is held for a document of which nothing is known is free again. */
const ABANDONED_AFTER = 60_000;

/** Issues documents, and sees each of them to its end. */
export class FiscalDesk {
  readonly transmission: Transmission;
  readonly voiding: Voiding;
  private readonly abandonment: Abandonment;
  private readonly preparing: Preparing;
  private readonly pursuit: Pursuit;
  /** Documents that this process is at, and what ends with the attempt once one is on its way. */
  private readonly inFlight = new Map<string, Promise<void> | undefined>();

  constructor(private readonly services: IssuingServices) {
    this.transmission = new Transmission(services);
    this.voiding = new Voiding(services, this.transmission);
    this.abandonment = new Abandonment(services);
    this.preparing = new Preparing(services, this.abandonment);
    this.pursuit = new Pursuit(services, this.preparing, this.transmission, this.voiding);
  }

  /** The id of the document that a request is to issue: one that was given up, as its process died before it was fixed, makes way for another. */
  async newIdFor(context: RequestContext): Promise<string> {
    for (;;) {
      const documentId = context.newId();
      const isGivenUp = context.isRepeat && (await this.services.documents.find(context, documentId)) === null;
      if (!isGivenUp) return documentId;
    }
  }

  /** Gives the document's id when it is fixed, or failed; `ended` settles when the authority has answered or is not going to for now. */
  async issue(context: RequestContext, documentId: string, wish: Wish): Promise<{ readonly ended: Promise<void> }> {
    const { documents, sales } = this.services;
    const known = context.isRepeat ? await documents.find(context, documentId) : undefined;
    if (known) return this.followed(context, known);
    documents.begin(context, documentId);
    const store = await storeOf(this.services, context);
    const sale = await sales.read(context, wish.saleId);
    if (!sale) throw notFoundAt('saleId');
    if (!sale.cancelled && sale.lines.length === 0) throw new Rejection(NOTHING_TO_TAX);
    // The sale itself says that it cannot be taxed any more.
    if (sale.cancelled) await sales.hold(context, sale, { documentId, insteadOf: null, attempt: 1 }, []);
    const insteadOf = await this.freed(context, sale, documentId);
    const replaced = await this.rejectedOf(context, wish);
    this.begin(documentId);
    try {
      const first = await draftOf(this.services, context, store, sale, wish.model);
      if ('code' in first) {
        await this.fail(context, store, { ...wish, documentId, failure: first });
        return { ended: Promise.resolve() };
      }
      await this.expectNumber(context, store, wish.model, replaced);
      const held = await sales.hold(
        context,
        sale,
        { documentId, insteadOf, attempt: 1 },
        this.preparing.workRow(store, documentId, wish.saleId),
      );
      const draft = held === sale ? first : await this.preparing.draftAgain(context, store, held, wish.model);
      const { saleId, model, contingency, contingencyReason } = wish;
      const wanted = { saleId, model, contingency, contingencyReason, documentId, draft, replaced };
      const fixed = await this.preparing.prepare(context, store, wanted);
      return { ended: this.signed(context, store, fixed, wasOffline(replaced)) };
    } catch (error) {
      this.leave(documentId);
      // The first run of the request was slow, not gone: it has signed the document, and sends it.
      if (error instanceof PreparedBefore) return { ended: Promise.resolve() };
      throw error;
    }
  }

  /** Refuses, before the sale is held, a document for which the series has no number left. */
  private async expectNumber(
    context: RequestContext,
    { fiscal: { series } }: StoreFacts,
    model: Model,
    replaced: FiscalDocument | undefined,
  ): Promise<void> {
    if (passesNumberOn(replaced)) return;
    const of = { model, series: series[modelKey(model)] };
    expectRoom(nextNumber(await context.current(fiscal), of.model, of.series), of);
  }

  /** The document under whose hold the sale still stands though nothing will come of it; refuses a hold that counts. */
  private async freed(context: RequestContext, sale: SaleToTax, documentId: string): Promise<string | null> {
    const { heldBy, saleId } = sale;
    if (heldBy === null || heldBy === documentId) return null;
    const holder = await this.services.documents.find(context, heldBy);
    const age = this.services.clock.now() - timeOfId(heldBy);
    const isBeing = this.inFlight.has(heldBy) || (!this.services.alone && age < ABANDONED_AFTER);
    const mayCome = holder !== null && (isBeing || !(await this.abandonment.isAbandoned(context, heldBy, saleId)));
    const living = mayCome ? heldBy : await this.abandonment.givenBack(context, sale);
    if (living !== undefined) throw new Rejection(DOCUMENT_EXISTS, undefined, { documentId: living });
    return heldBy;
  }

  /** The rejected document of the sale whose place a new one takes, and its number unless that is being given up. */
  private async rejectedOf(context: RequestContext, { saleId, model }: Wish): Promise<FiscalDocument | undefined> {
    const state = await context.current(fiscal);
    const rejected = openOf(state, saleId).filter(({ facts, replacedBy, final }) => {
      return facts.status === 'REJECTED' && !final && replacedBy === null && facts.model === model;
    });
    return rejected.find(passesNumberOn) ?? rejected[0];
  }

  private async fail(
    context: RequestContext,
    { fiscal: settings }: StoreFacts,
    of: { readonly documentId: string; readonly saleId: string; readonly model: Model; readonly failure: Failure },
  ): Promise<void> {
    const { documentId, saleId, model, failure } = of;
    const { environment, series } = settings;
    const document: DocumentFacts = {
      documentId,
      saleId,
      model,
      series: series[modelKey(model)],
      number: null,
      accessKey: null,
      status: 'FAILED',
      protocol: null,
      environment,
      issuedAt: context.at,
      qrCodeUrl: null,
      rejection: null,
      contingency: null,
      cancellation: null,
    };
    await this.services.documents.execute(context, { type: 'fail', document, failure }, { name: 'fail' });
    this.leave(documentId);
  }

  /** On demand: one that was rejected or failed is corrected and sent, one in contingency is handed in. */
  async transmit(context: RequestContext, document: FiscalDocument): Promise<{ readonly ended: Promise<void> }> {
    const store = await storeOf(this.services, context);
    expectTransmissible(document);
    const { documentId } = document.facts;
    if (isWaiting(document)) return this.followed(context, document);
    const before = this.inFlight.get(documentId);
    if (before) {
      // It is rejected, and whoever recorded that is about to let its sale go.
      await before.catch(() => undefined);
      return this.transmit(context, await this.known(context, documentId));
    }
    this.begin(documentId);
    try {
      const offline = document.emissionType === 9 ? document.facts.contingency : null;
      const again = await this.preparing.again(context, store, document, offline);
      if ('failure' in again) {
        this.leave(documentId);
        return { ended: Promise.resolve() };
      }
      return { ended: this.signed(context, store, again.fixed, offline !== null) };
    } catch (error) {
      this.leave(documentId);
      // Somebody who asked at the same time has signed it, and sends it.
      if (error instanceof PreparedBefore) return { ended: Promise.resolve() };
      throw error;
    }
  }

  /** Whether an earlier run of the request has brought the document where it stands: then nothing is signed or sent anew. */
  async transmittedBefore(context: RequestContext, { attempt, facts }: FiscalDocument): Promise<boolean> {
    if (!context.isRepeat) return false;
    if (facts.status === 'AUTHORIZED') return true;
    for (let before = attempt; before > 1; before--) {
      if (await context.recordedBefore(fiscal, preparationOf(facts.documentId, before))) return true;
    }
    return false;
  }

  /** Sees a document to its end; two who are at it would not know what became of each other's attempts. */
  followed(context: RequestContext, document: FiscalDocument): { readonly ended: Promise<void> } {
    const { documentId } = document.facts;
    if (!this.inFlight.has(documentId)) return { ended: this.goOnAlone(context, documentId) };
    // What fails there is told to whoever began it.
    return { ended: this.inFlight.get(documentId)?.catch(() => undefined) ?? Promise.resolve() };
  }

  private async goOnAlone(context: RequestContext, documentId: string): Promise<void> {
    const { alone, work } = this.services;
    await this.attended(documentId, async () => {
      const isFree = alone || (await work.takeFree({ storeId: context.storeId, documentId }));
      const document = isFree ? await this.known(context, documentId) : undefined;
      // Where it came to rest meanwhile, what is left to do is of who brought it there, or of its row.
      if (document && isWaiting(document)) await this.pursuit.goOn(context, document);
    });
  }

  known(context: RequestContext, documentId: string): Promise<FiscalDocument> {
    return this.pursuit.known(context, documentId);
  }

  /** A document that was just signed, watched until it is where it stays for now; one that its customer has already is asked about first. */
  private signed(
    context: RequestContext,
    store: StoreFacts,
    fixed: PreparedDocument,
    isOutAlready: boolean,
  ): Promise<void> {
    const { documentId } = fixed.facts;
    return this.attended(documentId, async () => {
      if (isOutAlready) await this.pursuit.goOn(context, await this.known(context, documentId));
      else await this.pursuit.sent(context, store, fixed, documentId);
    });
  }

  private begin(documentId: string): void {
    if (!this.inFlight.has(documentId)) this.inFlight.set(documentId, undefined);
  }

  /** Nothing came of it here; what somebody else has on its way by now goes on. */
  private leave(documentId: string): void {
    if (this.inFlight.get(documentId) === undefined) this.inFlight.delete(documentId);
  }

  private attended(documentId: string, attempt: () => Promise<void>): Promise<void> {
    const ended = attempt().finally(() => {
      this.inFlight.delete(documentId);
    });
    this.inFlight.set(documentId, ended);
    return ended;
  }

  /** Tells the authority of a cancellation that is fixed; `answer` is undefined as long as it was not heard. */
  cancelRequested(context: RequestContext, store: StoreFacts, documentId: string) {
    let heard: EventAnswer | undefined;
    const tell = async (): Promise<void> => {
      const document = await this.known(context, documentId);
      const answer = await this.transmission.sendCancellation(context, store, document);
      const job = workOf(store, document);
      if (answer === 'unheard') await this.services.work.postpone(job, 'asking');
      else await this.services.work.done(job);
      if (answer !== 'unheard') heard = answer;
    };
    return { ended: tell(), answer: () => heard };
  }

  /** A row that came due: whatever its document needs. */
  async resume(context: RequestContext, work: Work): Promise<void> {
    const { documents } = this.services;
    const { documentId } = work;
    const found = await documents.find(context, documentId);
    // Whoever is at it, also since this was asked, sees it to its end.
    if (this.inFlight.has(documentId)) return;
    if (!found) {
      await this.abandonment.letGo(context, work);
      return;
    }
    try {
      await this.attended(documentId, () => this.pursuit.goOn(context, found, work));
    } catch (error) {
      // Somebody else has signed it, has the sale for a document in its place, or was faster: what is left to do is theirs, or of the row.
      if (error instanceof PreparedBefore) return;
      if (!(error instanceof Rejection)) throw error;
      const isTheirs = error.kind === DOCUMENT_EXISTS || (await documents.find(context, documentId)) !== found;
      if (!isTheirs) throw error;
    }
  }
}
