import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import {
  ACCESS_TOKEN_SECONDS,
  issueAccessToken,
  readAccessToken,
} from '../../../../src/features/auth/sign-in/access-tokens.js';
import { newId } from '../../../../src/kernel/values/ids.js';

const key = createSecretKey(Buffer.alloc(32, 1));
const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 400);
const claims = { userId: newId(NOW), sessionId: newId(NOW), storeId: newId(NOW) };
const token = issueAccessToken(key, claims, NOW);
const body = jwt.decode(token) as jwt.JwtPayload & { iat: number };
const { exp: _, ...endless } = body;

describe('an access token', () => {
  test('says who, in which session and store', () => {
    expect(readAccessToken(key, token, NOW)).toEqual(claims);
  });

  test('lives 15 minutes by the given clock', () => {
    expect(readAccessToken(key, token, NOW + ACCESS_TOKEN_SECONDS * 1000 - 1000)).toEqual(claims);
    expect(readAccessToken(key, token, NOW + ACCESS_TOKEN_SECONDS * 1000)).toBeUndefined();
  });

  test('of another key, algorithm, issuer or use is none', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const foreign = [
      jwt.sign(body, createSecretKey(Buffer.alloc(32, 2)), { algorithm: 'HS256' }),
      jwt.sign(body, key, { algorithm: 'HS512' }),
      jwt.sign(body, privateKey, { algorithm: 'RS256' }),
      jwt.sign(body, null, { algorithm: 'none' }),
      jwt.sign({ ...body, iss: 'someone' }, key),
      jwt.sign({ ...body, aud: 'store-management/other' }, key),
      jwt.sign({ ...body, sid: undefined }, key),
      jwt.sign({ ...body, sub: 'ana' }, key),
      jwt.sign({ ...body, sto: ['a'] }, key),
      jwt.sign(endless, key),
      jwt.sign({ ...body, nbf: body.iat + 60 }, key),
      jwt.sign('text', key),
    ];
    for (const text of foreign) expect(readAccessToken(key, text, NOW)).toBeUndefined();
  });

  test('that was changed is none', () => {
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'Q' : 'A') + token.slice(at + 1);
      expect(readAccessToken(key, changed, NOW)).toBeUndefined();
    }
    for (const text of ['', '.', '..', 'a.b.c', 'x'.repeat(100_000)]) {
      expect(readAccessToken(key, text, NOW)).toBeUndefined();
    }
  });
});
