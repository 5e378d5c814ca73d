import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { SignedXml } from 'xml-crypto';
import { keepSample } from '../fiscal/samples.js';

/** What a tax authority does with a message: written apart from the program, so that both are held to the layout. */

const NAMESPACE = 'http://www.portalfiscal.inf.br/nfe';

export type Service = 'authorization' | 'authorizationResult' | 'query' | 'status' | 'event' | 'void';

interface Taken {
  readonly digest: string;
  readonly protocol: string;
  readonly receivedAt: string;
  cancelled: string | undefined;
}

export interface TaxAuthorityOptions {
  /** Whether signatures are checked with another library: slow, so that load tests leave it out. */
  readonly checks?: boolean;
  readonly now?: () => number;
}

export interface Given {
  readonly xml: string;
  /** The key of the document that the message is about. */
  readonly key: string;
}

/** Counts what it takes; a second document under a key or a number is refused. */
export class TaxAuthority {
  readonly taken = new Map<string, Taken>();
  /** Keys, each as often as it was handed in. */
  readonly handedIn: string[] = [];
  /** What it found wrong in messages; an empty list is what a test wants. */
  readonly complaints: string[] = [];
  readonly voided = new Set<string>();
  /** The reasons for which it was told that numbers are given up. */
  readonly voidReasons: string[] = [];
  readonly asked: Record<Service, number> = {
    authorization: 0,
    authorizationResult: 0,
    query: 0,
    status: 0,
    event: 0,
    void: 0,
  };
  /** The next document handed in is put on a pile, to be asked for by receipt. */
  pilesUp = false;
  /** A code that it answers everything with. */
  closedWith: string | undefined;
  /** A code that it refuses documents with before it looks at them. */
  documentsRefusedWith: string | undefined;
  /** A code that it refuses to void numbers with. */
  voidsRefusedWith: string | undefined;
  /** A code that it refuses cancellations with, but for those by substitution. */
  cancellationsRefusedWith: string | undefined;
  /** It says codes alone. */
  isWordless = false;
  readonly statusOf: Record<string, string> = {};
  private readonly numbers = new Map<string, string>();
  private readonly pile = new Map<string, { readonly key: string; looks: number }>();
  private protocols = 0;

  constructor(private readonly options: TaxAuthorityOptions = {}) {}

  answer(service: Service, message: string): Given {
    this.asked[service] += 1;
    if (this.options.checks !== false) this.keep(service, message);
    switch (service) {
      case 'authorization':
        return this.authorization(message);
      case 'authorizationResult':
        return this.receipt(message);
      case 'query':
        return this.query(message);
      case 'status': {
        const code = this.closedWith ?? '107';
        const state = textIn(message, 'cUF');
        return {
          key: '',
          xml: this.ret(
            'retConsStatServ',
            '4.00',
            `${this.said(code)}<cUF>${state}</cUF>${this.received()}<tMed>1</tMed>`,
          ),
        };
      }
      case 'event':
        return this.event(message);
      case 'void':
        return this.void(message);
    }
  }

  /** As it came over the wire; of documents one for each model and kind of emission. */
  private keep(service: Service, message: string): void {
    if (service !== 'authorization') {
      if (service !== 'event' && service !== 'void') keepSample(`taken-${service}`, message);
    } else if (message.includes('<ICMSTot>')) {
      keepSample(`taken-${service}-${textIn(message, 'mod')}-${textIn(message, 'tpEmis')}`, message);
    }
  }

