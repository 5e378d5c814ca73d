import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { PROJECTION_BEHIND } from '../../../kernel/routes/request-context.js';
import type { StoreFacts } from '../../contracts/feature.js';
import type { FiscalDocument } from '../domain/document.js';
import type { AuthorityWords, Contingency } from '../events.js';
import type { PreparedDocument } from './preparation-queue.js';
import { PreparedBefore } from './preparation-queue.js';
import type { Preparing } from './preparing.js';
import { SaleHolds } from './sale-holds.js';
import type { IssuingServices } from './services.js';
import { storeOf } from './services.js';
import { isSetupFault } from './setup-faults.js';
import type { SendOutcome, Transmission } from './transmission.js';
import type { Voiding } from './voiding.js';
import { fallbackSince, modelKey, offlineSince, workOf } from './wishes.js';
import type { Work } from './work-rows.js';

/** A consumer's note must be on its way within five minutes of its time. */
const CONSUMER_FRESH = 4 * 60_000;
/** Data bases lag: that nothing lives under a key is believed when it is said again after so long. */
const LAG = 4_000;

const MINUTE = 60_000;
/** The time to cancel it is over. */
const TOO_LATE: ReadonlySet<string> = new Set(['220', '501']);
const NO_SUBSTITUTE = { key: undefined, isOnItsWay: false };
const UNUSED = 'Numero sem uso por emissao em contingencia';
const SUBSTITUTED = 'Substituido por documento emitido em contingencia';
const UNWANTED = 'Venda cancelada, devolvida ou com outro documento fiscal';

/** Sees documents to their end, wherever they stand. */
export class Pursuit {
  private readonly saleHolds: SaleHolds;

  constructor(
    private readonly services: IssuingServices,
    private readonly preparing: Preparing,
    private readonly transmission: Transmission,
    private readonly voiding: Voiding,
  ) {
    this.saleHolds = new SaleHolds(services);
  }

  /** A document that is there, however old it is. */
  async known(context: RequestContext, documentId: string): Promise<FiscalDocument> {
    const found = await this.services.documents.find(context, documentId);
    if (!found) throw new Rejection(NOT_FOUND);
    return found;
  }

  /** A fresh document on its way; its work row goes when it is where it stays. */
  async sent(context: RequestContext, store: StoreFacts, fixed: PreparedDocument, documentId: string): Promise<void> {
    try {
      const document = await this.known(context, documentId);
      const job = workOf(store, document);
      if (document.facts.status === 'CONTINGENCY') {
        await this.services.work.postpone({ ...job, unsent: true }, 'nothing');
        return;
      }
      const outcome = await this.transmission.send(context, store, document, fixed.xml);
      await this.afterSending(context, store, document, job, outcome);
    } catch (error) {
      if (!(error instanceof PreparedBefore)) throw error;
    }
  }

  /** What follows from an attempt: the end, another way to the authority, or another look later. */
  private async afterSending(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    job: Work,
    outcome: SendOutcome | 'unasked',
  ): Promise<void> {
    const { work, clock } = this.services;
    const { model, status, contingency } = document.facts;
    const isPending = status === 'PENDING' && document.replacedBy === null;
    const mayGoOffline = isPending && model === 65 && store.fiscal.offline65;
    switch (outcome) {
      case 'ended':
        break;
      case 'never-sent':
        if (mayGoOffline) await this.again(context, store, document, offlineSince(clock.now(), undefined));
        else if (isPending && model === 55 && (await this.byFallback(context, store, document, job))) break;
        await work.postpone({ ...job, unsent: true }, 'nothing');
        break;
      case 'fallback-ended':
        await this.again(context, store, document, null);
        await work.postpone({ ...job, unsent: true }, 'nothing');
        break;
      case 'unheard':
      case 'unasked':
        if (mayGoOffline) await this.replaceOffline(context, store, document);
        await work.postpone({ ...job, unsent: false }, outcome === 'unasked' ? 'nothing' : 'asking');
        break;
      case 'undecided':
        await work.postpone({ ...job, unsent: false }, 'asking');
        break;
      case 'setup-fault':
        // It waits until the store's settings are mended.
        await work.postpone({ ...job, unsent: true }, 'refusal');
        break;
      case 'signed-with-former':
        // It is signed anew under its number.
        await this.again(context, store, document, contingency);
        await work.postpone({ ...job, unsent: true, tries: 0 }, 'nothing');
        break;
    }
  }

