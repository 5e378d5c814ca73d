import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { isUuid } from '../../../kernel/values/ids.js';

export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly storeId: string;
}

export const ACCESS_TOKEN_SECONDS = 15 * 60;

const ALGORITHM = 'HS256';
const ISSUER = 'store-management';
const AUDIENCE = 'store-management/session';
const LONGEST_TOKEN = 2_048;

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** It ends with its session at the latest. */
export function issueAccessToken(
  key: KeyObject,
  { userId, sessionId, storeId }: AccessClaims,
  now: number,
  sessionEndsAt = Infinity,
): string {
  const iat = seconds(now);
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: userId, sid: sessionId, sto: storeId, iat };
  return jwt.sign({ ...claims, exp: Math.min(iat + ACCESS_TOKEN_SECONDS, seconds(sessionEndsAt)) }, key, {
    algorithm: ALGORITHM,
  });
}

/** Undefined unless it is ours, for this use, and has not run out. */
export function readAccessToken(key: KeyObject, token: string, now: number): AccessClaims | undefined {
  if (token.length > LONGEST_TOKEN) return undefined;
  try {
    const claims = jwt.verify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      clockTimestamp: seconds(now),
    });
    if (typeof claims === 'string' || claims.exp === undefined) return undefined;
    const { sub, sid, sto } = claims as Record<string, unknown>;
    if (!isId(sub) || !isId(sid) || !isId(sto)) return undefined;
    return { userId: sub, sessionId: sid, storeId: sto };
  } catch {
    // The library throws for whatever is wrong with a token, also by the JSON parser.
    return undefined;
  }
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
