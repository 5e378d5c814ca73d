import type { z } from 'zod';
import { CommandContext } from '../../kernel/lanes/command-context.js';
import type { BackgroundWork } from '../../kernel/reactors/background.js';
import { leaveInTime } from '../../kernel/reactors/second-look.js';
import { STEPS_TAKE } from '../../kernel/reactors/work-line.js';
import { WorkQueue } from '../../kernel/reactors/work-queue.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { newSeed } from '../../kernel/values/ids.js';
import type { VaultWrite } from '../../ports/vault.js';
import type { FeatureServices } from '../contracts/feature.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { cardFees } from './decider.js';
import { monthsDue } from './domain/auto-adjust.js';
import { monthOf, startOfMonth } from './domain/months.js';
import { monthAfter } from '../../kernel/values/days.js';
import { runDueMonths } from './due-months.js';
import type { JobTask } from './job-worker.js';
import { jobTask, JobWorker } from './job-worker.js';
import type { MonthReads } from './month.js';
import { ADJUSTMENTS, adjustmentRow, adjustmentTask, jobRow, JOBS } from './work-rows.js';

/** Work of one store goes on in one place; another process takes over what nobody renews for so long. */
const LEASE = 15_000;
const AT_ONCE = 2;
/** A recalculation waits so long at most, which is longer than it is put off after a failure. */
const LONGEST_WAIT = 60_000;
const LINES = [''];

type AdjustmentTask = z.output<typeof adjustmentTask>;

const ACTOR = { kind: 'system', id: 'card-fees', name: 'Card fees' } as const;

/** What goes on without a request: recalculations, and the choice of the machine on the first day of a month. */
export class FeeWork {
  private readonly jobs: WorkQueue<JobTask>;
  private readonly adjustments: WorkQueue<AdjustmentTask>;

  constructor(private readonly services: FeatureServices) {
    const worker = new JobWorker(services, this);
    const common = { perLine: AT_ONCE, atOnce: AT_ONCE, leaseMilliseconds: LEASE, fixedLines: LINES };
    this.jobs = new WorkQueue(
      { ...common, name: JOBS, task: jobTask, longestWait: LONGEST_WAIT, work: (item) => worker.work(item) },
      services,
    );
    this.adjustments = new WorkQueue(
      { ...common, name: ADJUSTMENTS, task: adjustmentTask, work: ({ task }) => this.adjust(task) },
      services,
    );
  }

  /** To be stored with the fact that a recalculation is wanted. */
  jobRow(context: Commands, jobId: string): VaultWrite {
    return jobRow(context.storeId, jobId, this.inTime(context));
  }

  wakeJobs(): void {
    // A process that only writes the work down leaves it to those who do it.
    if (this.jobs.isStarted) this.jobs.wake();
  }

  /** To be stored with the fact that the adjustment is on. What is due already and not done yet stays due. */
  async adjustmentRow(context: Commands): Promise<VaultWrite> {
    const { storeId } = context;
    const now = this.inTime(context);
    const { autoAdjust } = await context.current(cardFees);
    const timeZone = await timeZoneOf(this.services.stores, storeId);
    const isDue = monthsDue(autoAdjust, now, timeZone).length > 0;
    return adjustmentRow(storeId, isDue ? now : await this.nextMonth(storeId));
  }

  get background(): BackgroundWork {
    return { queues: [this.jobs, this.adjustments] };
  }

  commandsOf(storeId: string): Commands {
    const { lanes, clock } = this.services;
    const facts = { storeId, actor: ACTOR, requestId: 'card-fees', seed: newSeed(clock.now()) };
    return new CommandContext(lanes, { ...facts, keyed: false, claim: undefined, repeatSince: undefined });
  }

  readsOf(store: string): MonthReads {
    const { reads } = this.services;
    return {
      find: (collection, query) => reads.find(collection, { ...query, store }),
      findRows: (collection, query, wanted) => reads.findRows(collection, { ...query, store }, wanted),
    };
  }

  /** The present, from which on the context has so long to record: later somebody may have given its row up. */
  private inTime(context: Commands): number {
    const { clock } = this.services;
    const now = clock.now();
    leaveInTime(context, now + STEPS_TAKE, clock);
    return now;
  }

  private async adjust({ storeId, offSince }: AdjustmentTask) {
    const isOn = await runDueMonths(this.services, this.commandsOf(storeId), this.readsOf(storeId));
    if (isOn) return { task: { storeId }, dueAt: await this.nextMonth(storeId) };
    const now = this.services.clock.now();
    if (offSince !== undefined && now - offSince >= STEPS_TAKE) return { task: undefined };
    return { task: { storeId, offSince: offSince ?? now }, dueAt: now + STEPS_TAKE };
  }

  private async nextMonth(storeId: string): Promise<number> {
    const timeZone = await timeZoneOf(this.services.stores, storeId);
    return startOfMonth(monthAfter(monthOf(this.services.clock.now(), timeZone)), timeZone);
  }
}
