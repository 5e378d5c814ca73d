import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createStoreInput } from '../src/operations/administration.js';
import { openWorld, type World } from './support/world.js';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The first lines of shell in the README that talk to the service. */
async function tour(): Promise<string> {
  const [, block = ''] = /```sh\n(.*?)```/s.exec(await readFile('README.md', 'utf8')) ?? [];
  return block;
}

(hasCurl ? test : test.skip)('the tour of the README runs, and is refused only where it says so', async () => {
  await world.service.core.administration.createStore(
    createStoreInput.parse({ slug: 'demo', name: 'Padaria', segment: 'BAKERY', plan: 'api' }),
  );
  const { key } = await world.newKey('demo');
  await mkdir(join(world.dataDir, 'data'));
  const credentials = { baseUrl: world.url, apiKey: key };
  await writeFile(join(world.dataDir, 'data', 'demo-credentials.json'), JSON.stringify(credentials));

  const { stdout, stderr } = await run('bash', ['-euc', await tour()], { cwd: world.dataDir, maxBuffer: 10_000_000 });

  const codes = [...stdout.matchAll(/"code":"([A-Z_]+)"/g)].map(([, code]) => code);
  expect(codes).toEqual(['PRECONDITION_FAILED', 'INVALID_INPUT', 'INSUFFICIENT_STOCK']);
  expect(stderr).toBe('');
  expect(stdout).toContain('Idempotency-Replayed: true');
  expect(stdout).toContain('"unitCost":3.72');
  expect(stdout).toMatch(/;4;1;3;UN;Ana Lima;/);
  expect(stdout).toContain('"status":"PARTIALLY_REVERSED"');
});
