import { Readable, pipeline } from 'node:stream';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { newId } from '../../kernel/values/ids.js';
import type { Clock } from '../../kernel/values/clock.js';
import type { Followed } from '../../kernel/routes/route.js';
import type { Rejection } from '../../kernel/events/rejection.js';
import type { Principal } from '../../kernel/routes/request-context.js';
import { asksForPortuguese } from '../../kernel/routes/language.js';
import type { ClientSurroundings } from './client.js';
import { Client } from './client.js';
import { asRejection, problemJson, toldInPortuguese } from './problem.js';
import { RequestAborted } from './body.js';
import type { InFlight } from './in-flight.js';
import { beginAnswer, endAnswer } from './in-flight.js';
import type { UntakenAnswers } from './untaken-answers.js';
import type { RequestMetrics } from '../operations/request-metrics.js';

const SANE_REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/** W3C Trace Context, version 00; ids of zeros alone are none. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const SECURITY_HEADERS = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'];
const UNKEPT = ['Cache-Control', 'no-store'];
const CONTENT_SECURITY = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];
const TRANSPORT_SECURITY = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'];

const PIECES_AHEAD = 64 * 1024;
/** What the next pieces are made of is there as well: a page of rows, say. */
const BESIDE_PIECES = 1024 * 1024;

/** A longer text is sent as bytes: behind the head of an answer, as one text with it, it would be copied once more. */
const LONG_TEXT = 8 * 1024;

/** In seconds. A second is the rule; a refusal may know better. */
function retryAfter({ extra: { retryAfter: known } }: Rejection): string {
  return typeof known === 'number' ? String(known) : '1';
}

export interface Surroundings extends ClientSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  /** How long a client may take nothing of an answer. */
  readonly stalledMilliseconds: number;
  readonly untaken: UntakenAnswers;
  /** Whether a request came by https, as far as it can be known. */
  isSecure(request: Request): boolean;
}

/** An answer, ready to be sent or kept. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | Buffer | undefined;
  /** In place of a body: pieces that are sent as the client takes them. */
  readonly pieces?: AsyncIterable<string | Uint8Array>;
  /** In place of a body: takes the answer over, which goes on until somebody ends it. */
  readonly follow?: Followed['follow'];
}

/** One request and its answer: the one place that writes answers, log lines and measurements. */
export class Exchange implements InFlight {
  readonly requestId: string;
  /** As it came, where it is one. */
  readonly traceparent: string | undefined;
  readonly client: Client;
  principal: Principal | undefined;
  /** The code of what is refused, for the log. */
  private refusal: string | undefined;
  private readonly startedAt = performance.now();

  constructor(
    readonly request: Request,
    private readonly response: Response,
    /** The pattern of its path; never the path itself, which a client could fill with anything. */
    private readonly route: string,
    private readonly surroundings: Surroundings,
  ) {
    this.client = new Client(request, surroundings);
    const trace = request.headers['traceparent'];
    this.traceparent = typeof trace === 'string' && TRACEPARENT.test(trace) ? trace : undefined;
    const wished = request.headers['x-request-id'];
    this.requestId =
      typeof wished === 'string' && SANE_REQUEST_ID.test(wished) ? wished : newId(surroundings.clock.now());
    beginAnswer(this);
  }

  get mark() {
    return { requestId: this.requestId, method: this.request.method, route: this.route };
  }

