import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { vaultCipher, VaultSealBroken } from '../../src/adapters/vault-cipher.js';

const row = { kind: 'session', id: 'a', version: 3 };
const cipher = vaultCipher(randomBytes(32));

test('opens what it sealed', () => {
  const json = JSON.stringify({ text: 'ação 🧀', empty: '' });
  const sealed = cipher.seal(row, json);
  expect(cipher.open(row, sealed)).toBe(json);
  expect(sealed.equals(cipher.seal(row, json))).toBe(false);
});

test.each([{ kind: 'token' }, { id: 'b' }, { version: 2 }])('refuses a value moved to another row: %j', (change) => {
  expect(() => cipher.open({ ...row, ...change }, cipher.seal(row, '1'))).toThrow(VaultSealBroken);
});

test('refuses changed bytes, a short value and another key', () => {
  const sealed = cipher.seal(row, '"secret"');
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => cipher.open(row, sealed)).toThrow(VaultSealBroken);
  expect(() => cipher.open(row, sealed.subarray(0, 20))).toThrow(VaultSealBroken);
  expect(() => vaultCipher(randomBytes(32)).open(row, cipher.seal(row, '1'))).toThrow(VaultSealBroken);
  expect(() => vaultCipher(randomBytes(16))).toThrow('32');
});
