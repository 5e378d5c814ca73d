import { z } from 'zod';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import { STEPS_TAKE } from '../../kernel/reactors/work-line.js';
import type { Outcome, WorkItem } from '../../kernel/reactors/work-line.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { FeatureServices } from '../contracts/feature.js';
import { cardFees } from './decider.js';
import { RateTable } from './domain/rates.js';
import { Recalculation } from './domain/recalculation.js';
import type { OpenJob } from './domain/state.js';
import { isIndexed } from './due-months.js';
import type { MonthPart, MonthReads } from './month.js';
import { paymentsOf } from './month.js';
import { JOB_TAKEN_OVER } from './rejections.js';

/** A piece of work ends well before its lease does. */
const SLICE = 3_000;
const SOON = 1_000;
const AWAY_PAUSE = 2_000;
const MOST_FAILURES = 10;

export const jobTask = z.object({
  storeId: z.string(),
  jobId: z.string(),
  queuedAt: z.number(),
  failures: z.int(),
});
export type JobTask = z.output<typeof jobTask>;

/** How the work of a store reads and writes. */
interface StoreWork {
  commandsOf(storeId: string): Commands;
  readsOf(storeId: string): MonthReads;
}

/** Recalculates months, a batch of payments at a time; where it is stands in the stream that it writes to. */
export class JobWorker {
  /** By job: what this process claimed it with. */
  private readonly epochs = new Map<string, number>();

  constructor(
    private readonly services: FeatureServices,
    private readonly feeWork: StoreWork,
  ) {}

  async work({ task, signal }: WorkItem<JobTask>): Promise<Outcome<JobTask>> {
    const { storeId, jobId, queuedAt } = task;
    const now = () => this.services.clock.now();
    const commands = this.feeWork.commandsOf(storeId);
    const job = (await commands.current(cardFees)).jobs.get(jobId);
    if (!job) {
      this.epochs.delete(jobId);
      return now() - queuedAt < STEPS_TAKE ? { task, dueAt: now() + SOON } : { task: undefined };
    }
    try {
      const slice = await this.slice(commands, job, signal);
      if (slice !== 'done') return { task: { ...task, failures: 0 }, dueAt: slice === 'behind' ? now() + SOON : now() };
      this.epochs.delete(jobId);
      return { task: undefined };
    } catch (error) {
      if (error instanceof Rejection && (error.kind === JOB_TAKEN_OVER || error.kind === NOT_FOUND)) {
        this.epochs.delete(jobId);
        return { task, dueAt: now() + SOON };
      }
      this.services.onError(error);
      // A server that is away says nothing of the job: it goes on when the server is back, however long that takes.
      if (error instanceof StoreUnavailable) return { task, dueAt: now() + AWAY_PAUSE };
      return this.afterFailure(commands, task);
    }
  }

  /**
   * Works until the slice is over or the month is. Each batch waits until the one before can be read: whoever asks the store meanwhile waits
   * for little more.
   */
  private async slice(commands: Commands, job: OpenJob, signal: AbortSignal): Promise<'done' | 'more' | 'behind'> {
    const { storeId } = commands;
    const { id: jobId, month, terms } = job;
    const ends = performance.now() + SLICE;
    const epoch = await this.claimed(commands, job);
    const [queued] = await commands.eventsAt(cardFees, [job.revision]);
    const asOf = queued?.position ?? '';
    if (!(await isIndexed(this.services, asOf))) return 'behind';
    const rates = new RateTable(terms);
    let { upTo: after } = job;
    for await (const part of paymentsOf(this.feeWork.readsOf(storeId), { month, asOf }, after)) {
      const { progress, changes } = recalculated(rates, part);
      const { upTo } = part;
      const batch = { jobId, epoch, upTo, progress, changes };
      const { position } = await commands.execute(cardFees, { type: 'recordBatch', storeId, after, batch });
      after = upTo;
      if (signal.aborted || performance.now() > ends) return 'more';
      if (!(await isIndexed(this.services, position))) return 'behind';
    }
    await commands.execute(cardFees, { type: 'finishJob', storeId, jobId, epoch });
    return 'done';
  }

  /** The epoch with which this process may write; taken once, and again after somebody else had the job. */
  private async claimed(commands: Commands, { id: jobId, epoch }: OpenJob): Promise<number> {
    if (epoch > 0 && this.epochs.get(jobId) === epoch) return epoch;
    await commands.execute(cardFees, { type: 'claimJob', storeId: commands.storeId, jobId, seenEpoch: epoch });
    this.epochs.set(jobId, epoch + 1);
    return epoch + 1;
  }

  /** Tried again later; what goes on failing is given up, and what was done until then stays. */
  private async afterFailure(commands: Commands, task: JobTask): Promise<Outcome<JobTask>> {
    const { storeId, jobId } = task;
    const failures = task.failures + 1;
    const epoch = this.epochs.get(jobId);
    if (failures < MOST_FAILURES || epoch === undefined) {
      return { task: { ...task, failures }, dueAt: this.services.clock.now() + failures * SOON };
    }
    const error = `It was given up after ${String(failures)} tries; what was recalculated until then stays`;
    await commands.execute(cardFees, { type: 'failJob', storeId, jobId, epoch, error });
    return { task: undefined };
  }
}

function recalculated(rates: RateTable, { payments }: MonthPart): Recalculation {
  const recalculation = new Recalculation(rates);
  for (const payment of payments) recalculation.add(payment, true);
  return recalculation;
}
