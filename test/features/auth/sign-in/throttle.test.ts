import { createSecretKey } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FailureCount } from '../../../../src/features/auth/sign-in/failure-count.js';
import { TOO_MANY_ATTEMPTS } from '../../../../src/features/auth/sign-in/rejections.js';
import { PASSWORD_LIMITS, Throttle } from '../../../../src/features/auth/sign-in/throttle.js';
import { systemClock } from '../../../../src/kernel/values/clock.js';
import { Rejection } from '../../../../src/kernel/events/rejection.js';
import { MemoryVault } from '../../../support/memory-vault.js';
import { until } from '../../../support/until.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const key = createSecretKey(Buffer.alloc(32, 7));
let time: number;
let vault: MemoryVault;
let throttle: Throttle;
let checks: number;

const make = (purpose: 'password' | 'code' = 'password', patience = 15_000) =>
  new Throttle(purpose === 'code' ? { ...PASSWORD_LIMITS, purpose } : PASSWORD_LIMITS, {
    vault,
    clock: systemClock(() => time),
    key,
    patience,
  });

beforeEach(() => {
  time = Date.UTC(2026, 0, 1);
  vault = new MemoryVault(() => time);
  throttle = make();
  checks = 0;
});

const ANA = { account: 'ana', address: '203.0.113.7' };

/** Attempts that run now, by the fullest counter. */
async function pending(): Promise<number> {
  const rows = await vault.list('throttle', { limit: 10 });
  return Math.max(0, ...rows.map(({ value }) => (value as FailureCount).pending.length));
}

type Outcome = 'ok' | 'wrong' | { readonly retryAfter: unknown };

async function attempt(
  right: boolean,
  who: { account?: string; address?: string } = {},
  by = throttle,
): Promise<Outcome> {
  const { account = ANA.account, address = ANA.address } = who;
  try {
    const result = await by.guard({ account, address }, () => {
      checks++;
      return Promise.resolve(right ? true : undefined);
    });
    return result ? 'ok' : 'wrong';
  } catch (error) {
    if (!(error instanceof Rejection) || error.kind !== TOO_MANY_ATTEMPTS) throw error;
    return { retryAfter: error.extra['retryAfter'] };
  }
}

async function fail(times: number, who: { account?: string; address?: string } = {}, by = throttle): Promise<void> {
  for (let round = 0; round < times; round++) expect(await attempt(false, who, by)).toBe('wrong');
}

describe('an account', () => {
  test('is blocked after five failures, also for the right password', async () => {
    await fail(5);
    expect(await attempt(true)).toEqual({ retryAfter: 60 });
    time += 30_500;
    expect(await attempt(true)).toEqual({ retryAfter: 30 });
    expect(checks).toBe(5);
    time += 29_500;
    expect(await attempt(true)).toBe('ok');
  });

  test('is blocked for twice as long after each further failure, at most for 15 minutes', async () => {
    await fail(5);
    for (const retryAfter of [60, 120, 240, 480, 900, 900, 900]) {
      expect(await attempt(true)).toEqual({ retryAfter });
      time += retryAfter * 1000 - 1;
      expect(await attempt(true)).toEqual({ retryAfter: 1 });
      time += 1;
      await fail(1);
    }
  });

  test('starts afresh after a success', async () => {
    await fail(4);
    expect(await attempt(true)).toBe('ok');
    await fail(5);
    expect(await attempt(true)).toEqual({ retryAfter: 60 });
    time += MINUTE;
    expect(await attempt(true)).toBe('ok');
    await fail(5);
    expect(await attempt(true)).toEqual({ retryAfter: 60 });
  });

  test('is not blocked by failures that are further apart', async () => {
    for (let round = 0; round < 20; round++) {
      await fail(1);
      time += 4 * MINUTE;
    }
    expect(await attempt(true)).toBe('ok');
  });

  test('is forgotten a quiet quarter of an hour after its block', async () => {
    await fail(5);
    time += MINUTE + 15 * MINUTE - 1;
    await fail(1);
    expect(await attempt(true)).toEqual({ retryAfter: 120 });
    time += 2 * MINUTE + 15 * MINUTE;
    await fail(5);
    expect(await attempt(true)).toEqual({ retryAfter: 60 });
  });

  test('does not block another one, nor its own codes', async () => {
    await fail(5);
    expect(await attempt(true, { account: 'bia' })).toBe('ok');
    expect(await attempt(true, {}, make('code'))).toBe('ok');
  });
});

