import { expect, test } from '@jest/globals';
import { toldOfSeeds } from '../support/seeds.js';

/**
 * Fiscal documents come and go, webhook destinations are added, switched, given other secrets and removed, and receivers answer well, ill or
 * never, while the processes that follow the log and send die, stand still or have clocks that differ: each destination is told of what happened
 * while it was on, with the secret that counted then, as often as the plan says, and of nothing else. WEBHOOK_ORDERS asks for other seeds, as
 * `1 20000`; `test/support/webhook-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['WEBHOOK_ORDERS'] ?? '1 40').split(' ');

test(`orders of things that are drawn from the seeds ${SEEDS.join(' to ')} end well`, async () => {
  expect(await toldOfSeeds('webhook-orders', SEEDS)).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
}, 3_600_000);
