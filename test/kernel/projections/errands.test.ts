import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { VaultLeases } from '../../../src/adapters/vault-leases.js';
import type { Applier } from '../../../src/kernel/projections/applier.js';
import { storeApplier } from '../../../src/kernel/projections/applier.js';
import type { Errand } from '../../../src/kernel/projections/errands.js';
import { startProjections } from '../../../src/kernel/projections/host.js';
import { SharedProjections, leaseOf } from '../../../src/kernel/projections/shared-projections.js';
import { pauseUntilAborted } from '../../../src/kernel/values/pause.js';
import { NO_STREAM } from '../../../src/ports/event-store.js';
import { RebuildReplaced } from '../../../src/ports/read-models.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryProjectionStore } from '../../support/memory-projection-store.js';
import { MemoryVault } from '../../support/memory-vault.js';
import type { ShelfEvent } from '../../support/shelf-projectors.js';
import { POISON, countThings, nameThing, projectors, shelfEvent } from '../../support/shelf-projectors.js';
import { until } from '../../support/until.js';

/** Everything that takes seconds takes hundredths of them. */
const HASTE = 100;
const clock = { now: Date.now };

/** What several processes share. */
class Machines {
  readonly log = new MemoryEventStore();
  readonly store = new MemoryProjectionStore();
  readonly vault = new MemoryVault();
  private readonly running = new Set<SharedProjections>();
  private revision = NO_STREAM;

  async start({ works = true, change = (applier: Applier) => applier } = {}): Promise<SharedProjections> {
    const { log: eventStore, vault } = this;
    const applier = change(await storeApplier(this.store, projectors, eventStore.logId));
    const process: SharedProjections = new SharedProjections({
      leases: new VaultLeases(vault, clock),
      vault,
      holder: randomUUID(),
      works,
      collections: applier.collections,
      logId: eventStore.logId,
      clock,
      head: () => eventStore.head(),
      checkpoints: () => applier.checkpoints(),
      start: () => startProjections({ eventStore, applier, clock }),
      onError: () => undefined,
      pause: (milliseconds, signal) => pauseUntilAborted(milliseconds / HASTE, signal),
    });
    this.running.add(process);
    return process;
  }

  async append(...events: readonly ShelfEvent[]) {
    const sealed = events.map((event) => shelfEvent(event));
    const { revision, position } = await this.log.append('shelf', this.revision, sealed);
    this.revision = revision;
    return position;
  }

  async stop(process: SharedProjections): Promise<void> {
    this.running.delete(process);
    await process.close();
  }

  async stopAll(): Promise<void> {
    for (const process of this.running) await this.stop(process);
  }

  thing(id: string): unknown {
    return this.store.contents()['live:things']?.[`s1/${id}`];
  }

  /** A process that is killed or hangs says nothing more and gives nothing back; its lease runs out. */
  async loseLease(): Promise<void> {
    const lease = (await this.vault.list('lease', { limit: 1 }))[0];
    if (!lease) throw new Error('nobody holds the lease');
    const value = { ...(lease.value as object), until: 0 };
    await this.vault.write([{ kind: 'lease', id: lease.id, value, expected: lease.version }]);
  }

  /** What a fault has left in the live build. */
  async spoil(id: string): Promise<void> {
    const [collection] = projectors.map((projector) => projector.collection);
    const position = '~';
    const document = { id, name: 'spoilt', count: -1, applied: -1 };
    if (collection?.kind !== 'records') throw new Error('things are records');
    const record = { store: 's1', id, document, position };
    await this.store.commit([{ collection, generation: 'live', records: [record], rows: [] }], []);
  }
}

let machines: Machines;
const beginning = () => (machines = new Machines());
afterEach(() => machines.stopAll());

const stateOf = (process: SharedProjections) => process.health().find(({ name }) => name === 'things');

async function stoppedAtPoison() {
  beginning();
  const leading = await machines.start();
  await machines.append(nameThing('a', 'good'));
  const poison = await machines.append(nameThing('b', POISON));
  await machines.append(nameThing('c', 'after'));
  await until('the leading process has stopped', () => stateOf(leading)?.state === 'stopped');
  return { leading, poison };
}

