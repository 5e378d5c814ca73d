import type { IncomingMessage } from 'node:http';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Client } from './client.js';
import { MALFORMED_REQUEST } from './rejections.js';

/** What a request shows to prove who it comes from. */
export interface Credentials {
  /** The token of `Authorization: Bearer …`. */
  readonly bearer: string | undefined;
  /** The session's cookie; counts only where there is no bearer. */
  readonly accessToken: string | undefined;
  /** X-Store-Slug, as it was sent. */
  readonly storeSlug: string | undefined;
}

const BEARER = /^bearer +(\S+)$/i;
const SINGLE = new Set(['authorization', 'x-store-slug']);

/** Node keeps the first of two Authorization headers and joins two slugs: neither is what the client meant. */
function refuseRepeats(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 13 && name.length !== 12) continue;
    const folded = name.toLowerCase();
    if (!SINGLE.has(folded)) continue;
    if (seen.has(folded)) throw new Rejection(MALFORMED_REQUEST, `the header ${folded} was sent twice`);
    seen.add(folded);
  }
}

export function credentialsOf(request: IncomingMessage, client: Client): Credentials {
  refuseRepeats(request.rawHeaders);
  const { authorization } = request.headers;
  return {
    bearer: authorization === undefined ? undefined : BEARER.exec(authorization)?.[1],
    accessToken: authorization === undefined ? client.accessToken : undefined,
    storeSlug: client.storeSlug,
  };
}
