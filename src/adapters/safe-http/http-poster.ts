import type { HttpPoster, Post, PostResult } from '../../ports/http-poster.js';
import type { TlsOptions } from './connections.js';
import { Connections } from './connections.js';
import type { HostLookup } from './host-lookup.js';
import { checkedAddresses, HostRefused, machineLookup, NameServers } from './host-lookup.js';
import { hostOf, urlRefusal } from './url-rules.js';

/** For everything: looking the name up, connecting, TLS, sending, and the whole answer. */
const PATIENCE = 10_000;
const READ_AT_MOST = 16_384;
const KEPT = 1_024;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'no answer in time',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'no answer in time',
};
const NOT_IN_TIME = 'no answer in time';

export interface PosterOptions {
  /** http and private addresses, for development. */
  readonly allowPrivate: boolean;
  readonly lookup?: HostLookup;
  readonly patience?: number;
  readonly tls?: TlsOptions;
}

/** Sends with undici, to checked addresses alone; follows no redirect and asks no proxy. */
export class SafeHttpPoster implements HttpPoster {
  private readonly connections: Connections;
  private readonly lookup: HostLookup;
  private readonly patience: number;

  constructor(private readonly options: PosterOptions) {
    this.patience = options.patience ?? PATIENCE;
    this.connections = new Connections(this.patience, options.tls ?? {});
    this.lookup = options.lookup ?? (options.allowPrivate ? machineLookup : new NameServers());
  }

  refusalOf(url: string): string | undefined {
    return urlRefusal(url, this.options.allowPrivate);
  }

  async post(post: Post): Promise<PostResult> {
    const began = performance.now();
    const ending = new AbortController();
    const timer = setTimeout(() => {
      ending.abort();
    }, this.patience);
    const signal = post.signal ? AbortSignal.any([ending.signal, post.signal]) : ending.signal;
    const answer: Answer = { statusCode: null, snippet: null };
    const result = (error: string | null): PostResult => ({
      durationMs: Math.round(performance.now() - began),
      ...answer,
      error,
    });
    try {
      await orAborted(this.send(post, signal, answer), signal);
      return result(null);
    } catch (error) {
      post.signal?.throwIfAborted();
      return result(ending.signal.aborted ? NOT_IN_TIME : reasonOf(error));
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  private async send({ url: text, headers, body }: Post, signal: AbortSignal, answer: Answer): Promise<void> {
    const refusal = this.refusalOf(text);
    if (refusal !== undefined) throw new HostRefused(`the address ${refusal}`);
    const url = new URL(text);
    const [address = ''] = await checkedAddresses(hostOf(url), { ...this.options, lookup: this.lookup }, signal);
    await this.connections.use(url, address, async (pool) => {
      const path = url.pathname + url.search;
      const response = await pool.request({ method: 'POST', path, headers, body, signal });
      answer.statusCode = response.statusCode;
      answer.snippet = await beginningOf(response.body, (snippet) => (answer.snippet = snippet));
    });
  }
}

interface Answer {
  statusCode: number | null;
  snippet: string | null;
}

/** Reads to the end, but no further than the limit: what is longer is cut off with its connection. */
async function beginningOf(body: AsyncIterable<Buffer>, onPart: (snippet: string) => void): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    if (bytes < KEPT) {
      parts.push(part.subarray(0, KEPT - bytes));
      onPart(textOf(parts));
    }
    bytes += part.length;
    if (bytes > READ_AT_MOST) break;
  }
  return textOf(parts);
}

/** Text that can be shown and stored: what is no text becomes a sign for it. */
const textOf = (parts: readonly Buffer[]): string =>
  Buffer.concat(parts)
    .toString('utf8')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');

function reasonOf(error: unknown): string {
  if (error instanceof HostRefused) return error.message;
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  if (code !== undefined && REASONS[code]) return REASONS[code];
  if (code !== undefined && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
    return `the certificate was refused (${code})`;
  return code ?? (message || 'the connection failed');
}

/** The work goes on by itself until it notices; nobody waits for it longer. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(new Error('aborted'));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}
