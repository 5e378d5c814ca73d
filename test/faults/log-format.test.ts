import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, describe, expect, test } from '@jest/globals';
import { backUp } from '../../src/adapters/embedded/backup/backing-up.js';
import { MovingFolder } from '../../src/adapters/embedded/backup/moving.js';
import { restore } from '../../src/adapters/embedded/backup/restoring.js';
import { openEmbeddedArchive } from '../../src/adapters/embedded/log/archive.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { LOG_FORMAT } from '../../src/adapters/log-format.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { freshFolder, stopAll } from '../support/service-process.js';

afterEach(stopAll);

const NEWER = LOG_FORMAT + 1;
const REFUSAL = `has format ${String(NEWER)}, and this release knows ${String(LOG_FORMAT)}: a newer release wrote it`;
const secretsKey = Buffer.alloc(32, 7);

const open = (dataDir: string) =>
  openEmbeddedLog({ dataDir, secretsKey, clock: systemClock() }).then((log) => log.close());
const backUpTo = (directory: string, dataDir: string) =>
  backUp({ dataDir, directory, secretsKey: undefined, now: Date.now() });
const restoreFrom = (directory: string, dataDir: string) =>
  restore({ dataDir, directory, at: undefined, secretsKey, now: Date.now(), rules: NOTHING_TO_ADD });
const NOTHING_TO_ADD = {
  factsAfter: () => [],
  erasuresAfter: () => [],
  workAfter: () => [],
  rowsAfter: () => () => 'stays' as const,
};

function inFile(folder: string, statement: string): unknown {
  const database = new DatabaseSync(join(folder, 'events.db'));
  try {
    return Object.values((database.prepare(statement).get() ?? {}) as object)[0];
  } finally {
    database.close();
  }
}

const setFormat = (dataDir: string, format: number) => inFile(dataDir, `pragma user_version = ${String(format)}`);
const formatIn = (dataDir: string) => inFile(dataDir, 'pragma user_version');

async function logOfFormat(format: number): Promise<string> {
  const dataDir = await freshFolder();
  await open(dataDir);
  setFormat(dataDir, format);
  return dataDir;
}

describe('the format of a log', () => {
  test('is this release’s once it has opened it, also where there was none', async () => {
    const dataDir = await logOfFormat(0);
    await open(dataDir);
    expect(formatIn(dataDir)).toBe(LOG_FORMAT);
  });

  test('goes into its backups, and from there into what is restored', async () => {
    const dataDir = await logOfFormat(LOG_FORMAT - 1);
    const directory = await freshFolder();
    backUpTo(directory, dataDir);
    expect(inFile(directory, 'select format from about')).toBe(LOG_FORMAT - 1);
    await open(dataDir);
    backUpTo(directory, dataDir);
    expect(inFile(directory, 'select format from about')).toBe(LOG_FORMAT);
    const restored = await freshFolder();
    restoreFrom(directory, restored);
    expect(formatIn(restored)).toBe(LOG_FORMAT);
  });

  test('of a newer release keeps this one from all that reads or writes it', async () => {
    const dataDir = await logOfFormat(NEWER);
    const line = `the log in ${dataDir} ${REFUSAL}`;
    await expect(open(dataDir)).rejects.toThrow(line);
    expect(() => openEmbeddedArchive(dataDir)).toThrow(line);
    expect(() => new MovingFolder(dataDir, secretsKey, false)).toThrow(line);
    const directory = await freshFolder();
    expect(() => backUpTo(directory, dataDir)).toThrow(line);
    expect(formatIn(dataDir)).toBe(NEWER);
  });
});
