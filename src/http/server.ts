import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer, IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { RejectionKind } from '../kernel/events/rejection.js';
import { Rejection } from '../kernel/events/rejection.js';
import type { ConnectionLimits } from './connections.js';
import { limitConnections } from './connections.js';
import { urlListenedOn } from './exchange/own-addresses.js';
import { problemJson } from './exchange/problem.js';
import {
  EXPECTATION_FAILED,
  HEADERS_TOO_LARGE,
  MALFORMED_REQUEST,
  METHOD_NOT_ALLOWED,
  REQUEST_TIMEOUT,
} from './exchange/rejections.js';
import { inTurn } from './in-turn.js';

export interface ListenOptions extends ConnectionLimits {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** How long the headers of a request may take to arrive. */
  readonly headerMilliseconds?: number;
  /** How long its body may take after them. */
  readonly bodyMilliseconds?: number;
  /** How long a stop waits for what runs. */
  readonly stopMilliseconds?: number;
}

export interface Listening {
  /** Leads there from this machine. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, lets what runs finish, then cuts what is left. */
  stop(): Promise<void>;
}

const HEADER_MILLISECONDS = 10_000;
const BODY_MILLISECONDS = 30_000;
/** Who does not even take a refusal is not waited for. */
const REFUSAL_MILLISECONDS = 5_000;
/** A stop is promised within ten seconds: two of them are left for closing what is open. */
const STOP_MILLISECONDS = 8_000;
/** Who has opened a connection and said nothing for so long has no request on its way. */
const SILENT_MILLISECONDS = 1_000;
/** Longer than load balancers keep their side, so that they never meet a connection that is just being closed. */
const KEEP_ALIVE_MILLISECONDS = 75_000;
const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

const BROKEN: Readonly<Record<string, RejectionKind>> = {
  HPE_INVALID_METHOD: METHOD_NOT_ALLOWED,
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: REQUEST_TIMEOUT,
};

/** Answers on a connection whose request never became one. */
function refuseOnSocket(socket: Duplex, kind: RejectionKind): void {
  const requestId = randomUUID();
  const body = problemJson(new Rejection(kind), requestId);
  const lines = [
    `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status] ?? ''}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    ...(kind === METHOD_NOT_ALLOWED ? [`Allow: ${ALL_METHODS}`] : []),
    'Connection: close',
  ];
  const giveUp = setTimeout(() => socket.destroy(), REFUSAL_MILLISECONDS).unref();
  // Node minds a connection no more whose request is none of its own: an error of it, as when its client is gone, would end the process.
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(giveUp);
  });
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const body = problemJson(new Rejection(EXPECTATION_FAILED), requestId);
  response.writeHead(417, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
  });
  response.end(body);
}

/**
 * Express sets the prototype of each request and answer. Those that are born with it stay objects of one kind, which makes whatever
 * touches them several times as fast.
 */
function bornForExpress(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function serverFor(app: Express, options: ListenOptions): Server {
  const { headerMilliseconds = HEADER_MILLISECONDS, bodyMilliseconds = BODY_MILLISECONDS } = options;
  const server = createServer(
    {
      ...bornForExpress(app),
      headersTimeout: headerMilliseconds,
      // Bodies that a route reads end sooner, with an answer; this ends those that nobody reads.
      requestTimeout: headerMilliseconds + bodyMilliseconds,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      connectionsCheckingInterval: Math.min(1000, Math.ceil(headerMilliseconds / 4)),
      // The shell refuses a missing Host itself, as a problem.
      requireHostHeader: false,
    },
    inTurn(app),
  );
  // Their size is limited. Node would leave out whatever comes after a thousand: the address that a proxy adds, or a second host.
  server.maxHeadersCount = 0;
  limitConnections(server, options);
  closeWhatIsIdle(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseOnSocket(socket, BROKEN[error.code ?? ''] ?? MALFORMED_REQUEST);
  });
  server.on('connect', (_request, socket) => {
    refuseOnSocket(socket, METHOD_NOT_ALLOWED);
  });
  server.on('checkExpectation', refuseExpectation);
  return server;
}

/**
 * Node takes a connection for idle as soon as its answer is written, also while a slow client has not taken all of it: nothing is closed then.
 * One that was opened beforehand and has said nothing is never idle to it: it would hold up a stop to the last.
 */
function closeWhatIsIdle(server: Server): void {
  const openedAt = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    openedAt.set(socket, performance.now());
    socket.once('close', () => openedAt.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const silentSince = performance.now() - SILENT_MILLISECONDS;
    for (const [socket, at] of openedAt) if (socket.bytesRead === 0 && at < silentSince) socket.destroy();
    if ([...openedAt.keys()].every(({ writableLength }) => writableLength === 0)) closeIdle();
  };
}

/** From now on the last answer of each connection says that it closes: who sent several requests at once gets all their answers before. */
function announceEnds(server: Server): void {
  const newest = new WeakMap<Socket, { readonly response: ServerResponse; readonly keepsAlive: boolean }>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const before = newest.get(socket);
    if (before && !before.response.headersSent) before.response.shouldKeepAlive = before.keepsAlive;
    newest.set(socket, { response, keepsAlive: response.shouldKeepAlive });
    response.shouldKeepAlive = false;
  });
}

function stop(server: Server, milliseconds: number): Promise<void> {
  announceEnds(server);
  return new Promise((resolve) => {
    // A connection that was busy at first becomes idle with its answer, and would then live on.
    const idle = setInterval(() => {
      server.closeIdleConnections();
    }, 20);
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, milliseconds);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(deadline);
      resolve();
    });
  });
}

export async function listen(app: Express, options: ListenOptions): Promise<Listening> {
  const server = serverFor(app, options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  let stopping: Promise<void> | undefined;
  return {
    url: urlListenedOn(options.host, port),
    port,
    stop: () => (stopping ??= stop(server, options.stopMilliseconds ?? STOP_MILLISECONDS)),
  };
}
