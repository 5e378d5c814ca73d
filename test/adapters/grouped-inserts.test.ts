import { expect, test } from '@jest/globals';
import { rowCollection } from '../../src/kernel/projections/projector.js';
import { freshFolder, openEmbeddedReads } from '../support/embedded-reads.js';

const steps = rowCollection({
  name: 'steps',
  version: 1,
  columns: { number: 'integer', kind: 'text', at: 'text' },
  indexes: [['number']],
  repeated: ['kind', 'at'],
});

const position = (number: number): string => String(number).padStart(16, '0');

/** Rows of three stores, of which some have kind and time in common with the one before and some have not. */
const rowsUpTo = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    store: `s${String(Math.floor(number / 50) % 3)}`,
    id: `${position(1)}:${String(number)}`,
    values: { number, kind: number % 20 < 18 ? 'usual' : null, at: `2026-01-01T00:00:${String(number % 7)}` },
    position: position(1),
  }));

test('rows are written whole and in their order, however many of them come at once and whatever repeats', async () => {
  const { store, reads, close } = await openEmbeddedReads(await freshFolder(), [steps]);
  try {
    const rows = rowsUpTo(230);
    await store.commit([{ collection: steps, generation: 'live', records: [], rows }], []);
    for (const name of ['s0', 's1', 's2']) {
      const query = { store: name, sort: { column: 'number', direction: 'asc' }, limit: 1_000 } as const;
      const { items } = await reads.findRows(steps, query);
      expect(items).toEqual(rows.filter((row) => row.store === name).map(({ values }) => values));
    }
  } finally {
    await close();
  }
});
