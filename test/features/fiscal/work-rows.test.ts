import { expect, test } from '@jest/globals';
import type { Work } from '../../../src/features/fiscal/issuing/work-rows.js';
import { WorkRows } from '../../../src/features/fiscal/issuing/work-rows.js';
import { newId } from '../../../src/kernel/values/ids.js';
import { MemoryVault } from '../../support/memory-vault.js';

const SECOND = 1_000;

/** The row of one document, and for how many seconds it is put off each time. */
function oneRow() {
  let now = Date.parse('2026-11-22T12:00:00Z');
  const rows = new WorkRows(new MemoryVault(() => now), { now: () => now });
  let work: Work = { storeId: 's', documentId: newId(now), saleId: 'a' };
  const wait = async (after: Parameters<WorkRows['postpone']>[1], changes: Partial<Work> = {}): Promise<number> => {
    await rows.postpone({ ...work, ...changes }, after);
    for (let seconds = 1; ; seconds++) {
      now += SECOND;
      const [row] = await rows.due();
      if (!row) continue;
      work = (await rows.take(row)) ?? work;
      return seconds;
    }
  };
  return { wait };
}

test('the authority is asked soon about what has no answer, then later and later', async () => {
  const { wait } = oneRow();
  for (const seconds of [5, 30, 120, 600, 600]) expect(await wait('asking')).toBe(seconds);
});

test('what waited long to be sent is asked about soon when its answer is lost', async () => {
  const { wait } = oneRow();
  for (const seconds of [10, 20, 30, 60, 60]) expect(await wait('nothing', { unsent: true })).toBe(seconds);
  for (const seconds of [5, 30, 120, 600]) expect(await wait('asking', { unsent: false })).toBe(seconds);
});

test('questions that do not even leave do not make the next one come sooner', async () => {
  const { wait } = oneRow();
  for (const seconds of [5, 30, 120]) expect(await wait('asking')).toBe(seconds);
  expect(await wait('nothing')).toBe(10);
  expect(await wait('asking')).toBe(600);
});

test('what a clock put off that was ahead is due at the start after it was set right, and waits since then', async () => {
  const [ahead, right] = ['2026-11-24T12:00:00Z', '2026-11-22T12:00:00Z'].map((time) => Date.parse(time)) as [
    number,
    number,
  ];
  let now = ahead;
  const clock = { now: () => now };
  const vault = new MemoryVault(clock.now);
  const work = { storeId: 's', documentId: newId(ahead), saleId: 'a' };
  await new WorkRows(vault, clock).postpone({ ...work, unsent: true, absentSince: ahead }, 'nothing');
  now = right;
  const rows = new WorkRows(vault, clock);
  expect(await rows.due()).toEqual([]);
  const [row] = await rows.due('start');
  const taken = row && (await rows.take(row));
  expect(taken).toEqual({ ...work, since: right, unsent: true, tries: 1, asks: 0 });
});

test('what is meant to wait for long, and was not tried yet, waits beyond a start', async () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const clock = { now: () => now };
  const vault = new MemoryVault(clock.now);
  const rows = new WorkRows(vault, clock);
  const row = rows.row({ storeId: 's', documentId: newId(now), saleId: 'a', unsent: true });
  await vault.write([{ ...row, dueAt: now + 12 * 3_600_000 }]);
  expect(await rows.due('start')).toEqual([]);
});

test('who is asked for a document takes it unless another process is at it, or has been for too long', async () => {
  let now = Date.parse('2026-11-22T12:00:00Z');
  const clock = { now: () => now };
  const vault = new MemoryVault(clock.now);
  const rows = new WorkRows(vault, clock);
  const work = { storeId: 's', documentId: newId(now), saleId: 'a' };
  expect(await rows.takeFree(work)).toBe(true);
  await vault.write([rows.row(work)]);
  expect(await rows.takeFree(work)).toBe(false);
  await rows.postpone(work, 'asking');
  expect(await rows.takeFree(work)).toBe(true);
  expect(await rows.takeFree(work)).toBe(false);
  now += 150 * SECOND;
  expect(await rows.takeFree(work)).toBe(true);
});
