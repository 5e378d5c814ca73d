import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { systemClock } from '../../src/kernel/values/clock.js';
import { ClockWatch } from '../../src/operations/clock-watch.js';

const HOUR = 3_600_000;

test('a clock that was set back is told once, and shown until the service agrees with it', async () => {
  let wall = Date.UTC(2026, 5, 1);
  const said: unknown[] = [];
  const warn = (...words: unknown[]) => void said.push(words);
  const clock = systemClock(() => wall);
  const watch = new ClockWatch({ clock, logger: { warn } });
  const registry = new Registry();
  watch.register(registry);
  clock.now();
  wall -= 10_000; // as a time server does
  watch.lookout.look();
  expect([watch.status().ok, said]).toEqual([true, []]);

  wall -= HOUR;
  watch.lookout.look();
  watch.lookout.look();
  expect(watch.status()).toEqual({ ok: false, aheadSeconds: 3_610 });
  expect(said).toEqual([[{ aheadSeconds: 3_610 }, expect.stringContaining('was set back')]]);
  expect(await registry.metrics()).toMatch(/^clock_ahead_seconds 3610$/m);

  wall += 2 * HOUR;
  watch.lookout.look();
  expect(watch.status()).toEqual({ ok: true, aheadSeconds: 0 });
});
