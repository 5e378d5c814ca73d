import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import { BcryptPasswordHasher } from '../../../../src/adapters/bcrypt/password-hasher.js';
import { hashBackupCode, makeBackupCodes, withoutCode } from '../../../../src/features/auth/sign-in/backup-codes.js';
import { newTotpSecret, NO_STEP } from '../../../../src/features/auth/sign-in/one-time-codes.js';
import { enrolmentRows, removalRows, SecondFactors } from '../../../../src/features/auth/sign-in/second-factors.js';
import { systemClock } from '../../../../src/kernel/values/clock.js';
import { MemoryVault } from '../../../support/memory-vault.js';

const hasher = new BcryptPasswordHasher({ cost: 4, codeCost: 4, workers: 2 });
afterAll(() => hasher.close());

const made = await makeBackupCodes(hasher);

describe('backup codes', () => {
  test('are ten different ones of 50 bits, without signs that look alike', () => {
    expect(new Set(made.codes).size).toBe(10);
    for (const code of made.codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  });

  test('are kept as slow hashes with one salt', () => {
    expect(made.kept.hashes).toHaveLength(10);
    for (const hash of made.kept.hashes) expect(hash.startsWith(made.kept.salt)).toBe(true);
    const stored = JSON.stringify(made.kept);
    for (const code of made.codes) expect(stored).not.toContain(code.slice(0, 5));
  });

  test('leave one by one', async () => {
    let kept = made.kept;
    for (const code of made.codes) {
      const hash = (await hashBackupCode(hasher, code, kept.salt)) ?? '';
      const rest = withoutCode(kept, hash);
      expect(rest?.hashes).toHaveLength(kept.hashes.length - 1);
      kept = rest ?? kept;
      expect(withoutCode(kept, hash)).toBeUndefined();
    }
    expect(kept.hashes).toEqual([]);
  });

  test('may be typed in any case and with any gaps', async () => {
    const { salt } = made.kept;
    const [code = ''] = made.codes;
    const hash = await hashBackupCode(hasher, code, salt);
    const typed = [code.toLowerCase(), code.replace('-', ''), ` ${code.replace('-', ' - ')} `, code.replace('-', '')];
    typed.push(code.replaceAll('0', 'o').replaceAll('1', 'l'), code.replaceAll('0', 'O').replaceAll('1', 'I'));
    for (const text of typed) expect(await hashBackupCode(hasher, text, salt)).toBe(hash);
  });

  test('are not even computed from what cannot be one', async () => {
    for (const text of ['', 'ABCDE', 'ABCDE-FGHJKM', 'UUUUU-UUUUU', 'ABCDE-FGHJ€', 'A'.repeat(1_000_000)]) {
      expect(await hashBackupCode(hasher, text, made.kept.salt)).toBeUndefined();
    }
  });
});

describe('a second factor', () => {
  const secret = newTotpSecret();
  let time: number;
  let vault: MemoryVault;
  let factors: SecondFactors;
  const codeNow = () => generateSync({ secret, epoch: Math.floor(time / 1000) });

  beforeEach(async () => {
    time = Date.UTC(2026, 0, 1);
    vault = new MemoryVault(() => time);
    factors = new SecondFactors({ vault, clock: systemClock(() => time), hasher });
    await vault.write(enrolmentRows('ana', { secret, lastStep: NO_STEP }, made.kept));
  });

  test('takes a code once, and the next one', async () => {
    const code = codeNow();
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(await factors.useTotp('ana', wrong)).toBe(false);
    expect(await factors.useTotp('ana', code)).toBe(true);
    expect(await factors.useTotp('ana', code)).toBe(false);
    time += 30_000;
    expect(await factors.useTotp('ana', codeNow())).toBe(true);
  });

  test('takes a code that is used 100 times at once, in two processes, once', async () => {
    const other = new SecondFactors({ vault, clock: systemClock(() => time), hasher });
    const code = codeNow();
    const uses = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? factors : other).useTotp('ana', code));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });

  test('does not take the code that confirmed it', async () => {
    const lastStep = Math.floor(time / 30_000);
    await vault.write(enrolmentRows('ana', { secret, lastStep }, made.kept));
    expect(await factors.useTotp('ana', codeNow())).toBe(false);
  });

  test('takes each backup code once, and tells how many are left', async () => {
    let left = 10;
    for (const code of made.codes) {
      expect(await factors.useBackupCode('ana', code.toLowerCase())).toBe((left -= 1));
      expect(await factors.useBackupCode('ana', code)).toBeUndefined();
    }
    expect(await factors.useBackupCode('ana', '00000-00000')).toBeUndefined();
    expect(await factors.useBackupCode('ana', 'nonsense')).toBeUndefined();
  });

  test('takes a backup code that is used 100 times at once, once, and leaves the others', async () => {
    const [first = '', second = ''] = made.codes;
    const uses = Array.from({ length: 100 }, () => factors.useBackupCode('ana', first));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
    expect(await factors.useBackupCode('ana', second)).toBe(8);
  });

  test('takes nothing of somebody else, and nothing once it is off', async () => {
    expect(await factors.useTotp('bia', codeNow())).toBe(false);
    expect(await factors.useBackupCode('bia', made.codes[0] ?? '')).toBeUndefined();
    await vault.write(removalRows('ana'));
    expect(await factors.useTotp('ana', codeNow())).toBe(false);
    expect(await factors.useBackupCode('ana', made.codes[0] ?? '')).toBeUndefined();
  });
});
