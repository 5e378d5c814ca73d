import { expect, test } from '@jest/globals';
import type { Destination } from '../../../src/features/webhooks/decider.js';
import type { Delivery } from '../../../src/features/webhooks/deliveries.js';
import { attempted, rowIdOf, testDelivery } from '../../../src/features/webhooks/deliveries.js';
import { DELIVERY_QUEUE, DeliveryRecords } from '../../../src/features/webhooks/records.js';
import { kindOf } from '../../../src/kernel/reactors/work-line.js';
import { toIso } from '../../../src/kernel/values/clock.js';
import { newId } from '../../../src/kernel/values/ids.js';
import { MemoryVault } from '../../support/memory-vault.js';

/** The list of a destination's deliveries, the newest first. */

const START = Date.parse('2026-11-21T12:00:00.000Z');
const MINUTE = 60_000;
const destination: Destination = {
  destinationId: 'd',
  url: 'https://example.com/hook',
  description: null,
  active: true,
  events: null,
  createdAt: toIso(START),
  activation: 0,
  secretId: undefined,
  secretRevision: 0,
  revision: 0,
};

/** A delivery a minute, of which each has failed that stands at one of these places. */
async function withDeliveries(count: number, failed: (place: number) => boolean) {
  const vault = new MemoryVault();
  const ids: string[] = [];
  const made = Array.from({ length: count }, (_, place): Delivery => {
    const at = START + place * MINUTE;
    const delivery = testDelivery('s', 'd', newId(at), toIso(at));
    ids.unshift(delivery.id);
    const attempt = { at: toIso(at), durationMs: 1, statusCode: 500, error: 'the answer was 500', responseSnippet: '' };
    return failed(place) ? attempted(delivery, attempt, false, { now: at, retryAt: undefined }) : delivery;
  });
  const kind = kindOf(DELIVERY_QUEUE, 'd');
  await vault.write(made.map((value) => ({ kind, id: rowIdOf(value.id), value, expected: 'absent' })));
  return { ids, records: new DeliveryRecords(vault) };
}

type Filters = Partial<Parameters<DeliveryRecords['page']>[1]>;

async function pagesOf(records: DeliveryRecords, filters: Filters) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await records.page(destination, { limit: 50, ...filters, cursor }, 'America/Sao_Paulo');
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

test('has each delivery on one page, and no page that is empty behind the last', async () => {
  const { ids, records } = await withDeliveries(210, () => false);
  for (const limit of [1, 70, 200]) {
    const pages = await pagesOf(records, { limit });
    expect(pages.flat()).toEqual(ids);
    expect(pages).toHaveLength(Math.ceil(210 / limit));
  }
});

test('begins and ends where it is asked to, both included', async () => {
  const { ids, records } = await withDeliveries(10, () => false);
  const period = { from: toIso(START + 3 * MINUTE), to: toIso(START + 6 * MINUTE) };
  expect(await pagesOf(records, { ...period, limit: 3 })).toEqual([ids.slice(3, 6), ids.slice(6, 7)]);
});

test('of one status looks at so many that it gives an empty page and goes on from there', async () => {
  const { ids, records } = await withDeliveries(5_300, (place) => place < 3);
  expect(await pagesOf(records, { status: 'FAILED', limit: 2 })).toEqual([[], ids.slice(-3, -1), ids.slice(-1)]);
});
