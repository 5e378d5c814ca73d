import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PastRecords } from '../../../src/features/audit/records/past-records.js';
import type { AuditedRecord } from '../../../src/features/contracts/audited-record.js';
import type { CustomerDirectory } from '../../../src/features/contracts/customer-directory.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import type { EventStore } from '../../../src/ports/event-store.js';

const data = readFileSync('test/fixtures/events/CategoryCreated.v1.json', 'utf8');
const { id } = JSON.parse(data) as { readonly id: string };

const momentOf = (second: number): string => new Date(1_000 * second).toISOString();

interface Asked {
  readonly range: { readonly after?: string; readonly to?: string };
  readonly limit: number;
  readonly cursor?: string;
}

/** A record that is a list of the events that made it, each at its second, and how many of them were read. */
function historyOf(seconds: readonly number[]) {
  const rows = seconds.map((second, index) => ({ at: momentOf(second), position: String(index) }));
  const looked = { events: 0 };
  const within = ({ after = '', to = '~' }: Asked['range']) =>
    rows.filter(({ at }) => at > after && at <= to).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const reads = {
    count: (_: unknown, { range }: Asked) => Promise.resolve(within(range).length),
    findRows(_: unknown, { range, limit, cursor = '0' }: Asked) {
      const [found, first] = [within(range), Number(cursor)];
      const nextCursor = first + limit < found.length ? String(first + limit) : null;
      return Promise.resolve({ items: found.slice(first, first + limit), nextCursor });
    },
  };
  const eventStore = {
    readAt(positions: readonly string[]) {
      looked.events += positions.length;
      return Promise.resolve(
        positions.map((position) => {
          const meta = JSON.stringify({ schemaVersion: 1, at: rows[Number(position)]?.at });
          return { id: position, type: 'CategoryCreated', stream: 's', revision: 0, position, data, meta };
        }),
      );
    },
  } as unknown as EventStore;
  const record: AuditedRecord = {
    kind: 'category',
    evolve: (before, event) => [...((before as string[] | undefined) ?? []), event.position],
    show: (state) => state as object | undefined,
    nameOf: () => undefined,
  };
  const past = new PastRecords({ eventStore, customers: {} as CustomerDirectory, records: [record] });
  const context = { reads, storeId: 'store' } as unknown as RequestContext;
  const at = (second: number) => past.find(context, { kind: 'category', id }, momentOf(second));
  return { rows, looked, at };
}

const upTo = (rows: readonly { readonly at: string; readonly position: string }[], second: number) =>
  rows.filter(({ at }) => at <= momentOf(second)).map(({ position }) => position);

test('a record is the same at each moment, whichever was asked for before', async () => {
  const { rows, at } = historyOf(Array.from({ length: 400 }, (_, index) => Math.floor(index / 3)));
  for (const second of [100, 3, 133, 40, 39, 133, 41, 12, 100, 77, 0]) {
    expect(await at(second)).toEqual(upTo(rows, second));
  }
});

test('another moment is made from the last one that is known before it', async () => {
  const { looked, at } = historyOf(Array.from({ length: 400 }, (_, index) => index));
  await at(399);
  expect(looked.events).toBe(400);
  await at(399);
  expect(looked.events).toBeLessThan(400 + 32);
  await at(250);
  expect(looked.events).toBeLessThan(400 + 2 * 32);
});

test('events that all happened in one moment are one step', async () => {
  const { rows, looked, at } = historyOf(Array.from({ length: 300 }, () => 7));
  expect(await at(7)).toEqual(upTo(rows, 7));
  expect(await at(9)).toHaveLength(300);
  expect(looked.events).toBe(300);
});

test('an event that a slower clock put before a known moment counts', async () => {
  const { rows, at } = historyOf(Array.from({ length: 100 }, (_, index) => 10 * index));
  expect(await at(2_000)).toHaveLength(100);
  rows.push({ at: momentOf(15), position: '100' });
  expect(await at(2_000)).toEqual(['0', '1', '100', ...upTo(rows, 2_000).slice(2, -1)]);
  expect(await at(20)).toEqual(['0', '1', '100', '2']);
});
