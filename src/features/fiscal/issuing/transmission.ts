import { stateWithCode } from '../../../brazil/states.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { AuthorityClient, Authorized, KeyAnswer, Refused, Registered } from '../../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../../ports/fiscal-authority.js';
import type { StoreFacts } from '../../contracts/feature.js';
import type { AuthorityAnswer, EventAnswer } from '../domain/commands.js';
import { AwaitedNoMore } from '../domain/decisions.js';
import type { FiscalDocument } from '../domain/document.js';
import { earlierTextOf, formerKeysOf, isAwaited } from '../domain/document.js';
import { layoutTimeZone } from '../domain/layout-time.js';
import type { DocumentFacts } from '../events.js';
import { sealXml } from '../signing/sealed-xml.js';
import { signatureOf } from '../signing/xml-signature.js';
import { cancellationXml, eventDocument } from '../domain/xml/event-xml.js';
import { localTime } from '../../../kernel/values/days.js';
import { SlotsByStore } from './slots.js';
import type { IssuingServices } from './services.js';
import { isSetupFault, SetupFaults } from './setup-faults.js';

/** What became of an attempt to bring a document to the authority. */
export type SendOutcome =
  /** Recorded, and the work on it is done. */
  | 'ended'
  | 'undecided'
  /** Nothing left, or it is certain that nothing arrived. */
  | 'never-sent'
  /** It left, and nobody knows what became of it. */
  | 'unheard'
  /** The authority that stands in for the state's does so no more. */
  | 'fallback-ended'
  /** The store's certificate or settings were refused, and the document was not looked at. */
  | 'setup-fault'
  /** The same, and it was signed with a certificate that the store has since replaced. */
  | 'signed-with-former';

/** What a question about a document gave. */
type AskOutcome =
  | 'ended'
  | 'undecided'
  /** Nothing lives under its key; so soon after sending that may still change. */
  | 'absent'
  | 'unheard'
  /** The question did not even leave. */
  | 'not-asked';

/** The number lives under another key, or was given up. */
const TAKEN_ELSEWHERE: ReadonlySet<string> = new Set(['206', '539', '562', '613']);
const FALLBACK_ENDED: ReadonlySet<string> = new Set(['113', '114']);
const DUPLICATE = '204';
/** What the authority has under the key says what became of it: 218 is one that was cancelled there. */
const KNOWN_THERE: ReadonlySet<string> = new Set([DUPLICATE, '218']);
const DUPLICATE_EVENT = '573';
/** The command that asks for a cancellation. */
export const CANCEL = 'cancel';
/** Questions of one store that are under way together. */
export const AT_ONCE = 8;

/** Brings documents to the authority: told once, asked ever after. */
export class Transmission {
  readonly faults: SetupFaults;
  private readonly slots = new SlotsByStore(AT_ONCE);
  /** Stores whose last question was answered. */
  private readonly answered = new Set<string>();

  constructor(private readonly services: IssuingServices) {
    this.faults = new SetupFaults(services.clock);
  }

  /** Hands in what nobody has seen yet. */
  async send(context: RequestContext, store: StoreFacts, document: FiscalDocument, xml: string): Promise<SendOutcome> {
    const client = await this.clientOf(store, document.facts);
    const accessKey = document.facts.accessKey ?? '';
    if (!client) return 'never-sent';
    const signed = { accessKey, digestValue: document.digestValue, xml };
    try {
      const answer = await this.atOnce(store.id, () => this.services.authority.authorize(client, signed));
      if (answer.kind === 'undecided') return 'undecided';
      if (answer.kind === 'refused' && FALLBACK_ENDED.has(answer.code)) return 'fallback-ended';
      if (answer.kind === 'refused' && mayBeThere(document, answer)) {
        return soonAfterSending(await this.asked(context, client, document, answer));
      }
      // One that its customer has already waits for the mend; who asks for one now is told.
      if (answer.kind === 'refused' && isSetupFault(answer.code) && document.facts.status === 'CONTINGENCY') {
        return await this.faultOf(store, document, xml, answer);
      }
      await this.record(context, document, answerOf(answer));
      return 'ended';
    } catch (error) {
      if (!(error instanceof AuthorityAway)) throw error;
      return error.mayHaveArrived ? soonAfterSending(await this.ask(context, store, document)) : 'never-sent';
    }
  }

