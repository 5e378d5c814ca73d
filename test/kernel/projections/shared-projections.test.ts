import { afterEach, describe, expect, test } from '@jest/globals';
import { VaultLeases } from '../../../src/adapters/vault-leases.js';
import type { Projections } from '../../../src/kernel/projections/projections.js';
import {
  LEASE_LIVES,
  RENEW_EVERY,
  SharedProjections,
  leaseOf,
} from '../../../src/kernel/projections/shared-projections.js';
import type { Position } from '../../../src/ports/event-store.js';
import { START, StoreUnavailable } from '../../../src/ports/event-store.js';
import type { Lease, Leases } from '../../../src/ports/leases.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { until } from '../../support/until.js';

const THINGS = { name: 'things', version: 1 };
const PATIENCE = 2_000;

/** What several processes share: the lease, the checkpoint and the time, which stands still unless it is moved. */
class Surroundings {
  now = 1_000;
  head: Position = START;
  /** The position of the stored read model. */
  reached: Position = START;
  away = false;
  private readonly sleepers = new Set<() => void>();
  private readonly clock = { now: () => this.now };
  readonly vault = new MemoryVault(this.clock.now);
  private readonly kept = new VaultLeases(this.vault, this.clock);

  readonly leases: Leases = {
    acquire: async (...wanted) => {
      const lease = await this.there(() => this.kept.acquire(...wanted));
      if (!lease) return undefined;
      const { name, fence } = lease;
      const [renew, release] = [() => this.there(() => lease.renew()), () => this.there(() => lease.release())];
      return { name, fence, renew, release } satisfies Lease;
    },
  };

  there<T>(call: () => Promise<T>): Promise<T> {
    return this.away ? Promise.reject(new StoreUnavailable('away', false)) : call();
  }

