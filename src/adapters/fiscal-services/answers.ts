import { environmentCode } from '../../brazil/fiscal-layout.js';
import type {
  AuthorityClient,
  AuthorizationAnswer,
  Authorized,
  EventAnswer,
  KeyAnswer,
  Refused,
  Registered,
  Words,
} from '../../ports/fiscal-authority.js';
import { cutTo } from '../../kernel/values/whole-signs.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';
import type { XmlElement } from './xml.js';
import { parseXml, XmlRefused, xmlOf } from './xml.js';

/**
 * What the authority's answers mean. None is believed that does not fit what was sent: another key, another environment, another digest, or a
 * shape that the layout does not know count as no answer, and the authority is asked again.
 */

const AUTHORIZED: ReadonlySet<string> = new Set(['100', '150']);
const CANCELLED: ReadonlySet<string> = new Set(['101', '151', '155']);
const DENIED: ReadonlySet<string> = new Set(['110', '301', '302', '303']);
const REGISTERED: ReadonlySet<string> = new Set(['135', '136', '155']);
/** What lives under the number has another key. */
const ANOTHER_KEY: ReadonlySet<string> = new Set(['562', '613']);
const ABSENT = '217';
const ALL_DONE = '104';
const RECEIVED = '103';
const WORKING = '105';
const EVENTS_DONE = '128';
const VOIDED = '102';
const CANCELLATION_EVENTS: ReadonlySet<string> = new Set(['110111', '110112']);

/** It stands in for the state's authority no more. */
const FALLBACK_ENDED: ReadonlySet<string> = new Set(['113', '114']);

/** What it took is with the state's authority now. */
export class FallbackEnded extends AuthorityAway {}

/** The service stands still. */
export class ServiceStopped extends AuthorityAway {
  constructor(readonly said: Said) {
    const words = spoken(said);
    super({ pt: `O serviço da SEFAZ está parado: ${words}`, en: `The service stands still: ${words}` }, false);
  }
}

/** It was asked too often, and answers nothing for an hour. */
export class AskedTooOften extends AuthorityAway {
  constructor(readonly said: Said) {
    const words = spoken(said);
    const pt = `A SEFAZ recebeu consultas demais: ${words}`;
    super({ pt, en: `The authority was asked too often: ${words}` }, false);
  }
}

/** A status and its sentence, as they came. */
export const spoken = ({ code, message }: Said): string => `${code} ${message}`.trim();

export const unbelievable = ({ pt, en }: Words, options?: ErrorOptions): AuthorityAway => {
  const words = { pt: `A resposta da SEFAZ não merece fé: ${pt}`, en: `The answer cannot be believed: ${en}` };
  return new AuthorityAway(words, true, { stage: 'answer', ...options });
};

/** The answer's element, wherever the text holds it; some services hand it out as text inside of text. */
export function answerElement(text: string, name: string): XmlElement {
  const root = parsed(text);
  const found = root.anywhere(name) ?? innerTextOf(root, name);
  if (found) return found;
  const fault = root.anywhere('Fault');
  if (!fault) throw unbelievable({ pt: `não contém ${name}`, en: `it holds no ${name}` });
  const reason = (fault.find('Reason')?.get('Text') ?? fault.get('faultstring'))?.slice(0, 200);
  const pt = `O serviço da SEFAZ falhou: ${reason ?? 'sem dizer o motivo'}`;
  throw new AuthorityAway({ pt, en: `The service failed: ${reason ?? 'without a reason'}` }, true);
}

function innerTextOf(root: XmlElement, name: string): XmlElement | undefined {
  const holder = root.anywhere('nfeResultMsg') ?? root;
  const text = textUnder(holder).trim();
  return text.startsWith('<') ? parsed(text).anywhere(name) : undefined;
}

const textUnder = ({ text, children }: XmlElement): string => (children[0] ? textUnder(children[0]) : text);

function parsed(text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    throw unbelievable(error.words, { cause: error });
  }
}

interface Said {
  readonly code: string;
  readonly message: string;
}

