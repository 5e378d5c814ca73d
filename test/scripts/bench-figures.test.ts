import { expect, test } from '@jest/globals';
import type { Benchmark, Sample } from '../../scripts/bench/benchmark.js';
import { measure } from '../../scripts/bench/benchmark.js';
import { figuresOf, percentile } from '../../scripts/bench/figures.js';
import { tableOf } from '../../scripts/bench/table.js';

/** Gives these samples in turn, after the one that warms up. */
function scripted(name: string, samples: readonly Sample[], comparedWith?: string) {
  const warmUp: Sample = { n: 1_000_000, seconds: 1, latenciesMs: [999] };
  const left = [warmUp, ...samples];
  return {
    name,
    ...(comparedWith === undefined ? {} : { comparedWith }),
    measure: () => Promise.resolve(left.shift() ?? warmUp),
  };
}

const sample = (n: number, seconds: number, ...latenciesMs: number[]): Sample => ({ n, seconds, latenciesMs });

function benchmark(): Benchmark & { readonly tornDown: () => number } {
  let tornDown = 0;
  return {
    name: 'invented',
    unit: 'things',
    tornDown: () => tornDown,
    prepare: () =>
      Promise.resolve({
        engine: 'none',
        cases: [
          scripted('slow', [sample(100, 1, 1, 2, 3), sample(300, 1, 4), sample(400, 2, 9)]),
          scripted('fast', [sample(800, 1, 1), sample(800, 1, 1), sample(4000, 4, 1)], 'slow'),
        ],
        tearDown: () => {
          tornDown += 1;
          return Promise.resolve();
        },
      }),
  };
}

test('figures are medians of the runs after the first, with their bounds', async () => {
  const invented = benchmark();
  const { cases, ...facts } = await figuresOf(invented, 3, 0.001);
  expect(cases).toEqual([
    {
      case: 'slow',
      n: 800,
      per_s: { median: 200, min: 100, max: 300 },
      p50_ms: { median: 4, min: 2, max: 9 },
      p99_ms: { median: 4, min: 3, max: 9 },
    },
    {
      case: 'fast',
      n: 5600,
      per_s: { median: 800, min: 800, max: 1000 },
      p50_ms: { median: 1, min: 1, max: 1 },
      p99_ms: { median: 1, min: 1, max: 1 },
      of_compared: 4,
    },
  ]);
  expect(facts).toMatchObject({ benchmark: 'invented', engine: 'none', runs: 3, node: process.version });
  expect(invented.tornDown()).toBe(1);
});

test('what was prepared is torn down after a failure', async () => {
  let tornDown = false;
  const failing: Benchmark = {
    name: 'failing',
    unit: 'things',
    prepare: () =>
      Promise.resolve({
        engine: 'none',
        cases: [{ name: 'one', measure: () => Promise.reject(new Error('no')) }],
        tearDown: () => {
          tornDown = true;
          return Promise.resolve();
        },
      }),
  };
  await expect(figuresOf(failing, 1, 0.001)).rejects.toThrow('no');
  expect(tornDown).toBe(true);
});

test('a percentile is one of the values', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 101, 199, 200]);
  expect(percentile([], 0.5)).toBe(0);
});

test('operations of all workers count, also those that end at the same moment', async () => {
  let done = 0;
  const { n, latenciesMs } = await measure(20, 8, async () => {
    await Promise.resolve();
    // A turn of the event loop, so that the time can pass.
    await new Promise(setImmediate);
    done += 3;
    return 3;
  });
  expect(n).toBe(done);
  expect(latenciesMs).toHaveLength(done / 3);
});

test('the table has a line for each case', async () => {
  const lines = tableOf(await figuresOf(benchmark(), 3, 0.001)).split('\n');
  expect(lines[1]).toMatch(/^slow +200 +100 … 300 +4 +4 +800$/);
  expect(lines[2]).toMatch(/^fast +800 +800 … 1,000 +1 +1 +5,600 +400 %$/);
});
