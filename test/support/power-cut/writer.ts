/** A process of its own that writes what outlives it, and then says so: `node writer.js FOLDER TASK`. */
import { join } from 'node:path';
import { MovingFolder } from '../../../src/adapters/embedded/backup/moving.js';
import { noteErasures } from '../../../src/adapters/embedded/backup/beside-service.js';
import { openLogForWriting } from '../../../src/adapters/embedded/log/file.js';
import { markMovedParts } from '../../../src/adapters/embedded/moved-folder.js';
import { CheckpointFolder } from '../../../src/adapters/checkpoint-folder.js';
import { Outbox } from '../../../src/adapters/smtp/outbox.js';
import { parseConfig } from '../../../src/config.js';
import { makeFolder } from '../../../src/kernel/files/folders.js';
import { systemClock } from '../../../src/kernel/values/clock.js';
import { loadSecrets } from '../../../src/secrets.js';

const [folder = '', task = ''] = process.argv.slice(2);
const secretsKey = Buffer.alloc(32, 1);
const AT = '2026-11-25T12:00:00.000Z';

async function moveHere(): Promise<void> {
  const moving = new MovingFolder(folder, secretsKey, true);
  const [log, vault] = [moving.logTarget(), moving.vaultTarget()];
  await log.begin('of-another-place');
  await vault.begin('of-another-place');
  await vault.finish();
  await log.finish();
}

const tasks: Readonly<Record<string, () => unknown>> = {
  folders: () => {
    makeFolder(join(folder, 'new', 'data'));
  },
  secrets: () => loadSecrets(parseConfig({ DATA_DIR: folder })),
  log: () => openLogForWriting({ dataDir: folder, secretsKey }),
  checkpoint: () =>
    new CheckpointFolder(folder).keep('2026-11-25', { logId: 'a', size: 1, rootHash: 'b', at: AT, signature: 'c' }),
  mail: () =>
    new Outbox({ folder, sender: 'loja@example.com', clock: systemClock() }).send({
      id: 'a',
      to: { name: 'Ana', address: 'ana@example.com' },
      subject: 'Oi',
      text: 'Oi',
      html: '<p>Oi</p>',
    }),
  erasure: () => noteErasures(folder, [{ kind: 'customer-key', id: 'ana' }], AT),
  mark: () => {
    markMovedParts(folder, new Set(['MONGODB_URL']));
  },
  unmark: () => {
    markMovedParts(folder, new Set(['MONGODB_URL']));
    markMovedParts(folder, new Set());
  },
  move: moveHere,
  'move begun': () => new MovingFolder(folder, secretsKey, true),
};

await tasks[task]?.();
process.stdout.write('done\n');
