import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, expect, test } from '@jest/globals';
import { openEmbeddedArchive } from '../../src/adapters/embedded/log/archive.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { freshFolder, stopAll } from '../support/service-process.js';

afterEach(stopAll);

const open = (dataDir: string) =>
  openEmbeddedLog({ dataDir, secretsKey: Buffer.alloc(32, 7), clock: systemClock() }).then((log) => log.close());

function setFormat(dataDir: string, format: number): void {
  const database = new DatabaseSync(join(dataDir, 'events.db'));
  database.exec(`pragma user_version = ${String(format)}`);
  database.close();
}

test('a log of a newer release is left alone, one from before there were formats is taken', async () => {
  const dataDir = await freshFolder();
  await open(dataDir);
  setFormat(dataDir, 0);
  await open(dataDir);
  setFormat(dataDir, 2);
  const line = `the log in ${dataDir} has format 2, and this release knows 1: a newer release wrote it`;
  await expect(open(dataDir)).rejects.toThrow(line);
  expect(() => openEmbeddedArchive(dataDir)).toThrow(line);
});
