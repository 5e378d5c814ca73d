import type { FileHandle } from 'node:fs/promises';
import { appendFile, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { noteErasures } from '../../src/adapters/embedded/backup/beside-service.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'erasures-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Whoever may write has written before somebody else has looked so often. */
const LOOKS = 100;
const AT = '2026-11-25T12:00:00.000Z';
const noted = async (): Promise<readonly unknown[]> => {
  const lines = (await readFile(join(directory, 'erasures.jsonl'), 'utf8')).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as unknown);
};

test('what a crash left half written makes no later erasure unreadable', async () => {
  const [first, second] = [
    { kind: 'customer-key', id: 'ana' },
    { kind: 'customer-key', id: 'bia' },
  ];
  await noteErasures(directory, [first], AT);
  await appendFile(join(directory, 'erasures.jsonl'), '{"kind":"customer-key","id":"ca');
  await noteErasures(directory, [second], AT);
  expect(await noted()).toEqual([
    { ...first, at: AT },
    { ...second, at: AT },
  ]);
});

test('nor does its end take away what another erasure writes meanwhile', async () => {
  const path = join(directory, 'erasures.jsonl');
  await appendFile(path, '{"kind":"customer-key","id":"ca');
  const third = { kind: 'customer-key', id: 'davi' };
  const fourth = { kind: 'customer-key', id: 'eva' };
  let meanwhile: Promise<void> | undefined;
  const file = await open(path);
  const handles = Object.getPrototypeOf(file) as FileHandle;
  const { truncate } = handles;
  const { size } = await file.stat();
  // Whoever cuts the half line off stands still until the other has written, or waits.
  jest.spyOn(handles, 'truncate').mockImplementationOnce(async function (this: FileHandle, length) {
    meanwhile = noteErasures(directory, [fourth], AT);
    for (let looks = 0; looks < LOOKS && (await file.stat()).size === size; looks++) await file.datasync();
    await truncate.call(this, length);
  });
  await noteErasures(directory, [third], AT);
  await meanwhile;
  await file.close();
  expect((await noted()).slice(-2)).toEqual([
    { ...third, at: AT },
    { ...fourth, at: AT },
  ]);
});
