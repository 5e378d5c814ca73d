import { afterEach, expect, test } from '@jest/globals';
import { openEnginesOf } from '../../scripts/bench/scratch-engines.js';
import { callStore, newStoreOf } from '../support/category-load.js';
import { recordDocuments } from '../support/fiscal-events.js';
import { freshFolder, startProgram, startService, stopAll, stopService } from '../support/service-process.js';
import { until } from '../support/until.js';
import type { Receiver } from '../support/webhook-receiver.js';
import { openReceiver } from '../support/webhook-receiver.js';

let receiver: Receiver | undefined;
afterEach(async () => {
  await stopAll();
  await receiver?.close();
});

interface Printed {
  readonly size: number;
}

async function run(script: string, words: readonly string[], dataDir: string): Promise<Printed> {
  const program = startProgram(`scripts/${script}.js`, words, { DATA_DIR: dataDir });
  const { code } = await program.ended;
  if (code !== 0) throw new Error(program.err);
  return JSON.parse(program.out) as Printed;
}

test('what was recorded before the moment and told to nobody yet is told after a restore to it', async () => {
  const [dataDir, directory, restored] = [await freshFolder(), await freshFolder(), await freshFolder()];
  const { received, ...opened } = (receiver = await openReceiver());
  const service = await startService(dataDir, { WEBHOOK_ALLOW_PRIVATE: 'true' });
  const store = await newStoreOf(dataDir);
  const storeId = (await callStore(service.url, store, 'GET', '/store')).body.id as string;
  await callStore(service.url, store, 'POST', '/outbound-webhooks', { url: opened.url });
  await stopService(service);
  const engines = await openEnginesOf({ DATA_DIR: dataDir });
  await recordDocuments(engines.eventStore, storeId, ['DocumentAuthorized', 'DocumentAuthorized']);
  await engines.close();

  const { size } = await run('backup', [directory], dataDir);
  await run('restore', [directory, '--at', String(size)], restored);
  expect(received).toHaveLength(0);
  await startService(restored, { WEBHOOK_ALLOW_PRIVATE: 'true' });
  await until('both have arrived', () => received.length === 2, 30_000);
});
