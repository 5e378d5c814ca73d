import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DryVault } from '../../../src/kernel/dry-run/dry-vault.js';
import type { Vault, VaultRow, VaultWrite } from '../../../src/ports/vault.js';
import { MemoryVault } from '../../support/memory-vault.js';

const KINDS = ['key', 'mail'] as const;
const IDS = ['a', 'ab', 'b', 'ba', 'c'] as const;

const told = (rows: readonly VaultRow[]) =>
  rows.map(({ kind, id, version, value, dueAt }) => ({ kind, id, version, value, dueAt }));

/** Everything that a vault tells of its rows. */
async function contents(vault: Vault) {
  const ofKind = async (kind: string) => {
    const single = await Promise.all(IDS.map((id) => vault.get(kind, id)));
    const many = await vault.getMany(kind, IDS);
    const lists = [{ limit: 9 }, { limit: 2 }, { limit: 9, after: 'ab' }, { limit: 9, prefix: 'b' }, { limit: 0 }];
    return [
      told(single.flatMap((row) => row ?? [])),
      told(many.toSorted((one, other) => one.id.localeCompare(other.id))),
      ...(await Promise.all(lists.map(async (options) => told(await vault.list(kind, options))))),
    ];
  };
  return Promise.all(KINDS.map(ofKind));
}

const wish = fc.record({
  kind: fc.constantFrom(...KINDS),
  id: fc.constantFrom(...IDS),
  value: fc.option(fc.record({ n: fc.nat(9) }), { nil: undefined }),
  expected: fc.constantFrom('any', 'absent', 'as it is'),
  due: fc.option(fc.nat(9), { nil: undefined }),
});
type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never;
const writes = fc.array(
  fc.uniqueArray(wish, { selector: ({ kind, id }) => `${kind}/${id}`, minLength: 1, maxLength: 3 }),
  {
    maxLength: 6,
  },
);

async function asWrites(vault: Vault, wishes: readonly Wish[]): Promise<VaultWrite[]> {
  const made = wishes.map(async ({ kind, id, value, expected, due }) => ({
    kind,
    id,
    value,
    expected: expected === 'as it is' ? ((await vault.get(kind, id))?.version ?? 'absent') : expected,
    firstVersion: 7,
    ...(due === undefined ? {} : { dueAt: due }),
  }));
  return await Promise.all(made);
}

test('what is written without being kept is told as if it were, and none of it reaches the vault beneath', async () => {
  await fc.assert(
    fc.asyncProperty(writes, writes, async (before, after) => {
      const [beneath, model] = [new MemoryVault(), new MemoryVault()];
      for (const wishes of before) {
        const rows = await asWrites(model, wishes);
        await Promise.all([beneath.write(rows), model.write(rows)]);
      }
      const kept = await contents(beneath);
      const dry = new DryVault(beneath);
      for (const wishes of after) {
        const rows = await asWrites(model, wishes);
        expect(await dry.write(rows)).toBe(await model.write(rows));
        expect(await contents(dry)).toEqual(await contents(model));
      }
      expect(await dry.due()).toEqual([]);
      expect(await contents(beneath)).toEqual(kept);
      dry.end();
      expect(await dry.write([{ kind: 'key', id: 'a', value: {}, expected: 'any' }])).toBe(true);
      expect((await contents(dry)).flat(2)).toEqual([]);
    }),
  );
});

test('what counts tries is kept all the same, by itself', async () => {
  const beneath = new MemoryVault();
  const dry = new DryVault(beneath, new Set(['tries']));
  const row = (kind: string) => ({ kind, id: 'a', value: { n: 1 }, expected: 'any' as const });
  await dry.write([row('tries')]);
  expect(await beneath.get('tries', 'a')).toMatchObject({ value: { n: 1 } });
  await dry.write([row('tries'), row('key')]);
  expect(await beneath.get('key', 'a')).toBeUndefined();
  expect(await dry.get('key', 'a')).toMatchObject({ value: { n: 1 } });
});
