import { expect } from '@jest/globals';
import type { RecordCollection } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import type { Letter } from './read-model-samples.js';
import { add, checkpoint, letters, moves, position } from './read-model-samples.js';

/** UUIDs, texts with a UUID in them, and texts that only look like one. */
const IDS = [
  '00000000-0000-4000-8000-000000000001',
  '01a20387-c12c-7a5a-893f-3eac76685216',
  'ffffffff-ffff-4fff-8fff-ffffffffffff',
];
const [FIRST, SECOND, THIRD] = IDS as [string, string, string];
const MIXED = [
  ...IDS,
  `${FIRST}/0/${SECOND}`,
  `${FIRST}/1/${SECOND}`,
  `cão:${THIRD}`,
  `${FIRST}${SECOND}`,
  FIRST.toUpperCase().replace('0', 'A'),
  FIRST.replaceAll('-', ''),
  `["${FIRST}"]`,
  'plain',
  'deadbeef',
];

const letter = (id: string, to: string | null): Letter => ({
  ...{ id, to, secret: `of ${id}` },
  text: `To whom it may concern, ${'é'.repeat(id.length)}`,
});

/** One letter with each id, to the id after it. */
const LETTERS = MIXED.map((id, index) => letter(id, MIXED[index + 1] ?? null));

const written = async ({ store }: OpenReadModels): Promise<void> => {
  const records = LETTERS.map((document) => ({ store: 's1', id: document.id, document, position: position(1) }));
  const collection = letters as RecordCollection<never>;
  await store.commit([{ collection, generation: 'live', records, rows: [] }], [checkpoint(1, letters)]);
  const rows = MIXED.map((lot, index) => ({ lot, order: MIXED[index + 1] ?? null, at: `t${index}`, units: index }));
  await store.commit([add(rows, { at: 1 })], [checkpoint(1, moves)]);
};

const given = (title: string, run: ContractTest[1]): ContractTest => [
  title,
  async (models) => {
    await written(models);
    await run(models);
  },
];

const bodyOf = ({ id, to, text }: Letter): string => JSON.stringify({ id, to, text });
const BODIES = LETTERS.map(bodyOf);

export const identifierTests: readonly ContractTest[] = [
  given('records are found by ids of any form, one by one and many at once', async ({ reads }) => {
    for (const document of LETTERS) {
      const { id, secret } = document;
      const stored = { id, body: bodyOf(document), hidden: JSON.stringify({ secret }) };
      expect(await reads.get(letters, 's1', id)).toEqual(stored);
    }
    for (const some of [IDS, MIXED, ['plain', 'deadbeef']]) {
      const wanted = BODIES.filter((_, index) => some.includes(MIXED[index] ?? ''));
      expect((await reads.getMany(letters, 's1', some)).map(({ body }) => body)).toEqual(wanted);
      expect(await reads.getBodies(letters, 's1', [...some, 'missing'])).toEqual([...wanted, undefined]);
    }
    const columns = await reads.getColumns(letters, 's1', MIXED, ['to']);
    expect(columns.map((row) => row?.to)).toEqual(LETTERS.map(({ to }) => to));
  }),
  given('records and rows are found by what is stored of any form', async ({ reads }) => {
    for (const to of MIXED.slice(1)) {
      const query = { store: 's1', equal: { to }, sort: { column: 'to', direction: 'asc' } as const, limit: 5 };
      const body = bodyOf(LETTERS[MIXED.indexOf(to) - 1] as Letter);
      expect((await reads.findBodies(letters, query)).items).toEqual([body]);
      const rows = { ...query, equal: { order: to }, sort: { column: 'at', direction: 'asc' } as const };
      expect((await reads.findRows(moves, rows, ['order', 'units'])).items).toEqual([
        { order: to, units: MIXED.indexOf(to) - 1 },
      ]);
    }
    for (const values of [MIXED, IDS, ['plain', 'missing'], [null, FIRST, SECOND]]) {
      const count = LETTERS.filter(({ to }) => values.includes(to)).length;
      expect(await reads.count(letters, { store: 's1', oneOf: { column: 'to', values } })).toBe(count);
      expect(await reads.count(moves, { store: 's1', oneOf: { column: 'order', values } })).toBe(count);
    }
  }),
  given('a list goes on behind any of them', async ({ reads }) => {
    for (const direction of ['asc', 'desc'] as const) {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof reads.findBodies>> = await reads.findBodies(letters, {
          ...{ store: 's1', sort: { column: 'to', direction }, limit: 1 },
          ...(cursor === null ? {} : { cursor }),
        });
        found.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(found.toSorted()).toEqual(BODIES.toSorted());
    }
  }),
  given('those of one form are in their order', async ({ reads }) => {
    const query = { store: 's1', oneOf: { column: 'lot', values: IDS }, limit: 5 };
    for (const [direction, expected] of [['asc', IDS] as const, ['desc', IDS.toReversed()] as const]) {
      const page = await reads.findRows(moves, { ...query, sort: { column: 'lot', direction } }, ['lot']);
      expect(page.items.map(({ lot }) => lot)).toEqual(expected);
    }
    const range = { column: 'to', after: SECOND, to: THIRD };
    expect(await reads.count(letters, { store: 's1', oneOf: { column: 'to', values: IDS }, range })).toBe(1);
    const { least, greatest } = await reads.summarise(moves, query, { least: ['lot'], greatest: ['lot'] });
    expect([least, greatest]).toEqual([{ lot: FIRST }, { lot: THIRD }]);
  }),
  given('the last rows of keys of any form', async ({ reads }) => {
    const keys = MIXED.map((lot) => [lot]);
    const found = await reads.lastRows(moves, 's1', { by: ['lot'], keys, column: 'at', upTo: 't99' });
    expect(found.map(({ lot }) => lot).toSorted()).toEqual(MIXED.toSorted());
  }),
  given('a changed letter says what it says now', async (models) => {
    const document = { ...letter(SECOND, FIRST), text: 'x'.repeat(10_000) };
    const write = { store: 's1', id: SECOND, document, position: position(2) };
    const collection = letters as RecordCollection<never>;
    await models.store.commit(
      [{ collection, generation: 'live', records: [write], rows: [] }],
      [checkpoint(2, letters)],
    );
    const { store, reads } = await models.reopen([letters]);
    expect((await reads.get(letters, 's1', SECOND))?.body).toBe(bodyOf(document));
    const loaded = await store.load(collection, 'live', [{ store: 's1', id: SECOND }]);
    expect(loaded.get(`s1/${SECOND}`)?.document).toEqual(document);
    const slice = { store: 's1', sort: { column: 'to', direction: 'asc' }, offset: 0, limit: 300 } as const;
    expect((await reads.slice(letters, slice)).bodies).toHaveLength(MIXED.length);
  }),
];
