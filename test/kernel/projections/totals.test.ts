import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TotalsChanges } from '../../../src/kernel/projections/totals.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import type {
  Contributions,
  ProjectionStore,
  RecordCollection,
  TotalsDocument,
} from '../../../src/ports/read-models.js';

interface Shelf {
  readonly id: string;
  readonly full: number;
  readonly tenths: number;
}
type Document = readonly Shelf[];

const TENTH = Decimal.from('0.1');
const totals = {
  collection: { name: 'shelves-totals' } as RecordCollection<TotalsDocument>,
  of: (document: object): Contributions =>
    (document as Document).map(({ id, full, tenths }) => [
      id,
      { full, ...(full > 1 ? { overfull: 1 } : {}), weight: TENTH.times(Decimal.from(tenths)) },
    ]),
};

/** What the documents come to, reckoned anew. */
function reckoned(documents: readonly (Document | undefined)[]) {
  const sums = new Map<string, { full: number; overfull: number; tenths: number }>();
  for (const { id, full, tenths } of documents.flatMap((document) => document ?? [])) {
    const sum = sums.get(id) ?? { full: 0, overfull: 0, tenths: 0 };
    sums.set(id, {
      full: sum.full + full,
      overfull: sum.overfull + (full > 1 ? 1 : 0),
      tenths: sum.tenths + tenths,
    });
  }
  const documentsOf = [...sums].map(([id, { full, overfull, tenths }]) => {
    const counters = Object.entries({ full, overfull, weight: tenths / 10 }).filter(([, sum]) => sum !== 0);
    const exact = Object.fromEntries(counters.map(([counter, sum]) => [counter, String(sum)]));
    return [id, counters.length === 0 ? undefined : { ...Object.fromEntries(counters), exact }] as const;
  });
  return Object.fromEntries(documentsOf.filter(([, document]) => document !== undefined));
}

const shelf = fc.record({
  id: fc.constantFrom('x', 'y', 'z'),
  full: fc.integer({ min: 0, max: 2 }),
  tenths: fc.integer({ min: -2, max: 2 }),
});
const change = fc.record({
  which: fc.integer({ min: 0, max: 2 }),
  to: fc.option(fc.uniqueArray(shelf, { selector: ({ id }) => id, maxLength: 3 }), { nil: undefined }),
});
/** Batches, each of which is written once or, as after a crash between the totals and their documents, twice. */
const batch = fc.record({ changes: fc.array(change, { maxLength: 5 }), again: fc.boolean() });

test('totals are the sums of what the documents add, whatever becomes of those, and however often a batch is written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 6 }), async (batches) => {
      const stored = new Map<string, { document: object | undefined; position: string }>();
      const store = { load: () => Promise.resolve(stored) } as unknown as ProjectionStore;
      let documents: readonly (Document | undefined)[] = [undefined, undefined, undefined];
      let position = 100;
      for (const { changes, again } of batches) {
        const [documentsBefore, positionBefore] = [documents, position];
        for (let times = again ? 2 : 1; times > 0; times--) {
          [documents, position] = [documentsBefore, positionBefore];
          const noted = new TotalsChanges(totals);
          for (const { which, to } of changes) {
            position += 1;
            noted.note('store', String(position), documents[which], to);
            documents = documents.with(which, to);
          }
          for (const write of await noted.writes(store, 'live')) {
            // A store remembers up to where a record had come that it deleted.
            stored.set(`store/${write.id}`, { document: write.document, position: write.position });
          }
        }
        const shown = [...stored].filter(([, { document }]) => document !== undefined);
        expect(Object.fromEntries(shown.map(([key, { document }]) => [key.slice('store/'.length), document]))).toEqual(
          reckoned(documents),
        );
      }
    }),
  );
});
