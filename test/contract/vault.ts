import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Clock } from '../../src/kernel/values/clock.js';
import type { Vault, VaultWrite } from '../../src/ports/vault.js';

/** How the contract gets at one engine. */
interface VaultHarness {
  /** A fresh, empty vault that asks this clock what has expired. */
  readonly open: (clock: Clock) => Promise<Vault>;
  /** Closes the vault and opens the same data again. */
  readonly reopen: (vault: Vault) => Promise<Vault>;
  /** Everything that is stored, as it lies on the disk or on the wire. */
  readonly rawBytes: (vault: Vault) => Promise<Buffer>;
  /** Tests that this engine cannot pass: name and reason. */
  readonly leftOut?: Readonly<Record<string, string>>;
  readonly dispose?: () => Promise<void>;
}

const put = (id: string, value: unknown, expected: VaultWrite['expected'] = 'any'): VaultWrite => ({
  kind: 'thing',
  id,
  value,
  expected,
  firstVersion: 1,
});

export function vaultContract(name: string, harness: VaultHarness): void {
  describe(`${name} as a vault`, () => {
    const leftOut = new Map(Object.entries(harness.leftOut ?? {}));
    const clock = { time: 1_000_000, now: () => clock.time };
    const opened: Vault[] = [];
    let vault: Vault;

    function check(title: string, body: () => Promise<void>): void {
      const reason = leftOut.get(title);
      leftOut.delete(title);
      if (reason === undefined) test(title, body);
      else test.skip(`${title} (left out: ${reason})`, () => undefined);
    }
    beforeEach(async () => {
      clock.time = 1_000_000;
      vault = await harness.open(clock);
      opened.push(vault);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((each) => each.close()));
    });
    afterAll(async () => harness.dispose?.());

    check('keeps a value and counts its versions', async () => {
      const value = { text: 'ação 🧀', list: [1, null, { deep: true }], large: 'x'.repeat(100_000) };
      expect(await vault.get('thing', 'a')).toBeUndefined();
      expect(await vault.write([{ ...put('a', value, 'absent'), dueAt: 5 }])).toBe(true);
      expect(await vault.get('thing', 'a')).toEqual({ kind: 'thing', id: 'a', version: 1, value, dueAt: 5 });
      expect(await vault.write([put('a', null, 1)])).toBe(true);
      expect(await vault.get('thing', 'a')).toEqual({ kind: 'thing', id: 'a', version: 2, value: null });
      expect(await vault.write([put('a', 'third')])).toBe(true);
      expect(await vault.get('thing', 'a')).toMatchObject({ version: 3, value: 'third' });
      expect(await vault.get('other', 'a')).toBeUndefined();
    });

    check('gives many rows of a kind at once, and leaves out what is missing or has expired', async () => {
      expect(await vault.getMany('thing', ['a'])).toEqual([]);
      const ids = Array.from({ length: 1_000 }, (_, index) => `id ${String(index)}/"'`);
      await vault.write(ids.map((id) => put(id, { id })));
      await vault.write([
        { ...put('other', 1), kind: 'other' },
        { ...put('late', 1), expiresAt: clock.time + 1 },
        { ...put('past', 1), expiresAt: clock.time },
      ]);
      const found = await vault.getMany('thing', [...ids, 'late', 'past', 'other', 'none', 'late']);
      expect(found.map(({ id }) => id).sort()).toEqual([...ids, 'late'].sort());
      expect(found.find(({ id }) => id === ids[7])).toEqual({
        kind: 'thing',
        id: ids[7],
        version: 1,
        value: { id: ids[7] },
      });
      expect(await vault.getMany('thing', [])).toEqual([]);
    });

    check('refuses a write whose row is not as expected', async () => {
      await vault.write([put('a', 1)]);
      expect(await vault.write([put('a', 2, 'absent')])).toBe(false);
      expect(await vault.write([put('a', 2, 2)])).toBe(false);
      expect(await vault.write([put('b', 2, 1)])).toBe(false);
      expect(await vault.get('thing', 'a')).toMatchObject({ version: 1, value: 1 });
      expect(await vault.get('thing', 'b')).toBeUndefined();
    });

    check('deletes a row and lets it be made again', async () => {
      await vault.write([put('a', 1), put('b', 1)]);
      expect(await vault.write([put('a', undefined, 2)])).toBe(false);
      expect(await vault.write([put('a', undefined, 1)])).toBe(true);
      expect(await vault.get('thing', 'a')).toBeUndefined();
      expect(await vault.write([put('a', undefined, 1)])).toBe(false);
      expect(await vault.write([put('a', undefined)])).toBe(true);
      expect(await vault.write([put('a', 2, 'absent')])).toBe(true);
      expect(await vault.get('thing', 'a')).toMatchObject({ value: 2 });
      expect(await vault.get('thing', 'b')).toMatchObject({ value: 1 });
    });

    check('gives a row that was gone none of its versions again', async () => {
      const make = async (): Promise<number> => {
        expect(await vault.write([{ kind: 'thing', id: 'a', value: 'new', expected: 'absent' }])).toBe(true);
        return (await vault.get('thing', 'a'))?.version ?? 0;
      };
      const deleted = await make();
      expect(await vault.write([put('a', undefined, deleted)])).toBe(true);
      const expired = await make();
      expect(await vault.write([{ ...put('a', 'brief', expired), expiresAt: clock.time + 1 }])).toBe(true);
      clock.time += 1;
      const swept = await make();
      expect(await vault.write([{ ...put('a', 'brief', swept), expiresAt: clock.time + 1 }])).toBe(true);
      clock.time += 1;
      expect(await vault.sweep(clock.time)).toBe(1);
      await make();
      for (const version of [deleted, expired, swept].flatMap((each) => [each, each + 1, each + 2])) {
        expect(await vault.write([put('a', 'late', version)])).toBe(false);
      }
      expect(await vault.get('thing', 'a')).toMatchObject({ value: 'new' });
    });

    check('writes rows in order and stops at the first that is not as expected', async () => {
      await vault.write([put('b', 'old')]);
      const writes = [put('a', 1, 'absent'), put('a', 2, 1), put('b', 'new', 'absent'), put('c', 1)];
      expect(await vault.write(writes)).toBe(false);
      expect((await vault.get('thing', 'a'))?.value).toBe(vault.atomic ? undefined : 2);
      expect(await vault.get('thing', 'b')).toMatchObject({ value: 'old', version: 1 });
      expect(await vault.get('thing', 'c')).toBeUndefined();
      expect(await vault.write([put('d', 1, 'absent'), put('d', 2, 1), put('d', undefined, 2)])).toBe(true);
      expect(await vault.get('thing', 'd')).toBeUndefined();
    });

    check('writes many new rows up to the first that is there already', async () => {
      await vault.write([put('7', 'old'), { ...put('3', 'past'), expiresAt: clock.time + 1 }]);
      clock.time += 1;
      const writes = Array.from({ length: 9 }, (_, at) => put(String(at), 'new', 'absent'));
      expect(await vault.write(writes)).toBe(false);
      const stored = (await vault.list('thing', { limit: 10 })).map(({ id, value }) => `${id} ${String(value)}`);
      const before = ['0', '1', '2', '3', '4', '5', '6'].map((id) => `${id} new`);
      expect(stored).toEqual([...(vault.atomic ? [] : before), '7 old']);
      expect(await vault.write([put('9', 1, 'absent'), put('10', 1, 'absent'), put('9', 2, 'absent')])).toBe(false);
      expect(await vault.write([put('11', 1, 'absent'), put('12', 1, 'absent'), put('11', 2, 1)])).toBe(true);
      expect((await vault.getMany('thing', ['11', '12'])).map(({ version }) => version).sort()).toEqual([1, 2]);
    });

    check('lets one of 100 writers win each version', async () => {
      for (const expected of ['absent', 1, 2] as const) {
        const tries = Array.from({ length: 100 }, (_, at) => vault.write([put('a', at, expected)]));
        const won = (await Promise.all(tries)).flatMap((success, at) => (success ? [at] : []));
        expect(won).toHaveLength(1);
        expect(await vault.get('thing', 'a')).toMatchObject({ value: won[0] });
      }
      expect(await vault.get('thing', 'a')).toMatchObject({ version: 3 });
    });

    check('lists a kind by id, prefix and page', async () => {
      const listed = ['a', 'a/1', 'a/2', 'a/2/x', 'a0', 'b%', 'b_', 'Z', 'ção'];
      await vault.write(listed.toReversed().map((id) => put(id, id)));
      await vault.write([{ ...put('a/3', 0), kind: 'other' }]);
      const list = async (options: { after?: string; prefix?: string; limit: number }) =>
        (await vault.list('thing', options)).map((row) => row.id);
      const sorted = listed.toSorted();
      expect(await list({ limit: 100 })).toEqual(sorted);
      expect(await list({ limit: 3 })).toEqual(sorted.slice(0, 3));
      expect(await list({ after: sorted[2] ?? '', limit: 3 })).toEqual(sorted.slice(3, 6));
      expect(await list({ prefix: 'a/', limit: 100 })).toEqual(['a/1', 'a/2', 'a/2/x']);
      expect(await list({ prefix: 'a/', after: 'a/1', limit: 1 })).toEqual(['a/2']);
      expect(await list({ prefix: 'b_', limit: 100 })).toEqual(['b_']);
      expect((await vault.list('thing', { limit: 1 }))[0]).toEqual({
        kind: 'thing',
        id: 'Z',
        version: 1,
        value: 'Z',
      });
    });

    check('gives what is due, the earliest first', async () => {
      for (const [id, dueAt] of [
        ['x', 30],
        ['y', 10],
        ['z', 20],
        ['late', 99],
      ] as const) {
        await vault.write([{ ...put(id, id), dueAt }]);
      }
      await vault.write([put('never', 0)]);
      const due = async (before: number, limit: number) =>
        (await vault.due('thing', before, limit)).map((row) => [row.id, row.dueAt]);
      expect(await due(30, 10)).toEqual([
        ['y', 10],
        ['z', 20],
        ['x', 30],
      ]);
      expect(await due(30, 2)).toEqual([
        ['y', 10],
        ['z', 20],
      ]);
      expect(await due(9, 10)).toEqual([]);
      await vault.write([{ ...put('y', 'y', 1), dueAt: 50 }, put('z', 'z', 1)]);
      expect(await due(60, 10)).toEqual([
        ['x', 30],
        ['y', 50],
      ]);
    });

    check('counts what has expired as absent and sweeps it', async () => {
      await vault.write([{ ...put('a', 1), expiresAt: 1_000_500, dueAt: 1 }, put('b', 1)]);
      expect(await vault.write([{ ...put('c', 1), expiresAt: 1_000_500 }])).toBe(true);
      expect(await vault.get('thing', 'a')).toMatchObject({ version: 1 });
      clock.time = 1_000_500;
      expect(await vault.get('thing', 'a')).toBeUndefined();
      expect((await vault.list('thing', { limit: 10 })).map((row) => row.id)).toEqual(['b']);
      expect(await vault.due('thing', 10, 10)).toEqual([]);
      expect(await vault.write([put('a', 2, 1)])).toBe(false);
      expect(await vault.write([put('a', 2, 'absent')])).toBe(true);
      expect(await vault.get('thing', 'a')).toMatchObject({ value: 2 });
      expect(await vault.sweep(1_000_499)).toBe(0);
      expect(await vault.sweep(1_000_500)).toBe(1);
      expect(await vault.sweep(1_000_500)).toBe(0);
      expect((await vault.list('thing', { limit: 10 })).map((row) => row.id)).toEqual(['a', 'b']);
    });

    check('keeps its rows over a restart', async () => {
      await vault.write([{ ...put('a', { secret: 1 }), dueAt: 3 }, put('b', 1)]);
      await vault.write([put('a', { secret: 2 }, 1), put('b', undefined, 1)]);
      opened.splice(opened.indexOf(vault), 1);
      vault = await harness.reopen(vault);
      opened.push(vault);
      expect(await vault.get('thing', 'a')).toEqual({ kind: 'thing', id: 'a', version: 2, value: { secret: 2 } });
      expect(await vault.get('thing', 'b')).toBeUndefined();
      expect(await vault.write([put('a', 3, 2)])).toBe(true);
    });

    check('stores no value that can be read', async () => {
      await vault.write([put('visible-id', { password: 'correct horse battery staple' })]);
      const bytes = await harness.rawBytes(vault);
      expect(bytes.includes('visible-id')).toBe(true);
      expect(bytes.includes('correct horse')).toBe(false);
      expect(bytes.includes('password')).toBe(false);
    });

    test('every test that is left out exists', () => {
      expect([...leftOut.keys()]).toEqual([]);
    });
  });
}