  /** A consumer waits for a note: another one takes the place of what may have arrived. */
  private async replaceOffline(context: RequestContext, store: StoreFacts, document: FiscalDocument): Promise<void> {
    const offline = await this.preparing.replaceOffline(context, store, document);
    if (offline === undefined) return;
    const { saleId } = document.facts;
    await this.services.work.postpone({ storeId: store.id, documentId: offline, saleId, unsent: true }, 'nothing');
  }

  /** While the state has switched its stand-in on, a company's document goes there; false where it has not. */
  private async byFallback(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    job: Work,
  ): Promise<boolean> {
    const client = await this.transmission.clientOf(store, document.facts);
    if (!client || document.facts.contingency) return false;
    const type = await this.services.authority.fallback(client);
    if (!type) return false;
    const again = await this.again(context, store, document, fallbackSince(this.services.clock.now(), type));
    if (!again || !('fixed' in again)) return false;
    const prepared = await this.known(context, document.facts.documentId);
    const outcome = await this.transmission.send(context, store, prepared, again.fixed.xml);
    await this.afterSending(context, store, prepared, job, outcome);
    return true;
  }

  /** Takes up a document wherever it stands. */
  async goOn(context: RequestContext, document: FiscalDocument, row?: Work): Promise<void> {
    const store = await storeOf(this.services, context);
    const { status, cancellation } = document.facts;
    const job = row ?? workOf(store, document);
    if (status === 'CONTINGENCY' && row?.unsent === true && this.transmission.faults.holds(store)) {
      await this.services.work.postpone(row, 'refusal');
    } else if (status === 'PENDING' || status === 'CONTINGENCY') {
      await this.takeUp(context, store, document, job);
    } else if (status === 'AUTHORIZED' && (cancellation || document.replacedBy !== null)) {
      await this.cancelUnwanted(context, store, document, job, document.replacedBy);
    } else if (document.voiding) {
      await this.giveUp(context, store, document, job);
    } else if (status === 'AUTHORIZED') {
      await this.keepSale(context, store, document, job);
    } else {
      await this.atRest(context, store, document, job);
    }
  }

  /** Somebody may have handed it in beside who heard that it is refused, and have heard nothing: it is asked about before its sale is let go. */
  private async atRest(context: RequestContext, store: StoreFacts, document: FiscalDocument, job: Work): Promise<void> {
    const { documentId, status, number } = document.facts;
    const mayBeThere = (status === 'REJECTED' || status === 'FAILED') && number !== null && (job.asks ?? 0) > 0;
    const outcome = mayBeThere ? await this.transmission.ask(context, store, document) : 'absent';
    const now = outcome === 'ended' ? await this.known(context, documentId) : document;
    if (now.facts.status !== status) await this.goOn(context, now, job);
    else if (outcome === 'absent' || outcome === 'ended') await this.saleHolds.letGo(context, now, job);
    else await this.services.work.postpone(job, 'asking');
  }

  /** What was authorized after it had been refused is its sale's document again, or must not live. */
  private async keepSale(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    job: Work,
  ): Promise<void> {
    const { work } = this.services;
    const version = await work.versionOf(job);
    const holder = await this.saleHolds.holdAgain(context, document);
    if (holder === 'itself') {
      // The row of a cancellation that somebody asks for meanwhile is theirs.
      const { facts } = await this.known(context, document.facts.documentId);
      if (!facts.cancellation) await work.doneAsOf(job, version);
    } else if (holder === 'unknown') await work.postpone(job, 'nothing');
    else await this.cancelUnwanted(context, store, document, job, holder.holder);
  }

