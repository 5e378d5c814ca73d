import { setTimeout as pause } from 'node:timers/promises';
import { isState } from '../../brazil/states.js';
import type { Fallback } from '../../brazil/tax-authorities.js';
import type { Clock } from '../../kernel/values/clock.js';
import type {
  AuthorityClient,
  AuthorizationAnswer,
  EventAnswer,
  FallbackAuthority,
  FiscalAuthority,
  KeyAnswer,
  ServiceAnswer,
  SignedDocument,
  SignedEvent,
  SignedVoid,
} from '../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';
import type { Vault } from '../../ports/vault.js';
import {
  answerElement,
  AskedTooOften,
  authorizationAnswer,
  eventAnswer,
  FallbackEnded,
  keyAnswer,
  spoken,
  statusAnswer,
  voidAnswer,
} from './answers.js';
import type { Receipt } from './answers.js';
import type { HOURLY } from './limits.js';
import { HourlyLimits } from './limits.js';
import { authorizationMessage, eventMessage, queryMessage, receiptMessage, statusMessage } from './messages.js';
import { IssuerRests } from './rests.js';
import type { Question, Transport } from './transport.js';
import { ServiceWatch } from './watch.js';
import type { XmlElement } from './xml.js';

/** The manual asks for three minutes between two questions for the state of a service. */
const PROBE_EVERY = 180_000;
/** How long a receipt is asked for before the document is asked for by its key. */
const RECEIPT_PATIENCE = 30_000;
const LONGEST_WAIT = 15_000;
const SECOND = 1_000;

export interface NetworkOptions {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly probeEvery?: number;
  readonly receiptPatience?: number;
  /** Told when an authority goes away, comes back, or blocks somebody. */
  readonly onChange?: (authority: string, change: string) => void;
}

/** The tax authority as its messages show it, however they get there. */
export class NetworkAuthority implements FiscalAuthority {
  private readonly watch: ServiceWatch;
  private readonly rests: IssuerRests;
  private readonly limits = new HourlyLimits();
  private readonly clock: Clock;
  private readonly closing = new AbortController();

  constructor(
    readonly name: 'sefaz' | 'http',
    private readonly transport: Transport,
    private readonly options: NetworkOptions,
  ) {
    const { vault, clock, probeEvery = PROBE_EVERY } = options;
    this.clock = clock;
    this.rests = new IssuerRests(vault, clock);
    this.watch = new ServiceWatch(clock, probeEvery, (authority, change) => options.onChange?.(authority, change));
  }

  async authorize(client: AuthorityClient, document: SignedDocument): Promise<AuthorizationAnswer> {
    const { accessKey, digestValue, xml } = document;
    this.expectAllowed('authorization', accessKey);
    const fallback = standingIn(accessKey);
    const asked = { client, accessKey, digestValue };
    const question = { client, service: 'authorization', fallback, message: authorizationMessage(xml) } as const;
    const progress = { isReceived: false };
    try {
      return await this.asked(question, 'retEnviNFe', async (element) => {
        const first = authorizationAnswer(asked, element);
        if (first.kind !== 'receipt') return first;
        progress.isReceived = true;
        return this.byReceipt(asked, fallback, first);
      });
    } catch (error) {
      throw progress.isReceived && error instanceof AuthorityAway ? afterReceipt(error) : error;
    }
  }

  /** Asks for a receipt, each time later, until there is an answer or patience ends. */
  private async byReceipt(
    asked: { readonly client: AuthorityClient; readonly accessKey: string; readonly digestValue: string },
    fallback: Fallback | undefined,
    { number, seconds }: Receipt,
  ): Promise<AuthorizationAnswer> {
    const { client } = asked;
    const message = receiptMessage(client, number);
    const last = performance.now() + (this.options.receiptPatience ?? RECEIPT_PATIENCE);
    let wait = Math.min(Math.max(seconds * 1.3 * SECOND, SECOND), LONGEST_WAIT);
    for (;;) {
      const still = { kind: 'undecided', code: '105', message: 'Lote em processamento' } as const;
      if (performance.now() + wait > last) return still;
      await this.pause(wait);
      if (!this.limits.take('authorizationResult', number, this.clock.now())) return still;
      const text = await this.send({ client, service: 'authorizationResult', fallback, message });
      const answer = authorizationAnswer(asked, answerElement(text, 'retConsReciNFe'));
      if (answer.kind !== 'undecided' && answer.kind !== 'receipt') return answer;
      wait = Math.min(wait * 1.5, LONGEST_WAIT);
    }
  }

  async query(client: AuthorityClient, accessKey: string): Promise<KeyAnswer> {
    this.expectAllowed('query', accessKey);
    const message = queryMessage(client, accessKey);
    const asked = (fallback: Fallback | undefined) =>
      this.asked({ client, service: 'query', fallback, message }, 'retConsSitNFe', (element) =>
        keyAnswer({ client, accessKey }, element),
      );
    const fallback = standingIn(accessKey);
    if (fallback === undefined) return asked(undefined);
    try {
      return await asked(fallback);
    } catch (error) {
      if (!(error instanceof FallbackEnded)) throw error;
      return asked(undefined);
    }
  }

