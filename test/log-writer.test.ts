import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { LogWriter } from '../src/log-writer.js';
import { until } from './support/until.js';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) {
    spawnSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  }
});

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'log-'));
  folders.push(folder);
  return folder;
}

test('lines are written in their order, and none that waits is left behind when it is flushed', async () => {
  const path = join(await freshFolder(), 'log');
  const fd = openSync(path, 'a');
  const writer = new LogWriter(fd);
  const lines = Array.from({ length: 2_000 }, (_, number) => `${String(number)} Pães\n`);
  for (const line of lines.slice(0, 1_000)) writer.write(line);
  await until('they are written', () => readFileSync(path, 'utf8') === lines.slice(0, 1_000).join(''));
  for (const line of lines.slice(1_000)) writer.write(line);
  writer.flush();
  // What was on its way may come after what waited.
  const inOrder = (text: string): string => text.split('\n').sort().join('\n');
  await until('all are written', () => inOrder(readFileSync(path, 'utf8')) === inOrder(lines.join('')));
  closeSync(fd);
});

(existsSync('/dev/full') ? test : test.skip)('a full disk stops nothing, and only so much waits', () => {
  const fd = openSync('/dev/full', 'w');
  const writer = new LogWriter(fd, 100);
  for (let line = 0; line < 1_000; line++) writer.write('request\n');
  expect(() => {
    writer.flush();
    writer.flush();
  }).not.toThrow();
  closeSync(fd);
});

const small = await mkdtemp(join(tmpdir(), 'log-'));
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]).status === 0;
if (canMount) spawnSync('umount', ['-l', small]);
await rm(small, { recursive: true, force: true });

(canMount ? test : test.skip)(
  'what waited is written once there is space again, whole (needs the right to mount)',
  async () => {
    const folder = await freshFolder();
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
    const path = join(folder, 'log');
    const fd = openSync(path, 'a');
    const writer = new LogWriter(fd);
    const line = `${'x'.repeat(999)}\n`;
    for (let count = 0; count < 100; count++) writer.write(line);
    await until('the disk is full', () => readFileSync(path).length >= 60_000);
    writer.write(line);
    spawnSync('mount', ['-o', 'remount,size=1m', folder]);
    let more = 0;
    await until('all is written', () => {
      writer.write(line);
      more += 1;
      return readFileSync(path).length >= 101_000;
    });
    writer.flush();
    await until('the rest is written', () => readFileSync(path, 'utf8') === line.repeat(101 + more));
    closeSync(fd);
  },
);
