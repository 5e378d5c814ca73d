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
  globalSetup: '<rootDir>/dist/test/support/service-document.js',
  globalTeardown: '<rootDir>/dist/test/support/no-service-document.js',
  transform: {},
  watchman: false,
  testSequencer: '<rootDir>/jest.sequencer.js',
  // Many tests wait for processes and time limits: one more than two cores can run keeps both of them busy.
  maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
  // Each suite has its modules to itself, and what held them is not all given back: after a few hundred suites a worker would have gigabytes.
  workerIdleMemoryLimit: '1536MB',
  // Servers, workers and processes are started in tests; on a busy machine that takes its time.
  testTimeout: 180_000,
};
