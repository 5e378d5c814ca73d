import { expect, test } from '@jest/globals';
import { toldOfSeeds } from '../support/seeds.js';

/**
 * Fiscal documents come and go, webhook destinations are added, switched, given other secrets and removed, and receivers answer well, ill or
 * never, while the processes that follow the log and send die, stand still or have clocks that differ: each destination is told of what happened
 * while it was on, with the secret that counted then, as often as the plan says, and of nothing else. WEBHOOK_ORDERS asks for other seeds, as
 * `1 20000`; `test/support/webhook-orders/explore.ts` tells how to look at one of them.
 */

const SEEDS = (process.env['WEBHOOK_ORDERS'] ?? '1 40').split(' ');
/** A secret is rotated three times while the process that rotates it first stands between its row and its event: it was lost, and others signed with another. */
const ROTATED_MEANWHILE = ['8110441', '8110442'];
/** A process dies between the row of a delivery and that of its line, and the destination changes: the delivery stayed open. */
const NOT_ANNOUNCED = ['8101358', '8101359'];

test.each([SEEDS, ROTATED_MEANWHILE, NOT_ANNOUNCED])(
  'orders of things that are drawn from the seeds %s to %s end well',
  async (...seeds) => {
    expect(await toldOfSeeds('webhook-orders', seeds)).toMatch(/^[0-9]+ seeds, 0 of them wrong\n$/);
  },
  3_600_000,
);