  /** Unless it is certain that it never left, the authority is asked first. */
  private async takeUp(context: RequestContext, store: StoreFacts, document: FiscalDocument, job: Work): Promise<void> {
    if (job.unsent) {
      await this.deliver(context, store, document, job);
      return;
    }
    const outcome = await this.transmission.ask(context, store, document);
    if (outcome === 'ended') await this.followUp(context, document.facts.documentId);
    else if (outcome === 'absent') await this.absent(context, store, document, job);
    else await this.afterSending(context, store, document, job, outcome === 'not-asked' ? 'unasked' : outcome);
  }

  /**
   * The authority has nothing under the key. The very same text may be sent at once, for it would know it again; what takes another way waits
   * until it has said so twice.
   */
  private async absent(context: RequestContext, store: StoreFacts, document: FiscalDocument, job: Work): Promise<void> {
    const { clock, work } = this.services;
    const now = clock.now();
    const saidTwice = job.absentSince !== undefined && now - job.absentSince >= LAG;
    if ((this.isStale(document) || document.replacedBy !== null) && !saidTwice) {
      await work.postpone({ ...job, asks: 0, absentSince: job.absentSince ?? now }, 'asking');
      return;
    }
    await this.deliver(context, store, document, job);
  }

  /** Signs it once more; undefined while its sale cannot be read yet, as where read models are made anew: nothing has left by then. */
  private async again(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    contingency: Contingency | null,
  ): Promise<Awaited<ReturnType<Preparing['again']>> | undefined> {
    try {
      return await this.preparing.again(context, store, document, contingency);
    } catch (error) {
      if (error instanceof Rejection && error.kind === PROJECTION_BEHIND) return undefined;
      throw error;
    }
  }

  /** A consumer's note that was written too long ago to be taken as it is. */
  private isStale({ facts: { status, model, issuedAt } }: FiscalDocument): boolean {
    return status === 'PENDING' && model === 65 && this.services.clock.now() - Date.parse(issuedAt) > CONSUMER_FRESH;
  }

  private async deliver(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    job: Work,
  ): Promise<void> {
    const { documentId, model, status } = document.facts;
    if (document.replacedBy !== null) {
      await this.giveUp(context, store, document, job);
      return;
    }
    if (this.isStale(document)) {
      const again = await this.again(context, store, document, null);
      if (!again) await this.services.work.postpone(job, job.unsent ? 'nothing' : 'asking');
      else if ('fixed' in again) await this.sent(context, store, again.fixed, documentId);
      return;
    }
    const xml = await this.services.documents.text(context, documentId, 'note', document.revisions);
    if (xml === undefined) throw new Error(`the XML of document ${documentId} is lost`);
    const outcome = await this.transmission.send(context, store, document, xml);
    // One that may have been sent before does not go offline under its number.
    const mayHaveLeft = outcome === 'never-sent' && !job.unsent && status === 'PENDING' && model === 65;
    await this.afterSending(context, store, document, job, mayHaveLeft ? 'unasked' : outcome);
  }

  /** One that was replaced and turns out to be authorized is taken back. */
  private async followUp(context: RequestContext, documentId: string): Promise<void> {
    const now = await this.known(context, documentId);
    if (now.facts.status === 'AUTHORIZED' && now.replacedBy !== null) await this.goOn(context, now);
  }

