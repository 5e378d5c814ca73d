import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openMongo } from '../../src/adapters/mongodb/open-mongo.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { onMongo } from '../support/on-servers.js';

/** Processes share a vault only with the key that it began with. */

await onMongo('the key of a vault', (mongo) => {
  const OTHER_KEY = 'SECRETS_KEY is not the key that this vault was sealed with';
  const open = (url: string, secretsKey: Buffer) => openMongo({ url, secretsKey, clock: systemClock(Date.now) });

  async function begun(key: Buffer): Promise<string> {
    const url = mongo.freshUrl();
    const { vault, close } = await open(url, key);
    await vault.write([{ kind: 'lease', id: 'projections', value: 'held', expected: 'absent' }]);
    await close();
    return url;
  }

  test('a vault opens with the key that it began with, and with no other', async () => {
    const key = randomBytes(32);
    const url = await begun(key);
    await expect(open(url, randomBytes(32))).rejects.toThrow(OTHER_KEY);
    const { vault, close } = await open(url, key);
    expect(await vault.get('lease', 'projections')).toMatchObject({ value: 'held' });
    await close();
  });

  test('so does one of an earlier release, which did not note its key', async () => {
    const key = randomBytes(32);
    const url = await begun(key);
    const client = new MongoClient(url);
    await client.db().collection('vault_key').deleteMany({});
    await client.close();
    await expect(open(url, randomBytes(32))).rejects.toThrow(OTHER_KEY);
    await (await open(url, key)).close();
    await expect(open(url, randomBytes(32))).rejects.toThrow(OTHER_KEY);
  });
});
