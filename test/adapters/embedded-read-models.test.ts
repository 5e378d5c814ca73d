import { rm } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { openEmbeddedReadModels } from '../../src/adapters/embedded/embedded-read-models.js';
import { openReadFileForWriting } from '../../src/adapters/embedded/read-file.js';
import { ChangeStamps } from '../../src/adapters/embedded/reading/changes.js';
import { KnownSubjects } from '../../src/adapters/embedded/reading/known-of-each.js';
import { NumberSet, numberOf, WrittenSubjects } from '../../src/adapters/embedded/reading/subjects.js';
import { EmbeddedProjectionStore } from '../../src/adapters/embedded/writing/store.js';
import type { Product } from '../contract/read-model-samples.js';
import { add, checkpoint, moves, product, products, put, remove } from '../contract/read-model-samples.js';
import { readModelsContract } from '../contract/read-models.js';
import type { OpenSnapshots } from '../contract/snapshots.js';
import { snapshotsContract } from '../contract/snapshots.js';
import { freshEmbeddedReads, freshFolder, openEmbeddedReads } from '../support/embedded-reads.js';

readModelsContract('embedded', {
  open: freshEmbeddedReads,
  without: {
    'a deletion whose checkpoint was never stored holds against older writes':
      'documents and checkpoint are one transaction',
  },
});

/** Longer than what is read at once. */
const LONG = 300;

test('a slice finds the rows of a new build of which nobody has told yet', async () => {
  const dataDir = await freshFolder();
  const { store, reads, close } = await openEmbeddedReads(dataDir, [products]);
  const database = openReadFileForWriting(dataDir);
  try {
    const names = async (limit: number) => {
      const query = { store: 's1', sort: { column: 'name', direction: 'asc' } } as const;
      const { bodies, total } = await reads.slice(products, { ...query, offset: 0, limit });
      return [total, ...bodies.map((body) => (JSON.parse(body) as Product).name)];
    };
    await store.commit([put([product('a'), product('b')], { at: 1 })], [checkpoint(1)]);
    expect(await names(LONG)).toEqual([2, 'Product a', 'Product b']);
    const silent = new EmbeddedProjectionStore(database);
    await silent.beginRebuild(products);
    const other = put([product('c'), product('d')], { at: 1, generation: 'next' });
    await silent.commit([other], [checkpoint(1, products, 'next')]);
    await silent.switchRebuild(products);
    expect(await names(LONG)).toEqual([2, 'Product c', 'Product d']);
    await silent.commit([remove(['c'], { at: 2 })], [checkpoint(2)]);
    expect(await names(LONG)).toEqual([1, 'Product d']);
  } finally {
    database.close();
    await close();
  }
});

test('what is kept is made once while nothing is written in its store and collections', async () => {
  const { store, reads, close } = await freshEmbeddedReads([products, moves]);
  let made = 0;
  const make = () => Promise.resolve(Buffer.from(String(++made)));
  const ask = async () => (await reads.kept({ collections: [products] }, 's1', 'key', make)).toString();
  try {
    expect(await Promise.all([ask(), ask()])).toEqual(['1', '1']);
    await store.commit([put([product('a')], { at: 1, store: 's2' })], [checkpoint(1)]);
    await store.commit([add([{}], { at: 2 })], [checkpoint(2, moves)]);
    expect(await ask()).toBe('1');
    await store.commit([put([product('a')], { at: 3 })], [checkpoint(3)]);
    expect(await Promise.all([ask(), ask()])).toEqual(['2', '2']);
  } finally {
    await close();
  }
});

