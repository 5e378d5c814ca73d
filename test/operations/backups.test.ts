import { expect, test } from '@jest/globals';
import { Backups } from '../../src/operations/backup/backups.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { until } from '../support/until.js';

const logger = { info: () => undefined, warn: () => undefined, debug: () => undefined };

/** What health says after a backup that failed. */
async function failureOf(message: string): Promise<string> {
  const backUp = () => Promise.reject(new Error(message));
  const backups = new Backups({ backUp, lastAt: () => undefined, every: 60_000, clock: systemClock(), logger });
  backups.start();
  await until('it has failed', () => backups.status().failure !== undefined);
  await backups.close();
  return backups.status().failure ?? '';
}

test('health says why a backup failed, and not where things lie on the machine', async () => {
  expect(await failureOf("EACCES: permission denied, mkdir '/mnt/copies/of the shop/2026'")).toBe(
    'EACCES: permission denied, mkdir …',
  );
  expect(await failureOf('no room for /var/lib/store/events.db: 3/4 are there')).toBe('no room for …: 3/4 are there');
});

test('a stop breaks off a backup that runs', async () => {
  let isRunning = false;
  const backUp = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      isRunning = true;
      signal.addEventListener('abort', () => {
        reject(new Error('the backup was broken off'));
      });
    });
  const backups = new Backups({ backUp, lastAt: () => undefined, every: 60_000, clock: systemClock(), logger });
  backups.start();
  await until('it runs', () => isRunning);
  await backups.close();
  expect(backups.status()).not.toHaveProperty('failure');
});

test('a backup that bears a time to come, as of a clock that was ahead, is none, and the next is made at once', async () => {
  const clock = systemClock();
  const made: string[] = [];
  const backUp = () => {
    made.push(new Date(clock.now()).toISOString());
    return Promise.resolve({ at: made.at(-1) ?? '', size: 1, added: 0 });
  };
  const lastAt = () => clock.now() + 40 * 86_400_000;
  const backups = new Backups({ backUp, lastAt, every: 3_600_000, clock, logger });
  expect(backups.status()).toEqual({ ok: true, at: null, ageSeconds: null });
  backups.start();
  await until('one is made', () => backups.status().at !== null);
  await backups.close();
  expect(backups.status()).toEqual({ ok: true, at: made[0], ageSeconds: 0 });
});