  private async faultOf(
    store: StoreFacts,
    { facts: { environment } }: FiscalDocument,
    xml: string,
    { code, message }: Refused,
  ): Promise<SendOutcome> {
    const signer = await this.services.settings.signer(store.id, { ...store.fiscal, environment }, ownerOf(store));
    if (signer && !xml.includes(signer.identity.certificate)) return 'signed-with-former';
    this.faults.note(store);
    this.services.onError(new Error(`documents of store ${store.id} wait for its settings: ${code} ${message}`));
    return 'setup-fault';
  }

  /** Asks what became of what was sent. */
  async ask(context: RequestContext, store: StoreFacts, document: FiscalDocument): Promise<AskOutcome> {
    const client = await this.clientOf(store, document.facts);
    return client ? this.asked(context, client, document, undefined) : 'not-asked';
  }

  /** Under its key, and where nothing is there under those that its number had before: a process that was thought gone may have sent that text. */
  private async asked(
    context: RequestContext,
    client: AuthorityClient,
    document: FiscalDocument,
    refused: Refused | undefined,
  ): Promise<AskOutcome> {
    const present = document.facts.accessKey ?? '';
    let taken = refused;
    try {
      for (const accessKey of [present, ...formerKeysOf(document)]) {
        const answer = await this.atOnce(client.storeId, () => this.services.authority.query(client, accessKey));
        if (answer.kind === 'undecided') return 'undecided';
        const isTaken = answer.kind === 'refused' && TAKEN_ELSEWHERE.has(answer.code);
        if (isTaken) taken = answer;
        // A refusal under a former key says nothing of the present text.
        const isOfAnother = answer.kind === 'refused' && accessKey !== present;
        if (answer.kind === 'unknown' || isTaken || isOfAnother) continue;
        // What was cancelled was authorized before, and is not recorded without the protocol that says so.
        const isUnproved = answer.kind === 'cancelled' && !answer.document && document.facts.status !== 'AUTHORIZED';
        if (isUnproved) return 'unheard';
        await this.recordFound(context, document, answer, taken);
        return 'ended';
      }
      if (!taken || !TAKEN_ELSEWHERE.has(taken.code)) return 'absent';
      await this.record(context, document, answerOf(taken));
      return 'ended';
    } catch (error) {
      if (!(error instanceof AuthorityAway)) throw error;
      return error.mayHaveArrived ? 'unheard' : 'not-asked';
    }
  }

  private async recordFound(
    context: RequestContext,
    document: FiscalDocument,
    answer: Exclude<KeyAnswer, { readonly kind: 'unknown' | 'undecided' }>,
    refused: Refused | undefined,
  ): Promise<void> {
    const found = answer.kind === 'cancelled' ? answer.document : answer;
    if (found?.kind === 'authorized' && !isOurs(found, document)) {
      await this.record(context, document, takenBy(refused ?? ANOTHER_DOCUMENT));
      return;
    }
    if (answer.kind === 'cancelled') {
      if (answer.document) await this.record(context, document, answerOf(answer.document), 'more to do');
      await this.recordForeignCancellation(context, document, answer.event);
      return;
    }
    await this.record(context, document, answerOf(answer));
  }

  /** With the limit of what a store has under way at the authority. The first answer after silence hurries what waits for one. */
  async atOnce<T>(storeId: string, question: () => Promise<T>): Promise<T> {
    try {
      const answer = await this.slots.run(storeId, question);
      if (!this.answered.has(storeId)) {
        this.answered.add(storeId);
        await this.services.work.hurry(storeId);
      }
      return answer;
    } catch (error) {
      if (error instanceof AuthorityAway) this.answered.delete(storeId);
      throw error;
    }
  }

