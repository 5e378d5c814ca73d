import { describe, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import {
  matchTotp,
  newTotpSecret,
  NO_STEP,
  otpauthUrl,
  qrCode,
} from '../../../../src/features/auth/sign-in/one-time-codes.js';

const NOW = Date.UTC(2026, 5, 1, 12, 0, 10);
const STEP = Math.floor(NOW / 30_000);
const secret = newTotpSecret();
const codeOf = (step: number, of = secret) => generateSync({ secret: of, epoch: step * 30 });

describe('a code of an authenticator app', () => {
  test('is the one of the standard', () => {
    // RFC 6238, appendix B: SHA-1, the last six of eight digits; the secret is the text 12345678901234567890.
    const standard = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    expect(matchTotp(standard, '287082', NO_STEP, 59_000)).toBe(1);
    expect(matchTotp(standard, '081804', NO_STEP, 1_111_111_109_000)).toBe(37_037_036);
    expect(matchTotp(standard, '279037', NO_STEP, 2_000_000_000_000)).toBe(66_666_666);
  });

  test('counts from a step before to a step after its own', () => {
    for (const off of [-1, 0, 1]) expect(matchTotp(secret, codeOf(STEP + off), NO_STEP, NOW)).toBe(STEP + off);
    for (const off of [-3, -2, 2, 3]) expect(matchTotp(secret, codeOf(STEP + off), NO_STEP, NOW)).toBeUndefined();
  });

  test('never counts again, nor does an older one', () => {
    expect(matchTotp(secret, codeOf(STEP), STEP, NOW)).toBeUndefined();
    expect(matchTotp(secret, codeOf(STEP - 1), STEP, NOW)).toBeUndefined();
    expect(matchTotp(secret, codeOf(STEP + 1), STEP, NOW)).toBe(STEP + 1);
    expect(matchTotp(secret, codeOf(STEP + 1), STEP + 1, NOW)).toBeUndefined();
    expect(matchTotp(secret, codeOf(STEP), STEP + 1_000, NOW)).toBeUndefined();
  });

  test('may be typed with a gap, and is six digits otherwise', () => {
    const code = codeOf(STEP);
    expect(matchTotp(secret, ` ${code.slice(0, 3)} ${code.slice(3)} `, NO_STEP, NOW)).toBe(STEP);
    for (const text of ['', code.slice(1), `${code}0`, `-${code.slice(1)}`, '１２３４５６', 'abcdef', '1e5000']) {
      expect(matchTotp(secret, text, NO_STEP, NOW)).toBeUndefined();
    }
  });

  test('of another secret does not count', () => {
    expect(matchTotp(secret, codeOf(STEP, newTotpSecret()), NO_STEP, NOW)).toBeUndefined();
  });
});

test('a secret has 160 random bits', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
});

test('an authenticator app gets issuer, account and secret', () => {
  const url = new URL(otpauthUrl(secret, 'zé & filhos@pão.example'));
  expect(url.protocol).toBe('otpauth:');
  expect(decodeURIComponent(url.pathname)).toBe('/Store Management:zé & filhos@pão.example');
  expect(url.searchParams.get('secret')).toBe(secret);
  expect(url.searchParams.get('issuer')).toBe('Store Management');
});

test('the QR code is a PNG', async () => {
  const [head, data = ''] = (await qrCode(otpauthUrl(secret, 'ana@padaria.example'))).split(',');
  expect(head).toBe('data:image/png;base64');
  const png = Buffer.from(data, 'base64');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect(width).toBe(height);
  expect(width).toBeGreaterThan(100);
  expect(png.subarray(-8, -4).toString()).toBe('IEND');
  expect(await qrCode(otpauthUrl(secret, 'bia@padaria.example'))).not.toContain(data);
});
