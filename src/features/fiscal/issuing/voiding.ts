import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { dayOf } from '../../../kernel/values/days.js';
import { AuthorityAway } from '../../../ports/fiscal-authority.js';
import type { StoreFacts } from '../../contracts/feature.js';
import type { EventAnswer } from '../domain/commands.js';
import type { FiscalDocument } from '../domain/document.js';
import { voidDocument, voidXml } from '../domain/xml/event-xml.js';
import { sealXml } from '../signing/sealed-xml.js';
import { signatureOf } from '../signing/xml-signature.js';
import type { IssuingServices } from './services.js';
import type { Transmission } from './transmission.js';
import { eventAnswerOf, ownerOf, taxIdIn } from './transmission.js';

/** The command that asks for it. */
export const VOID = 'void';

/** The same range was given up before, or another one with this number in it: it is done. */
const DUPLICATE_VOID: ReadonlySet<string> = new Set(['256', '563']);

type Answer = EventAnswer | 'unheard' | 'no-certificate';

/** Gives numbers up: the request is fixed first, and may be repeated as it is. */
export class Voiding {
  /** By document: the authority is told once, and whoever asks meanwhile gets the same answer. */
  private readonly running = new Map<string, Promise<Answer>>();

  constructor(
    private readonly services: IssuingServices,
    private readonly transmission: Transmission,
  ) {}

  void(context: RequestContext, store: StoreFacts, document: FiscalDocument, reason: string): Promise<Answer> {
    const { documentId } = document.facts;
    const before = this.running.get(documentId);
    if (before) return before;
    const answer = this.told(context, store, document, reason).finally(() => this.running.delete(documentId));
    this.running.set(documentId, answer);
    return answer;
  }

  private async told(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    reason: string,
  ): Promise<Answer> {
    const client = await this.transmission.clientOf(store, document.facts);
    const xml = await this.requested(context, store, document, reason);
    if (xml === undefined) return 'no-certificate';
    if (!client) return 'unheard';
    const { documentId, saleId } = document.facts;
    const id = /Id="([^"]+)"/.exec(xml)?.[1] ?? '';
    try {
      const given = await this.transmission.atOnce(store.id, () =>
        this.services.authority.voidNumbers(client, { id, xml }),
      );
      const known = given.kind === 'refused' && DUPLICATE_VOID.has(given.code);
      const at = new Date(this.services.clock.now()).toISOString();
      const answer: EventAnswer = known
        ? { kind: 'registered', code: given.code, protocol: null, at, answerXml: null }
        : eventAnswerOf(given);
      const { documents, sales } = this.services;
      // By what it answers: a repeat may have asked anew.
      const name = `answer to void ${String((await documents.find(context, documentId))?.revisions.void)}`;
      await documents.execute(context, { type: 'recordVoid', documentId, answer }, { name });
      if (answer.kind === 'registered') await sales.release(context, saleId, documentId);
      return answer;
    } catch (error) {
      if (!(error instanceof AuthorityAway)) throw error;
      return 'unheard';
    }
  }

  /** The signed request, from before where there was one; undefined without a certificate to sign it with. */
  private async requested(
    context: RequestContext,
    store: StoreFacts,
    document: FiscalDocument,
    reason: string,
  ): Promise<string | undefined> {
    const { documents, settings, clock, work } = this.services;
    const { documentId, saleId, model, series, number, environment, accessKey } = document.facts;
    if (number === null || accessKey === null) return this.refusedWithoutNumber(context, documentId, reason);
    const before = document.voiding ? await documents.text(context, documentId, 'void', document.revisions) : undefined;
    if (before !== undefined) return before;
    const key = await documents.keyOf(store.id, documentId);
    const signer = await settings.signer(store.id, { ...store.fiscal, environment }, ownerOf(store));
    if (!signer) return undefined;
    if (!key) throw new Error(`the key of document ${documentId} is lost`);
    const now = clock.now();
    const part = voidXml({
      environment,
      model,
      series,
      number,
      reason,
      taxId: taxIdIn(accessKey),
      stateCode: accessKey.slice(0, 2),
      year: dayOf(now, store.timeZone).slice(2, 4),
    });
    const xml = voidDocument(part.sent, await signatureOf(part, signer.identity));
    const sealedXml = sealXml(key, { documentId, part: 'void' }, xml);
    const requestedAt = new Date(now).toISOString();
    const rows = [work.row({ storeId: store.id, documentId, saleId })];
    const known = await documents.known(context, documentId);
    const command = { type: 'requestVoid', documentId, reason, requestedAt, sealedXml, known } as const;
    let asked, fixed;
    // What an earlier run of the request asked for may have been refused since: then it is asked for anew, and fixed again.
    do {
      asked = await documents.execute(context, command, { name: VOID, rows });
      fixed = await documents.find(context, documentId);
    } while (context.isRepeat && fixed?.voiding === null && fixed.facts.status !== 'VOIDED');
    if (asked.events.length > 0) return xml;
    // Somebody else asked for it first: the authority is told the same by both.
    const first = fixed && (await documents.text(context, documentId, 'void', fixed.revisions));
    if (!first) throw new Error(`what gives up the number of document ${documentId} is lost`);
    return first;
  }

  /** The decision says why. */
  private async refusedWithoutNumber(context: RequestContext, documentId: string, reason: string): Promise<undefined> {
    const { documents } = this.services;
    const known = await documents.known(context, documentId);
    const command = { type: 'requestVoid', documentId, reason, requestedAt: context.at, sealedXml: '', known } as const;
    await documents.execute(context, command, { name: VOID });
    return undefined;
  }
}
