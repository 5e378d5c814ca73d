import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { VaultLeases } from '../../src/adapters/vault-leases.js';
import type { DomainEvent, Recorded } from '../../src/kernel/events/event.js';
import { defineEvent, eventCodec } from '../../src/kernel/events/event.js';
import type { Reaction, Reactor } from '../../src/kernel/reactors/reactor.js';
import { REACTOR_LEASE, ReactorRunner } from '../../src/kernel/reactors/reactor-runner.js';
import { uuidV5 } from '../../src/kernel/values/ids.js';
import type { EventStore } from '../../src/ports/event-store.js';
import { StoreUnavailable } from '../../src/ports/event-store.js';
import type { Vault } from '../../src/ports/vault.js';
import { UnreliableVault } from '../support/unreliable-vault.js';
import { until } from '../support/until.js';

/** How the contract gets at an event store and a vault. */
interface ReactorHarness {
  open(clock: { now(): number }): Promise<{ readonly eventStore: EventStore; readonly vault: Vault }>;
  readonly dispose?: () => Promise<void>;
}

const rung = defineEvent('BellRung', 1, z.object({ at: z.int() }));
const polished = defineEvent('BellPolished', 1, z.object({}));
const codec = eventCodec(rung, polished);
type Bell = { type: 'BellRung'; data: { at: number } } | { type: 'BellPolished'; data: Record<string, never> };

const NAMESPACE = 'a2f6a6f0-7d0a-4d43-9a7c-7d2f1b9f4d11';
const RECORDED = 1_000_000;
const LOG = { meta: JSON.stringify({ schemaVersion: 1, storeId: 'store', at: new Date(RECORDED).toISOString() }) };

