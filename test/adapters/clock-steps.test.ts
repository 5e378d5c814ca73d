import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { VaultLeases } from '../../src/adapters/vault-leases.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { Vault } from '../../src/ports/vault.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';

/** Somebody sets the wall's clock by an hour, either way, while leases are held. */

const HOUR = 3_600_000;
const LENGTH = 30_000;

const vaults = new EmbeddedLogs((log) => log.vault);
const time = { wall: 0, passed: 0 };
const pass = (milliseconds: number): void => {
  time.wall += milliseconds;
  time.passed += milliseconds;
};
const newClock = () =>
  systemClock(
    () => time.wall,
    () => time.passed,
  );
let vault: Vault;
/** One that runs all the time. */
let clock: ReturnType<typeof newClock>;
let leases: VaultLeases;

beforeEach(async () => {
  time.wall = Date.UTC(2026, 5, 1);
  clock = newClock();
  vault = await vaults.open(clock);
  leases = new VaultLeases(vault, clock);
});
afterAll(() => vaults.dispose());

test('a clock goes on while the wall was set back, and agrees with it in the end', () => {
  const before = clock.now();
  time.wall -= HOUR;
  pass(10_000);
  expect(clock.now() - before).toBe(9_500);
  pass(30 * HOUR);
  expect(clock.now()).toBe(time.wall);
  time.wall += HOUR;
  expect(clock.now()).toBe(time.wall);
});

describe('a process that starts', () => {
  test('dates nothing before what was recorded last, where the wall was set back a little since', () => {
    const noon = time.wall;
    clock.goOnFrom?.(noon + 40_000);
    expect(clock.now()).toBe(noon + 40_000);
    pass(10_000);
    expect(clock.now()).toBe(noon + 49_500);
    pass(HOUR);
    expect([clock.now(), clock.ahead?.()]).toEqual([time.wall, 0]);
  });

  test.each([
    ['later by more than a minute', 60_001],
    ['before it', -1],
    ['at no time at all', Number.NaN],
  ])('keeps to the wall where what was recorded last is %s', (_, by) => {
    clock.goOnFrom?.(time.wall + by);
    expect(clock.now()).toBe(time.wall);
  });
});

describe.each([
  ['back', -HOUR],
  ['forth', HOUR],
])('a step %s', (_, step) => {
  test('leaves a lease that is renewed, or free for one who takes it, to one holder', async () => {
    const lease = await leases.acquire('jobs', 'a', LENGTH);
    pass(10_000);
    time.wall += step;
    const renewed = await lease?.renew();
    const other = await leases.acquire('jobs', 'b', LENGTH);
    // One of the two has it, and the later one a greater fence.
    expect([renewed, other?.fence]).toEqual(step < 0 ? [true, undefined] : [false, 2]);
  });

  test('keeps nobody from following a holder that died, not even one who starts afterwards', async () => {
    await leases.acquire('jobs', 'dead', LENGTH);
    time.wall += step;
    const started = new VaultLeases(vault, newClock());
    await started.acquire('jobs', 'started', LENGTH);
    pass(LENGTH * 1.1);
    expect(await started.acquire('jobs', 'started', LENGTH)).toMatchObject({ name: 'jobs' });
    pass(LENGTH * 1.1);
    // And in turn one who was there before.
    expect(await leases.acquire('jobs', 'c', LENGTH)).toBeDefined();
  });
});

test('a holder that goes on renewing keeps its lease from one whose clock is behind', async () => {
  const lease = await leases.acquire('jobs', 'ahead', LENGTH);
  time.wall -= HOUR;
  const behind = new VaultLeases(vault, newClock());
  for (let round = 0; round < 10; round++) {
    pass(10_000);
    expect(await lease?.renew()).toBe(true);
    expect(await behind.acquire('jobs', 'behind', LENGTH)).toBeUndefined();
  }
});
