import type { Fallback } from '../../brazil/tax-authorities.js';
import type { AuthorityClient } from '../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';
import { unbelievable } from '../fiscal-services/answers.js';
import type { Answered } from '../fiscal-services/exchange.js';
import { exchange, textOf } from '../fiscal-services/exchange.js';
import type { Question, Transport } from '../fiscal-services/transport.js';
import type { AddressFile } from './addresses.js';
import { AuthorityBook } from './addresses.js';
import { CertificateAgents } from './certificate-agents.js';
import { soapRequest } from './soap.js';

interface SoapTransportOptions {
  readonly addresses: AddressFile;
  /** PEM, beside those that Node knows. */
  readonly authorities: readonly string[];
}

const FORBIDDEN = 403;
const OK = 200;
const SERVER_ERROR = 500;

/** Speaks to the authorities' own services, with the store's certificate. */
export class SoapTransport implements Transport {
  private readonly book: AuthorityBook;
  private readonly agents: CertificateAgents;

  constructor({ addresses, authorities }: SoapTransportOptions) {
    this.book = new AuthorityBook(addresses);
    this.agents = new CertificateAgents(authorities);
  }

  authorityOf(client: AuthorityClient, fallback: Fallback | undefined): string {
    return this.book.placeOf(client, fallback).name;
  }

  async send({ client, service, fallback, message }: Question): Promise<string> {
    const place = this.book.placeOf(client, fallback);
    const address = place.addresses[service];
    if (address === undefined) {
      throw new AuthorityAway(`${place.name} has no address for ${service}`, false, { stage: 'address' });
    }
    const answer = await exchange({
      url: new URL(address),
      agent: this.agentFor(client, place.tls),
      ...soapRequest(service, message, place),
      connectWithin: this.book.connectWithin,
      answerWithin: this.book.answerWithin(client.model),
    });
    return soapText(answer);
  }

  close(): Promise<void> {
    this.agents.close();
    return Promise.resolve();
  }

  private agentFor({ certificate }: AuthorityClient, tls: Parameters<CertificateAgents['agentOf']>[1]) {
    try {
      return this.agents.agentOf(certificate, tls);
    } catch (error) {
      const why = error instanceof Error ? error.message : '';
      const options = { stage: 'own-certificate', cause: error } as const;
      throw new AuthorityAway(`The store's certificate cannot be used: ${why}`, false, options);
    }
  }
}

/** What was answered as text; anything but an answer of the service is said plainly. */
function soapText(answer: Answered): string {
  const { status } = answer;
  if (status === FORBIDDEN) {
    const why = 'HTTP 403: the service does not take the certificate of the store';
    throw new AuthorityAway(why, true, { stage: 'own-certificate' });
  }
  // Faults come with 500.
  if (status !== OK && status !== SERVER_ERROR)
    throw new AuthorityAway(`The service answered HTTP ${String(status)}`, true);
  const text = textOf(answer);
  if (text === undefined) throw unbelievable('its text is not in the encoding that it says');
  return text;
}