/** The layout allows no more. */
const LONGEST_MESSAGE = 255;

function statusIn(element: XmlElement): Said {
  const code = element.get('cStat') ?? '';
  if (!/^[0-9]{3,4}$/.test(code)) throw unbelievable({ pt: 'não traz o status', en: 'it has no status' });
  return { code, message: cutTo(element.get('xMotivo') ?? '', LONGEST_MESSAGE) };
}

/** What it says in three digits; what stops everybody is thrown. */
function saidBy(element: XmlElement): Said {
  const said = statusIn(element);
  if (said.code === '108' || said.code === '109') throw new ServiceStopped(said);
  return expectWorking(said);
}

/** That the service stands still is no word about a document that it has. */
const saidOfDocument = (facts: XmlElement): Said => expectWorking(statusIn(facts));

function expectWorking(said: Said): Said {
  const { code } = said;
  if (code === '656') throw new AskedTooOften(said);
  if (code === '999') {
    const words = spoken(said);
    throw new AuthorityAway({ pt: `A SEFAZ falhou: ${words}`, en: `The authority failed: ${words}` }, true);
  }
  return said;
}

const onlySays = (code: string): AuthorityAway =>
  unbelievable({ pt: `diz ${code} e mais nada`, en: `it says ${code} and no more` });

const EMPTY_ANSWER: Words = { pt: 'não traz a resposta ao pedido', en: 'it holds no answer to the request' };

/** What an answer repeats of what was sent. */
const REPEATED = {
  key: 'a chave',
  environment: 'o ambiente',
  digest: 'o resumo (digest)',
  state: 'o estado',
  year: 'o ano',
  'tax id': 'o CNPJ',
  model: 'o modelo',
  series: 'a série',
  'first number': 'o primeiro número',
  'last number': 'o último número',
} as const;

function expectSame(what: keyof typeof REPEATED, said: string | undefined, sent: string): void {
  if (said === sent) return;
  throw unbelievable({ pt: `${REPEATED[what]} não é o que foi enviado`, en: `its ${what} is not what was sent` });
}

/** Codes below 200 say how far something has come, and refuse nothing but for a few. */
const LEAST_REFUSAL = 200;
const NO_CODES: ReadonlySet<string> = new Set();

/** A refusal says why; a bare code is an authority that fails. */
function refusal(said: Said, protocol?: string, alsoRefusals = NO_CODES): Refused {
  const { code, message } = said;
  if (message === '' || (Number(code) < LEAST_REFUSAL && !alsoRefusals.has(code))) throw onlySays(code);
  return { kind: 'refused', code, message, protocol: protocol ?? null };
}

const contradiction = (outer: string, inner: string): AuthorityAway =>
  unbelievable({ pt: `diz ${outer} e ${inner} ao mesmo tempo`, en: `it says ${outer} and ${inner} at once` });

/** As the layout writes a moment; anything looser would be guessed. */
const MOMENT = /^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})?$/;

/** ISO 8601 in UTC. */
function momentIn(element: XmlElement, name: string): string {
  const text = element.get(name) ?? '';
  const at = MOMENT.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) throw unbelievable({ pt: 'não traz a hora', en: 'it has no time' });
  return new Date(at).toISOString();
}

const PROTOCOL = /^[0-9]{15,17}$/;

function protocolIn(element: XmlElement): string | undefined {
  const protocol = element.get('nProt') ?? '';
  if (protocol === '') return undefined;
  if (PROTOCOL.test(protocol)) return protocol;
  throw unbelievable({ pt: 'o número do protocolo não é um', en: 'the number of its protocol is none' });
}

/** A protocol with its signature has some thousands; it is kept with the fact that it proves. */
const LONGEST_KEPT = 64_000;

function keptXml(element: XmlElement): string {
  const xml = xmlOf(element);
  if (xml.length > LONGEST_KEPT)
    throw unbelievable({ pt: 'é longa demais para ser guardada', en: 'it is too long to keep' });
  return xml;
}

interface Asked {
  readonly client: AuthorityClient;
  readonly accessKey: string;
}

