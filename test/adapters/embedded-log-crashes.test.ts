import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { EmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import type { FaultPoint } from '../../src/adapters/embedded/log/faults.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { START } from '../../src/ports/event-store.js';
import { pageThrough } from '../contract/event-store.js';
import { startLogProcess } from '../support/embedded-log-process.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';
import { until } from '../support/until.js';

const folders = new EmbeddedLogs((log) => log.eventStore);
const secretsKey = randomBytes(32);
const opened: EmbeddedLog[] = [];

async function open(dataDir: string): Promise<EmbeddedLog> {
  const log = await openEmbeddedLog({ dataDir, secretsKey, clock: systemClock() });
  opened.push(log);
  return log;
}

/** Every event of the log, after a look at whether it is whole: no gap, and each append all there. */
async function wholeLog({ eventStore }: EmbeddedLog): Promise<string[]> {
  const events = [];
  for (let page = await eventStore.readAll(START, 1_000); page.length > 0;) {
    events.push(...page);
    page = await eventStore.readAll(page.at(-1)?.position ?? START, 1_000);
  }
  expect(events.map(({ position }) => Number(position))).toEqual(events.map((_, at) => at + 1));
  const next = new Map<string, number>();
  for (const { stream, revision } of events) {
    expect(revision).toBe(next.get(stream) ?? 0);
    next.set(stream, revision + 1);
  }
  expect([...next.values()].filter((count) => count % 3 !== 0)).toEqual([]);
  return events.map(({ id }) => id);
}

/** Lets a process write under load, kills it, and gives the ids that it had acknowledged. */
async function killUnderLoad(dataDir: string, appends: number): Promise<string[]> {
  const { child, lines, ended } = startLogProcess(dataDir, secretsKey, ['load']);
  await until('enough was appended', () => {
    if (child.exitCode !== null) throw new Error(`the process ended by itself: ${lines.at(-1) ?? ''}`);
    return lines.length >= appends;
  });
  child.kill('SIGKILL');
  await ended;
  expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
  // The kill may cut the last line short.
  return lines.map((line) => line.split(' ')).flatMap((line) => (line.at(2)?.length === 36 ? line : []));
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close()));
});
afterAll(() => folders.dispose());

test('after kill -9 under load every acknowledged event is there once', async () => {
  const dataDir = await folders.folder();
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round++) {
    acknowledged.push(...(await killUnderLoad(dataDir, 200 + 300 * round)));
    const log = await open(dataDir);
    const found = await wholeLog(log);
    const distinct = new Set(found);
    expect(distinct.size).toBe(found.length);
    expect(acknowledged.filter((id) => !distinct.has(id))).toEqual([]);
    await log.close();
  }
});

test('a torn or damaged tail opens at the last whole commit', async () => {
  const dataDir = await folders.folder();
  await killUnderLoad(dataDir, 500);
  const wal = await readFile(join(dataDir, 'events.db-wal'));
  const { size } = await stat(join(dataDir, 'events.db-wal'));
  const counts: number[] = [];
  for (const cut of [1, 100, 4_097, 30_000, 200_001]) {
    const copy = join(await folders.folder(), 'copy');
    await mkdir(copy);
    await copyFile(join(dataDir, 'events.db'), join(copy, 'events.db'));
    await copyFile(join(dataDir, 'events.db-wal'), join(copy, 'events.db-wal'));
    if (cut === 100)
      await writeFile(join(copy, 'events.db-wal'), Buffer.concat([wal.subarray(0, size - cut), randomBytes(cut)]));
    else await truncate(join(copy, 'events.db-wal'), size - cut);
    const log = await open(copy);
    counts.push((await wholeLog(log)).length);
    const events = ['a', 'b', 'c'].map((id) => ({ id, type: 'Made', data: '{}', meta: '{}' }));
    await log.eventStore.append('after', -1, events);
    expect((await wholeLog(log)).slice(-3)).toEqual(['a', 'b', 'c']);
    await log.close();
  }
  expect(counts.every((count) => count > 0)).toBe(true);
  expect(counts.at(-1)).toBeLessThan(counts[0] ?? 0);
});

test.each<[FaultPoint, string[]]>([
  ['beforeCommit', ['first']],
  ['afterCommit', ['first', 'second']],
])('a process killed %s leaves the append whole or not at all', async (point, expected) => {
  const dataDir = await folders.folder();
  const { lines, ended } = startLogProcess(dataDir, secretsKey, ['die', point]);
  await ended;
  expect(lines).toEqual([]);
  const { eventStore, vault } = await open(dataDir);
  const found = await pageThrough(eventStore, START, 10, new Set(['dying']));
  expect(found.map(({ id }) => id)).toEqual(expected);
  expect((await vault.get('thing', 'second')) !== undefined).toBe(expected.includes('second'));
  const again = { id: 'second', type: 'Made', data: '{"by":"child"}', meta: '{}' };
  expect(await eventStore.append('dying', 0, [again])).toMatchObject({ revision: 1 });
  expect(await eventStore.readStream('dying', { limit: 10 })).toHaveLength(2);
});

const traced = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
const testTraced = traced ? test : test.skip;

testTraced(
  `a flush to disk ends before each answer${traced ? '' : ' (left out: strace does not run here)'}`,
  async () => {
    const dataDir = await folders.folder();
    const trace = join(dataDir, 'trace');
    const { lines, ended } = startLogProcess(
      dataDir,
      secretsKey,
      ['oneByOne'],
      ['strace', '-f', '-s', '40', '-e', 'trace=fsync,fdatasync,write', '-o', trace],
    );
    await ended;
    expect(lines.filter((line) => !/^(appended|written) \d$/.test(line))).toEqual([]);
    expect(lines).toHaveLength(20);
    let flushed = false;
    const answers: boolean[] = [];
    for (const line of (await readFile(trace, 'utf8')).split('\n')) {
      if (/f(data)?sync.*= 0$/.test(line)) flushed = true;
      if (/write\(1, "(appended|written) /.test(line)) {
        answers.push(flushed);
        flushed = false;
      }
    }
    expect(answers).toEqual(Array.from({ length: 20 }, () => true));
  },
);
