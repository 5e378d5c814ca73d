import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Rejection } from '../../kernel/events/rejection.js';
import { METRICS_CLOSED } from '../exchange/rejections.js';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
const BEARER = /^bearer +(\S+)$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** From this machine itself: not through a proxy on it, unless that is trusted to say where the request began. */
function isLocal(request: Request): boolean {
  const peer = request.socket.remoteAddress ?? '';
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers['forwarded'];
  return LOOPBACK.test(request.ip ?? '') && (forwarded === undefined || request.ip !== peer);
}

/** Throws METRICS_CLOSED unless the request comes from this machine or bears the token. */
export function requireMetricsAccess(request: Request, token: string | undefined): void {
  if (isLocal(request)) return;
  const shown = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined && shown !== undefined && timingSafeEqual(digest(shown), digest(token))) return;
  throw new Rejection(METRICS_CLOSED);
}
