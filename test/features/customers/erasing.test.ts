import { expect, test } from '@jest/globals';
import { CustomerChanges } from '../../../src/features/customers/changes.js';
import { CustomerErasures } from '../../../src/features/customers/erasures.js';
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
import { SetClock } from '../../support/people.js';
import { UnreliableVault } from '../../support/unreliable-vault.js';
import { until } from '../../support/until.js';

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
  const clock = new SetClock();
  const erasures = new CustomerErasures({
    vault,
    clock,
    holder: 'this process',
    alone: true,
    contextOf: context,
    onError: (error) => {
      throw error;
    },
  });
  const erase = () => erasures.erase(context(), id);
  const left = async () => [(await context().current(customer, { id })).stage, await keyOf(vault, STORE, id)];
  return { vault, clock, background: erasures.background, erase, left };
}

/** The process ends between the fact and the end of the key. */
async function brokenOff({ vault, erase }: Awaited<ReturnType<typeof registered>>): Promise<void> {
  vault.beforeWrite = (writes) => {
    if (removes(writes)) vault.failAfterRows = 0;
  };
  await expect(erase()).rejects.toThrow('the connection broke');
  vault.beforeWrite = () => undefined;
}

const removes = (writes: readonly VaultWrite[]): boolean => writes.some(({ value }) => value === undefined);

test('an erasure that was broken off before the key was destroyed destroys it when it is repeated', async () => {
  const customerOfStore = await registered();
  await brokenOff(customerOfStore);
  await customerOfStore.erase();
  expect(await customerOfStore.left()).toEqual(['erased', undefined]);
});

test('and goes on by itself where nobody repeats it', async () => {
  const customerOfStore = await registered();
  await brokenOff(customerOfStore);
  const { clock, background, left } = customerOfStore;
  expect(await left()).toEqual(['erased', expect.anything()]);
  clock.wait(60_000);
  for (const queue of background.queues ?? []) queue.start();
  await until('the key is destroyed', async () => (await left())[1] === undefined);
  await Promise.all((background.queues ?? []).map((queue) => queue.close()));
});

test('what was not recorded is no erasure', async () => {
  const { vault, clock, background, erase, left } = await registered();
  vault.beforeWrite = (writes) => {
    if (!removes(writes)) vault.failAfterRows = 1;
  };
  await expect(erase()).rejects.toThrow('the connection broke');
  vault.beforeWrite = () => undefined;
  clock.wait(60_000);
  for (const queue of background.queues ?? []) queue.start();
  await until('nothing waits', async () => (await vault.list('customer-erasures', { limit: 1 })).length === 0);
  await Promise.all((background.queues ?? []).map((queue) => queue.close()));
  expect(await left()).toEqual(['live', expect.anything()]);
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
