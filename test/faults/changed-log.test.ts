import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { callStore, newStoreOf } from '../support/category-load.js';
import { freshFolder, startService, stopAll, stopService } from '../support/service-process.js';
import { brokenLinks, storedEvents } from '../support/stored-log.js';

afterEach(stopAll);

test('a byte that changed in the log shows in the chain of its stream, at its event', async () => {
  const dataDir = await freshFolder();
  const service = await startService(dataDir);
  const store = await newStoreOf(dataDir);
  for (const name of ['Pães', 'Bolos', 'Doces']) await callStore(service.url, store, 'POST', '/categories', { name });
  await stopService(service);
  const sound = await storedEvents(dataDir);
  expect(brokenLinks(sound)).toEqual([]);

  const file = join(dataDir, 'events.db');
  const bytes = await readFile(file);
  const at = bytes.indexOf('"name":"Bolos"');
  expect(at).toBeGreaterThan(0);
  bytes.write('Bulos', at + '"name":"'.length);
  await writeFile(file, bytes);

  const broken = brokenLinks(await storedEvents(dataDir));
  const changed = sound.find(({ data }) => data.includes('Bolos'));
  expect(broken.map(({ position }) => position)).toEqual([changed?.position]);
});
