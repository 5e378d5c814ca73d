import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import type { CardFeeEvent, CardFeeFact } from '../events.js';
import { JOB_EXISTS, JOB_TAKEN_OVER } from '../rejections.js';
import type { CardFees, OpenJob } from './state.js';
import { termsOf } from './state.js';

type Batch = CardFeeFact<'FeesRecalculated'>;

export type JobCommand =
  | { readonly type: 'queueJob'; readonly jobId: string; readonly month: string }
  /** Whoever takes over names the epoch that it saw: of two one is first. */
  | { readonly type: 'claimJob'; readonly jobId: string; readonly seenEpoch: number }
  | {
      readonly type: 'recordBatch';
      /** Where the batch begins: the place up to which the month was done. */
      readonly after: string;
      readonly batch: Omit<Batch, 'month' | 'accountId' | 'accountName'>;
    }
  | { readonly type: 'finishJob'; readonly jobId: string; readonly epoch: number }
  | { readonly type: 'failJob'; readonly jobId: string; readonly epoch: number; readonly error: string }
  | { readonly type: 'cancelJob'; readonly jobId: string; readonly ifMatch: IfMatch };

export function decideJob(fees: CardFees, command: JobCommand): readonly CardFeeEvent[] {
  switch (command.type) {
    case 'queueJob': {
      const { jobId, month } = command;
      if (fees.jobs.some((job) => job.month === month)) throw new Rejection(JOB_EXISTS);
      return [{ type: 'FeeJobQueued', data: { jobId, month, terms: termsOf(fees) } }];
    }
    case 'claimJob': {
      const { jobId, seenEpoch } = command;
      const job = expectJob(fees, jobId);
      if (job.epoch !== seenEpoch) throw new Rejection(JOB_TAKEN_OVER);
      return [{ type: 'FeeJobClaimed', data: { jobId, epoch: seenEpoch + 1 } }];
    }
    case 'recordBatch': {
      const { batch, after } = command;
      const { month, terms, upTo } = expectClaimed(fees, batch);
      // What was recorded already is not recorded again, whoever comes with it.
      if (upTo !== after || batch.upTo <= upTo) throw new Rejection(JOB_TAKEN_OVER);
      const { id: accountId = null, name: accountName = null } = terms.account ?? {};
      return [{ type: 'FeesRecalculated', data: { ...batch, month, accountId, accountName } }];
    }
    case 'finishJob': {
      const { jobId, epoch } = command;
      expectClaimed(fees, command);
      return [{ type: 'FeeJobFinished', data: { jobId, epoch } }];
    }
    case 'failJob': {
      const { jobId, epoch, error } = command;
      expectClaimed(fees, command);
      return [{ type: 'FeeJobFailed', data: { jobId, epoch, error } }];
    }
    case 'cancelJob': {
      const { id: jobId, revision } = expectJob(fees, command.jobId);
      if (!matches(command.ifMatch, revision)) throw new Rejection(STALE);
      return [{ type: 'FeeJobCancelled', data: { jobId } }];
    }
  }
}

function expectJob({ jobs }: CardFees, jobId: string): OpenJob {
  const job = jobs.get(jobId);
  if (!job) throw new Rejection(NOT_FOUND);
  return job;
}

function expectClaimed(fees: CardFees, { jobId, epoch }: { readonly jobId: string; readonly epoch: number }): OpenJob {
  const job = expectJob(fees, jobId);
  if (job.epoch !== epoch) throw new Rejection(JOB_TAKEN_OVER);
  return job;
}
