import { expect, test } from '@jest/globals';
import { signInKeys } from '../../../../src/features/auth/sign-in/keys.js';

function bytes(secret: Buffer): string[] {
  const { accessTokens, refreshTokens, throttle } = signInKeys(secret);
  return [accessTokens, refreshTokens, throttle].map((key) => key.export().toString('hex'));
}

test('each purpose has a key of its own, the same after a restart', () => {
  const secret = Buffer.alloc(32, 1);
  expect(new Set([secret.toString('hex'), ...bytes(secret)]).size).toBe(4);
  expect(bytes(secret)).toEqual(bytes(Buffer.from(secret)));
  expect(bytes(Buffer.alloc(32, 2))).not.toEqual(bytes(secret));
});
