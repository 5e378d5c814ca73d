import { expect, test } from '@jest/globals';
import { VaultLeases } from '../../../src/adapters/vault-leases.js';
import { startSchedules } from '../../../src/kernel/reactors/schedules.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { until } from '../../support/until.js';

const EVERY_SECOND = '* * * * * *';
const NEW_YEAR = '0 0 0 1 1 *';
const clock = { now: () => Date.now() };

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
    startSchedules([{ name: 'fees', when: EVERY_SECOND, run }], { leases, holder, onError: () => undefined }),
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
  const long = { name: 'long', when: EVERY_SECOND, run: () => ((begun += 1), released) };
  const tick = { name: 'tick', when: EVERY_SECOND, everywhere: true, run: () => void (ticks += 1) };
  const started = startSchedules([long, tick], { leases, holder: 'a', onError: () => undefined });
  await until('its time has come twice', () => ticks >= 2);
  expect(begun).toBe(1);
  release();
  await started.stop();
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
  const silent = { name: 'silent', when: NEW_YEAR, run };
  let runs = false;
  const ending = { name: 'ending', when: NEW_YEAR, run: () => void (runs = true) };
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
          when: EVERY_SECOND,
          everywhere: true,
          run: () => {
            ran.push(holder);
          },
        },
        { name: 'new year', when: NEW_YEAR, everywhere: true, run: () => void ran.push('new year') },
        { name: 'broken', when: NEW_YEAR, run: () => Promise.reject(new Error('broken')) },
      ],
      { leases, holder, onError: (_error, name) => failed.push(name) },
    ),
  );
  await until('both ran', () => new Set(ran).size === 2);
  await Promise.all(started.map((one) => one.stop()));
  expect(ran).not.toContain('new year');
  expect(new Set(failed)).toEqual(new Set(['broken']));
});
