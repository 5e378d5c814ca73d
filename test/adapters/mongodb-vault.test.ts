import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { openMongo } from '../../src/adapters/mongodb/open-mongo.js';
import type { Clock } from '../../src/kernel/values/clock.js';
import type { Vault } from '../../src/ports/vault.js';
import { vaultContract } from '../contract/vault.js';
import { onMongo } from '../support/on-servers.js';

const secretsKey = randomBytes(32);

await onMongo('MongoDB as a vault', (mongo) => {
  const opened = new Map<Vault, { readonly url: string; readonly clock: Clock }>();

  async function openVault(url: string, clock: Clock): Promise<Vault> {
    const { vault } = await openMongo({ url, secretsKey, clock });
    opened.set(vault, { url, clock });
    return vault;
  }

  function placeOf(vault: Vault) {
    const place = opened.get(vault);
    if (!place) throw new Error('the vault was not opened here');
    return place;
  }

  vaultContract('MongoDB', {
    open: (clock) => openVault(mongo.freshUrl(), clock),
    async reopen(vault) {
      await vault.close();
      const { url, clock } = placeOf(vault);
      return openVault(url, clock);
    },
    async rawBytes(vault) {
      const client = new MongoClient(placeOf(vault).url, { raw: true });
      const documents: unknown[] = await client.db().collection('vault').find().toArray();
      await client.close();
      return Buffer.concat(documents as Buffer[]);
    },
    leftOut: mongo.isFerretdb
      ? { 'lets one of 100 writers win each version': 'FerretDB looks for a row and changes it in two steps' }
      : {},
  });
});