  private async record(
    context: RequestContext,
    document: FiscalDocument,
    answer: AuthorityAnswer,
    then: 'done' | 'more to do' = 'done',
  ): Promise<void> {
    const { documents, sales, work, eventStore } = this.services;
    const { attempt } = document;
    const { documentId, saleId } = document.facts;
    const job = { storeId: context.storeId, documentId, saleId };
    const command = { type: 'recordAnswer', documentId, attempt, answer, isAwaited: isAwaited(document) } as const;
    // After a rejection the sale is still to be released; one that nobody awaits and that lives after all is to be cancelled, or to hold its sale.
    const isLate = answer.kind === 'authorized' && !command.isAwaited;
    const isEnd = then === 'done' && answer.kind === 'authorized' && !isLate;
    // Where its row does not go with the fact, somebody may have the document cancelled between the two: that row is theirs.
    const isRowLeft = isEnd ? !eventStore.storesRows : answer.kind === 'rejected';
    const version = isRowLeft ? await work.versionOf(job) : undefined;
    const rows = isLate ? [work.row(job)] : isEnd && !isRowLeft ? [work.noRow(job)] : [];
    try {
      const { events } = await documents.execute(context, command, { rows });
      // Where it was known already, another process was faster: what is left to do is theirs, or of the row.
      if (events.length === 0) return;
      // Somebody may hand it in again as soon as it is rejected, and from then on what holds the sale is theirs, and the row.
      const isOver = answer.kind !== 'rejected' || (await sales.release(context, saleId, documentId, { attempt }));
      if (then === 'done' && isOver) await work.doneAsOf(job, version);
    } catch (error) {
      if (!(error instanceof AwaitedNoMore)) throw error;
      const known = await documents.find(context, documentId);
      await this.record(context, known ?? document, answer, then);
      await work.postpone(job, 'nothing');
    }
  }

  /** Whoever holds the certificate may have cancelled it elsewhere. */
  private async recordForeignCancellation(
    context: RequestContext,
    { facts: { documentId, saleId } }: FiscalDocument,
    event: Registered,
  ): Promise<void> {
    const reason = 'Cancelado junto à autorizadora';
    const requestedAt = event.registeredAt;
    const asked = { documentId, reason, requestedAt, sealedXml: '', within: Infinity };
    const { documents, sales, work } = this.services;
    await documents.execute(context, { type: 'requestCancellation', ...asked });
    await documents.execute(context, { type: 'recordCancellation', documentId, answer: registeredAs(event) });
    await sales.release(context, saleId, documentId);
    await work.done({ storeId: context.storeId, documentId });
  }

  /** Signs the event of a cancellation and fixes it; a second call finds the first. False without a certificate to sign with. */
  async requestCancellation(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    asked: { readonly reason: string; readonly within: number },
    substitutedBy?: string,
  ): Promise<boolean> {
    const { documents, clock, settings, work } = this.services;
    const { documentId, saleId, accessKey, protocol, environment } = document.facts;
    const key = await documents.keyOf(store.id, documentId);
    const signer = await settings.signer(store.id, { ...store.fiscal, environment }, ownerOf(store));
    if (!signer) return false;
    if (!key || accessKey === null || protocol === null) throw new Error(`document ${documentId} is not complete`);
    const now = clock.now();
    const at = localTime(now, layoutTimeZone(now, store.timeZone));
    const part = cancellationXml({
      environment,
      taxId: taxIdIn(accessKey),
      accessKey,
      protocol,
      at,
      reason: asked.reason,
      substitutedBy,
    });
    const xml = eventDocument(part.sent, await signatureOf(part, signer.identity));
    const sealedXml = sealXml(key, { documentId, part: 'cancellation' }, xml);
    const known = await documents.known(context, documentId);
    const requestedAt = new Date(now).toISOString();
    const command = { type: 'requestCancellation', documentId, ...asked, requestedAt, sealedXml, known } as const;
    const rows = [work.row({ storeId: store.id, documentId, saleId })];
    // What an earlier run of the request asked for may have been refused since: then it is asked for anew, and fixed again.
    do await documents.execute(context, command, { name: CANCEL, rows });
    while (context.isRepeat && isNotAskedFor(await documents.find(context, documentId)));
    return true;
  }

