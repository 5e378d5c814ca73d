import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Rejection } from '../../kernel/events/rejection.js';
import type { ClientAddresses } from '../exchange/network-address.js';
import { METRICS_CLOSED } from '../exchange/rejections.js';

const BEARER = /^bearer +(\S+)$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Throws METRICS_CLOSED unless the request comes from this machine or bears the token. */
export function requireMetricsAccess(request: Request, token: string | undefined, addresses: ClientAddresses): void {
  if (addresses.isLocal(request)) return;
  const shown = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined && shown !== undefined && timingSafeEqual(digest(shown), digest(token))) return;
  throw new Rejection(METRICS_CLOSED);
}
