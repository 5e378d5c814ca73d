import { expect, test } from '@jest/globals';
import type { FeatureServices } from '../../../src/features/contracts/feature.js';
import { JobWorker } from '../../../src/features/card-fees/job-worker.js';
import type { Commands } from '../../../src/kernel/lanes/commands.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';

const NOW = 1_000_000;
const task = { storeId: 'store', jobId: 'job', queuedAt: NOW, failures: 9 };

/** Works on a job whose claim fails in some way. */
function worked(error: Error) {
  const executed: string[] = [];
  const commands = {
    storeId: 'store',
    current: () => Promise.resolve({ jobs: new Map([['job', { id: 'job', epoch: 0 }]]) }),
    execute: (_decider: unknown, { type }: { readonly type: string }) => {
      executed.push(type);
      return Promise.reject(error);
    },
  } as unknown as Commands;
  const services = { clock: { now: () => NOW }, onError: () => undefined } as unknown as FeatureServices;
  const reads = () => {
    throw new Error('nothing is read');
  };
  const worker = new JobWorker(services, { commandsOf: () => commands, readsOf: reads });
  return { executed, outcome: worker.work({ task, signal: new AbortController().signal } as never) };
}

test('a recalculation waits for a server that is away, and is never given up for that', async () => {
  const { executed, outcome } = worked(new StoreUnavailable('MongoDB did not answer within 4000 ms', false));
  expect(await outcome).toEqual({ task, dueAt: NOW + 2_000 });
  expect(executed).toEqual(['claimJob']);
});

test('what fails otherwise is counted', async () => {
  expect(await worked(new Error('broken')).outcome).toEqual({ task: { ...task, failures: 10 }, dueAt: NOW + 10_000 });
});
