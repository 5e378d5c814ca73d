import type { BatchProgress, CardFeeEvent } from '../../src/features/card-fees/events.js';
import { addProgress, cardFeeEvents } from '../../src/features/card-fees/events.js';
import type { Actor, Recorded } from '../../src/kernel/events/event.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { Decimal } from '../../src/kernel/values/decimal.js';

/** A recalculation of a month's fees, as it is shown. */
export interface FeeJobDocument {
  readonly id: string;
  readonly month: string;
  readonly status: 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';
  readonly accountName: string | null;
  readonly progress: {
    readonly matched: number;
    readonly updated: number;
    readonly skipped: number;
    readonly failed: number;
  };
  readonly grossTotal: number;
  readonly feeBefore: number;
  readonly feeAfter: number;
  /** Position of the fact that queued it: sales and cancellations after it are not concerned. */
  readonly asOf: string;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly createdBy: Actor;
  readonly error: string | null;
  readonly note: string | null;
  /** Position of the last fact that it saw. */
  readonly seen: string;
}

export const feeJobs = recordCollection<FeeJobDocument>({
  name: 'card-fee-jobs',
  version: 2,
  // Positions: answers seal the one that they show.
  hidden: ['asOf', 'seen'],
  columns: { createdAt: { type: 'text', of: ({ createdAt }) => createdAt } },
  indexes: [['createdAt']],
});

type JobEvent = Recorded<Extract<CardFeeEvent, { readonly type: `FeeJob${string}` | 'FeesRecalculated' }>>;

function queued({ data, meta, position }: Extract<JobEvent, { type: 'FeeJobQueued' }>): FeeJobDocument {
  return {
    id: data.jobId,
    month: data.month,
    status: 'QUEUED',
    accountName: data.terms.account?.name ?? null,
    progress: { matched: 0, updated: 0, skipped: 0, failed: 0 },
    grossTotal: 0,
    feeBefore: 0,
    feeAfter: 0,
    asOf: position,
    createdAt: meta.at,
    startedAt: null,
    finishedAt: null,
    createdBy: meta.actor,
    error: null,
    note: null,
    seen: position,
  };
}

const progressOf = ({ progress, grossTotal, feeBefore, feeAfter }: FeeJobDocument): BatchProgress => ({
  updated: progress.updated,
  skipped: progress.skipped,
  failed: progress.failed,
  grossTotal: Decimal.from(grossTotal),
  feeBefore: Decimal.from(feeBefore),
  feeAfter: Decimal.from(feeAfter),
});

/** The figures of a recalculation, done, running or only tried. */
export function figuresOf({ updated, skipped, failed, grossTotal, feeBefore, feeAfter }: BatchProgress) {
  return {
    progress: { matched: updated + skipped + failed, updated, skipped, failed },
    grossTotal: grossTotal.toNumber(),
    feeBefore: feeBefore.toNumber(),
    feeAfter: feeAfter.toNumber(),
  };
}

const whatIsKept = ({ progress }: FeeJobDocument): string =>
  progress.updated === 0
    ? 'Cancelled before any fee was changed'
    : `Cancelled after ${String(progress.updated)} fees were changed; these stay changed`;

/** A job after a fact that may be its own; the same fact again changes nothing. */
export function feeJobAfter(
  job: FeeJobDocument | undefined,
  event: Recorded<CardFeeEvent>,
): FeeJobDocument | undefined {
  if (event.type === 'FeeJobQueued') return job ?? queued(event);
  if (!job || job.seen >= event.position) return job;
  const { position: seen } = event;
  const { at } = event.meta;
  switch (event.type) {
    case 'FeeJobClaimed':
      return { ...job, status: 'RUNNING', startedAt: job.startedAt ?? at, seen };
    case 'FeesRecalculated':
      return { ...job, ...figuresOf(addProgress(progressOf(job), event.data.progress)), seen };
    case 'FeeJobFinished':
      return { ...job, status: 'DONE', finishedAt: at, seen };
    case 'FeeJobFailed':
      return { ...job, status: 'FAILED', finishedAt: at, error: event.data.error, seen };
    case 'FeeJobCancelled':
      return { ...job, status: 'CANCELLED', finishedAt: at, note: whatIsKept(job), seen };
    default:
      return job;
  }
}

const touching = { ids: ({ data }: JobEvent) => [data.jobId], evolve: feeJobAfter };

export const feeJobsProjector = recordProjector(feeJobs, [cardFeeEvents], {
  FeeJobQueued: touching,
  FeeJobClaimed: touching,
  FeesRecalculated: touching,
  FeeJobFinished: touching,
  FeeJobFailed: touching,
  FeeJobCancelled: touching,
});