describe('an address', () => {
  const spread = (round: number) => ({ account: `account ${round}`, address: '2001:db8::1' });

  test('is blocked after twenty failures, whatever the accounts, and with it its whole network', async () => {
    for (let round = 0; round < 20; round++) await fail(1, spread(round));
    expect(await attempt(true, spread(99))).toEqual({ retryAfter: 60 });
    expect(await attempt(true, { address: '2001:db8::ffff:1' })).toEqual({ retryAfter: 60 });
    expect(await attempt(true, { address: '2001:db8:0:1::1' })).toBe('ok');
  });

  test('keeps its failures after a success, which does not count itself', async () => {
    for (let round = 0; round < 19; round++) {
      await fail(1, spread(round));
      expect(await attempt(true, spread(round))).toBe('ok');
    }
    await fail(1, spread(20));
    expect(await attempt(true, spread(21))).toEqual({ retryAfter: 60 });
  });

  test('that is blocked takes nothing from the account', async () => {
    for (let round = 0; round < 20; round++) await fail(1, spread(round));
    for (let round = 0; round < 9; round++) expect(await attempt(false, spread(0))).toEqual({ retryAfter: 60 });
    expect(await attempt(true, { account: 'account 0' })).toBe('ok');
  });
});

describe('at once', () => {
  test('100 wrong guesses: five are looked at', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => attempt(false)));
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(5);
    expect(checks).toBe(5);
  });

  test('100 wrong guesses in two processes: five are looked at', async () => {
    const other = make();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, at) => attempt(false, {}, at % 2 === 0 ? throttle : other)),
    );
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(5);
    expect(checks).toBe(5);
  });

  test('100 right passwords: all are taken', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => attempt(true)));
    expect(outcomes.filter((outcome) => outcome !== 'ok')).toEqual([]);
  });

  test('100 guesses at 100 accounts from one address: twenty are looked at', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, at) => attempt(false, { account: `account ${at}` })));
    expect(checks).toBe(20);
  });

  test('who waits too long is sent away', async () => {
    const impatient = make('password', 0);
    let open: () => void = () => undefined;
    const gate = new Promise<undefined>((resolve) => {
      open = () => {
        resolve(undefined);
      };
    });
    const running = Array.from({ length: 5 }, () => impatient.guard(ANA, () => gate));
    await until('five are let through', async () => (await pending()) === 5);
    expect(await attempt(true, {}, impatient)).toEqual({ retryAfter: 1 });
    open();
    await Promise.all(running);
    expect(await attempt(true, {}, impatient)).toEqual({ retryAfter: 60 });
  });
});

test('a check that could not be made does not count', async () => {
  for (let round = 0; round < 30; round++) {
    const broken = throttle.guard(ANA, () => Promise.reject(new Error('away')));
    await expect(broken).rejects.toThrow('away');
  }
  expect(await attempt(true)).toBe('ok');
});

test('an attempt whose process died counts as failed', async () => {
  const dying = make();
  for (let round = 0; round < 5; round++) void dying.guard(ANA, () => new Promise<undefined>(() => undefined));
  await until('five are let through', async () => (await pending()) === 5);
  time += MINUTE;
  await fail(1);
  expect(await attempt(true)).toEqual({ retryAfter: 120 });
});

test('a clock that was ahead when attempts failed blocks nobody after a start with the right one', async () => {
  time += DAY;
  await fail(5);
  expect(await attempt(true)).not.toBe('ok');
  time -= DAY;
  throttle = make();
  expect(await attempt(true)).toBe('ok');
  await fail(4);
  expect(await attempt(true)).toBe('ok');
});

test('rows name nobody and go by themselves', async () => {
  await fail(5);
  const rows = await vault.list('throttle', { limit: 10 });
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(/ana|203\.0\.113/);
  time += 16 * MINUTE;
  expect(await vault.sweep(time)).toBe(2);
});

test('in any history at most five failures go before a block, and who waits as told gets in', async () => {
  const step = fc.record({ pause: fc.constantFrom(0, 1_000, MINUTE, 5 * MINUTE, 31 * MINUTE), right: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      vault = new MemoryVault(() => time);
      throttle = make();
      let failuresInARow = 0;
      for (const { pause, right } of steps) {
        time += pause;
        const outcome = await attempt(right);
        if (outcome === 'ok') failuresInARow = 0;
        if (outcome === 'wrong') failuresInARow++;
        if (pause >= 31 * MINUTE && failuresInARow > 1) failuresInARow = 1;
        if (typeof outcome === 'string') continue;
        expect(failuresInARow).toBeGreaterThanOrEqual(5);
        expect(outcome.retryAfter).toBeGreaterThan(0);
        expect(outcome.retryAfter).toBeLessThanOrEqual(900);
      }
      const last = await attempt(true);
      if (typeof last === 'string') return;
      time += Number(last.retryAfter) * 1000;
      expect(await attempt(true)).toBe('ok');
    }),
    { numRuns: 200 },
  );
});
