import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { z } from 'zod';
import type { Answer } from '../../src/http/exchange/exchange.js';
import type { Run } from '../../src/http/idempotency/idempotency.js';
import { Idempotency } from '../../src/http/idempotency/idempotency.js';
import type { StreamType } from '../../src/kernel/events/decider.js';
import type { EventOf } from '../../src/kernel/events/event.js';
import { defineEvent, eventCodec } from '../../src/kernel/events/event.js';
import { CommandContext } from '../../src/kernel/lanes/command-context.js';
import { Lanes } from '../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import { RowConflict } from '../../src/ports/event-store.js';
import type { VaultWrite } from '../../src/ports/vault.js';
import { heldReads } from '../support/held-reads.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { MemoryVault } from '../support/memory-vault.js';
import { until } from '../support/until.js';

/**
 * On servers a process that stands still for half a minute, stopped or on a machine that was, loses the keys of its requests to whoever repeats
 * them at another one. When it goes on it must do nothing that the other has said is not done.
 */

const taken = defineEvent('UnitTaken', 1, z.object({}));

const shelf: StreamType<number, 'take', EventOf<typeof taken>> = {
  category: 'shelf',
  events: eventCodec(taken),
  decider: {
    initial: 0,
    evolve: (count) => count + 1,
    decide: () => [{ type: 'UnitTaken', data: {} }],
  },
};

const KEY = { rowId: 'k', requestHash: 'h', permissions: new Set<never>() };
const STREAM = 'shelf-store';
const SECRET: VaultWrite = { kind: 'secret', id: 'new', value: {}, expected: 'any' };

const answer = (status: number): Answer => ({ status, headers: [], body: '{}' });

/** Where it stands still, until it is let go on. */
class Standstill {
  isReached = false;
  goOn: () => void = () => undefined;

  readonly reach = (): Promise<void> => {
    this.isReached = true;
    return new Promise((resolve) => (this.goOn = resolve));
  };
}

class Shop {
  now = Date.parse('2026-11-21T12:00:00Z');
  readonly log = new MemoryEventStore();
  readonly vault = new MemoryVault(() => this.now);
  isOpen = true;

  /** A process; `readsFirst` is what holds its reads of the log. */
  process({ readsFirst = () => Promise.resolve() }: { readonly readsFirst?: () => Promise<void> } = {}) {
    const { log, vault } = this;
    const lanes = new Lanes({ store: heldReads(log, readsFirst), vault });
    const clock = { now: () => this.now };
    const idempotency = new Idempotency({ vault, storesRows: false, clock, logger: pino({ level: 'silent' }) });
    const take = async (run: Run, rows: readonly VaultWrite[], beforeItGoesOn: () => Promise<void>) => {
      const context = new CommandContext(lanes, { storeId: 'store', actor: SYSTEM, requestId: 'request', ...run });
      const rightsAsked = new Map<never, never>();
      const { isOpen } = this;
      await beforeItGoesOn();
      if (!isOpen) return { answer: answer(409), recorded: false, uncertain: false, rightsAsked };
      await context.execute(shelf, 'take', { rows });
      return { answer: answer(201), recorded: context.recorded(), uncertain: false, rightsAsked };
    };
    return (rows: readonly VaultWrite[] = [], beforeItGoesOn = () => Promise.resolve()) =>
      idempotency.answer(KEY, (run) => take(run, rows, beforeItGoesOn));
  }

  async units(): Promise<number> {
    return (await this.log.readStream(STREAM, { limit: 9 })).length;
  }
}

test.each([
  { name: 'goes on', by: 31_000 },
  { name: 'is set back', by: -31_000 },
])('what another run was refused while the clock $name is not done after all', async ({ by }) => {
  const shop = new Shop();
  const still = new Standstill();
  const first = shop.process({ readsFirst: still.reach })();
  await until('it is about to decide', () => still.isReached);
  shop.now += by;
  shop.isOpen = false;
  const repeat = shop.process();
  expect((await repeat()).status).toBe(409);
  still.goOn();
  await expect(first).rejects.toBeInstanceOf(RowConflict);
  expect(await shop.units()).toBe(0);
  expect((await repeat()).status).toBe(409);
});

test('no row is written any more that another run may have written since', async () => {
  const shop = new Shop();
  const still = new Standstill();
  const first = shop.process()([SECRET], still.reach);
  await until('it is about to write', () => still.isReached);
  shop.now += 31_000;
  expect((await shop.process()([{ ...SECRET, value: { of: 'the repeat' } }])).status).toBe(201);
  still.goOn();
  await expect(first).rejects.toBeInstanceOf(RowConflict);
  expect(await shop.vault.get('secret', 'new')).toMatchObject({ value: { of: 'the repeat' } });
  expect(await shop.units()).toBe(1);
});

describe('what it was about to answer', () => {
  const refusedAndOvertaken = async () => {
    const shop = new Shop();
    const still = new Standstill();
    shop.isOpen = false;
    const first = shop.process()([], still.reach);
    await until('it has been refused', () => still.isReached);
    shop.now += 31_000;
    shop.isOpen = true;
    return { shop, still, first };
  };

  test('gives way to what the other run was answered', async () => {
    const { shop, still, first } = await refusedAndOvertaken();
    expect((await shop.process()()).status).toBe(201);
    still.goOn();
    expect((await first).status).toBe(201);
    expect((await shop.process()()).status).toBe(201);
    expect(await shop.units()).toBe(1);
  });

  test('is of no use while the other still runs', async () => {
    const { shop, still, first } = await refusedAndOvertaken();
    const other = new Standstill();
    const repeat = shop.process()([], other.reach);
    await until('the other runs', () => other.isReached);
    still.goOn();
    await expect(first).rejects.toMatchObject({ kind: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
    other.goOn();
    expect((await repeat).status).toBe(201);
  });
});

test('where nobody took its key over it goes on, and holds the key anew before it records anything', async () => {
  const shop = new Shop();
  const still = new Standstill();
  const reads = [still.reach];
  const first = shop.process({ readsFirst: () => reads.shift()?.() ?? Promise.resolve() })();
  await until('it is about to decide', () => still.isReached);
  shop.now += 31_000;
  const heldSince: unknown[] = [];
  const append = shop.log.append.bind(shop.log);
  shop.log.append = async (...call) => {
    heldSince.push((await shop.vault.get('idempotency', 'k'))?.value);
    return append(...call);
  };
  still.goOn();
  expect((await first).status).toBe(201);
  expect(heldSince).toMatchObject([{ renewedAt: shop.now }]);
  expect(await shop.units()).toBe(1);
});
