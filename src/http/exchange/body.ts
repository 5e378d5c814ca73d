import type { IncomingMessage } from 'node:http';
import { Rejection } from '../../kernel/events/rejection.js';
import { parseJson } from './json-text.js';
import { BODY_TOO_LARGE, REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE } from './rejections.js';

/** The client went away before its body was complete: nobody waits for an answer. */
export class RequestAborted extends Error {}

export interface BodyLimits {
  readonly bodyBytes: number;
  /** How long a body may take to arrive. */
  readonly bodyMilliseconds: number;
}

// What a client may still send after a refusal before its connection is cut: most read the answer only when all is sent.
const DRAIN_FACTOR = 16;
/** Parameters beside the encoding mean nothing to JSON, but frameworks send some. */
const JSON_TYPE = /^application\/json *(?:;|$)/i;
const OTHER_ENCODING = /; *charset *= *(?!"?utf-?8"? *(?:;|$))/i;

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function refuseOtherTypes(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Rejection(UNSUPPORTED_MEDIA_TYPE, 'the body must not be compressed');
  }
  const type = request.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type) || OTHER_ENCODING.test(type)) {
    throw new Rejection(UNSUPPORTED_MEDIA_TYPE, 'send Content-Type: application/json');
  }
}

const tooLarge = (limit: number) => new Rejection(BODY_TOO_LARGE, `a body has at most ${limit} bytes`);

function readAll(request: IncomingMessage, { bodyBytes: limit, bodyMilliseconds }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let isRefused = false;
    let size = 0;
    // Of a request that is refused, nothing may be heard any more, not even its end; and what still arrives is not kept.
    const refuse = (problem: Error) => {
      clearTimeout(slow);
      chunks = [];
      isRefused = true;
      reject(problem);
    };
    const slow = setTimeout(() => {
      refuse(new Rejection(REQUEST_TIMEOUT, 'the body took too long to arrive'));
    }, bodyMilliseconds);
    const abort = () => {
      if (!request.complete) refuse(new RequestAborted('the request ended early'));
    };
    if (request.destroyed) abort();
    else if (Number(request.headers['content-length'] ?? 0) > limit) refuse(tooLarge(limit));
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit * DRAIN_FACTOR) request.destroy();
      else if (size > limit) refuse(tooLarge(limit));
      else if (!isRefused) chunks.push(chunk);
    });
    request.on('end', () => {
      clearTimeout(slow);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('error', abort);
    request.on('close', abort);
  });
}

/** The parsed body; undefined when there is none. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  refuseOtherTypes(request);
  const bytes = await readAll(request, limits);
  return bytes.length === 0 ? undefined : parseJson(bytes);
}
