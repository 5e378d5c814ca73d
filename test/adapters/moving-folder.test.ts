import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { MovingFolder } from '../../src/adapters/embedded/backup/moving.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { movedParts } from '../../src/adapters/embedded/moved-folder.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { freshFolder, stopAll } from '../support/service-process.js';

afterEach(stopAll);

test('a move that dies before it has marked both log and vault has marked neither, and can be repeated', async () => {
  const [dataDir, secretsKey] = [await freshFolder(), randomBytes(32)];
  await (await openEmbeddedLog({ dataDir, secretsKey, clock: systemClock() })).close();
  const died = new MovingFolder(dataDir, secretsKey, false);
  const log = died.logToMove();
  died.vaultToMove();
  await log.markMoved();
  died.close();
  const repeated = new MovingFolder(dataDir, secretsKey, false);
  const parts = [repeated.logToMove(), repeated.vaultToMove()];
  for (const part of parts) await part.markMoved();
  repeated.close();
  expect(movedParts(dataDir)).toEqual(new Set(['EVENTSTORE_URL', 'MONGODB_URL']));
});
