import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { retryAt } from '../../../src/kernel/reactors/retry-plan.js';
import type { Outcome, WorkItem } from '../../../src/kernel/reactors/work-line.js';
import { WorkQueue } from '../../../src/kernel/reactors/work-queue.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { UnreliableVault } from '../../support/unreliable-vault.js';
import { until } from '../../support/until.js';

const LEASE = 20_000;
const PLAN = [60_000, 300_000];

interface Job {
  readonly label: string;
  readonly failures: number;
}
const job = z.object({ label: z.string(), failures: z.int() });

/** A promise and its key. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe.each([
  ['one process', true],
  ['a process among others', false],
])('a queue of %s', (_name, alone) => {
  let now: number;
  let vault: UnreliableVault;
  let done: string[];
  let errors: unknown[];
  let queues: WorkQueue<Job>[];
  let work: (item: WorkItem<Job>) => Promise<Outcome<Job>>;

  beforeEach(() => {
    now = 1_000_000;
    vault = new UnreliableVault(new MemoryVault(() => now), alone);
    [done, errors, queues] = [[], [], []];
    work = (item) => {
      done.push(item.task.label);
      return Promise.resolve({ task: undefined });
    };
  });
  afterEach(() => Promise.all(queues.map((queue) => queue.close())));

  function open(holder = 'a'): WorkQueue<Job> {
    const queue = new WorkQueue<Job>(
      {
        name: 'job',
        task: job,
        perLine: 2,
        atOnce: 6,
        leaseMilliseconds: LEASE,
        longestWait: Math.max(LEASE, ...PLAN),
        work: (item) => work(item),
      },
      { vault, clock: { now: () => now }, holder, alone, onError: (error) => errors.push(error) },
    );
    queues.push(queue);
    return queue;
  }
  const add = (queue: WorkQueue<Job>, line: string, ...labels: readonly string[]) =>
    vault.write(
      queue.findable(
        labels.map((label) => queue.row({ id: label, line, task: { label, failures: 0 }, dueAt: now })),
        [line],
      ),
    );
  const rows = (line: string) => vault.list(`job-${line}`, { limit: 1000 });

  test('does what is due once, the oldest first, and forgets it', async () => {
    const queue = open();
    for (const label of ['b', 'a', 'c']) {
      now += 1;
      await add(queue, 'x', label);
    }
    queue.wake(['x']);
    await queue.idle();
    expect(done).toEqual(['b', 'a', 'c']);
    expect(await rows('x')).toEqual([]);
    queue.wake(['x']);
    await queue.idle();
    expect(done).toHaveLength(3);
  });

  test('finds by itself what an earlier process left', async () => {
    const before = open();
    await add(before, 'x', 'a');
    await add(before, 'y', 'b');
    await before.close();
    open('b').start();
    await until('it is done', () => done.length === 2);
    expect([...done].sort()).toEqual(['a', 'b']);
  });

  test('looks at a line earlier than it was about to once a row of it is due before', async () => {
    work = ({ task }) => {
      const { label, failures } = task;
      if (failures === 0) {
        return Promise.resolve({ task: { label, failures: 1 }, dueAt: now + (label === 'far' ? 60_000 : 1) });
      }
      done.push(label);
      return Promise.resolve({ task: undefined });
    };
    const queue = open();
    for (const label of ['far', 'near']) {
      await add(queue, 'x', label);
      queue.wake(['x']);
      await queue.idle();
    }
    await until('the line is left', async () => (await vault.get('job-lines', 'x'))?.dueAt === now + 1);
    now += 1;
    await until('it is done', () => done.length > 0, 30_000);
    expect(done).toEqual(['near']);
  });

  if (!alone) {
    test('finds rows whose line nobody came to announce, though it was looked at before they were there', async () => {
      const before = open();
      const row = before.row({ id: 'a', line: 'x', task: { label: 'a', failures: 0 }, dueAt: now });
      const [first, ...others] = before.findable([row], ['x']);
      await vault.write(first ? [first] : []);
      const dueLater = first?.dueAt;
      const looks = jest.spyOn(vault, 'due');
      const other = open('b');
      other.wake(['x']);
      await until('the line was looked at, and left', () => looks.mock.calls.length > 1);
      expect((await vault.get('job-lines', 'x'))?.dueAt).toBe(dueLater);
      await vault.write(others.slice(0, 1));
      now = dueLater ?? now;
      await other.lookAround();
      await other.idle();
      expect(done).toEqual(['a']);
      await until('the line is written off', async () => (await vault.get('job-lines', 'x'))?.dueAt === undefined);
    });
  }

  test('works on a bounded number of rows, and no line waits for another', async () => {
    const { opened, open: release } = gate();
    const running = new Map<string, number>();
    let most = 0;
    work = async ({ line, task }) => {
      running.set(line, (running.get(line) ?? 0) + 1);
      most = Math.max(most, running.get(line) ?? 0);
      if (line === 'stuck') await opened;
      running.set(line, (running.get(line) ?? 0) - 1);
      done.push(task.label);
      return { task: undefined };
    };
    const queue = open();
    await add(queue, 'stuck', ...Array.from({ length: 200 }, (_, at) => `stuck ${String(at)}`));
    queue.wake(['stuck']);
    await until('the line is stuck', () => running.get('stuck') === 2);
    await add(queue, 'free', 'a', 'b', 'c', 'd', 'e');
    queue.wake(['free']);
    await until('the other is done', () => done.length === 5);
    expect(most).toBe(2);
    release();
    await queue.idle();
    expect(done).toHaveLength(205);
    expect(most).toBe(2);
  });

  if (alone) {
    test('brings forward at its start what a clock that was ahead has put off, and nothing else', async () => {
      const before = open();
      const putOff = (id: string, dueAt: number) =>
        before.row({ id, line: 'x', task: { label: id, failures: 1 }, dueAt });
      const line = { kind: 'job-lines', id: 'x', value: {}, expected: 'any', dueAt: now + 1e9 } as const;
      await vault.write([putOff('soon', now + Math.max(...PLAN)), putOff('far', now + 1e9), line]);
      open('b').start();
      await until('it is done', () => done.length > 0);
      await until('nothing else is', async () => (await rows('x')).length === 1);
      expect(done).toEqual(['far']);
      expect(errors).toEqual([]);
    });
  }

  test('lines that never come to an end take no more than half of the places, however many they are', async () => {
    const { opened, open: release } = gate();
    const dead = ['u', 'v', 'w', 'x'];
    work = async ({ line, task }) => {
      if (task.label.startsWith('first')) return { task, dueAt: now + LEASE };
      if (dead.includes(line)) await opened;
      done.push(task.label);
      return { task: undefined };
    };
    const queue = open();
    for (const line of dead) await add(queue, line, `first ${line}`);
    queue.wake(dead);
    await queue.idle();
    for (const line of dead) await add(queue, line, `${line}1`, `${line}2`, `${line}3`);
    queue.wake(dead);
    await add(queue, 'good', 'good');
    queue.wake(['good']);
    try {
      await until('the good one is done', () => done.includes('good'));
      expect(done).toEqual(['good']);
    } finally {
      release();
    }
    await queue.idle();
  });

  test('tries again by the plan, never early, and ends with it', async () => {
    work = ({ task }) => {
      done.push(`${task.label} at ${String(now - 1_000_000)}`);
      const failures = task.failures + 1;
      const dueAt = retryAt(PLAN, failures, now);
      return Promise.resolve({ task: { ...task, failures }, ...(dueAt !== undefined && { dueAt }) });
    };
    const queue = open();
    await add(queue, 'x', 'a');
    for (; now <= 1_500_000; now += 10_000) {
      queue.wake(['x']);
      await queue.idle();
    }
    expect(done).toEqual(['a at 0', 'a at 60000', 'a at 360000']);
    expect(await rows('x')).toMatchObject([{ value: { label: 'a', failures: 3 } }]);
  });

  test('what throws is reported and tried again after its lease', async () => {
    let failing = true;
    work = ({ task }) => {
      if (failing) return Promise.reject(new Error('broken'));
      done.push(task.label);
      return Promise.resolve({ task: undefined });
    };
    const queue = open();
    await add(queue, 'x', 'a');
    queue.wake(['x']);
    await queue.idle();
    failing = false;
    now += LEASE - 1;
    queue.wake(['x']);
    await queue.idle();
    expect(done).toEqual([]);
    now += 1;
    queue.wake(['x']);
    await queue.idle();
    expect(done).toEqual(['a']);
    expect(errors).toHaveLength(1);
  });

  test('what is done is recorded when the vault comes back, and not done again', async () => {
    const queue = open();
    await add(queue, 'x', 'a');
    vault.beforeWrite = (writes) => {
      if (done.length > 0 && errors.length === 0 && writes.length === 1) vault.failAfterRows = 0;
    };
    queue.wake(['x']);
    await queue.idle();
    queue.wake(['x']);
    await queue.idle();
    expect(done).toEqual(['a']);
    expect(errors).toHaveLength(1);
    expect(await rows('x')).toEqual([]);
  });

  test('a row that somebody changed meanwhile stays as that one left it', async () => {
    const { opened, open: release } = gate();
    work = async ({ task }) => {
      done.push(task.label);
      await opened;
      return { task: { ...task, failures: 1 }, dueAt: now };
    };
    const queue = open();
    await add(queue, 'x', 'a');
    queue.wake(['x']);
    await until('it is at work', () => done.length === 1);
    const cancelled = { label: 'cancelled', failures: 0 };
    await vault.write([{ kind: 'job-x', id: 'a', value: cancelled, expected: 'any' }]);
    release();
    await queue.idle();
    expect(await rows('x')).toMatchObject([{ value: cancelled }]);
  });

  test('writes down when a line is next due, and looks then', async () => {
    work = ({ task }) => {
      done.push(task.label);
      return Promise.resolve(done.length === 1 ? { task, dueAt: now + 60_000 } : { task: undefined });
    };
    const queue = open();
    await add(queue, 'x', 'a');
    queue.wake(['x']);
    await until('the line is written off', async () => (await vault.get('job-lines', 'x'))?.dueAt === now + 60_000);
    await queue.close();
    now += 60_000;
    open('b').start();
    await until('it is done', () => done.length === 2);
    await until('nothing is due', async () => (await vault.due('job-lines', now + 1e9, 9)).length === 0);
  });

  test('works on rows that were just stored without reading them back, after what is older', async () => {
    const { opened, open: release } = gate();
    work = async ({ task }) => {
      done.push(task.label);
      if (task.label === 'a') await opened;
      return { task: undefined };
    };
    const queue = open();
    const store = async (...labels: readonly string[]) => {
      now += 1;
      const stored = labels.map((label) =>
        queue.row({ id: label, line: 'x', task: { label, failures: 0 }, dueAt: now }),
      );
      await vault.write(queue.findable(stored, ['x']));
      return stored;
    };
    const reads = jest.spyOn(vault, 'due');
    queue.takeStored(await store('a', 'b'));
    await until('they are at work', () => done.length === 2);
    queue.takeStored(await store('c'));
    await until('it is done', () => done.length === 3);
    expect(reads).not.toHaveBeenCalled();
    await store('d');
    queue.wake(['x']);
    queue.takeStored(await store('e'));
    release();
    await queue.idle();
    expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await rows('x')).toEqual([]);
  });

  test('does each of many rows once, whether they are handed over or read', async () => {
    const queue = open();
    for (let portion = 0; portion < 20; portion++) {
      const stored = Array.from({ length: 100 }, (_, at) => {
        const label = `${String(portion)} ${String(at)}`;
        return queue.row({ id: label, line: String(at % 3), task: { label, failures: 0 }, dueAt: now });
      });
      await vault.write(queue.findable(stored, ['0', '1', '2']));
      queue.takeStored(stored);
    }
    await queue.idle();
    expect([done.length, new Set(done).size]).toEqual([2_000, 2_000]);
  });

  test('a stop waits for what runs and begins nothing', async () => {
    const { opened, open: release } = gate();
    let begun = 0;
    work = async ({ task }) => {
      begun += 1;
      await opened;
      done.push(task.label);
      return { task: undefined };
    };
    const queue = open();
    await add(queue, 'x', 'a', 'b', 'c', 'd');
    queue.wake(['x']);
    await until('it is at work', () => begun === 2);
    const closing = queue.close();
    release();
    await closing;
    expect(done).toEqual(['a', 'b']);
    expect((await rows('x')).map(({ id }) => id)).toEqual(['c', 'd']);
  });
});

describe('several processes', () => {
  let now = 1_000_000;
  const clock = { now: () => now };
  const task = { label: 'a', failures: 0 };

  test('do each row once, and take over from one that is gone', async () => {
    const vault = new MemoryVault(clock.now);
    const done: string[] = [];
    const stuck = gate();
    const open = (holder: string, work: (item: WorkItem<Job>) => Promise<Outcome<Job>>) =>
      new WorkQueue<Job>(
        { name: 'job', task: job, perLine: 4, atOnce: 4, leaseMilliseconds: LEASE, fixedLines: [''], work },
        { vault, clock, holder, alone: false, onError: (error) => done.push(String(error)) },
      );
    const dying = open('dying', async (item) => {
      await stuck.opened;
      return { task: { ...item.task, label: 'too late' } };
    });
    const others = ['b', 'c', 'd'].map((holder) =>
      open(holder, async ({ id }) => {
        await Promise.resolve();
        done.push(id);
        return { task: undefined };
      }),
    );
    await vault.write([dying.row({ id: 'first', task, dueAt: now })]);
    const made = (await vault.get('job', 'first'))?.version ?? 0;
    dying.wake();
    await until('it is claimed', async () => (await vault.get('job', 'first'))?.version === made + 1);
    await vault.write(Array.from({ length: 100 }, (_, at) => dying.row({ id: String(at), task, dueAt: now })));
    const work = async () => {
      for (const queue of others) queue.wake();
      await Promise.all(others.map((queue) => queue.idle()));
    };
    await work();
    expect(new Set(done).size).toBe(100);
    expect(done).toHaveLength(100);
    now += LEASE;
    await work();
    expect(done.at(-1)).toBe('first');
    stuck.open();
    await dying.idle();
    expect(await vault.list('job', { limit: 9 })).toEqual([]);
    await Promise.all([dying, ...others].map((queue) => queue.close()));
  });
});
