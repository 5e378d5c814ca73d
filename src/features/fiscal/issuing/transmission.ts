import type { RequestContext } from '../../../kernel/routes/route.js';
import type { AuthorityClient, Authorized, KeyAnswer, Refused, Registered } from '../../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../../ports/fiscal-authority.js';
import type { StoreFacts } from '../../contracts/feature.js';
import { fiscal } from '../decider.js';
import type { AuthorityAnswer, EventAnswer } from '../domain/commands.js';
import type { FiscalDocument } from '../domain/document.js';
import type { Environment, Model } from '../events.js';
import { sealXml } from '../signing/sealed-xml.js';
import { signatureOf } from '../signing/xml-signature.js';
import { cancellationXml, eventDocument } from '../domain/xml/event-xml.js';
import { localTime } from '../../../kernel/values/days.js';
import { SlotsByStore } from './slots.js';
import type { IssuingServices } from './services.js';

/** What became of an attempt to bring a document to the authority. */
export type Outcome = 'ended' | 'undecided' | 'never-sent' | 'unheard';

const TAKEN_ELSEWHERE = '539';
const DUPLICATE = '204';
const DUPLICATE_EVENT = '573';
const AT_ONCE = 8;

/** Brings documents to the authority: told once, asked ever after. */
export class Transmission {
  private readonly slots = new SlotsByStore(AT_ONCE);

  constructor(private readonly services: IssuingServices) {}

  /** Hands in what nobody has seen yet. */
  async send(context: RequestContext, store: StoreFacts, document: FiscalDocument, xml: string): Promise<Outcome> {
    const client = await this.clientOf(store, document.facts);
    const accessKey = document.facts.accessKey ?? '';
    if (!client) return 'never-sent';
    const signed = { accessKey, digestValue: document.digestValue, xml };
    return this.tried(
      async () => {
        const answer = await this.slots.run(store.id, () => this.services.authority.authorize(client, signed));
        if (answer.kind === 'undecided') return 'undecided';
        if (answer.kind === 'refused' && answer.code === DUPLICATE)
          return this.asked(context, client, document, answer);
        await this.record(context, document, answerOf(answer));
        return 'ended';
      },
      () => this.ask(context, store, document),
    );
  }

  /** Asks what became of what was sent; `never-sent` when the authority knows nothing of it. */
  async ask(context: RequestContext, store: StoreFacts, document: FiscalDocument): Promise<Outcome> {
    const client = await this.clientOf(store, document.facts);
    if (!client) return 'unheard';
    return this.tried(() => this.asked(context, client, document, undefined), undefined);
  }

  private async asked(
    context: RequestContext,
    client: AuthorityClient,
    document: FiscalDocument,
    duplicate: Refused | undefined,
  ): Promise<Outcome> {
    const accessKey = document.facts.accessKey ?? '';
    const answer = await this.slots.run(client.storeId, () => this.services.authority.query(client, accessKey));
    switch (answer.kind) {
      case 'unknown':
        return 'never-sent';
      case 'undecided':
        return 'undecided';
      case 'cancelled':
        if (answer.document) await this.record(context, document, answerOf(answer.document));
        await this.recordForeignCancellation(context, document, answer.event);
        return 'ended';
      case 'authorized':
      case 'refused':
        await this.record(
          context,
          document,
          duplicate && !isOurs(answer, document) ? answerOf(duplicate) : answerOf(answer),
        );
        return 'ended';
    }
  }

