import { afterEach, expect, test } from '@jest/globals';
import { VaultLeases } from '../../../src/adapters/vault-leases.js';
import type { LogTree } from '../../../src/features/audit/proof/log-tree.js';
import { Verifier, lastVerification } from '../../../src/features/audit/verification/verifier.js';
import { pauseUntilAborted } from '../../../src/kernel/values/pause.js';
import { START } from '../../../src/ports/event-store.js';
import type { CheckedStretch } from '../../../src/ports/log-checker.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { SetClock } from '../../support/people.js';
import { until } from '../../support/until.js';

/** The walks through the log that go on by themselves, of which each step is told what it finds. */

const MINUTE = 60_000;
const running: Verifier[] = [];
afterEach(async () => {
  for (const verifier of running.splice(0)) await verifier.close();
});

const upTo = (size: number, atEnd: boolean): CheckedStretch => ({
  place: { position: String(size), tree: { size, edge: [] } },
  atEnd,
});
const broken: CheckedStretch = {
  found: { reason: 'it is not what was recorded', stream: 'brands-1', revision: 7, position: '8' },
  size: 7,
};

const clock = new SetClock();

/** A pause is over at once, and moves the clock; when all steps are done it lasts until the end. */
function verifying(
  steps: readonly CheckedStretch[],
  vault = new MemoryVault(clock.now),
  meanwhile: (step: number) => Promise<void> = () => Promise.resolve(),
) {
  const asked: { readonly from: string; readonly minutes: number }[] = [];
  const errors: string[] = [];
  const began = clock.now();
  const verifier = new Verifier({
    eventStore: { logId: 'log' },
    checker: {
      async next({ position: from }) {
        const step = asked.push({ from, minutes: (clock.now() - began) / MINUTE }) - 1;
        await meanwhile(step);
        return steps[step] ?? upTo(0, true);
      },
    },
    vault,
    leases: new VaultLeases(vault, clock),
    holder: 'a',
    clock,
    tree: { rootAt: () => Promise.resolve(undefined) } as unknown as LogTree,
    checkpoints: { all: () => Promise.resolve([]), has: () => Promise.resolve(true), keep: () => Promise.resolve() },
    onError: (error) => errors.push((error as Error).message),
    pause: async (milliseconds, signal) => {
      if (asked.length >= steps.length) await pauseUntilAborted(60 * MINUTE, signal);
      clock.wait(milliseconds);
    },
  });
  running.push(verifier);
  verifier.start();
  const done = () => until('all steps are done', () => asked.length >= steps.length);
  return { asked, errors, vault, done, froms: () => asked.map(({ from }) => from) };
}

test('a break is told and stays found, and ten minutes later the log is gone through from its beginning', async () => {
  const { asked, errors, vault, done, froms } = verifying([upTo(5, false), broken, upTo(5, false), upTo(6, true)]);
  await done();
  expect(froms()).toEqual([START, '5', START, '5']);
  expect(errors).toEqual(['the log is not whole: it is not what was recorded (stream brands-1, revision 7)']);
  expect((asked[2]?.minutes ?? 0) - (asked[1]?.minutes ?? 0)).toBeGreaterThanOrEqual(10);
  // What comes before the break says nothing of it.
  expect(await lastVerification(vault)).toMatchObject({ ok: false, verifiedSize: 7, firstBreak: { revision: 7 } });
});

test('what comes is checked from where the walk ended, and once a day all of it from the beginning', async () => {
  const quiet = Array.from({ length: 24 * 360 }, () => upTo(5, true));
  const { asked, vault, done, froms } = verifying([upTo(3, false), ...quiet, upTo(6, true), upTo(6, true)]);
  await done();
  const again = froms().lastIndexOf(START);
  expect(new Set(froms().slice(2, again))).toEqual(new Set(['5']));
  expect(asked[again]?.minutes).toBeCloseTo(24 * 60, 0);
  expect(await lastVerification(vault)).toMatchObject({ ok: true, verifiedSize: 6 });
});

test('one process checks at a time, and who lost its turn begins anew when it has it again', async () => {
  const vault = new MemoryVault(clock.now);
  const forTenMinutes = () => new VaultLeases(vault, clock).acquire('audit-verification', 'b', 10 * MINUTE);
  expect(await forTenMinutes()).toBeDefined();
  const { asked, done } = verifying([upTo(5, true), upTo(6, true), upTo(7, true)], vault, async (step) => {
    if (step > 0) return;
    clock.wait(2 * MINUTE);
    expect(await forTenMinutes()).toBeDefined();
  });
  await done();
  expect(asked).toMatchObject([
    { from: START, minutes: 10 },
    { from: START, minutes: 22 },
    { from: '6', minutes: expect.closeTo(22, 0) as unknown },
  ]);
});