  private authorization(message: string): Given {
    const key = /Id="NFe([0-9A-Z]{44})"/.exec(message)?.[1] ?? '';
    this.handedIn.push(key);
    const refusal = this.closedWith ?? this.documentsRefusedWith;
    if (refusal !== undefined) return { key, xml: this.retEnviNFe(refusal, '', message) };
    this.check(
      /^<enviNFe xmlns="[^"]+" versao="4.00"><idLote>[0-9]{1,15}<\/idLote><indSinc>1<\/indSinc><NFe xmlns=/.test(
        message,
      ),
      'the frame of a document',
    );
    this.check((message.match(/<NFe /g) ?? []).length === 1, 'one document a message');
    this.check(/<tpAmb>2<\/tpAmb>/.test(message), 'the environment');
    this.checkSignature(message, 'infNFe');
    if (this.pilesUp) {
      const number = this.protocol();
      this.pile.set(number, { key, looks: 0 });
      this.taking(key, message);
      const receipt = `<infRec><nRec>${number}</nRec><tMed>1</tMed></infRec>`;
      return { key, xml: this.retEnviNFe('103', receipt, message) };
    }
    return { key, xml: this.retEnviNFe('104', this.taking(key, message), message) };
  }

  /** `protNFe` of a document, which it takes unless something speaks against it. */
  private taking(key: string, message: string): string {
    const digest = textIn(message, 'DigestValue');
    const number = key.slice(6, 34);
    if (this.taken.has(key)) return this.protNFe(key, '204', undefined, digest);
    if ([...message.matchAll(/<NCM>([^<]*)<\/NCM>/g)].some(([, ncm]) => ncm === '00000000')) {
      return this.protNFe(key, '778', undefined, digest);
    }
    const holder = this.numbers.get(number);
    if (holder !== undefined && holder !== key) return this.protNFe(key, '539', undefined, digest);
    if (this.voided.has(number)) return this.protNFe(key, '206', undefined, digest);
    this.numbers.set(number, key);
    const taken = { digest, protocol: this.protocol(), receivedAt: this.now(), cancelled: undefined };
    this.taken.set(key, taken);
    return this.protNFe(key, '100', taken.protocol, digest, taken.receivedAt);
  }

  private receipt(message: string): Given {
    const waiting = this.pile.get(textIn(message, 'nRec'));
    const unknown = this.closedWith ?? '106';
    if (this.closedWith !== undefined || !waiting) {
      return { key: '', xml: this.ret('retConsReciNFe', '4.00', this.said(unknown)) };
    }
    waiting.looks += 1;
    const found = this.taken.get(waiting.key);
    if (waiting.looks < 2 || !found)
      return { key: waiting.key, xml: this.ret('retConsReciNFe', '4.00', this.said('105')) };
    const protocol = this.protNFe(waiting.key, '100', found.protocol, found.digest, found.receivedAt);
    return { key: waiting.key, xml: this.ret('retConsReciNFe', '4.00', this.said('104') + protocol) };
  }

  private query(message: string): Given {
    const key = textIn(message, 'chNFe');
    this.check(key.length === 44, 'a key of 44 characters');
    const found = this.taken.get(key);
    const code = this.closedWith ?? (found ? (found.cancelled === undefined ? '100' : '101') : '217');
    const known = found && this.closedWith === undefined;
    const protocol = known ? this.protNFe(key, '100', found.protocol, found.digest, found.receivedAt) : '';
    const event =
      known && found.cancelled !== undefined
        ? `<procEventoNFe versao="1.00"><evento/>${this.retEvento(key, '135', found.cancelled)}</procEventoNFe>`
        : '';
    return {
      key,
      xml: this.ret('retConsSitNFe', '4.00', `${this.said(code)}<chNFe>${key}</chNFe>${protocol}${event}`),
    };
  }

  private event(message: string): Given {
    const key = textIn(message, 'chNFe');
    if (this.closedWith !== undefined)
      return { key, xml: this.ret('retEnvEvento', '1.00', this.said(this.closedWith)) };
    this.checkSignature(message, 'infEvento');
    const refusal = this.cancellationsRefusedWith;
    if (refusal !== undefined && textIn(message, 'tpEvento') === '110111') {
      const answer = this.retEvento(key, refusal, undefined);
      return { key, xml: this.ret('retEnvEvento', '1.00', `<idLote>1</idLote>${this.said('128')}${answer}`) };
    }
    const found = this.taken.get(key);
    const known = found?.cancelled;
    if (found) found.cancelled ??= this.protocol();
    const code = found ? (known === undefined ? '135' : '573') : '217';
    const answer = this.retEvento(key, code, code === '135' ? found?.cancelled : undefined);
    return { key, xml: this.ret('retEnvEvento', '1.00', `<idLote>1</idLote>${this.said('128')}${answer}`) };
  }

  private void(message: string): Given {
    this.checkSignature(message, 'infInut');
    const get = (name: string) => textIn(message, name);
    this.voidReasons.push(get('xJust'));
    const number = `${get('CNPJ')}${get('mod')}${get('serie').padStart(3, '0')}${get('nNFIni').padStart(9, '0')}`;
    const refusal = this.closedWith ?? this.voidsRefusedWith;
    const code = refusal ?? (this.voided.has(number) ? '563' : this.numbers.has(number) ? '241' : '102');
    if (code === '102') this.voided.add(number);
    const copied = ['cUF', 'ano', 'CNPJ', 'mod', 'serie', 'nNFIni', 'nNFFin'].map(
      (name) => `<${name}>${get(name)}</${name}>`,
    );
    const rest = code === '102' ? `${copied.join('')}${this.received()}<nProt>${this.protocol()}</nProt>` : '';
    return {
      key: '',
      xml: `<retInutNFe xmlns="${NAMESPACE}" versao="4.00"><infInut>${this.said(code)}${rest}</infInut></retInutNFe>`,
    };
  }

  private checkSignature(message: string, part: string): void {
    if (this.options.checks === false) return;
    const document = new DOMParser().parseFromString(message, 'text/xml');
    const signature = document.getElementsByTagName('Signature')[0];
    if (!signature) {
      this.check(false, 'a signature');
      return;
    }
    const pem = signature.getElementsByTagName('X509Certificate')[0]?.textContent ?? '';
    const publicCert = `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----`;
    const signed = new SignedXml({ publicCert });
    signed.loadSignature(signature);
    const parent = signature.parentNode ? new XMLSerializer().serializeToString(signature.parentNode) : '';
    this.check(parent.includes(`<${part}`) && signed.checkSignature(parent), `the signature over ${part}`);
  }

  private check(isRight: boolean, what: string): void {
    if (!isRight) this.complaints.push(what);
  }

  private said(code: string): string {
    return `<tpAmb>2</tpAmb><verAplic>STANDIN</verAplic><cStat>${code}</cStat>${this.words(code)}`;
  }

  private words(code: string): string {
    return this.isWordless ? '' : `<xMotivo>${WORDS[code] ?? 'Rejeicao'}</xMotivo>`;
  }

  private received(): string {
    return `<dhRecbto>${this.now()}</dhRecbto>`;
  }

  private now(): string {
    return `${new Date((this.options.now?.() ?? Date.now()) - 3 * 3_600_000).toISOString().slice(0, 19)}-03:00`;
  }

  private protocol(): string {
    this.protocols += 1;
    return `13526${String(this.protocols).padStart(10, '0')}`;
  }

  private ret(name: string, version: string, content: string): string {
    return `<${name} xmlns="${NAMESPACE}" versao="${version}">${content}</${name}>`;
  }

  private retEnviNFe(code: string, content: string, message: string): string {
    const state = textIn(message, 'cUF');
    return this.ret('retEnviNFe', '4.00', `${this.said(code)}<cUF>${state}</cUF>${this.received()}${content}`);
  }

  private protNFe(key: string, code: string, protocol: string | undefined, digest: string, at = this.now()): string {
    const number = protocol === undefined ? '' : `<nProt>${protocol}</nProt>`;
    return (
      `<protNFe versao="4.00"><infProt><tpAmb>2</tpAmb><verAplic>STANDIN</verAplic><chNFe>${key}</chNFe><dhRecbto>${at}</dhRecbto>` +
      `${number}<digVal>${digest}</digVal><cStat>${code}</cStat>${this.words(code)}</infProt></protNFe>`
    );
  }

  private retEvento(key: string, code: string, protocol: string | undefined): string {
    const number = protocol === undefined ? '' : `<nProt>${protocol}</nProt>`;
    return (
      `<retEvento versao="1.00"><infEvento>${this.said(code).replace('<cStat>', `<cOrgao>${key.slice(0, 2)}</cOrgao><cStat>`)}` +
      `<chNFe>${key}</chNFe><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento><dhRegEvento>${this.now()}</dhRegEvento>${number}</infEvento></retEvento>`
    );
  }
}

const WORDS: Readonly<Record<string, string>> = {
  '100': 'Autorizado o uso da NF-e',
  '101': 'Cancelamento de NF-e homologado',
  '102': 'Inutilizacao de numero homologado',
  '103': 'Lote recebido com sucesso',
  '104': 'Lote processado',
  '105': 'Lote em processamento',
  '107': 'Servico em Operacao',
  '108': 'Servico Paralisado Momentaneamente',
  '128': 'Lote de Evento Processado',
  '135': 'Evento registrado e vinculado a NF-e',
  '204': 'Rejeicao: Duplicidade de NF-e',
  '217': 'Rejeicao: NF-e nao consta na base de dados da SEFAZ',
  '539': 'Rejeicao: Duplicidade de NF-e, com diferenca na Chave de Acesso',
  '573': 'Rejeicao: Duplicidade de evento',
  '656': 'Rejeicao: Consumo Indevido',
  '778': 'Rejeicao: Informado NCM inexistente',
};

const textIn = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