  status(client: AuthorityClient): Promise<ServiceAnswer> {
    return this.statusOf(client, undefined);
  }

  async fallback(client: AuthorityClient): Promise<FallbackAuthority | undefined> {
    if (client.model !== 55 || !isState(client.state)) return undefined;
    const fallback = this.transport.fallbackOf(client.state);
    try {
      const { available } = await this.statusOf(client, fallback);
      return available ? (fallback === 'SVC-AN' ? 'SVC_AN' : 'SVC_RS') : undefined;
    } catch (error) {
      if (!(error instanceof AuthorityAway)) throw error;
      return undefined;
    }
  }

  async cancel(client: AuthorityClient, { accessKey, xml }: SignedEvent): Promise<EventAnswer> {
    this.expectAllowed('event', accessKey);
    const question = { client, service: 'event', fallback: standingIn(accessKey) } as const;
    return this.asked({ ...question, message: eventMessage(xml) }, 'retEnvEvento', (element) =>
      eventAnswer({ client, accessKey }, element),
    );
  }

  async voidNumbers(client: AuthorityClient, { id, xml }: SignedVoid): Promise<EventAnswer> {
    this.expectAllowed('void', id);
    const question = { client, service: 'void', fallback: undefined, message: xml } as const;
    return this.asked(question, 'retInutNFe', (element) => voidAnswer(client, id, element));
  }

  consumerAddresses(issuer: Pick<AuthorityClient, 'state' | 'environment'>) {
    return this.transport.consumerAddresses(issuer);
  }

  /** What was on its way then is asked about after the next start: that the service stops says nothing of the authority. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.transport.close();
  }

  /** Limits are counted here, so that nobody's fault gets a store blocked. */
  private expectAllowed(what: keyof typeof HOURLY, thing: string): void {
    if (this.limits.take(what, thing, this.clock.now())) return;
    const pt = 'A SEFAZ já recebeu sobre isto as consultas que permite em uma hora';
    const en = 'The authority was asked about this as often as it allows in an hour';
    throw new AuthorityAway({ pt, en }, false, { stage: 'not-asked' });
  }

  private async asked<T>(
    question: Question,
    answerName: string,
    read: (element: XmlElement) => T | Promise<T>,
  ): Promise<T> {
    const { client, fallback } = question;
    const authority = this.transport.authorityOf(client, fallback);
    const issuer = `${authority} ${client.taxId}`;
    await this.rests.expectNone(issuer);
    try {
      return await this.watch.ask(
        authority,
        issuer,
        () => this.probe(client, fallback),
        async () => read(answerElement(await this.send(question), answerName)),
      );
    } catch (error) {
      await this.restAfter(error, issuer, authority);
      throw error;
    }
  }

  private async statusOf(client: AuthorityClient, fallback: Fallback | undefined): Promise<ServiceAnswer> {
    const authority = this.transport.authorityOf(client, fallback);
    const issuer = `${authority} ${client.taxId}`;
    await this.rests.expectNone(issuer);
    try {
      return await this.watch.status(statusKey(authority, client, fallback), issuer, () =>
        this.probe(client, fallback),
      );
    } catch (error) {
      await this.restAfter(error, issuer, authority);
      throw error;
    }
  }

  private async probe(client: AuthorityClient, fallback: Fallback | undefined): Promise<ServiceAnswer> {
    const question = { client, service: 'status', fallback, message: statusMessage(client) } as const;
    const text = await this.send(question);
    return statusAnswer(client, answerElement(text, 'retConsStatServ'), this.clock.now());
  }

  private async restAfter(error: unknown, issuer: string, authority: string): Promise<void> {
    if (!(error instanceof AskedTooOften)) return;
    this.options.onChange?.(authority, `blocks ${issuer}: ${error.message}`);
    await this.rests.begin(issuer, spoken(error.said));
  }

  private async send(question: Question): Promise<string> {
    this.expectOpen();
    try {
      return await this.transport.send(question);
    } catch (error) {
      this.expectOpen(error);
      throw error;
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.closing.signal }).catch((error: unknown) => {
      this.expectOpen(error);
    });
  }

  private expectOpen(cause?: unknown): void {
    if (this.closing.signal.aborted)
      throw new Error('the authority is not asked any more: the service stops', { cause });
  }
}

/** However the question for a receipt failed: the authority has the document. */
const afterReceipt = (error: AuthorityAway): AuthorityAway =>
  new AuthorityAway(error.words, true, { stage: error.stage, cause: error });

/** A virtual authority is on for one state and off for another. */
const statusKey = (authority: string, { state }: AuthorityClient, fallback: Fallback | undefined): string =>
  fallback === undefined ? authority : `${authority} ${state}`;

/** Emission types 6 and 7 name who stood in when the document was signed. */
function standingIn(accessKey: string): Fallback | undefined {
  const type = accessKey.charAt(34);
  if (type === '6') return 'SVC-AN';
  return type === '7' ? 'SVC-RS' : undefined;
}
