import { rm } from 'node:fs/promises';
import { openEmbeddedReadModels } from '../../src/adapters/embedded/embedded-read-models.js';
import { readModelsContract } from '../contract/read-models.js';
import type { OpenSnapshots } from '../contract/snapshots.js';
import { snapshotsContract } from '../contract/snapshots.js';
import { freshEmbeddedReads, freshFolder } from '../support/embedded-reads.js';

readModelsContract('embedded', {
  open: freshEmbeddedReads,
  without: {
    'a deletion whose checkpoint was never stored holds against older writes':
      'documents and checkpoint are one transaction',
  },
});

async function openSnapshots(dataDir: string): Promise<OpenSnapshots> {
  const opened = await openEmbeddedReadModels({ dataDir, logId: 'log-one' });
  return {
    snapshots: opened.snapshots,
    async reopen() {
      await opened.close();
      return openSnapshots(dataDir);
    },
    async close() {
      await opened.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

snapshotsContract('embedded', { open: async () => openSnapshots(await freshFolder()) });