/** `protNFe`: the note's own result. */
function protocolAnswer({ client, accessKey }: Asked, element: XmlElement): Authorized | Refused {
  const facts = element.find('infProt');
  if (!facts) throw unbelievable({ pt: 'o protocolo está vazio', en: 'its protocol is empty' });
  const said = saidOfDocument(facts);
  expectSame('key', facts.get('chNFe'), accessKey);
  expectSame('environment', facts.get('tpAmb'), environmentCode(client));
  if (!AUTHORIZED.has(said.code)) return refusal(said, DENIED.has(said.code) ? protocolIn(facts) : undefined, DENIED);
  const protocol = protocolIn(facts);
  const digestValue = facts.get('digVal');
  if (protocol === undefined || digestValue === undefined) {
    const pt = 'autoriza sem protocolo ou sem digest';
    throw unbelievable({ pt, en: 'it authorizes without a protocol or a digest' });
  }
  const receivedAt = momentIn(facts, 'dhRecbto');
  return { kind: 'authorized', ...said, protocol, receivedAt, digestValue, protocolXml: keptXml(element) };
}

/** The authority takes its time: to be asked for by this number. */
export interface Receipt {
  readonly kind: 'receipt';
  readonly number: string;
  readonly seconds: number;
}

/** Reads `retEnviNFe` and `retConsReciNFe`. */
export function authorizationAnswer(
  asked: Asked & { readonly digestValue: string },
  element: XmlElement,
): AuthorizationAnswer | Receipt {
  const said = saidBy(element);
  expectSame('environment', element.get('tpAmb'), environmentCode(asked.client));
  const protocol = element.all('protNFe').find((one) => one.find('infProt')?.get('chNFe') === asked.accessKey);
  if (protocol) {
    const answer = protocolAnswer(asked, protocol);
    if (said.code !== ALL_DONE && said.code !== answer.code) throw contradiction(said.code, answer.code);
    if (answer.kind === 'authorized') expectSame('digest', answer.digestValue, asked.digestValue);
    return answer;
  }
  if (said.code === RECEIVED) {
    const number = element.find('infRec')?.get('nRec') ?? '';
    if (!PROTOCOL.test(number)) {
      throw unbelievable({ pt: 'o recibo não tem número', en: 'its receipt has no number' });
    }
    return { kind: 'receipt', number, seconds: Number(element.find('infRec')?.get('tMed') ?? '1') || 1 };
  }
  if (said.code === WORKING) return { kind: 'undecided', ...said };
  return refusal(said, undefined, FALLBACK_ENDED);
}

/** Reads `retConsSitNFe`. */
export function keyAnswer(asked: Asked, element: XmlElement): KeyAnswer {
  const said = saidBy(element);
  expectSame('environment', element.get('tpAmb'), environmentCode(asked.client));
  const named = element.get('chNFe');
  if (named !== undefined) expectSame('key', named, asked.accessKey);
  const protocol = element.find('protNFe');
  if (said.code === ABSENT && !protocol) return { kind: 'unknown', ...said };
  if (ANOTHER_KEY.has(said.code)) return refusal(said);
  if (AUTHORIZED.has(said.code) || DENIED.has(said.code)) {
    if (!protocol) throw onlySays(said.code);
    const answer = protocolAnswer(asked, protocol);
    const expected = AUTHORIZED.has(said.code) ? AUTHORIZED : DENIED;
    if (!expected.has(answer.code)) throw contradiction(said.code, answer.code);
    return answer;
  }
  if (CANCELLED.has(said.code)) {
    const document = protocol && authorizedOnly(protocolAnswer(asked, protocol));
    return { kind: 'cancelled', document, event: cancellationIn(asked, element, said) };
  }
  const Ended = FALLBACK_ENDED.has(said.code) ? FallbackEnded : AuthorityAway;
  const words = spoken(said);
  const pt = `A SEFAZ não disse o que houve com o documento: ${words}`;
  throw new Ended({ pt, en: `The authority did not say what became of it: ${words}` }, true);
}

