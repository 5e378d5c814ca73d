import type { IncomingMessage } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { AwayStage } from '../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';

/** One request and its whole answer, with limits, and what it means where one of them fails. */

/** The longest answer holds a document's protocol and some events: a few thousand characters. */
const MOST_BYTES = 500_000;

export interface Sent {
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
    const within = (milliseconds: number, what: string): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        fail(new Error(`no ${what} within ${String(milliseconds / 1000)} s`));
      }, milliseconds);
    };
    const ready = (): void => {
      progress.isSent = true;
      within(answerWithin, 'whole answer');
    };
    request.on('socket', (socket) => {
      if (established.has(socket)) {
        ready();
        return;
      }
      within(connectWithin, 'connection');
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
      throw new Error(`the answer is longer than ${String(MOST_BYTES)} bytes`);
    }
    parts.push(part);
  }
  if (!response.complete) throw new Error('the answer was cut off');
  const contentType = response.headers['content-type'] ?? '';
  return { status: response.statusCode ?? 0, contentType, body: Buffer.concat(parts) };
}

interface Progress {
  readonly host: string;
  readonly connected: boolean;
  readonly isSent: boolean;
}

function failure(error: Error, { host, connected, isSent }: Progress): AuthorityAway {
  const { code = '' } = error as NodeJS.ErrnoException;
  const away = (stage: AwayStage, message: string, mayHaveArrived = false) =>
    new AuthorityAway(message, mayHaveArrived, { stage, cause: error });
  if (isSent) return away('answer', `${host} gave no answer: ${error.message}`, true);
  if (ADDRESS.has(code)) return away('address', `The name ${host} has no address (${code})`);
  if (SERVER_CERTIFICATE.test(code)) {
    const hint = UNKNOWN_ROOT.test(code) ? ': the file of SEFAZ_CA_FILE must hold its authorities' : '';
    return away('server-certificate', `${host} could not prove who it is (${code})${hint}`);
  }
  if (!connected) return away('connection', `No connection to ${host}: ${code || error.message}`);
  if (OLD_TLS.test(code)) {
    return away(
      'connection',
      `${host} speaks TLS as it was long ago (${code}): see tls in the file of SEFAZ_ADDRESSES`,
    );
  }
  const words = `${host} broke off while certificates were exchanged: ${code || error.message}`;
  // A server that is overloaded breaks off as well; only an alert says that it was about the certificate.
  return away(/^ERR_SSL_.*(ALERT|CERT)/.test(code) ? 'own-certificate' : 'connection', words);
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
