import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { growthFor } from '../src/memory-bound.js';

const ALLOWED = 400;
/** What V8 reckons by itself. */
const FREE = 0;

test('heaps are collected sooner where a process takes a multiple of what it may, and as before once it takes less', () => {
  const seen: number[] = [];
  let percent = FREE;
  for (const taken of [399, 600, 601, 550, 901, 850, 520, 500, 550]) {
    percent = growthFor(taken, ALLOWED, percent);
    seen.push(percent);
  }
  expect(seen).toEqual([FREE, FREE, 40, 40, 20, 40, 40, FREE, FREE]);
});

test('V8 knows what it is told, also while it runs', () => {
  const program = "for (const p of [40, 20, 0]) require('node:v8').setFlagsFromString('--heap-growing-percent=' + p)";
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
