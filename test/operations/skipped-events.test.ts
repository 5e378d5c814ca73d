import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { checkOf } from '../../src/core.js';
import { CHAIN_START, sealEvent } from '../../src/kernel/events/chain.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { newId } from '../../src/kernel/values/ids.js';
import { NO_STREAM } from '../../src/ports/event-store.js';
import { granted } from '../support/bakery.js';
import { until } from '../support/until.js';
import { openWorld } from '../support/world.js';

/** What a comparison with a replay says of events that projectors cannot apply. */

const world = await openWorld({ env: { ROLES: 'api,projections' } });
const store = await world.newStore();
const { core, projections } = world.service;
afterAll(() => world.close());

const check = checkOf(core, projections, systemClock());
const stoppedNow = () => projections.health().flatMap(({ name, poison }) => (poison ? [{ name, ...poison }] : []));

/** A category of another store, which no release can read. */
async function happenUnreadably(): Promise<void> {
  const storeId = newId(Date.now());
  const facts = { storeId, actor: SYSTEM, requestId: 'r', causationId: randomUUID(), at: new Date().toISOString() };
  const fact = { id: newId(Date.now()), type: 'CategoryCreated', data: { id: newId(Date.now()), name: 5 } };
  const { event } = sealEvent(CHAIN_START, fact, { schemaVersion: 1, ...facts });
  await core.engines.eventStore.append(`categories-${storeId}`, NO_STREAM, [event]);
}

test('projections that have stopped are told, and what an operator had skipped is no difference afterwards', async () => {
  await granted(store.call('POST', '/categories', { name: 'Pães' }));
  expect(await check()).toMatchObject({ ok: true, differing: 0, stopped: [], skipped: [] });
  await happenUnreadably();
  // The categories, and what finds events of the audit.
  await until('both projections have stopped', () => stoppedNow().length === 2);
  const stopped = stoppedNow().map(({ name, position, type }) => ({ projection: name, position, type }));
  expect(await check()).toMatchObject({ ok: false, differing: 0, stopped, skipped: [] });

  for (const { name, position } of stoppedNow()) await projections.skip(name, position);
  await granted(store.call('POST', '/categories', { name: 'Bolos' }));
  expect(await check()).toMatchObject({ ok: true, differing: 0, stopped: [], skipped: stopped });
});
