import * as http from 'node:http';
import * as https from 'node:https';
import { rootCertificates } from 'node:tls';
import { z } from 'zod';
import type { State } from '../../brazil/states.js';
import type { Fallback } from '../../brazil/tax-authorities.js';
import type { AuthorityClient } from '../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';
import { unbelievable } from '../fiscal-services/answers.js';
import type { NetworkOptions } from '../fiscal-services/network-authority.js';
import { NetworkAuthority } from '../fiscal-services/network-authority.js';
import type { Answered } from '../fiscal-services/exchange.js';
import { exchange, textOf } from '../fiscal-services/exchange.js';
import type { Question, Transport } from '../fiscal-services/transport.js';
import type { AddressFile } from '../sefaz/addresses.js';
import { AuthorityBook, readAddressFile } from '../sefaz/addresses.js';
import { readAuthorities } from '../sefaz/certificate-agents.js';

const CONNECTIONS = 64;
const KEEP_ALIVE = 4_000;
const CONNECT_WITHIN = 10_000;
const ANSWER_WITHIN = { 55: 60_000, 65: 20_000 } as const;
const OK = 200;
/** The gateway did not hand the message on. */
const NOT_SENT = 503;

const answerBody = z.object({ answer: z.string() });

interface GatewayOptions {
  readonly url: string;
  readonly token: string | undefined;
  /** PEM, beside those that Node knows. */
  readonly authorities: readonly string[];
  /** The transmitter knows where authorities are; who stands in for whom, and where consumers look, is said here. */
  readonly addresses?: AddressFile;
  /** Milliseconds until the whole answer is here. */
  readonly answerWithin?: number;
}

/** Hands messages to a transmitter service, which signs in at the authority itself. */
export class GatewayTransport implements Transport {
  private readonly agent: http.Agent;
  private readonly url: URL;
  private readonly book: AuthorityBook;

  constructor(private readonly options: GatewayOptions) {
    this.book = new AuthorityBook(options.addresses ?? {});
    this.url = new URL(options.url);
    const { authorities } = options;
    const plain = { keepAlive: true, timeout: KEEP_ALIVE, maxSockets: CONNECTIONS };
    this.agent =
      this.url.protocol === 'https:'
        ? new https.Agent({
            ...plain,
            ...(authorities.length > 0 ? { ca: [...rootCertificates, ...authorities] } : {}),
          })
        : new http.Agent(plain);
  }

  authorityOf({ state, model, environment }: AuthorityClient, fallback: Fallback | undefined): string {
    return `${fallback ?? state} ${String(model)} ${environment}`;
  }

  fallbackOf(state: State): Fallback {
    return this.book.fallbackOf(state);
  }

  consumerAddresses(issuer: Pick<AuthorityClient, 'state' | 'environment'>) {
    return this.book.consumerAddresses(issuer);
  }

  async send({ client, service, fallback = null, message }: Questioned): Promise<string> {
    const { state, model, environment, taxId } = client;
    const { token } = this.options;
    const answer = await exchange({
      url: this.url,
      agent: this.agent,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ service, state, fallback, model, environment, taxId, message }),
      connectWithin: CONNECT_WITHIN,
      answerWithin: this.options.answerWithin ?? ANSWER_WITHIN[model],
    });
    return answerIn(answer);
  }

  close(): Promise<void> {
    this.agent.destroy();
    return Promise.resolve();
  }
}

type Questioned = Omit<Question, 'fallback'> & { readonly fallback: Fallback | undefined | null };

function answerIn(answer: Answered): string {
  const { status } = answer;
  if (status === NOT_SENT) {
    const words = { pt: 'O transmissor não enviou (HTTP 503)', en: 'The transmitter did not send it (HTTP 503)' };
    throw new AuthorityAway(words, false, { stage: 'connection' });
  }
  if (status !== OK) {
    const what = `HTTP ${String(status)}`;
    throw new AuthorityAway({ pt: `O transmissor respondeu ${what}`, en: `The transmitter answered ${what}` }, true);
  }
  const text = textOf(answer);
  try {
    return answerBody.parse(JSON.parse(text ?? '')).answer;
  } catch (error) {
    const words = {
      pt: 'o transmissor não deu um JSON com a resposta',
      en: 'the transmitter gave no JSON with an answer',
    };
    throw unbelievable(words, { cause: error });
  }
}

export async function openGateway(
  settings: {
    readonly url: string;
    readonly token: string | undefined;
    readonly authorities: string | undefined;
    readonly addresses: string | undefined;
  },
  options: NetworkOptions,
): Promise<NetworkAuthority> {
  const [authorities, addresses] = await Promise.all([
    readAuthorities(settings.authorities),
    readAddressFile(settings.addresses),
  ]);
  return new NetworkAuthority('http', new GatewayTransport({ ...settings, authorities, addresses }), options);
}
