import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { rowSeal } from '../../src/adapters/row-seal.js';
import { move } from '../../src/operations/move/move.js';
import type { SealedRow } from '../../src/ports/moving.js';

const seal = rowSeal(randomBytes(32));
const NOW = 1_000_000;
const SECOND = 1_000;

const sealed = (kind: string, value: object): SealedRow =>
  seal.seal({ kind, id: 'one', version: 1, value: Buffer.alloc(0), dueAt: null, expiresAt: null }, value);

const note = sealed('note', {});
const leaseUntil = (until: number) =>
  sealed('lease', { holder: 'process', fence: 1, until, milliseconds: 10 * SECOND });

/** Moves a vault whose rows are those before until a part of them has arrived, and from then on those after; gives what was done. */
async function moved(before: readonly SealedRow[], after: readonly SealedRow[]) {
  const done: string[] = [];
  let rows = before;
  let arrived = 0;
  const from = {
    async *pages() {
      yield await Promise.resolve(rows);
    },
    markMoved: () => Promise.resolve(void done.push('moved away')),
  };
  const to = {
    expectRoom: () => Promise.resolve(),
    begin: () => Promise.resolve(),
    put(page: readonly SealedRow[]) {
      arrived += page.length;
      rows = after;
      return Promise.resolve();
    },
    count: () => Promise.resolve(arrived),
    finish: () => Promise.resolve(void done.push('arrived')),
  };
  const vault = { from, to };
  const wish = { log: undefined, vault, logId: 'log', seal, now: () => NOW, onProgress: () => undefined };
  const said = await move(wish).then(
    ({ vaultRows }) => vaultRows,
    (error: unknown) => String(error),
  );
  return { done, said };
}

test('a vault leaves that nobody uses, whatever leases have ended', async () => {
  const rows = [note, leaseUntil(NOW)];
  expect(await moved(rows, rows)).toEqual({ done: ['arrived', 'moved away'], said: 2 });
});

test('one that a process uses does not leave, nor one that a process began to use while it was copied', async () => {
  const used = [note, leaseUntil(NOW + SECOND)];
  const refused = { done: [], said: expect.stringContaining('the service still runs on these servers') };
  expect(await moved(used, used)).toEqual(refused);
  expect(await moved([note], used)).toEqual(refused);
});

test('it is said how long the last of the leases goes on', async () => {
  const [first, second] = [leaseUntil(NOW + SECOND), leaseUntil(NOW + 9 * SECOND)];
  for (const used of [
    [first, second],
    [second, first],
  ]) {
    expect((await moved(used, used)).said).toContain('wait 9 s');
  }
});
