import { expect, test } from '@jest/globals';
import { API_KEY_ROW, createKey, hashSecret, parseKey } from '../../../src/features/auth/access/api-keys.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import type { EventStore } from '../../../src/ports/event-store.js';
import { RowConflict } from '../../../src/ports/event-store.js';
import type { Vault } from '../../../src/ports/vault.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';

/** A process stands still while it makes a key, and whoever got no answer asks another for the same: the secret that was answered opens. */

const AT = Date.parse('2026-11-21T12:00:00Z');
const KEY = { name: 'Caixa', permissions: [], expiresAt: null, by: 'commandLine' as const };

async function overtaken(at: 'write' | 'get') {
  const log = Object.assign(Object.create(new MemoryEventStore()) as EventStore, { exclusive: false });
  const vault = new MemoryVault();
  const seed = newSeed(AT);
  const run = (on: Vault, repeatSince?: number) => {
    const lanes = new Lanes({ store: log, vault: on });
    const sender = { storeId: 'aurora', actor: SYSTEM, requestId: 'request', seed, keyed: true, claim: undefined };
    return createKey(new CommandContext(lanes, { ...sender, repeatSince }), on, KEY);
  };
  const overtakers: ReturnType<typeof run>[] = [];
  const repeatFirst = async () => {
    if (overtakers.length === 0) await overtakers[overtakers.push(run(vault, AT)) - 1];
  };
  const slow: Vault = Object.assign(Object.create(vault) as MemoryVault, {
    [at]: async (...call: never[]) => {
      await repeatFirst();
      return (vault[at] as (...of: never[]) => unknown)(...call);
    },
  });
  const [first] = await Promise.allSettled([run(slow)]);
  const answered = await overtakers[0];
  const { secret = '', keyId = '' } = parseKey(answered?.key ?? '') ?? {};
  return { first, opens: (await vault.get(API_KEY_ROW, keyId))?.value, hash: hashSecret(secret) };
}

test.each(['write', 'get'] as const)(
  'the secret that a repeat answered opens, and the run that stood still before its %s answers none',
  async (at) => {
    const { first, opens, hash } = await overtaken(at);
    expect(opens).toMatchObject({ secretHash: hash });
    expect(first).toMatchObject({ status: 'rejected', reason: expect.any(RowConflict) });
  },
);
