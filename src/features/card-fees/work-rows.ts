import { z } from 'zod';
import { rowOf } from '../../kernel/reactors/work-line.js';
import type { VaultWrite } from '../../ports/vault.js';

/** Names the kinds of rows that the work of the card fees lies in; never changed. */
export const JOBS = 'card-fee-jobs';
export const ADJUSTMENTS = 'card-fee-adjustments';

export const adjustmentTask = z.object({
  storeId: z.string(),
  /** Since when it has been found to be off; absent while it is on, as far as anybody knows. */
  offSince: z.number().optional(),
});

/** The next choice of a store's machine by volume. */
export const adjustmentRow = (storeId: string, dueAt: number): VaultWrite =>
  rowOf({ name: ADJUSTMENTS }, { id: storeId, line: '', task: { storeId }, dueAt }, 'any');

/** What recalculates a month. */
export const jobRow = (storeId: string, jobId: string, now: number): VaultWrite =>
  rowOf(
    { name: JOBS },
    { id: jobId, line: '', task: { storeId, jobId, queuedAt: now, failures: 0 }, dueAt: now },
    'any',
  );
