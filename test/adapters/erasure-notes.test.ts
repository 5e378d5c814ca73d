import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { noteErasures } from '../../src/adapters/embedded/backup/beside-service.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'erasures-'));
});
afterAll(() => rm(directory, { recursive: true }));

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
