import { expect, test } from '@jest/globals';
import { COMMON_PASSWORDS } from '../../../../src/features/auth/sign-in/common-passwords.js';
import { passwordProblem } from '../../../../src/features/auth/sign-in/passwords.js';

test('a password of 10 to 72 bytes is taken, whatever it is made of', () => {
  for (const password of ['tijolo mel', 'ã'.repeat(5), 'z'.repeat(72), 'ção'.repeat(14), '🥖🥐🧀', '          .']) {
    expect([password, passwordProblem(password)]).toEqual([password, undefined]);
  }
});

test('a password is measured in bytes', () => {
  expect(passwordProblem('tijolo-me')).toBe('must have at least 10 bytes');
  expect(passwordProblem('')).toBe('must have at least 10 bytes');
  expect(passwordProblem('z'.repeat(73))).toBe('must have at most 72 bytes');
  expect(passwordProblem('ã'.repeat(37))).toBe('must have at most 72 bytes');
});

test('what no keyboard types is refused', () => {
  expect(passwordProblem('half \ud800 a character')).toMatch(/cannot be typed/);
  expect(passwordProblem('a NUL \0 inside')).toMatch(/cannot be typed/);
});

test('common passwords are refused in any case', () => {
  const common = ['qwertyuiop', '1234567890', 'Password123', 'PASSWORD123', 'basketball', '1q2w3e4r5t', 'Corinthians'];
  const brazilian = ['senha12345', 'Senha123456', 'brasil2014', 'flamengo2019', 'deusefiel123', 'jesuscristo'];
  for (const password of [...common, ...brazilian]) expect(passwordProblem(password)).toMatch(/most common/);
});

test('the list holds at least 3,000 passwords, all of which length alone would let pass', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThanOrEqual(3_000);
  for (const password of COMMON_PASSWORDS) {
    expect(password).toBe(password.toLowerCase().trim());
    expect(Buffer.byteLength(password)).toBeGreaterThanOrEqual(10);
  }
});
