import { afterEach, expect, jest, test } from '@jest/globals';
import { VaultLeases } from '../../../src/adapters/vault-leases.js';
import { startSchedules } from '../../../src/kernel/reactors/schedules.js';
import type { Leases } from '../../../src/ports/leases.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { until } from '../../support/until.js';

const OFTEN = 20;
const NEVER = 86_400_000;
const TIMERS = ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance'] as const;
const clock = { now: () => Date.now() };

afterEach(() => {
  jest.useRealTimers();
});

test('a schedule runs at its start and in one process at a time', async () => {
  const leases = new VaultLeases(new MemoryVault(), clock);
  const fences: number[] = [];
  let running = 0;
  let most = 0;
  const run = async (fence: number) => {
    fences.push(fence);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
  };
  const started = ['a', 'b', 'c'].map((holder) =>
    startSchedules([{ name: 'fees', when: OFTEN, run }], { leases, holder, onError: () => undefined }),
  );
  await until('it ran twice', () => fences.length >= 2);
  await Promise.all(started.map((one) => one.stop()));
  expect(most).toBe(1);
  expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
});

test('a schedule whose time comes while it still runs is not run beside itself', async () => {
  const leases = new VaultLeases(new MemoryVault(), clock);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = 0;
  let ticks = 0;
  const long = { name: 'long', when: OFTEN, run: () => ((begun += 1), released) };
  const tick = { name: 'tick', when: OFTEN, everywhere: true, run: () => void (ticks += 1) };
  const started = startSchedules([long, tick], { leases, holder: 'a', onError: () => undefined });
  await until('its time has come twice', () => ticks >= 2);
  expect(begun).toBe(1);
  release();
  await started.stop();
});

test('a lease is renewed before it runs out while the work goes on, and given back with its end, which a stop waits for', async () => {
  jest.useFakeTimers({ doNotFake: [...TIMERS, 'Date'] });
  const told: string[] = [];
  let lasting = 0;
  const leases: Leases = {
    acquire(name, _holder, milliseconds) {
      lasting = milliseconds;
      const note = (what: string) => Promise.resolve(told.push(what) > 0);
      return Promise.resolve({
        name,
        fence: 1,
        renew: () => note('renewed'),
        release: () => note('released').then(() => undefined),
      });
    },
  };
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let runs = false;
  const long = { name: 'long', when: NEVER, run: () => ((runs = true), finished) };
  const started = startSchedules([long], { leases, holder: 'a', onError: () => undefined });
  await until('it runs', () => runs);
  jest.advanceTimersByTime(lasting - 1);
  expect(new Set(told)).toEqual(new Set(['renewed']));
  let isOver = false;
  const stopped = started.stop().then(() => (isOver = true));
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  finish();
  await stopped;
  const before = told.length;
  jest.advanceTimersByTime(lasting);
  expect([told.length, told.at(-1)]).toEqual([before, 'released']);
});

test('what came of a run is told, a failure too', async () => {
  const leases = new VaultLeases(new MemoryVault(), clock);
  const outcomes: string[] = [];
  const well = { name: 'well', when: NEVER, run: () => undefined };
  const broken = { name: 'broken', when: NEVER, run: () => Promise.reject(new Error('broken')) };
  const onWorked = (name: string, outcome: string) => void outcomes.push(`${name} ${outcome}`);
  const started = startSchedules([well, broken], { leases, holder: 'a', onError: () => undefined, onWorked });
  await until('both ran', () => outcomes.length === 2);
  await started.stop();
  expect(outcomes.sort()).toEqual(['broken failed', 'well done']);
});

test('a stop tells what runs, and waits for it as long as its patience lasts', async () => {
  const leases = new VaultLeases(new MemoryVault(), clock);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isTold = false;
  const run = (_fence: number, stopping: AbortSignal) => {
    stopping.addEventListener('abort', () => (isTold = true));
    return released;
  };
  const silent = { name: 'silent', when: NEVER, run };
  let runs = false;
  const ending = { name: 'ending', when: NEVER, run: () => void (runs = true) };
  const started = startSchedules([silent, ending], { leases, holder: 'a', onError: () => undefined }, 10);
  await until('they run', () => runs);
  await started.stop();
  expect(isTold).toBe(true);
  release();
});

test('one for every process runs in each, at its times alone, and a failure is told by its name', async () => {
  const leases = new VaultLeases(new MemoryVault(), clock);
  const ran: string[] = [];
  const failed: string[] = [];
  const started = ['a', 'b'].map((holder) =>
    startSchedules(
      [
        {
          name: 'sweep',
          when: OFTEN,
          everywhere: true,
          run: () => {
            ran.push(holder);
          },
        },
        { name: 'never', when: NEVER, everywhere: true, run: () => void ran.push('never') },
        { name: 'broken', when: NEVER, run: () => Promise.reject(new Error('broken')) },
      ],
      { leases, holder, onError: (_error, name) => failed.push(name) },
    ),
  );
  await until('both ran', () => new Set(ran).size === 2);
  await Promise.all(started.map((one) => one.stop()));
  expect(ran).not.toContain('never');
  expect(new Set(failed)).toEqual(new Set(['broken']));
});

test.each([
  ['was put back by an hour', -1],
  ['is hours ahead after a sleep', 10],
])('a schedule follows the time that passes when the machine’s clock %s', async (_what, hours) => {
  const leases = new VaultLeases(new MemoryVault(), clock);
  let ticks = 0;
  const tick = { name: 'tick', when: OFTEN, everywhere: true, run: () => void (ticks += 1) };
  const idle = { name: 'idle', when: NEVER, everywhere: true, run: () => undefined };
  // Others beside it do not make it run more often.
  const started = startSchedules([tick, idle, idle], { leases, holder: 'a', onError: () => undefined });
  await until('it has run', () => ticks >= 1);
  jest.useFakeTimers({ doNotFake: [...TIMERS], now: Date.now() + hours * 3_600_000 });
  const before = ticks;
  const set = performance.now();
  await until('it runs again', () => ticks >= before + 2);
  const passed = (performance.now() - set) / OFTEN;
  // What the clock skipped is not made up for run by run.
  expect(ticks - before).toBeLessThanOrEqual(Math.ceil(passed));
  await started.stop();
});

test('one that has times runs at them', async () => {
  const leases = new VaultLeases(new MemoryVault(), clock);
  const ran: string[] = [];
  const of = (name: string, when: string) => ({ name, when, everywhere: true, run: () => void ran.push(name) });
  const seldom = of('new year', '0 0 0 1 1 *');
  const started = startSchedules([of('second', '* * * * * *'), seldom], {
    leases,
    holder: 'a',
    onError: () => undefined,
  });
  await until('its time has come twice', () => ran.length >= 2);
  await started.stop();
  expect(new Set(ran)).toEqual(new Set(['second']));
});