test('what shows some records is made once while neither they nor the lists beneath it become others', async () => {
  const { store, reads, close } = await freshEmbeddedReads([products, moves]);
  let made = 0;
  const beneath = { lists: [products], records: [products] };
  const ask = async (says = true) => {
    const shown = await reads.kept(beneath, 's1', String(says), ({ shows }) => {
      if (says) shows(products, ['a', 'b']);
      return Promise.resolve(Buffer.from(String(++made)));
    });
    return shown.toString();
  };
  try {
    await store.commit(
      [
        put(
          ['a', 'b', 'c'].map((id) => product(id)),
          { at: 1 },
        ),
      ],
      [checkpoint(1)],
    );
    expect([await ask(), await ask(false)]).toEqual(['1', '2']);
    await store.commit([put([product('c', { cost: '1' })], { at: 2 })], [checkpoint(2)]);
    expect([await ask(), await ask(false)]).toEqual(['1', '3']);
    await store.commit([put([product('b', { cost: '1' })], { at: 3 })], [checkpoint(3)]);
    expect([await ask(), await ask()]).toEqual(['4', '4']);
    await store.commit([put([product('c', { name: 'moved' })], { at: 4 })], [checkpoint(4)]);
    expect(await ask()).toBe('5');
  } finally {
    await close();
  }
});

test('what rests on subjects is made once while nothing is written about them', async () => {
  const { store, reads, close } = await freshEmbeddedReads([products, moves]);
  let made = 0;
  const ask = (about = ['a']) =>
    reads.kept({ about: [products, moves] }, 's1', about.join(), (resting) => {
      resting.about(about);
      return Promise.resolve(++made);
    });
  try {
    expect(await Promise.all([ask(), ask(), ask(['b'])])).toEqual([1, 1, 2]);
    await store.commit([put([product('a')], { at: 1, store: 's2' }), put([product('c')], { at: 1 })], [checkpoint(1)]);
    await store.commit([add([{ lot: 'd', order: 'e' }], { at: 2 })], [checkpoint(2, moves)]);
    expect([await ask(), await ask(['b'])]).toEqual([1, 2]);
    await store.commit([add([{ lot: 'd', order: 'a' }], { at: 3 })], [checkpoint(3, moves)]);
    expect([await ask(), await ask(), await ask(['b'])]).toEqual([3, 3, 2]);
  } finally {
    await close();
  }
});

test('who asks while something is made of subjects gets the same, unless one of them was written about meanwhile', async () => {
  const { store, reads, close } = await freshEmbeddedReads([products]);
  let made = 0;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const ask = (id: string) =>
    reads.kept({ about: [products] }, 's1', id, async ({ about }) => {
      const number = ++made;
      await finished;
      about([id]);
      return number;
    });
  try {
    const first = [ask('a'), ask('b')];
    await store.commit([put([product('b')], { at: 1 })], [checkpoint(1)]);
    const second = [ask('a'), ask('b')];
    finish();
    expect(await Promise.all([...first, ...second])).toEqual([1, 2, 1, 3]);
  } finally {
    await close();
  }
});

test('two stores may rest on one list of subjects, each on its own', async () => {
  const { store, reads, close } = await freshEmbeddedReads([products]);
  const subjects = ['a'];
  let made = 0;
  const ask = (of: string) =>
    reads.kept({ about: [products] }, of, 'all', ({ about }) => {
      about(subjects);
      return Promise.resolve(++made);
    });
  try {
    expect([await ask('s1'), await ask('s2')]).toEqual([1, 2]);
    await store.commit([put([product('a')], { at: 1, store: 's2' })], [checkpoint(1)]);
    expect([await ask('s1'), await ask('s2')]).toEqual([1, 3]);
  } finally {
    await close();
  }
});

/** How often something was found of which subjects, and what was known of them before. */
async function openKnown() {
  const { store, reads, close } = await freshEmbeddedReads([products, moves]);
  const asked: (readonly string[])[] = [];
  const formers: (readonly (number | undefined)[])[] = [];
  let gate = Promise.resolve();
  const kind = { name: 'number', about: [products, moves], takes: () => 1_000 };
  const ask = async (...subjects: string[]) => {
    const known = reads.knownOfEach<number>(kind, 's1', async (ids, former) => {
      const number = asked.push(ids);
      formers.push(former);
      await gate;
      return ids.map(() => number);
    });
    return (await known.of(subjects)).map(({ value }) => value);
  };
  const wait = (until: Promise<void>): void => {
    gate = until;
  };
  return { store, close, ask, asked, formers, wait };
}