  send({ status, headers, body: made, pieces, follow }: Answer): void {
    const { response } = this;
    const body = typeof made === 'string' && made.length > LONG_TEXT ? Buffer.from(made) : made;
    const all = ['X-Request-Id', this.requestId, ...SECURITY_HEADERS, ...headers];
    if (!headers.includes('Cache-Control')) all.push(...UNKEPT);
    if (!headers.includes('Content-Security-Policy')) all.push(...CONTENT_SECURITY);
    if (this.surroundings.isSecure(this.request)) all.push(...TRANSPORT_SECURITY);
    if (body !== undefined) all.push('Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(status, all);
    const isForBody = this.request.method !== 'HEAD';
    if (pieces && isForBody) {
      this.sendPieces(status, pieces);
      return;
    }
    if (follow && isForBody) {
      this.followWith(status, follow);
      return;
    }
    response.end(body);
    if (response.writableLength > 0) this.mindUntaken(0);
    this.report(status);
  }

  /** What a client does not take lies in memory: who takes nothing for long is not waited for, nor who takes little when it is much together. */
  private mindUntaken(beside: number): void {
    const { response, surroundings } = this;
    response.setTimeout(surroundings.stalledMilliseconds, () => response.destroy());
    surroundings.untaken.mind({ response, holder: this.principal?.storeId ?? this.client.address, beside });
  }

  /** Its writer minds clients that take nothing: what waits for them does not grow. How long it goes on says nothing of how slow answers are. */
  private followWith(status: number, follow: Followed['follow']): void {
    const { response } = this;
    response.flushHeaders();
    this.measure(status);
    response.once('close', () => {
      this.end(status);
    });
    follow(response);
  }

  /** A failure in the middle can only be told by breaking off; one that comes after the client has gone, or was cut off, is none. */
  private sendPieces(status: number, pieces: AsyncIterable<string | Uint8Array>): void {
    const { socket } = this.request;
    this.mindUntaken(BESIDE_PIECES);
    let isLate = false;
    const sent = async function* () {
      try {
        yield* pieces;
      } catch (error) {
        isLate = socket.destroyed;
        throw error;
      }
    };
    pipeline(Readable.from(sent(), { objectMode: false, highWaterMark: PIECES_AHEAD }), this.response, (error) => {
      if (error && !isLate && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
        this.surroundings.logger.error({ err: error, requestId: this.requestId, route: this.route });
      }
      this.report(error ? 499 : status);
    });
  }

  /** Answers with the problem that an error stands for. */
  fail(error: unknown, headers: readonly string[] = []): void {
    if (error instanceof RequestAborted || this.response.headersSent) {
      this.response.destroy();
      this.report(499);
      return;
    }
    const answer = this.problem(error);
    this.send({ ...answer, headers: [...answer.headers, ...headers] });
  }

  problem(error: unknown): Answer {
    const refused = asRejection(error);
    const refusal = asksForPortuguese(this.client.acceptLanguage) ? toldInPortuguese(refused) : refused;
    const { status, code } = refusal.kind;
    this.refusal = code;
    if (status === 500) this.surroundings.logger.error({ err: error, requestId: this.requestId, route: this.route });
    const headers = ['Content-Type', 'application/problem+json'];
    if (status === 401) headers.push('WWW-Authenticate', 'Bearer');
    // What is still to arrive of a slow body would be taken for the next request.
    if (status === 408) headers.push('Connection', 'close');
    if (status === 429 || status === 503) headers.push('Retry-After', retryAfter(refusal));
    return { status, headers, body: problemJson(refusal, this.requestId) };
  }

  private report(status: number): void {
    this.measure(status);
    this.end(status);
  }

  private measure(status: number): void {
    this.surroundings.metrics.observe(this.request.method, this.route, status, this.milliseconds());
  }

  private milliseconds(): number {
    return performance.now() - this.startedAt;
  }

  private end(status: number): void {
    endAnswer(this);
    const { logger } = this.surroundings;
    if (!logger.isLevelEnabled('info')) return;
    logger.info(
      {
        method: this.request.method,
        route: this.route,
        status,
        code: this.refusal,
        ms: Math.round(this.milliseconds() * 10) / 10,
        requestId: this.requestId,
        traceId: this.traceparent && TRACEPARENT.exec(this.traceparent)?.[1],
        storeId: this.principal?.storeId,
        actor: this.principal?.actor.id,
      },
      'request',
    );
  }
}