  /** Without an answer: what was not sent was never sent, everything else is asked about. */
  private async tried(
    attempt: () => Promise<Outcome>,
    afterwards: (() => Promise<Outcome>) | undefined,
  ): Promise<Outcome> {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AuthorityAway)) throw error;
      if (!afterwards) return 'unheard';
      return error.mayHaveArrived ? afterwards() : 'never-sent';
    }
  }

  private async record(context: RequestContext, { facts }: FiscalDocument, answer: AuthorityAnswer): Promise<void> {
    const { documentId, saleId, accessKey } = facts;
    const command = { type: 'recordAnswer', documentId, accessKey: accessKey ?? '', answer } as const;
    await context.execute(fiscal, command);
    if (answer.kind === 'rejected') await this.services.sales.release(context, saleId, documentId);
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
    await context.execute(fiscal, { type: 'requestCancellation', ...asked });
    await context.execute(fiscal, { type: 'recordCancellation', documentId, answer: registeredAs(event) });
    await this.services.sales.release(context, saleId, documentId);
  }

  /** Signs the event of a cancellation and fixes it; a second call finds the first. */
  async requestCancellation(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    asked: { readonly reason: string; readonly within: number },
  ): Promise<void> {
    const { documents, clock, settings, work } = this.services;
    const { documentId, saleId, accessKey, protocol, environment } = document.facts;
    const key = await documents.keyOf(store.id, documentId);
    const signer = await settings.signer(store.id, store.fiscal, ownerOf(store));
    if (!key || !signer || accessKey === null || protocol === null) return;
    const now = clock.now();
    const at = localTime(now, store.timeZone);
    const part = cancellationXml({ environment, taxId: taxIdIn(accessKey), accessKey, protocol, at, ...asked });
    const xml = eventDocument(part.sent, await signatureOf(part, signer.identity));
    const sealedXml = sealXml(key, { documentId, part: 'cancellation' }, xml);
    const known = await documents.known(context, documentId);
    const requestedAt = new Date(now).toISOString();
    const command = { type: 'requestCancellation', documentId, ...asked, requestedAt, sealedXml, known } as const;
    const rows = [work.row({ storeId: store.id, documentId, saleId })];
    await context.execute(fiscal, command, { name: 'cancel', rows });
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
      const given = await this.slots.run(store.id, () => authority.cancel(client, { accessKey, xml }));
      const known = given.kind === 'refused' && given.code === DUPLICATE_EVENT;
      const answer = known ? cancelledAs(await authority.query(client, accessKey)) : eventAnswerOf(given);
      await context.execute(fiscal, { type: 'recordCancellation', documentId, answer });
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
    { model, environment }: { readonly model: number; readonly environment: Environment },
  ): Promise<AuthorityClient | undefined> {
    const { fiscal: settings, taxId } = store;
    const signer = await this.services.settings.signer(store.id, { ...settings, environment }, ownerOf(store));
    if (!signer || taxId === null || !settings.address) return undefined;
    return {
      storeId: store.id,
      taxId,
      state: settings.address.state,
      model: model as Model,
      environment,
      certificate: signer.certificate,
      triesOutage: settings.simulatorOutage,
    };
  }

  get authority() {
    return this.services.authority;
  }
}

export const ownerOf = ({ taxId, legalName }: StoreFacts) => ({ taxId: taxId ?? '', name: legalName });

/** A key holds its issuer's tax id. */
export const taxIdIn = (accessKey: string): string => accessKey.slice(6, 20);

/** Whether what lives under the key is this very document. */
const isOurs = (answer: Authorized | Refused, { digestValue }: FiscalDocument): boolean =>
  answer.kind === 'authorized' && answer.digestValue === digestValue;

function answerOf(answer: Authorized | Refused): AuthorityAnswer {
  const { code, message, protocol } = answer;
  if (answer.kind === 'authorized') {
    const { receivedAt: at, protocolXml } = answer;
    return { kind: 'authorized', code, protocol: answer.protocol, at, protocolXml };
  }
  const words = { code, message };
  return { kind: 'rejected', words, numberTaken: code === TAKEN_ELSEWHERE, final: protocol !== null };
}

const registeredAs = ({ code, protocol, registeredAt, answerXml }: Registered): EventAnswer => ({
  ...{ kind: 'registered', code, protocol, at: registeredAt, answerXml },
});

export const eventAnswerOf = (answer: Registered | Refused): EventAnswer =>
  answer.kind === 'registered'
    ? registeredAs(answer)
    : { kind: 'refused', words: { code: answer.code, message: answer.message } };

/** What the authority knew of the cancellation before. */
function cancelledAs(answer: KeyAnswer): EventAnswer {
  if (answer.kind === 'cancelled') return registeredAs(answer.event);
  return { kind: 'refused', words: { code: answer.code, message: answer.message } };
}
