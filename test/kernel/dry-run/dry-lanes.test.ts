import { expect, test } from '@jest/globals';
import { category } from '../../../src/features/categories/decider.js';
import { DryLanes } from '../../../src/kernel/dry-run/dry-lanes.js';
import { toIso } from '../../../src/kernel/values/clock.js';
import { newId } from '../../../src/kernel/values/ids.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { RowConflict } from '../../../src/ports/event-store.js';
import type { VaultWrite } from '../../../src/ports/vault.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const create = (...names: readonly string[]) => ({
  type: 'create' as const,
  items: names.map((name) => ({ id: newId(NOW), name, fields: { defaultNcm: null } })),
});
const envelope = (rows: readonly VaultWrite[] = []) => ({
  commandId: newId(NOW),
  storeId: 'store',
  actor: SYSTEM,
  requestId: 'request',
  at: toIso(NOW),
  rows,
});
const row = (id: string) => ({ kind: 'test', id, value: {}, expected: 'absent' as const });

test('commands that are only tried rest on one another and on what is recorded, and record nothing', async () => {
  const memory = new MemoryEventStore();
  const lanes = new Lanes({ store: memory, vault: new MemoryVault() });
  await lanes.execute(category, 'categories-one', create('Pães'), envelope());
  const dryVault = new MemoryVault();
  const dry = new DryLanes(lanes, dryVault);
  const idsAt = async (stream: string, revisions: readonly number[]) =>
    (await dry.eventsAt(category, stream, revisions)).map(({ id }) => id);

  const other = await dry.execute(category, 'categories-other', create('Bolos'), envelope());
  const more = await dry.execute(category, 'categories-one', create('Tortas', 'Doces'), envelope([row('more')]));
  await dry.execute(category, 'categories-one', create(), envelope([row('nothing')]));
  expect(more.events.map(({ revision }) => revision)).toEqual([1, 2]);
  expect((await dry.current(category, 'categories-one')).state.items.size).toBe(3);

  const [recorded] = await memory.readStream('categories-one', { limit: 9 });
  const [first, second] = more.events;
  expect(await idsAt('categories-one', [2, 0, 1])).toEqual([second?.id, recorded?.id, first?.id]);
  expect(await idsAt('categories-other', [0])).toEqual(other.events.map(({ id }) => id));
  expect(dry.restsOn).toBe(recorded?.position);

  const places = dry.decided.map(({ position }) => position);
  expect(places).toEqual([...new Set(places)].sort());
  expect(places.every((place) => place > (recorded?.position ?? ''))).toBe(true);
  expect((await dryVault.list('test', { limit: 9 })).map(({ id }) => id)).toEqual(['more']);
  const again = dry.execute(category, 'categories-one', create('Massas'), envelope([row('more')]));
  await expect(again).rejects.toBeInstanceOf(RowConflict);
  expect(await memory.readAll('', 9)).toHaveLength(1);
});
