import type { IncomingMessage } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { AwayStage, Words } from '../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';

/** One request and its whole answer, with limits, and what it means where one of them fails. */

/** The longest answer holds a document's protocol and some events: a few thousand characters. */
const MOST_BYTES = 500_000;

interface Sent {
  readonly url: URL;
  readonly agent: https.Agent | http.Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds until it is connected, and until the whole answer is here. */
  readonly connectWithin: number;
  readonly answerWithin: number;
}

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

const ADDRESS: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);
const SERVER_CERTIFICATE =
  /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_CERT_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH)/;
/** Their roots are no part of what Node knows. */
const UNKNOWN_ROOT = /^(UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_)/;

/** Sockets that are ready to carry requests: an agent hands them from one to the next. */
const established = new WeakSet<Socket>();

const OLD_TLS = /DH_KEY_TOO_SMALL|LEGACY_RENEGOTIATION|UNSUPPORTED_PROTOCOL|EE_KEY_TOO_SMALL|CA_MD_TOO_WEAK/;

export function exchange(sent: Sent): Promise<Answered> {
  const { url, agent, headers, body, connectWithin, answerWithin } = sent;
  return new Promise((resolve, reject) => {
    const progress = { host: url.host, connected: false, isSent: false };
    const isSecure = url.protocol === 'https:';
    const bytes = Buffer.from(body, 'utf8');
    const options = { method: 'POST', agent, headers: { ...headers, 'Content-Length': bytes.length } };
    const request = isSecure ? https.request(url, options) : http.request(url, options);
    let timer: NodeJS.Timeout | undefined;
    const fail = (error: Error): void => {
      clearTimeout(timer);
      request.destroy();
      reject(failure(error, progress));
    };
    const within = (milliseconds: number, { pt, en }: Words): void => {
      clearTimeout(timer);
      const seconds = `${String(milliseconds / 1000)} s`;
      timer = setTimeout(() => {
        fail(new Unanswered({ pt: `${pt} em ${seconds}`, en: `${en} within ${seconds}` }));
      }, milliseconds);
    };
    const ready = (): void => {
      progress.isSent = true;
      within(answerWithin, { pt: 'não houve resposta inteira', en: 'no whole answer' });
    };
    request.on('socket', (socket) => {
      if (established.has(socket)) {
        ready();
        return;
      }
      within(connectWithin, { pt: 'não houve conexão', en: 'no connection' });
      socket.once('connect', () => (progress.connected = true));
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        established.add(socket);
        ready();
      });
    });
    request.on('error', fail);
    request.on('response', (response) => {
      wholeOf(response).then((answer) => {
        clearTimeout(timer);
        resolve(answer);
      }, fail);
    });
    request.end(bytes);
  });
}

async function wholeOf(response: IncomingMessage): Promise<Answered> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) {
      response.destroy();
      const bytes = String(MOST_BYTES);
      throw new Unanswered({
        pt: `a resposta passa de ${bytes} bytes`,
        en: `the answer is longer than ${bytes} bytes`,
      });
    }
    parts.push(part);
  }
  if (!response.complete) throw new Unanswered({ pt: 'a resposta foi cortada', en: 'the answer was cut off' });
  const contentType = response.headers['content-type'] ?? '';
  return { status: response.statusCode ?? 0, contentType, body: Buffer.concat(parts) };
}

interface Progress {
  readonly host: string;
  readonly connected: boolean;
  readonly isSent: boolean;
}

/** What the exchange itself found wrong. */
class Unanswered extends Error {
  constructor(readonly words: Words) {
    super(words.en);
  }
}

/** What happened to the connection, as the network's own codes say it where they are the only words. */
function reasonOf(error: Error): Words {
  if (error instanceof Unanswered) return error.words;
  const { code } = error as NodeJS.ErrnoException;
  const known = NETWORK.get(code ?? '');
  if (code !== undefined && known) return { pt: `${known.pt} (${code})`, en: `${known.en} (${code})` };
  return { pt: code ?? error.message, en: code ?? error.message };
}

const NETWORK: ReadonlyMap<string, Words> = new Map([
  ['ECONNREFUSED', { pt: 'a conexão foi recusada', en: 'the connection was refused' }],
  ['ECONNRESET', { pt: 'a conexão caiu', en: 'the connection broke off' }],
  ['EPIPE', { pt: 'a conexão caiu', en: 'the connection broke off' }],
  ['ETIMEDOUT', { pt: 'o tempo acabou', en: 'it took too long' }],
  ['EHOSTUNREACH', { pt: 'a máquina não é alcançada pela rede', en: 'the network does not reach the machine' }],
  ['ENETUNREACH', { pt: 'não há rede', en: 'there is no network' }],
]);

function failure(error: Error, { host, connected, isSent }: Progress): AuthorityAway {
  const { code = '' } = error as NodeJS.ErrnoException;
  const away = (stage: AwayStage, pt: string, en: string, mayHaveArrived = false) =>
    new AuthorityAway({ pt, en }, mayHaveArrived, { stage, cause: error });
  const why = reasonOf(error);
  if (isSent) return away('answer', `${host} não respondeu: ${why.pt}`, `${host} gave no answer: ${why.en}`, true);
  if (ADDRESS.has(code)) {
    return away(
      'address',
      `O endereço ${host} não foi encontrado (${code}): confira a internet e o DNS`,
      `The name ${host} has no address (${code})`,
    );
  }
  if (SERVER_CERTIFICATE.test(code)) return unproved(host, code, error);
  if (!connected) {
    return away('connection', `Não há conexão com ${host}: ${why.pt}`, `No connection to ${host}: ${why.en}`);
  }
  if (OLD_TLS.test(code)) {
    return away(
      'connection',
      `${host} usa TLS antigo (${code}): veja tls no arquivo de SEFAZ_ADDRESSES`,
      `${host} speaks TLS as it was long ago (${code}): see tls in the file of SEFAZ_ADDRESSES`,
    );
  }
  // A server that is overloaded breaks off as well; only an alert says that it was about the certificate.
  return away(
    /^ERR_SSL_.*(ALERT|CERT)/.test(code) ? 'own-certificate' : 'connection',
    `${host} interrompeu a troca de certificados: ${why.pt}`,
    `${host} broke off while certificates were exchanged: ${why.en}`,
  );
}

function unproved(host: string, code: string, cause: Error): AuthorityAway {
  const isRoot = UNKNOWN_ROOT.test(code);
  const pt = isRoot ? ': o arquivo de SEFAZ_CA_FILE deve conter os certificados da ICP-Brasil que o emitiram' : '';
  const en = isRoot ? ': the file of SEFAZ_CA_FILE must hold its authorities' : '';
  const words = {
    pt: `${host} não provou quem é (${code})${pt}`,
    en: `${host} could not prove who it is (${code})${en}`,
  };
  return new AuthorityAway(words, false, { stage: 'server-certificate', cause });
}

const DECLARED = /^(?:\ufeff|\u00ef\u00bb\u00bf)?<\?xml[^>]*\sencoding=["']([A-Za-z0-9._-]+)["']/;
const KNOWN: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'iso-8859-1', 'windows-1252']);

/** The text of an answer in the encoding that it declares; undefined where it is not that. */
export function textOf({ contentType, body }: Answered): string | undefined {
  const inHeader = /charset="?([A-Za-z0-9._-]+)/i.exec(contentType)?.[1];
  const inText = DECLARED.exec(body.subarray(0, 200).toString('latin1'))?.[1];
  const encoding = (inHeader ?? inText ?? 'utf-8').toLowerCase();
  if (!KNOWN.has(encoding)) return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
