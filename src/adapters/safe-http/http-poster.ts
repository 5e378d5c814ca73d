import type { HttpPoster, Post, PostResult } from '../../ports/http-poster.js';
import { AnswerReader } from './answer-reader.js';
import type { Connections, TlsOptions } from './connections.js';
import type { HostLookup } from './host-lookup.js';
import { checkedAddresses, HostRefused, machineLookup, NameServers } from './host-lookup.js';
import { hostOf, urlRefusal } from './url-rules.js';
import { OutOfTime, withinTime } from './within-time.js';

/** For everything: looking the name up, connecting, TLS, sending, and the whole answer. */
const PATIENCE = 10_000;

const NOT_IN_TIME = 'no answer in time';
const NOT_HTTP = 'the answer is not HTTP/1.1';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: NOT_IN_TIME,
  UND_ERR_HEADERS_TIMEOUT: NOT_IN_TIME,
  UND_ERR_BODY_TIMEOUT: NOT_IN_TIME,
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: NOT_IN_TIME,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NOT_HTTP,
  // So undici says that there is no such status, below 100.
  ERR_ASSERTION: NOT_HTTP,
};

interface PosterOptions {
  /** http and private addresses, for development. */
  readonly allowPrivate: boolean;
  readonly lookup?: HostLookup;
  readonly patience?: number;
  readonly tls?: TlsOptions;
}

/** Sends with undici, to checked addresses alone; follows no redirect and asks no proxy. */
export class SafeHttpPoster implements HttpPoster {
  /** Opened with the first sending: what they need takes long to load. */
  private connections: Promise<Connections> | undefined;
  private readonly lookup: HostLookup;
  private readonly patience: number;

  constructor(private readonly options: PosterOptions) {
    this.patience = options.patience ?? PATIENCE;
    this.lookup = options.lookup ?? (options.allowPrivate ? machineLookup : new NameServers());
  }

  refusalOf(url: string): string | undefined {
    return urlRefusal(url, this.options.allowPrivate);
  }

  async post(post: Post): Promise<PostResult> {
    // The time does not run yet: the receiver is not to blame for what is loaded here.
    const connections = await (this.connections ??= this.connect());
    const began = performance.now();
    const answer = new AnswerReader();
    const result = (error: string | null): PostResult => ({
      durationMs: Math.round(performance.now() - began),
      statusCode: answer.statusCode,
      snippet: answer.snippet,
      error,
    });
    try {
      await withinTime(this.patience, post.signal, (signal) => this.send(connections, post, signal, answer));
      return result(null);
    } catch (error) {
      post.signal?.throwIfAborted();
      return result(error instanceof OutOfTime ? NOT_IN_TIME : reasonOf(error));
    }
  }

  async close(): Promise<void> {
    await (await this.connections)?.close();
  }

  private async connect(): Promise<Connections> {
    const { Connections: OpenConnections } = await import('./connections.js');
    return new OpenConnections(this.patience, this.options.tls ?? {});
  }

  private async send(
    connections: Connections,
    { url: text, headers, body }: Post,
    signal: AbortSignal,
    answer: AnswerReader,
  ): Promise<void> {
    const refusal = this.refusalOf(text);
    if (refusal !== undefined) throw new HostRefused(`the address ${refusal}`);
    const url = new URL(text);
    const [address = ''] = await checkedAddresses(hostOf(url), { ...this.options, lookup: this.lookup }, signal);
    signal.addEventListener('abort', () => {
      answer.abort(signal.reason as Error);
    });
    await connections.use(url, address, (pool) =>
      answer.read((handler) => {
        pool.dispatch({ method: 'POST', path: url.pathname + url.search, headers, body }, handler);
      }),
    );
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof HostRefused) return error.message;
  const { code, name, message } = error as {
    readonly code?: string;
    readonly name?: string;
    readonly message?: string;
  };
  if (name === 'HTTPParserError') return NOT_HTTP;
  if (code !== undefined && REASONS[code]) return REASONS[code];
  if (code !== undefined && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
    return `the certificate was refused (${code})`;
  return code ?? (message || 'the connection failed');
}
