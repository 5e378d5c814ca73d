import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Principal } from '../../kernel/routes/request-context.js';
import type { Permission } from '../../kernel/values/permissions.js';
import { MALFORMED_REQUEST } from '../exchange/rejections.js';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** A request that may be repeated: the row that remembers it, and what it asked for. */
export interface KeyedRequest {
  readonly rowId: string;
  readonly requestHash: string;
  /** What the caller may do by now, and so may see. */
  readonly permissions: ReadonlySet<Permission>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keys are separate for each caller of a store; undefined when the request has none. */
export function keyedRequest(request: Request, principal: Principal, body: unknown): KeyedRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new Rejection(MALFORMED_REQUEST, 'Idempotency-Key must be 1 to 255 visible characters, sent once');
  }
  const { storeId, actor, permissions } = principal;
  return {
    rowId: sha256(JSON.stringify([storeId, actor.kind, actor.id, key])),
    requestHash: sha256(JSON.stringify([request.method, request.originalUrl, body])),
    permissions,
  };
}