  /** Once the time to cancel it is over, it is cancelled by the document in its place, which the authority must have by then. */
  private async cancelUnwanted(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    job: Work,
    inItsPlace: string | null,
    reason = document.replacedBy === null ? UNWANTED : SUBSTITUTED,
  ): Promise<void> {
    const { work } = this.services;
    const { facts } = document;
    const { documentId, cancellation } = facts;
    const isLate = job.tooLate === true || !this.isCancellable(store, document);
    const isNew = isLate && !cancellation;
    const substitute = isNew ? await this.substituteOf(context, document, inItsPlace) : NO_SUBSTITUTE;
    if (substitute.isOnItsWay) {
      await work.postpone(job, 'nothing');
      return;
    }
    const asked = { reason, within: Infinity };
    if (!(await this.transmission.requestCancellation(context, store, document, asked, substitute.key))) {
      await work.postpone(job, 'refusal');
      return;
    }
    const marked = await this.known(context, documentId);
    const answer = await this.transmission.sendCancellation(context, store, marked);
    if (answer === 'unheard') await work.postpone(job, 'asking');
    else if (answer.kind === 'registered') await work.done(job);
    else if (cancellation && isSetupFault(answer.words.code)) {
      // The authority may have heard it before the certificate was replaced that signed it: it is asked for anew.
      const refused = await this.known(context, documentId);
      await this.cancelUnwanted(context, store, refused, job, inItsPlace, cancellation.reason);
    } else await this.cancelledInVain(store, document, job, answer.words, substitute.key !== undefined);
  }

  private async cancelledInVain(
    store: StoreFacts,
    { facts: { accessKey, model } }: FiscalDocument,
    job: Work,
    { code, message }: AuthorityWords,
    wasSubstitution: boolean,
  ): Promise<void> {
    const { work } = this.services;
    if (isSetupFault(code)) await work.postpone(job, 'refusal');
    else if (TOO_LATE.has(code) && model === 65 && !wasSubstitution && job.tooLate !== true) {
      await work.postpone({ ...job, asks: 0, tooLate: true }, 'asking');
    } else {
      const which = `${accessKey ?? ''} of store ${store.id}`;
      this.services.onError(new Error(`the cancellation of ${which} was refused: ${code} ${message}`));
      await work.done(job);
    }
  }

  private isCancellable({ fiscal }: StoreFacts, { facts, authorizedAt }: FiscalDocument): boolean {
    const within = fiscal.cancelMinutes[modelKey(facts.model)] * MINUTE;
    return this.services.clock.now() <= Date.parse(authorizedAt ?? facts.issuedAt) + within;
  }

  /** The key of what took its place, as soon as that is authorized; of model 55 there is none. */
  private async substituteOf(
    context: RequestContext,
    { facts: { model } }: FiscalDocument,
    inItsPlace: string | null,
  ): Promise<{ readonly key: string | undefined; readonly isOnItsWay: boolean }> {
    if (model !== 65 || inItsPlace === null) return NO_SUBSTITUTE;
    const { facts } = await this.known(context, inItsPlace);
    if (facts.model !== model) return NO_SUBSTITUTE;
    if (facts.status === 'AUTHORIZED') return { key: facts.accessKey ?? undefined, isOnItsWay: false };
    return { key: undefined, isOnItsWay: facts.status === 'PENDING' || facts.status === 'CONTINGENCY' };
  }

  /** Goes on with what somebody asked for, or with the number of a document that never arrived and was replaced. Where the authority says that it is used, the document is there after all. */
  private async giveUp(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    job: Work,
    reason = document.voiding?.reason ?? UNUSED,
  ): Promise<void> {
    const answer = await this.voiding.void(context, store, document, reason);
    const isRefused = typeof answer === 'object' && answer.kind === 'refused';
    if (isRefused && document.voiding && isSetupFault(answer.words.code)) {
      // As a cancellation.
      const refused = await this.known(context, document.facts.documentId);
      await this.giveUp(context, store, refused, job, reason);
      return;
    }
    const isUntold = answer === 'unheard' || answer === 'no-certificate';
    // Whatever its row says of it, it may have left: it is asked about next.
    if (isUntold || (isRefused && document.facts.status === 'PENDING'))
      await this.services.work.postpone({ ...job, unsent: false }, 'asking');
    else await this.services.work.done(job);
  }
}
