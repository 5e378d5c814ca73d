import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { newStoreOf } from '../support/category-load.js';
import { canTrace, unflushedBy } from '../support/power-cut/traced.js';
import { freshFolder, startService, stopAll, stopService } from '../support/service-process.js';

afterEach(stopAll);

/** What stands for nothing once the machine has lost its power. */
const PASSING = /(?:^|\/)(?:lock\.db(?:-journal)?|service\.pid|\S+-shm)$/;
const lasting = (paths: readonly string[]): readonly string[] => paths.filter((path) => !PASSING.test(path));

const compiled = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

async function expectNothingLost(
  folder: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { said, failed, bytes, names } = await unflushedBy(folder, words, variables);
  expect({ failed, said: said !== '', bytes: lasting(bytes), names: lasting(names) }).toEqual({
    failed: '',
    said: true,
    bytes: [],
    names: [],
  });
}

const testTraced = canTrace ? test : test.skip;
const leftOut = canTrace ? '' : ' (left out: strace does not run here)';

testTraced.each(['folders', 'secrets', 'log', 'checkpoint', 'mail', 'erasure', 'mark', 'unmark', 'move'])(
  `what was written lies on the disk under its name when it is called done: %s${leftOut}`,
  async (task) => {
    const folder = await freshFolder();
    await expectNothingLost(folder, [compiled('test/support/power-cut/writer.js'), folder, task]);
  },
);

testTraced(
  `no cut leaves a folder to which a restore or move began as one that is empty, also when it is repeated${leftOut}`,
  async () => {
    const folder = await freshFolder();
    const words = [compiled('test/support/power-cut/writer.js'), folder, 'move begun'];
    for (let round = 0; round < 2; round++) {
      const { said, names } = await unflushedBy(folder, words, {});
      expect(said).toBe('done\n');
      expect(names).not.toContain('events.db.restoring');
      expect(await readdir(folder)).toContain('events.db.restoring');
    }
  },
);

testTraced(`so does a backup, the next one into the same folder, and what is restored${leftOut}`, async () => {
  const [dataDir, folder] = [await freshFolder(), await freshFolder()];
  const directory = join(folder, 'new', 'backup');
  const service = await startService(dataDir);
  for (let round = 0; round < 2; round++) {
    await newStoreOf(dataDir);
    await expectNothingLost(folder, [compiled('scripts/backup.js'), directory], { DATA_DIR: dataDir });
  }
  await stopService(service);
  const restored = join(folder, 'restored', 'data');
  await expectNothingLost(folder, [compiled('scripts/restore.js'), directory], { DATA_DIR: restored });
});