const authorizedOnly = (answer: Authorized | Refused): Authorized | undefined =>
  answer.kind === 'authorized' ? answer : undefined;

/** The event by which it was cancelled, or the answer to the older way of doing so. */
function cancellationIn(asked: Asked, element: XmlElement, said: Said): Registered {
  for (const pair of element.all('procEventoNFe')) {
    const answer = pair.find('retEvento');
    const facts = answer?.find('infEvento');
    if (answer && facts && CANCELLATION_EVENTS.has(facts.get('tpEvento') ?? '')) {
      return registeredEvent(asked, answer, facts);
    }
  }
  const older = element.find('retCancNFe/infCanc');
  if (!older) throw unbelievable({ pt: 'diz cancelado sem o evento', en: 'it says cancelled without an event' });
  expectSame('key', older.get('chNFe'), asked.accessKey);
  const registeredAt = momentIn(older, 'dhRecbto');
  return { kind: 'registered', ...said, protocol: protocolIn(older) ?? null, registeredAt, answerXml: null };
}

function registeredEvent({ client, accessKey }: Asked, answer: XmlElement, facts: XmlElement): Registered {
  const said = saidBy(facts);
  if (!REGISTERED.has(said.code)) throw onlySays(said.code);
  expectSame('key', facts.get('chNFe'), accessKey);
  expectSame('environment', facts.get('tpAmb'), environmentCode(client));
  const registeredAt = momentIn(facts, 'dhRegEvento');
  return { kind: 'registered', ...said, protocol: protocolIn(facts) ?? null, registeredAt, answerXml: keptXml(answer) };
}

/** Reads `retEnvEvento`. */
export function eventAnswer(asked: Asked, element: XmlElement): EventAnswer {
  const said = saidBy(element);
  if (said.code !== EVENTS_DONE) return refusal(said);
  const answer = element.find('retEvento');
  const facts = answer?.find('infEvento');
  if (!answer || !facts) throw unbelievable(EMPTY_ANSWER);
  const own = saidBy(facts);
  if (REGISTERED.has(own.code)) return registeredEvent(asked, answer, facts);
  const named = facts.get('chNFe');
  if (named !== undefined) expectSame('key', named, asked.accessKey);
  return refusal(own);
}

/** Reads `retInutNFe`. What was given up stands in the id: state 2, year 2, tax id 14, model 2, series 3, first 9, last 9. */
export function voidAnswer(client: AuthorityClient, id: string, element: XmlElement): EventAnswer {
  const facts = element.find('infInut');
  if (!facts) throw unbelievable(EMPTY_ANSWER);
  const said = saidBy(facts);
  expectSame('environment', facts.get('tpAmb'), environmentCode(client));
  if (said.code !== VOIDED) return refusal(said);
  const [, state = '', year, taxId, model, series = '', first = '', last = ''] =
    /^ID(..)(..)(.{14})(..)(...)(.{9})(.{9})$/.exec(id) ?? [];
  expectSame('state', facts.get('cUF'), state);
  expectSame('year', facts.get('ano'), year ?? '');
  expectSame('tax id', facts.get('CNPJ'), taxId ?? '');
  expectSame('model', facts.get('mod'), model ?? '');
  expectSame('series', facts.get('serie'), String(Number(series)));
  expectSame('first number', facts.get('nNFIni'), String(Number(first)));
  expectSame('last number', facts.get('nNFFin'), String(Number(last)));
  const registeredAt = momentIn(facts, 'dhRecbto');
  const protocol = protocolIn(facts) ?? null;
  return { kind: 'registered', ...said, protocol, registeredAt, answerXml: keptXml(element) };
}

/** Reads `retConsStatServ`. */
export function statusAnswer(client: AuthorityClient, element: XmlElement, now: number) {
  const said = statusIn(element);
  const { code, message } = said;
  if (code === '656') throw new AskedTooOften(said);
  expectSame('environment', element.get('tpAmb'), environmentCode(client));
  const at = Date.parse(element.get('dhRecbto') ?? '');
  return { available: code === '107', code, message, clockAhead: Number.isNaN(at) ? null : at - now };
}
