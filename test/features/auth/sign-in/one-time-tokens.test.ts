import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Purpose } from '../../../../src/features/auth/sign-in/one-time-tokens.js';
import { OneTimeTokens } from '../../../../src/features/auth/sign-in/one-time-tokens.js';
import { systemClock } from '../../../../src/kernel/values/clock.js';
import { MemoryVault } from '../../../support/memory-vault.js';

const MINUTE = 60_000;
const PURPOSES: readonly Purpose[] = ['pending', 'enrollment', 'reset', 'invitation'];
let time: number;
let vault: MemoryVault;
let tokens: OneTimeTokens;

beforeEach(() => {
  time = Date.UTC(2026, 0, 1);
  vault = new MemoryVault(() => time);
  tokens = new OneTimeTokens(
    vault,
    systemClock(() => time),
  );
});

describe.each(PURPOSES)('a token for %s', (purpose) => {
  test('gives back what was issued with it, and works once', async () => {
    const token = await tokens.issue(purpose, 'ana', { storeId: 's1' });
    const tried = await tokens.tryOnce(purpose, token);
    expect(tried).toMatchObject({ owner: 'ana', value: { storeId: 's1' } });
    expect(await tried?.spend()).toBe(true);
    expect(await tried?.spend()).toBe(false);
    expect(await tokens.tryOnce(purpose, token)).toBeUndefined();
    expect(await tokens.look(purpose, token)).toBeUndefined();
    expect(await tokens.replace(purpose, token, () => 'new')).toBeUndefined();
  });

  test('serves no other purpose', async () => {
    const token = await tokens.issue(purpose, 'ana');
    for (const other of PURPOSES.filter((one) => one !== purpose)) {
      expect(await tokens.tryOnce(other, token)).toBeUndefined();
      expect(await tokens.look(other, token)).toBeUndefined();
    }
    expect(await tokens.tryOnce(purpose, token)).toBeDefined();
  });

  test('allows five tries, also at once', async () => {
    const one = await tokens.issue(purpose, 'ana');
    for (let round = 0; round < 5; round++) expect(await tokens.tryOnce(purpose, one)).toBeDefined();
    expect(await tokens.tryOnce(purpose, one)).toBeUndefined();
    expect(await tokens.look(purpose, one)).toBeUndefined();
    const other = await tokens.issue(purpose, 'bia');
    const tries = await Promise.all(Array.from({ length: 100 }, () => tokens.tryOnce(purpose, other)));
    expect(tries.filter((tried) => tried !== undefined)).toHaveLength(5);
  });

  test('used 100 times at once succeeds once', async () => {
    const token = await tokens.issue(purpose, 'ana');
    const uses = Array.from({ length: 100 }, async () => (await tokens.tryOnce(purpose, token))?.spend());
    expect((await Promise.all(uses)).filter((spent) => spent === true)).toHaveLength(1);
  });

  test('can still be spent after its last try was counted', async () => {
    const token = await tokens.issue(purpose, 'ana');
    for (let round = 0; round < 4; round++) await tokens.tryOnce(purpose, token);
    const last = await tokens.tryOnce(purpose, token);
    expect(await last?.spend()).toBe(true);
  });

  test('stands in the vault as a hash alone, and goes by itself', async () => {
    const token = await tokens.issue(purpose, 'ana');
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(await vault.list('one-time-token', { limit: 10 }))).not.toContain(token);
    expect(await vault.sweep(time + 8 * 24 * 60 * MINUTE)).toBeGreaterThan(0);
    expect(await vault.list('one-time-token', { limit: 10 })).toEqual([]);
  });
});

test.each([
  ['pending', 5 * MINUTE],
  ['enrollment', 5 * MINUTE],
  ['reset', 60 * MINUTE],
  ['invitation', 7 * 24 * 60 * MINUTE],
] as const)('a token for %s lives %i ms, however it is used meanwhile', async (purpose, lives) => {
  const token = await tokens.issue(purpose, 'ana');
  time += lives - 1;
  expect(await tokens.replace(purpose, token, () => 'later')).toBe('later');
  const tried = await tokens.tryOnce(purpose, token);
  expect(tried?.value).toBe('later');
  time += 1;
  expect(await tokens.look(purpose, token)).toBeUndefined();
  expect(await tokens.tryOnce(purpose, token)).toBeUndefined();
  expect(await tried?.spend()).toBe(false);
});

test('a new reset token ends the older ones of the same user, and of nobody else', async () => {
  const older = await tokens.issue('reset', 'ana');
  const others = await tokens.issue('reset', 'bia');
  const triedBefore = await tokens.tryOnce('reset', older);
  const newer = await tokens.issue('reset', 'ana');
  expect(await tokens.tryOnce('reset', older)).toBeUndefined();
  expect(await triedBefore?.spend()).toBe(false);
  expect(await tokens.tryOnce('reset', others)).toBeDefined();
  const tried = await tokens.tryOnce('reset', newer);
  expect(await tried?.spend()).toBe(true);
  expect(await tokens.tryOnce('reset', older)).toBeUndefined();
});

test('two sign-ins of one user may wait for their second factor side by side', async () => {
  const first = await tokens.issue('pending', 'ana');
  const second = await tokens.issue('pending', 'ana');
  expect(await tokens.tryOnce('pending', first)).toBeDefined();
  expect(await tokens.tryOnce('pending', second)).toBeDefined();
});

test('a replaced value is made of the one before, and is what the next try finds', async () => {
  const token = await tokens.issue('enrollment', 'ana', 'AB');
  expect(await tokens.replace('enrollment', token, (before) => ({ secret: `${String(before)}C` }))).toEqual({
    secret: 'ABC',
  });
  expect(await tokens.look('enrollment', token)).toMatchObject({ owner: 'ana', value: { secret: 'ABC' } });
});

test('what is no token is not even looked for', async () => {
  for (const text of ['', 'x', '../etc/passwd', 'A'.repeat(44), 'é'.repeat(43), 'A'.repeat(1_000_000)]) {
    expect(await tokens.tryOnce('pending', text)).toBeUndefined();
  }
});