  /** Tells the authority of a cancellation that is fixed; repeating it does no harm: it then says that it knows. */
  async sendCancellation(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
  ): Promise<EventAnswer | 'unheard'> {
    const { documents, authority, sales } = this.services;
    const { documentId, saleId, accessKey } = document.facts;
    const client = await this.clientOf(store, document.facts);
    const xml = await documents.text(context, documentId, 'cancellation', document.revisions);
    if (!client || xml === undefined || accessKey === null) return 'unheard';
    try {
      const given = await this.atOnce(store.id, () => authority.cancel(client, { accessKey, xml }));
      const known = given.kind === 'refused' && given.code === DUPLICATE_EVENT;
      const answer = known
        ? cancelledAs(await this.atOnce(store.id, () => authority.query(client, accessKey)))
        : eventAnswerOf(given);
      if (!answer) return 'unheard';
      // By what it answers: a repeat may have asked anew.
      const name = `answer to cancellation ${String(document.revisions.cancellation)}`;
      await documents.execute(context, { type: 'recordCancellation', documentId, answer }, { name });
      if (answer.kind === 'registered') await sales.release(context, saleId, documentId);
      return answer;
    } catch (error) {
      if (!(error instanceof AuthorityAway)) throw error;
      return 'unheard';
    }
  }

  /** Undefined without a certificate that may be used. */
  async clientOf(
    store: StoreFacts,
    { model, environment, accessKey }: Pick<DocumentFacts, 'model' | 'environment' | 'accessKey'>,
  ): Promise<AuthorityClient | undefined> {
    const { fiscal: settings, taxId } = store;
    const inForce = settings.environment === environment ? settings : { ...settings, environment };
    const signer = await this.services.settings.signer(store.id, inForce, ownerOf(store));
    if (!signer || taxId === null || !settings.address) return undefined;
    return {
      storeId: store.id,
      taxId,
      // A store that moved still has documents where it was.
      state: stateWithCode(accessKey ?? '') ?? settings.address.state,
      model,
      environment,
      certificate: signer.certificate,
      triesOutage: settings.simulatorOutage,
    };
  }
}

export const ownerOf = ({ taxId, legalName }: StoreFacts) => ({ taxId: taxId ?? '', name: legalName });

/** A key holds its issuer's tax id. */
export const taxIdIn = (accessKey: string): string => accessKey.slice(6, 20);

/** Whoever sent it used our key: nothing of it is ours to hand out. */
const ANOTHER_DOCUMENT: Refused = {
  kind: 'refused',
  code: DUPLICATE,
  protocol: null,
  message: 'Consta outro documento sob a chave de acesso',
};

/** Whether the authority's refusal leaves open that it has the document, under its key or one of before. */
const mayBeThere = (document: FiscalDocument, { code }: Refused): boolean =>
  KNOWN_THERE.has(code) || (TAKEN_ELSEWHERE.has(code) && formerKeysOf(document).length > 0);

/** Data bases lag: what is not there yet may come. */
const soonAfterSending = (outcome: AskOutcome): SendOutcome =>
  outcome === 'absent' || outcome === 'not-asked' ? 'unheard' : outcome;

/** Whether what lives under the key is this very document, as it is signed now or was before. */
const isOurs = ({ digestValue }: Authorized, document: FiscalDocument): boolean =>
  digestValue === document.digestValue || earlierTextOf(document, digestValue) !== undefined;

function answerOf(answer: Authorized | Refused): AuthorityAnswer {
  const { code, message, protocol } = answer;
  if (answer.kind === 'authorized') {
    const { receivedAt: at, protocolXml } = answer;
    return { kind: 'authorized', code, protocol: answer.protocol, at, protocolXml };
  }
  const words = { code, message };
  return { kind: 'rejected', words, numberTaken: TAKEN_ELSEWHERE.has(code), final: protocol !== null };
}

/** The next number is free of what lives under this key. */
const takenBy = ({ code, message }: Refused): AuthorityAnswer => ({
  kind: 'rejected',
  words: { code, message },
  numberTaken: true,
  final: false,
});

const registeredAs = ({ code, protocol, registeredAt, answerXml }: Registered): EventAnswer => ({
  kind: 'registered',
  code,
  protocol,
  at: registeredAt,
  answerXml,
});

export const eventAnswerOf = (answer: Registered | Refused): EventAnswer =>
  answer.kind === 'registered'
    ? registeredAs(answer)
    : { kind: 'refused', words: { code: answer.code, message: answer.message } };

const isNotAskedFor = (document: FiscalDocument | null | undefined): boolean =>
  document?.facts.status === 'AUTHORIZED' && document.facts.cancellation === null;

/** What the authority knew of the cancellation before; undefined where it does not show it yet. */
const cancelledAs = (answer: KeyAnswer): EventAnswer | undefined =>
  answer.kind === 'cancelled' ? registeredAs(answer.event) : undefined;
