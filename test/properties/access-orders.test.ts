import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/**
 * People of two stores sign in, set up second factors, change what others may do and are sent out, in processes that share what they store,
 * while some of those die and answers get lost: what was taken away opens nothing any more, what works once works once, and names have one owner.
 * ACCESS_ORDERS asks for other seeds, as `1 20000`; `test/support/access-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['ACCESS_ORDERS'] ?? '1 60').split(' ');
const EXPLORE = 'dist/test/support/access-orders/explore.js';

test(`orders of things that are drawn from the seeds ${SEEDS.join(' to ')} end well`, async () => {
  const running = promisify(execFile)(process.execPath, [EXPLORE, ...SEEDS], { maxBuffer: 2 ** 26 });
  const { stdout } = await running.catch((error: unknown) => error as { readonly stdout: string });
  expect(stdout).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
}, 3_600_000);