  /** Looks at checkpoints come by themselves; everything slower waits for the time to be moved. */
  readonly pause = (milliseconds: number, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return Promise.resolve();
    if (milliseconds < 1_000) return new Promise((resolve) => setImmediate(resolve));
    return new Promise((resolve) => {
      const at = this.now + milliseconds;
      const wake = () => {
        if (this.now < at && !signal.aborted) return;
        this.sleepers.delete(wake);
        resolve();
      };
      this.sleepers.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  };

  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    for (const wake of [...this.sleepers]) wake();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

class Working implements Projections {
  readonly shared = false;
  closed = false;
  private readonly giveUps: (() => void)[] = [];
  waitFor = (): Promise<boolean> =>
    new Promise((resolve) => {
      this.giveUps.push(() => {
        resolve(false);
      });
    });
  pace = () => undefined;
  health = () => [{ ...THINGS, state: 'live' as const, position: 'worker', lagEvents: 0, lagMilliseconds: 0 }];
  rebuild = () => Promise.resolve();
  skip = () => Promise.resolve();
  caughtUp = () => Promise.resolve();
  close = (): Promise<void> => {
    this.closed = true;
    for (const giveUp of this.giveUps) giveUp();
    return Promise.resolve();
  };
}

const open = new Set<Process>();
afterEach(async () => {
  for (const process of open) await process.shared.close();
  open.clear();
});

class Process {
  readonly started: Working[] = [];
  readonly errors: unknown[] = [];
  startFails = false;
  isDeaf = false;
  holdStart: Promise<void> | undefined;
  readonly shared: SharedProjections;

  constructor(around: Surroundings, holder: string, { works = true, version = 1 } = {}) {
    this.shared = new SharedProjections({
      leases: around.leases,
      vault: around.vault,
      holder,
      works,
      collections: [{ ...THINGS, version }],
      logId: 'log',
      clock: { now: () => around.now },
      head: () =>
        this.isDeaf
          ? Promise.reject(new StoreUnavailable('the log is away', false))
          : around.there(() => Promise.resolve(around.head)),
      checkpoints: () =>
        around.there(() =>
          Promise.resolve([
            { collection: 'things', version, generation: 'live' as const, logId: 'log', position: around.reached },
            { collection: 'things', version, generation: 'next' as const, logId: 'log', position: '9' },
            { collection: 'things', version, generation: 'live' as const, logId: 'another log', position: '9' },
          ]),
        ),
      start: async () => {
        await this.holdStart;
        if (this.startFails) throw new Error('it does not start');
        const working = new Working();
        this.started.push(working);
        return working;
      },
      onError: (error) => this.errors.push(error),
      pause: around.pause,
    });
    open.add(this);
  }

  get leads(): boolean {
    return this.started.some(({ closed }) => !closed);
  }

  close(): Promise<void> {
    open.delete(this);
    return this.shared.close();
  }
}

async function pair() {
  const around = new Surroundings();
  const first = new Process(around, 'first');
  await until('the first leads', () => first.leads);
  const second = new Process(around, 'second');
  await around.pass(0);
  return { around, first, second };
}

describe('of two processes', () => {
  test('one projects, for as long as it renews its lease', async () => {
    const { around, first, second } = await pair();
    for (let round = 0; round < 10; round++) await around.pass(RENEW_EVERY);
    expect([first.leads, second.leads, first.started.length]).toEqual([true, false, 1]);
  });

  test('the other takes over at the next look when the first is closed', async () => {
    const { around, first, second } = await pair();
    await first.close();
    await around.pass(RENEW_EVERY);
    expect([first.leads, second.leads]).toEqual([false, true]);
  });

  test('one that was stopped for longer than its lease lives gives up as soon as it goes on', async () => {
    const { around, first, second } = await pair();
    await around.pass(LEASE_LIVES);
    await around.pass(RENEW_EVERY);
    expect([first.leads, second.leads]).toEqual([false, true]);
    await around.pass(RENEW_EVERY);
    expect([first.leads, second.leads, first.started.length]).toEqual([false, true, 1]);
  });

  test('one that cannot ask after its lease goes on, and stays when it still has it', async () => {
    const { around, first } = await pair();
    around.away = true;
    await around.pass(RENEW_EVERY);
    expect([first.leads, first.errors.length]).toEqual([true, 1]);
    around.away = false;
    await around.pass(RENEW_EVERY);
    expect([first.leads, first.started.length]).toEqual([true, 1]);
  });

  test('one that hears nothing of the log any more leaves the work to the other, and takes it again once it hears', async () => {
    const { around, first, second } = await pair();
    first.isDeaf = true;
    await around.pass(RENEW_EVERY);
    expect([first.leads, second.leads]).toEqual([true, false]);
    for (let round = 0; round < 6; round++) await around.pass(RENEW_EVERY);
    expect([first.leads, second.leads]).toEqual([false, true]);
    await second.close();
    for (let round = 0; round < 3; round++) await around.pass(RENEW_EVERY);
    expect(first.leads).toBe(false);
    first.isDeaf = false;
    for (let round = 0; round < 3; round++) await around.pass(RENEW_EVERY);
    expect(first.leads).toBe(true);
  });

  test('one that cannot start lets another try', async () => {
    const around = new Surroundings();
    const first = new Process(around, 'first');
    first.startFails = true;
    await until('it failed', () => first.errors.length > 0);
    const second = new Process(around, 'second');
    await until('the other leads', () => second.leads);
    expect(first.leads).toBe(false);
  });

  test('each works at once when they build different versions', async () => {
    const around = new Surroundings();
    const [old, fresh] = [new Process(around, 'old'), new Process(around, 'fresh', { version: 2 })];
    await until('both work', () => old.leads && fresh.leads);
    expect(leaseOf([THINGS])).not.toBe(leaseOf([{ ...THINGS, version: 2 }]));
  });
});

describe('closing', () => {
  test('while it starts closes what has started, and frees the lease', async () => {
    const around = new Surroundings();
    let go = (): void => undefined;
    const first = new Process(around, 'first');
    first.holdStart = new Promise((resolve) => (go = resolve));
    await around.pass(0);
    const closed = first.close();
    go();
    await closed;
    expect(first.started.map((each) => each.closed)).toEqual([true]);
    const second = new Process(around, 'second');
    await until('the other leads', () => second.leads);
  });

  test('answers those who wait, now and later', async () => {
    const around = new Surroundings();
    const follower = new Process(around, 'follower', { works: false });
    const waiting = follower.shared.waitFor(['things'], '5', PATIENCE * 100);
    await follower.close();
    expect(await waiting).toBe(false);
    expect(await follower.shared.waitFor(['things'], '5', PATIENCE * 100)).toBe(false);
  });
});

describe('a follower', () => {
  test('waits for what the live build of this log has reached', async () => {
    const around = new Surroundings();
    const { shared } = new Process(around, 'follower', { works: false });
    const waiting = shared.waitFor(['things'], '5', PATIENCE);
    around.reached = '5';
    expect(await waiting).toBe(true);
    expect(await shared.waitFor(['things'], '9', 50)).toBe(false);
    around.reached = '9';
    expect(await shared.waitFor(['things'], '9', PATIENCE)).toBe(true);
  });

  test('outlives checkpoints that cannot be read', async () => {
    const around = new Surroundings();
    const follower = new Process(around, 'follower', { works: false });
    around.away = true;
    const waiting = follower.shared.waitFor(['things'], '5', PATIENCE);
    await until('it failed', () => follower.errors.length > 0);
    around.away = false;
    around.reached = '5';
    expect(await waiting).toBe(true);
  });

  test('goes on waiting for who waited when the lease was lost', async () => {
    const { around, first } = await pair();
    const waiting = first.shared.waitFor(['things'], '5', PATIENCE);
    await around.pass(LEASE_LIVES);
    await until('it no longer leads', () => !first.leads);
    around.reached = '5';
    expect(await waiting).toBe(true);
  });

  test('catches up with the head of the moment', async () => {
    const around = new Surroundings();
    around.head = '5';
    const { shared } = new Process(around, 'follower', { works: false });
    let caughtUp = false;
    const catching = shared.caughtUp().then(() => (caughtUp = true));
    await around.pass(0);
    expect(caughtUp).toBe(false);
    around.reached = '5';
    await catching;
    // Also where nobody has looked at the others yet, as in a program that asks how they are and ends.
    expect(shared.health()[0]?.state).toBe('live');
  });

  test('is catching up until it has reached what stood in the log at its start', async () => {
    const around = new Surroundings();
    around.head = '5';
    const { shared } = new Process(around, 'follower', { works: false });
    const state = () => shared.health()[0]?.state;
    expect(state()).toBe('catching-up');
    await around.pass(0);
    expect(state()).toBe('catching-up');
    around.reached = '5';
    await around.pass(RENEW_EVERY);
    expect(state()).toBe('live');
  });

  test('tells for how long nobody has projected, and nothing while somebody keeps up', async () => {
    const around = new Surroundings();
    const { shared } = new Process(around, 'follower', { works: false });
    const lag = () => shared.health()[0]?.lagMilliseconds;
    const step = async (head: Position, reached: Position) => {
      [around.head, around.reached] = [head, reached];
      await around.pass(RENEW_EVERY);
      return lag();
    };
    await around.pass(0);
    expect([await step('2', '1'), await step('3', '2'), await step('4', '3')]).toEqual([0, 0, 0]);
    expect(await step('4', '3')).toBe(RENEW_EVERY);
    expect(await step('4', '3')).toBe(2 * RENEW_EVERY);
    expect(await step('4', '4')).toBe(0);
  });

  test('that projected meanwhile tells nothing of how late others were before', async () => {
    const { around, first, second } = await pair();
    const lag = () => second.shared.health()[0]?.lagMilliseconds;
    around.head = '5';
    await around.pass(RENEW_EVERY);
    await around.pass(RENEW_EVERY);
    expect(lag()).toBe(RENEW_EVERY);
    await first.shared.close();
    await around.pass(RENEW_EVERY);
    expect(second.leads).toBe(true);
    await around.pass(LEASE_LIVES);
    expect([second.leads, lag()]).toEqual([false, 0]);
  });
});
