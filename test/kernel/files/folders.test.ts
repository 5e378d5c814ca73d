import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const onLinux = existsSync('/proc/self') ? test : test.skip;

// In a process of its own: where it fails, a thread never ends.
onLinux('a folder where none can be made is refused at once, and the start says so', () => {
  const main = fileURLToPath(new URL('../../../src/main.js', import.meta.url));
  const start = () =>
    execFileSync(process.execPath, [main], {
      env: { ...process.env, DATA_DIR: '/proc/nowhere/data', PORT: '0' },
      timeout: 120_000,
      killSignal: 'SIGKILL',
      stdio: 'pipe',
    });
  expect(start).toThrow(/DATA_DIR cannot be used: ENOENT/);
});