test('of a subject is found once while nothing is written about it, then again with what was known', async () => {
  const { store, close, ask, asked, formers } = await openKnown();
  try {
    expect(await ask('a', 'b')).toEqual([1, 1]);
    expect(await ask('b', 'c', 'a')).toEqual([1, 2, 1]);
    await store.commit([put([product('a')], { at: 1, store: 's2' }), put([product('d')], { at: 1 })], [checkpoint(1)]);
    await store.commit([add([{ lot: 'd', order: 'b' }], { at: 2 })], [checkpoint(2, moves)]);
    expect(await ask('a', 'b', 'c')).toEqual([1, 3, 2]);
    expect(asked).toEqual([['a', 'b'], ['c'], ['b']]);
    expect(formers).toEqual([[undefined, undefined], [undefined], [1]]);
  } finally {
    await close();
  }
});

test('of two who find something of a subject at once the later begun counts, and nothing that was written meanwhile is missed', async () => {
  const { store, close, ask, wait } = await openKnown();
  const gates = [0, 1].map(() => {
    let open = (): void => undefined;
    return {
      opened: new Promise<void>((resolve) => (open = resolve)),
      open: () => {
        open();
      },
    };
  });
  try {
    wait(gates[0]?.opened ?? Promise.resolve());
    const first = ask('a');
    await store.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
    wait(gates[1]?.opened ?? Promise.resolve());
    const second = ask('a');
    gates[1]?.open();
    expect(await second).toEqual([2]);
    gates[0]?.open();
    expect(await first).toEqual([2]);
    expect(await ask('a')).toEqual([2]);
    await store.commit([put([product('a', { text: 'more' })], { at: 2 })], [checkpoint(2)]);
    expect(await ask('a')).toEqual([3]);
  } finally {
    await close();
  }
});

test('what is known of subjects is forgotten when there is no room for it', async () => {
  const known = new KnownSubjects(10_000, new ChangeStamps());
  const kind = (name: string) => ({ name, about: [products], takes: () => 1_000 });
  let made = 0;
  const ask = async (name: string, ...subjects: string[]) => {
    const table = known.ofKind<number>(kind(name), 's1', (ids) => Promise.resolve(ids.map(() => ++made)));
    return (await table.of(subjects)).map(({ value }) => value);
  };
  expect(await ask('one', 'a', 'b')).toEqual([1, 2]);
  expect(known.entriesHeld).toBe(2);
  expect(known.bytes).toBeGreaterThan(2_000);
  expect(await ask('other', 'a', 'b', 'c', 'd', 'e')).toEqual([3, 4, 5, 6, 7]);
  expect(await ask('one', 'b', 'a')).toEqual([2, 1]);
  await ask('another', 'a', 'b');
  // What was not asked for longest went.
  expect([await ask('one', 'a'), await ask('another', 'b')]).toEqual([[1], [9]]);
  expect(await ask('other', 'a')).toEqual([10]);
  await ask('other', ...Array.from({ length: 20 }, (_, index) => String(index)));
  expect([known.entriesHeld, known.bytes]).toEqual([0, 0]);
});

test('what rests on subjects is made anew when more was written since than is known', () => {
  const written = new WrittenSubjects();
  const about = [new NumberSet([numberOf('s1', 'b')]), new NumberSet([numberOf('s1', 'a')])];
  const others = Array.from({ length: 200_000 }, (_, index) => numberOf('s1', String(index)));
  written.add(others.slice(0, 100_000));
  expect(written.spared(about, 0)).toBe(true);
  written.add(others.slice(100_000));
  expect([written.spared(about, 0), written.spared(about, 100_000)]).toEqual([false, true]);
  written.add([numberOf('s1', 'a')]);
  expect(written.spared(about, 100_000)).toBe(false);
  expect(new Set(others).size).toBe(others.length);
});

async function openSnapshots(dataDir: string): Promise<OpenSnapshots> {
  const opened = await openEmbeddedReadModels({ dataDir, logId: 'log-one' });
  return {
    snapshots: opened.snapshots,
    async reopen() {
      await opened.close();
      return openSnapshots(dataDir);
    },
    async close() {
      await opened.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

snapshotsContract('embedded', { open: async () => openSnapshots(await freshFolder()) });
