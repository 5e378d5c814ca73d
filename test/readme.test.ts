import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createStoreInput } from '../src/operations/administration.js';
import type { World } from './support/world.js';
import { openWorld } from './support/world.js';

const run = promisify(execFile);
const has = (program: string, ...words: readonly string[]): boolean => spawnSync(program, words).status === 0;
/** With how often the tour is taken in one shell. */
const SHELLS = [
  ['bash', 2],
  ['dash', 1],
  ['zsh', 1],
] as const;

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.service.core.administration.createStore(
    createStoreInput.parse({ slug: 'demo', name: 'Padaria', segment: 'BAKERY', plan: 'api' }),
  );
  const { key } = await world.newKey('demo');
  await mkdir(join(world.dataDir, 'data'));
  const credentials = { baseUrl: world.url, apiKey: key };
  await writeFile(join(world.dataDir, 'data', 'demo-credentials.json'), JSON.stringify(credentials));
});
afterAll(() => world.close());

/** The first lines of shell in the README that talk to the service. */
async function tour(): Promise<string> {
  const [, block = ''] = /```sh\n(.*?)```/s.exec(await readFile('README.md', 'utf8')) ?? [];
  return block;
}

for (const [shell, times] of SHELLS) {
  const missing = has('curl', '--version') ? (has(shell, '-c', 'true') ? undefined : shell) : 'curl';
  const title = `the tour of the README runs in ${shell}, ${String(times)} times, and is refused only where it says so`;
  if (missing === undefined) test(title, () => takeTour(shell, times));
  else test.skip(`${title} (left out: this machine has no ${missing})`, () => undefined);
}

async function takeTour(shell: string, times: number): Promise<void> {
  const text = (await tour()).repeat(times);
  // A bash whose input is a socket takes itself for a login from afar, and reads the machine's own settings.
  const plain = shell === 'bash' ? ['--norc'] : [];
  const { stdout, stderr } = await run(shell, [...plain, '-euc', text], {
    cwd: world.dataDir,
    maxBuffer: 10_000_000,
  });

  const codes = [...stdout.matchAll(/"code":"([A-Z_]+)"/g)].map(([, code]) => code);
  const refused = ['PRECONDITION_FAILED', 'INVALID_INPUT', 'INSUFFICIENT_STOCK'];
  expect(codes).toEqual(Array.from({ length: times }, () => refused).flat());
  expect(stderr).toBe('');
  expect(stdout).toContain('Idempotency-Replayed: true');
  expect(stdout).toContain('"unitCost":3.72');
  expect(stdout).toContain('"dryRun":true');
  expect(stdout).toMatch(/;4;1;3;UN;Ana Lima;/);
  expect(stdout).toContain('"status":"PARTIALLY_REVERSED"');
}
