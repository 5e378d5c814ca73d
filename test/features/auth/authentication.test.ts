import { NO_FISCAL_SETTINGS } from '../../../src/features/contracts/fiscal-settings.js';
import { expect, test } from '@jest/globals';
import { Authentication, HEARD_EVERYWHERE } from '../../../src/features/auth/authentication.js';
import { createKey } from '../../../src/features/auth/access/api-keys.js';
import { access } from '../../../src/features/auth/access/decider.js';
import { isRevocation } from '../../../src/features/auth/access/revocations.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import type { Clock } from '../../../src/kernel/values/clock.js';
import { systemClock } from '../../../src/kernel/values/clock.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import type { EventStore, StoredEvent } from '../../../src/ports/event-store.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';

const START_OF_TEST = 1_000_000;
const aurora = {
  id: 'aurora',
  slug: 'aurora',
  legalName: 'Padaria',
  taxId: null,
  fiscal: NO_FISCAL_SETTINGS,
  tradeName: 'Aurora',
  timeZone: 'America/Sao_Paulo',
  segment: 'RETAIL' as const,
  modules: { production: false, scaleCode: true, orders: false },
  activityCode: null,
  plan: { apiAccess: true },
  requireTwoFactor: false,
};

/** One process revokes, another has the key in its cache and a subscription that says what the test wants it to say. */
async function twoProcesses(ticking?: Clock) {
  const state = { now: START_OF_TEST, provedLiveAt: START_OF_TEST, reads: 0 };
  const clock = ticking ?? { now: () => state.now };
  const vault = new MemoryVault(clock.now);
  const memory = new MemoryEventStore();
  let deliver: (event: StoredEvent) => void = () => undefined;
  const eventStore = Object.assign(Object.create(memory) as EventStore, {
    exclusive: false,
    readStream(...call: Parameters<EventStore['readStream']>) {
      state.reads += 1;
      return memory.readStream(...call);
    },
  });
  const follower = {
    listen(listener: typeof deliver) {
      deliver = listener;
    },
    get provedLiveAt() {
      return state.provedLiveAt;
    },
  };
  const lanesOf = () => new Lanes({ store: eventStore, vault });
  const stores = {
    byId: () => Promise.resolve(aurora),
    bySlug: () => Promise.resolve(aurora),
    all: () => Promise.resolve([aurora]),
  };
  const services = { lanes: lanesOf(), vault, clock, stores, tokenSecret: new Uint8Array(32) };
  const other = new Authentication(services, follower);
  const context = new CommandContext(lanesOf(), {
    storeId: aurora.id,
    actor: SYSTEM,
    requestId: 'request',
    seed: newSeed(state.now),
    keyed: false,
    claim: undefined,
    repeatSince: undefined,
  });
  const key = { name: 'Caixa', permissions: [], expiresAt: null, by: 'commandLine' as const };
  const made = await createKey(context, vault, key);
  const credentials = { bearer: made.key, storeSlug: aurora.slug, accessToken: undefined, expectedUser: undefined };
  return {
    state,
    revoke: () => context.execute(access, { type: 'revokeKey', keyId: made.keyId, ifMatch: undefined }),
    hear: async () => {
      for (const event of await memory.readAll('', 100)) deliver(event);
    },
    isAdmitted: async () => {
      try {
        await other.authenticate(credentials);
        return true;
      } catch {
        return false;
      }
    },
  };
}

test('a process that has proved to be live answers from memory', async () => {
  const { state, isAdmitted } = await twoProcesses();
  expect(await isAdmitted()).toBe(true);
  const { reads } = state;
  expect(await isAdmitted()).toBe(true);
  expect(state.reads).toBe(reads);
});

test('a process that hears of a revocation refuses the key at once', async () => {
  const { revoke, hear, isAdmitted } = await twoProcesses();
  expect(await isAdmitted()).toBe(true);
  await revoke();
  await hear();
  expect(await isAdmitted()).toBe(false);
});

test('a process whose subscription hangs refuses the key by the time that the revocation is answered', async () => {
  const { state, revoke, isAdmitted } = await twoProcesses();
  expect(await isAdmitted()).toBe(true);
  const { events } = await revoke();
  expect(events.some(isRevocation)).toBe(true);
  expect(await isAdmitted()).toBe(true); // the reason for not answering yet
  state.now += HEARD_EVERYWHERE;
  expect(await isAdmitted()).toBe(false);
});

test.each([-3_600_000, 3_600_000])(
  'a wall clock that steps by %s ms gives a deaf process no more trust',
  async (step) => {
    const time = { wall: START_OF_TEST, passed: 0 };
    const clock = systemClock(
      () => time.wall,
      () => time.passed,
    );
    const { revoke, isAdmitted } = await twoProcesses(clock);
    expect(await isAdmitted()).toBe(true);
    time.wall += step;
    await revoke();
    time.wall += HEARD_EVERYWHERE;
    time.passed += HEARD_EVERYWHERE;
    expect(await isAdmitted()).toBe(false);
  },
);