export function reactorContract(name: string, harness: ReactorHarness): void {
  describe(`reactors on ${name}`, () => {
    const clock = { time: RECORDED, now: () => clock.time };
    let eventStore: EventStore;
    let vault: UnreliableVault;
    let revision: number;
    let seen: number[];
    let errors: unknown[];
    let runners: ReactorRunner[];

    beforeEach(async () => {
      const engines = await harness.open(clock);
      eventStore = engines.eventStore;
      vault = new UnreliableVault(engines.vault, engines.vault.atomic);
      [revision, seen, errors, runners] = [-1, [], [], []];
    });
    afterEach(() => Promise.all(runners.map((runner) => runner.close())));
    afterAll(() => harness.dispose?.());

    async function append(...events: readonly Bell[]): Promise<void> {
      const stored = events.map(({ type, data }) => ({ id: randomUUID(), type, data: JSON.stringify(data), ...LOG }));
      revision = (await eventStore.append('bells', revision, stored)).revision;
    }
    const ring = (at: number): Bell => ({ type: 'BellRung', data: { at } });

    const effectOf = (event: Recorded<DomainEvent>) => ({
      kind: 'echo',
      id: uuidV5(NAMESPACE, event.id),
      value: (event.data as { at: number }).at,
      expected: 'absent' as const,
    });
    const echo = (changes: Partial<Reactor> = {}): Reactor => ({
      name: 'echo',
      codec,
      types: ['BellRung'],
      begins: 'at the first event',
      react(events): Promise<Reaction> {
        seen.push(...events.map(({ data }) => (data as { at: number }).at));
        return Promise.resolve({ rows: events.map(effectOf) });
      },
      ...changes,
    });
    function run(reactor: Reactor = echo(), holder = 'a', itsLog = eventStore): ReactorRunner {
      const runner = new ReactorRunner(reactor, {
        eventStore: itsLog,
        vault,
        leases: new VaultLeases(vault, clock),
        holder,
        clock,
        onError: (error) => errors.push(error),
        pause: (_milliseconds, signal) =>
          new Promise((resolve) => {
            const timer = setTimeout(resolve, 5);
            signal.addEventListener('abort', () => {
              clearTimeout(timer);
              resolve();
            });
          }),
      });
      runners.push(runner);
      return runner;
    }
    const echoes = async (): Promise<unknown[]> =>
      (await vault.list('echo', { limit: 1000 })).map(({ value }) => value as number).sort((a, b) => a - b);
    const echoed = (count: number) =>
      until(`${String(count)} effects are there`, async () => (await echoes()).length >= count);
    const checkpoint = async () => (await vault.get('reactor', 'echo'))?.value as { position: string; fence: number };

    test('an event has its effect, in the order of the log, and the checkpoint follows', async () => {
      await append(ring(1), { type: 'BellPolished', data: {} }, ring(2));
      const runner = run();
      await echoed(2);
      await append(...Array.from({ length: 200 }, (_, at) => ring(at + 3)));
      await echoed(202);
      await append({ type: 'BellPolished', data: {} });
      await until('it has passed the rest', async () => (await checkpoint()).position === (await eventStore.head()));
      await runner.close();
      expect(seen).toEqual(Array.from({ length: 202 }, (_, at) => at + 1));
      expect(await checkpoint()).toMatchObject({ logId: eventStore.logId });
      expect(errors).toEqual([]);
    });

    test('a restart goes on where it was', async () => {
      await append(ring(1));
      const runner = run();
      await echoed(1);
      await runner.close();
      await append(ring(2));
      run();
      await echoed(2);
      expect(seen).toEqual([1, 2]);
    });

    test('one that begins with new events leaves the old ones alone', async () => {
      await append(ring(1));
      const runner = run(echo({ begins: 'with new events' }));
      await until('it follows', () => runner.health().state === 'following');
      await append(ring(2));
      await echoed(1);
      expect(seen).toEqual([2]);
    });

    test('a failure is tried again, and nothing is left out', async () => {
      let failures = 2;
      const react = echo().react;
      run(
        echo({
          react(events, fence) {
            if (failures-- > 0) return Promise.reject(new Error('not now'));
            return react(events, fence);
          },
        }),
      );
      await append(ring(1));
      await append(ring(2));
      await echoed(2);
      expect(await echoes()).toEqual([1, 2]);
      expect(errors).toHaveLength(2);
    });

    for (const rows of [0, 1, 2]) {
      test(`a crash after ${String(rows)} rows of an effect doubles none`, async () => {
        const whole = vault.atomic ? 3 : rows;
        await append(ring(1), ring(2));
        const started = run();
        await echoed(2);
        await started.close();
        vault.beforeWrite = (writes) => {
          if (writes.some(({ kind }) => kind === 'echo') && errors.length === 0)
            vault.failAfterRows = rows === 0 ? 0 : whole;
        };
        await append(ring(3), ring(4));
        const told: string[] = [];
        const waking = echo({
          react: async (events, fence) => ({
            ...(await echo().react(events, fence)),
            wake: (how) => told.push(how),
          }),
        });
        run(waking);
        await echoed(4);
        await until('the checkpoint is there', async () => (await checkpoint()).position === (await eventStore.head()));
        expect(await echoes()).toEqual([1, 2, 3, 4]);
        expect(errors).toHaveLength(1);
        await until('its work was woken', () => told.length > 0);
        expect(told).toEqual([rows > 0 ? 'some were there' : 'new']);
      });
    }

    test('says how old the event is that it is at work on', async () => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      let begun = false;
      const react = echo().react;
      const runner = run(
        echo({
          async react(events, fence) {
            begun = true;
            await released;
            return react(events, fence);
          },
        }),
      );
      await append(ring(1));
      await until('it is at work', () => begun);
      clock.time = Math.max(clock.time, RECORDED) + 5_000;
      expect(runner.health().lagMilliseconds).toBe(clock.time - RECORDED);
      release();
      await echoed(1);
      await until('it is done', () => runner.health().lagMilliseconds === 0);
    });

    test('of two processes one works, and the other takes over', async () => {
      const first = run(echo(), 'a');
      await until('it follows', () => first.health().state === 'following');
      const second = run(echo(), 'b');
      await append(ring(1));
      await echoed(1);
      expect(second.health().state).toBe('waiting');
      await first.close();
      await until('the other follows', () => second.health().state === 'following');
      await append(ring(2));
      await echoed(2);
      expect(seen).toEqual([1, 2]);
    });

    test('one that hears nothing of the log any more leaves the work to another, and takes it again once it hears', async () => {
      let isDeaf = false;
      const head = () => (isDeaf ? Promise.reject(new StoreUnavailable('the log is away', false)) : eventStore.head());
      const first = run(echo(), 'a', Object.assign(Object.create(eventStore) as EventStore, { head }));
      await until('it follows', () => first.health().state === 'following');
      isDeaf = true;
      await until('it works no more', () => first.health().state === 'waiting');
      const second = run(echo(), 'b');
      await append(ring(1));
      await echoed(1);
      expect([first.health().state, second.health().state]).toEqual(['waiting', 'following']);
      await second.close();
      isDeaf = false;
      await append(ring(2));
      await echoed(2);
      expect(first.health().state).toBe('following');
      expect(seen).toEqual([1, 2]);
    });

    test('whoever wakes after its lease is refused by the fencing number', async () => {
      let wake = (): void => undefined;
      const asleep = new Promise<void>((resolve) => (wake = resolve));
      let reached = false;
      run(
        echo({
          async react(events) {
            reached = true;
            await asleep;
            return { rows: events.map((event) => ({ ...effectOf(event), id: `late ${event.id}` })) };
          },
        }),
        'late',
      );
      await append(ring(1));
      await until('it is at work', () => reached);
      const fence = (await checkpoint()).fence;
      clock.time += REACTOR_LEASE + 1;
      run(echo(), 'next');
      await echoed(1);
      const taken = await checkpoint();
      expect(taken.fence).toBeGreaterThan(fence);
      wake();
      await until('it has noticed', () => errors.some((error) => String(error).includes('another process')));
      expect(await echoes()).toEqual([1]);
      expect(await vault.list('echo', { prefix: 'late', limit: 10 })).toEqual([]);
      expect((await checkpoint()).fence).toBe(taken.fence);
    });

    test('a checkpoint of another log, or beyond the end of this one, stops it with a clear line', async () => {
      await append(ring(1));
      const value = { logId: 'another', position: await eventStore.head(), fence: 1 };
      await vault.write([{ kind: 'reactor', id: 'echo', value, expected: 'absent' }]);
      const stopped = run();
      await until('it stops', () => stopped.health().state === 'stopped');
      expect(stopped.health().reason).toContain('has followed the log another');
      const position = `${(await eventStore.head()).slice(0, -1)}9`;
      await vault.write([
        { kind: 'reactor', id: 'echo', value: { logId: eventStore.logId, position, fence: 1 }, expected: 'any' },
      ]);
      const beyond = run(echo(), 'b');
      await until('it stops', () => beyond.health().state === 'stopped');
      expect(beyond.health().reason).toContain('the log ends at');
      expect(seen).toEqual([]);
    });
  });
}