describe('a process that does not project', () => {
  test('has what it wants rebuilt by the one that does', async () => {
    beginning();
    const leading = await machines.start();
    const last = await machines.append(nameThing('a', 'good'), countThings(2, 'a'));
    expect(await leading.waitFor(['things'], last, 60_000)).toBe(true);
    await machines.spoil('a');
    const other = await machines.start({ works: false });
    await other.rebuild('things', 'names');
    expect(machines.thing('a')).toMatchObject({ name: 'good', count: 2 });
    expect(await machines.vault.list('projection-errand', { limit: 9 })).toEqual([]);
    expect(await machines.vault.list('projection-errand-word', { limit: 9 })).toEqual([]);
  });

  test('says how far a rebuild is that another one makes', async () => {
    beginning();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const leading = await machines.start({
      change: (applier) => ({
        ...applier,
        switchRebuild: (name) => held.then(() => applier.switchRebuild(name)),
      }),
    });
    const last = await machines.append(nameThing('a', 'good'));
    expect(await leading.waitFor(['things'], last, 60_000)).toBe(true);
    const other = await machines.start({ works: false });
    const rebuilt = other.rebuild('things');
    await until('it is known', () => stateOf(other)?.state === 'rebuilding');
    await until('so is how far it is', () => stateOf(other)?.rebuiltTo === last);
    goOn();
    await rebuilt;
    expect(stateOf(other)).not.toHaveProperty('rebuiltTo');
    expect(stateOf(other)?.state).toBe('live');
  });

  test('hears why the other could not', async () => {
    beginning();
    await machines.start();
    const other = await machines.start({ works: false });
    await expect(other.rebuild('nothing')).rejects.toThrow('there is no collection nothing');
    await expect(other.skip('things', '5')).rejects.toThrow('things has not stopped at 5');
  });

  test('does it itself when it takes over from the one that was asked', async () => {
    beginning();
    let wakeUp = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wakeUp = resolve));
    const leading = await machines.start({ change: (applier) => ({ ...applier, beginRebuild: () => asleep }) });
    const last = await machines.append(nameThing('a', 'good'));
    expect(await leading.waitFor(['things'], last, 60_000)).toBe(true);
    await machines.spoil('a');
    const other = await machines.start();
    const rebuilt = other.rebuild('things');
    await until('it was begun', async () => {
      const [word] = await machines.vault.list('projection-errand-word', { limit: 1 });
      return word !== undefined;
    });
    await machines.loseLease();
    await rebuilt;
    expect(machines.thing('a')).toMatchObject({ name: 'good' });
    wakeUp();
  });

  test('is told by the one that took over how it went, not by one that hung and finds its rebuild replaced', async () => {
    beginning();
    let [finds, isReplaced] = [0, true];
    const leading = await machines.start({
      change: (applier) => ({
        ...applier,
        beginRebuild(name) {
          finds += 1;
          return isReplaced ? Promise.reject(new RebuildReplaced(name)) : applier.beginRebuild(name);
        },
      }),
    });
    const last = await machines.append(nameThing('a', 'good'));
    expect(await leading.waitFor(['things'], last, 60_000)).toBe(true);
    await machines.spoil('a');
    await machines.start();
    const asking = await machines.start({ works: false });
    const rebuilt = Promise.all([asking, leading].map((process) => process.rebuild('things')));
    await until('the first found it replaced', () => finds > 1);
    isReplaced = false;
    await machines.loseLease();
    await rebuilt;
    expect(machines.thing('a')).toMatchObject({ name: 'good' });
  });

  test('has it done by the next one where that which makes it ends', async () => {
    beginning();
    let fail = (_: Error): void => undefined;
    const held = new Promise<void>((_, reject) => (fail = reject));
    const leading = await machines.start({ change: (applier) => ({ ...applier, beginRebuild: () => held }) });
    const last = await machines.append(nameThing('a', 'good'));
    expect(await leading.waitFor(['things'], last, 60_000)).toBe(true);
    await machines.spoil('a');
    const other = await machines.start({ works: false });
    const rebuilt = other.rebuild('things');
    await until('it is being made', () => stateOf(leading)?.state === 'rebuilding');
    const stopped = machines.stop(leading);
    await until('it is let go', () => stateOf(leading)?.state !== 'rebuilding');
    fail(new Error('the store is closed'));
    await stopped;
    await machines.start();
    await rebuilt;
    expect(machines.thing('a')).toMatchObject({ name: 'good' });
  });

  test('gives up when nobody projects, and leaves nothing that would be done later', async () => {
    beginning();
    const other = await machines.start({ works: false });
    await expect(other.rebuild('things')).rejects.toThrow('no process that projects does it');
    expect(await machines.vault.list('projection-errand', { limit: 9 })).toEqual([]);
  });

  test('waits no longer when it is closed', async () => {
    beginning();
    const other = await machines.start({ works: false });
    const asked = other.rebuild('things').catch((error: unknown) => error);
    await machines.stop(other);
    expect(await asked).toMatchObject({ name: 'AbortError' });
    expect(await machines.vault.list('projection-errand', { limit: 9 })).toEqual([]);
  });

  test('knows where the other has stopped, has it skipped, and sees it go on', async () => {
    const { poison } = await stoppedAtPoison();
    const other = await machines.start({ works: false });
    await until('it knows', () => stateOf(other)?.state === 'stopped');
    expect(stateOf(other)?.poison).toMatchObject({ position: poison, type: 'ThingNamed' });
    await other.caughtUp(); // with all that can go on
    await other.skip('things', poison);
    await other.caughtUp();
    expect(stateOf(other)).not.toHaveProperty('poison');
    expect(machines.thing('c')).toMatchObject({ name: 'after' });
  });

  test('answers at once who waits for a collection that has stopped', async () => {
    const { poison } = await stoppedAtPoison();
    const other = await machines.start({ works: false });
    await until('it knows', () => stateOf(other)?.state === 'stopped');
    expect(await other.waitFor(['things'], poison, 60_000)).toBe(false);
    expect(await other.waitFor(['names'], poison, 60_000)).toBe(true);
  });
});

test('a skip that was begun and done by one that is gone is done', async () => {
  const { leading, poison } = await stoppedAtPoison();
  await leading.skip('things', poison);
  await leading.caughtUp();
  await machines.stop(leading);
  const id = `${leaseOf(leading.health())}/asked-before`;
  const errand: Errand = { kind: 'skip', collection: 'things', position: poison };
  await machines.vault.write([
    { kind: 'projection-errand', id, value: errand, expected: 'absent' },
    { kind: 'projection-errand-word', id, value: { state: 'begun' }, expected: 'absent' },
  ]);
  await machines.start();
  const word = async () => (await machines.vault.get('projection-errand-word', id))?.value;
  await until('it is said to be done', async () => isDeepStrictEqual(await word(), { state: 'done' }));
});
