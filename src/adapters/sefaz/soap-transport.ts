import type { State } from '../../brazil/states.js';
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

  fallbackOf(state: State): Fallback {
    return this.book.fallbackOf(state);
  }

  consumerAddresses(issuer: Pick<AuthorityClient, 'state' | 'environment'>) {
    return this.book.consumerAddresses(issuer);
  }

  async send({ client, service, fallback, message }: Question): Promise<string> {
    const place = this.book.placeOf(client, fallback);
    const address = place.addresses[service];
    if (address === undefined) {
      throw noAddress(place.name, service);
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
      const pt = `O certificado da loja não pode ser usado: envie-o de novo (${why})`;
      const en = `The store's certificate cannot be used: upload it again (${why})`;
      throw new AuthorityAway({ pt, en }, false, options);
    }
  }
}

const noAddress = (place: string, service: string): AuthorityAway => {
  const pt = `Não há endereço do serviço ${service} para ${place}: informe-o no arquivo de SEFAZ_ADDRESSES`;
  const en = `${place} has no address for ${service}: name it in the file of SEFAZ_ADDRESSES`;
  return new AuthorityAway({ pt, en }, false, { stage: 'address' });
};

/** What was answered as text; anything but an answer of the service is said plainly. */
function soapText(answer: Answered): string {
  const { status } = answer;
  if (status === FORBIDDEN) {
    const pt = 'A SEFAZ não aceitou o certificado da loja (HTTP 403)';
    const en = 'HTTP 403: the service does not take the certificate of the store';
    throw new AuthorityAway({ pt, en }, true, { stage: 'own-certificate' });
  }
  // Faults come with 500.
  if (status !== OK && status !== SERVER_ERROR) {
    const what = `HTTP ${String(status)}`;
    throw new AuthorityAway({ pt: `O serviço da SEFAZ respondeu ${what}`, en: `The service answered ${what}` }, true);
  }
  const text = textOf(answer);
  if (text === undefined) {
    const pt = 'o texto não está na codificação que declara';
    throw unbelievable({ pt, en: 'its text is not in the encoding that it says' });
  }
  return text;
}
