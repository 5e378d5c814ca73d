import { expect, test } from '@jest/globals';
import { CustomerChanges } from '../../../src/features/customers/changes.js';
import { customer } from '../../../src/features/customers/decider.js';
import { keyOf } from '../../../src/features/customers/keys.js';
import type { Person } from '../../../src/features/customers/sealing.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { newId, newSeed } from '../../../src/kernel/values/ids.js';
import type { VaultWrite } from '../../../src/ports/vault.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { UnreliableVault } from '../../support/unreliable-vault.js';

const STORE = 'store';
const PERSON: Person = {
  name: 'Maria Souza',
  document: '52998224725',
  email: null,
  phone: null,
  stateRegistration: null,
  address: null,
};

/** A customer where rows are stored apart from events, as on servers. */
async function registered() {
  const vault = new UnreliableVault(new MemoryVault(), false);
  const lanes = new Lanes({ store: new MemoryEventStore(), vault });
  const changes = new CustomerChanges(vault);
  const facts = { storeId: STORE, actor: SYSTEM, requestId: 'request', keyed: false, claim: undefined };
  const context = (): RequestContext =>
    new CommandContext(lanes, {
      ...facts,
      seed: newSeed(Date.now()),
      repeatSince: undefined,
    }) as unknown as RequestContext;
  const id = newId(Date.now());
  await changes.register(context(), id, PERSON);
  const erase = () => changes.erase(context(), id);
  const left = async () => [(await context().current(customer, { id })).stage, await keyOf(vault, STORE, id)];
  return { vault, erase, left };
}

const removes = (writes: readonly VaultWrite[]): boolean => writes.some(({ value }) => value === undefined);

test('an erasure that was broken off before the key was destroyed destroys it when it is repeated', async () => {
  const { vault, erase, left } = await registered();
  vault.failAfterRows = 0;
  await expect(erase()).rejects.toThrow('the connection broke');
  await erase();
  expect(await left()).toEqual(['erased', undefined]);
});

test('an erasure destroys the key also while somebody changes the document', async () => {
  const { vault, erase, left } = await registered();
  let isFirst = true;
  vault.beforeWrite = async (writes) => {
    if (!isFirst || !removes(writes)) return;
    isFirst = false;
    // What frees the document is not as the erasure has read it any more.
    await vault.write(writes.slice(0, 1));
  };
  await erase();
  expect(await left()).toEqual(['erased', undefined]);
});
