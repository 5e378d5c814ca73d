import { expect } from '@jest/globals';
import { pagesOf } from '../../src/kernel/routes/lists.js';
import type { RecordCollection } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import type { Letter, Product } from './read-model-samples.js';
import { add, checkpoint, letters, moves, position, product, products, put } from './read-model-samples.js';

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
  id,
  to,
  secret: `of ${id}`,
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
  given('a page of many rows gives what a page of few does, and goes on where it ends', async ({ store, reads }) => {
    const time = '2026-02-28T12:00:00.005Z';
    const texts = [
      ...MIXED,
      time,
      '0000000000000255',
      '{"":"00"}',
      `{"":"${FIRST}"}`,
      '\\"\n\u001e, é 🍞',
      '3',
      '',
      null,
    ];
    const numbers = [0.1 + 0.2, 1 / 3, -1e-7, 123_456_789.123_456, 1.5e300, 0, null];
    const wholes = [0, -1, Number.MAX_SAFE_INTEGER, null];
    const rows = texts.flatMap((order) =>
      numbers.flatMap((quantity) => wholes.map((units) => ({ lot: FIRST, at: time, order, quantity, units }))),
    );
    await store.commit([add(rows, { at: 2, store: 's4' })], [checkpoint(2, moves)]);
    const query = { store: 's4', equal: { lot: FIRST }, sort: { column: 'at', direction: 'asc' } } as const;
    for (const limit of [100, rows.length - 1, rows.length, rows.length + 1]) {
      const found: unknown[] = [];
      const sizes: number[] = [];
      for await (const page of pagesOf((at) => reads.findRows(moves, { ...query, limit, ...at }))) {
        found.push(...page);
        sizes.push(page.length);
      }
      expect(found).toEqual(rows);
      expect(Math.max(...sizes)).toBe(Math.min(limit, rows.length));
    }
  }),
  given('a list goes on behind any of them', async ({ reads }) => {
    for (const direction of ['asc', 'desc'] as const) {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof reads.findBodies>> = await reads.findBodies(letters, {
          store: 's1',
          sort: { column: 'to', direction },
          limit: 1,
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
  given('texts that end with a UUID are found by how they begin', async ({ store, reads }) => {
    const to = [
      'DAY/2026-01-01',
      `VARIANT/2026-01-01/${THIRD}`,
      `VARIANT/2026-01-02/${FIRST}`,
      `VARIANT/2026-01-03/${FIRST}`,
    ];
    const records = to.map((text, index) => {
      const document = letter(`to-${index}`, text);
      return { store: 's2', id: document.id, document, position: position(2) };
    });
    const collection = letters as RecordCollection<never>;
    await store.commit([{ collection, generation: 'live', records, rows: [] }], [checkpoint(2, letters)]);
    const range = { column: 'to', from: 'VARIANT/2026-01-01', before: 'VARIANT/2026-01-020' };
    const query = { store: 's2', range, sort: { column: 'to', direction: 'asc' }, limit: 9 } as const;
    const { items } = await reads.findBodies(letters, query);
    expect(items.map((body) => (JSON.parse(body) as Letter).to)).toEqual(to.slice(1, 3));
  }),
  given('names that begin with a UUID are sorted and found among all others as they read', async ({ store, reads }) => {
    const texts = [
      '',
      '01 first',
      `${FIRST} bread`,
      FIRST,
      SECOND,
      `${SECOND}/${THIRD}`,
      'Flour',
      'bread',
      THIRD,
      'água',
    ];
    const names = texts.toSorted();
    const named = names.map((name, index) => product(`p${String((index * 7) % 10)}`, { name, text: 'kept' }));
    await store.commit([put(named, { at: 2 })], [checkpoint(2)]);
    for (const equal of [{}, { mention: 'kept' }]) {
      for (const direction of ['asc', 'desc'] as const) {
        const query = { store: 's1', equal, sort: { column: 'name', direction }, limit: 3 } as const;
        const found: string[] = [];
        for await (const page of pagesOf((at) => reads.findBodies(products, { ...query, ...at }))) {
          found.push(...page.map((body) => (JSON.parse(body) as Product).name));
        }
        expect(found).toEqual(direction === 'asc' ? names : names.toReversed());
      }
      const range = { column: 'name', from: '01', before: 'b' };
      expect(await reads.count(products, { store: 's1', equal, range })).toBe(
        names.filter((name) => name >= '01' && name < 'b').length,
      );
      const some = [FIRST, SECOND, 'bread', 'missing'];
      expect(await reads.count(products, { store: 's1', equal, oneOf: { column: 'name', values: some } })).toBe(3);
      expect(await reads.count(products, { store: 's1', equal, oneOf: { column: 'name', values: IDS } })).toBe(3);
    }
    const slice = { store: 's1', sort: { column: 'name', direction: 'asc' }, offset: 0, limit: 99 } as const;
    const { bodies } = await reads.slice(products, slice);
    expect(bodies.map((body) => (JSON.parse(body) as Product).name)).toEqual(names);
    const { least, greatest } = await reads.summarise(
      products,
      { store: 's1' },
      { least: ['name'], greatest: ['name'] },
    );
    expect([least, greatest]).toEqual([{ name: names[0] }, { name: names.at(-1) }]);
    const renamed = product(named[0]?.id ?? '', { name: `${THIRD} late`, text: 'kept' });
    await store.commit([put([renamed], { at: 3 })], [checkpoint(3)]);
    const last = { store: 's1', equal: { name: renamed.name }, sort: { column: 'name', direction: 'desc' } as const };
    expect((await reads.find(products, { ...last, limit: 9 })).items.map(({ id }) => id)).toEqual([renamed.id]);
  }),
  given('rows are sorted and found by times and positions of events', async ({ store, reads }) => {
    const times = [
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
      '2026-02-28T12:00:00.005Z',
      '2026-03-01T00:00:00.000Z',
    ];
    const places = ['0000000000000001', '0000000000000255', '0000000000000256', '0000999999999999'];
    const rows = times.map((at, index) => ({ lot: 'times', at, order: places[index] ?? null, units: index })).reverse();
    await store.commit([add(rows, { at: 2 })], [checkpoint(2, moves)]);
    const query = { store: 's1', equal: { lot: 'times' }, limit: 9 } as const;
    const of = async (column: 'at' | 'order', range: { readonly from?: string; readonly before?: string } = {}) => {
      const asked = { ...query, range: { column, ...range }, sort: { column, direction: 'asc' } as const };
      return (await reads.findRows(moves, asked, [column])).items.map((row) => row[column]);
    };
    expect(await of('at')).toEqual(times);
    expect(await of('at', { from: times[2] ?? '', before: times[3] ?? '' })).toEqual([times[2]]);
    expect(await of('order')).toEqual(places);
    expect(await of('order', { from: '0000000000000200' })).toEqual(places.slice(1));
    const [last] = await reads.lastRows(moves, 's1', {
      by: ['lot'],
      keys: [['times']],
      column: 'at',
      upTo: '2026-02-28T23:00:00.000Z',
    });
    expect(last).toMatchObject({ at: times[2], order: places[2] });
    const page = await reads.findRows(moves, { ...query, limit: 3, sort: { column: 'at', direction: 'asc' } });
    const rest = { ...query, sort: { column: 'at', direction: 'asc' } as const, cursor: page.nextCursor ?? '' };
    expect((await reads.findRows(moves, rest)).items.map(({ at }) => at)).toEqual(times.slice(3));
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
