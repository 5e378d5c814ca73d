import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

// Only what has a source is run: the compiled test of a deleted file may still lie in dist.
const tests = readdirSync(new URL('test', import.meta.url), { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.test.ts'));

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/dist/test'],
  testMatch: tests.map((path) => `<rootDir>/dist/test/${path.replaceAll('\\', '/').replace(/ts$/, 'js')}`),
  transform: {},
  watchman: false,
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // Servers, workers and processes are started in tests; on a busy machine that takes its time.
  testTimeout: 30_000,
};
