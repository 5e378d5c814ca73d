import type { Batch } from '../../kernel/projections/applier.js';
import type { BatchOutcome } from '../../kernel/projections/engine.js';
import type { Snapshot } from '../../ports/snapshots.js';
import type { Changes } from './reading/changes.js';
import type { Sql } from './reading/conditions.js';
import type { ListPlan } from './reading/list-plans.js';
import type { Cells, Plan } from './reading/plan.js';

/** What the main thread asks of the thread that writes `read.db` … */
export type Writing =
  | { readonly kind: 'checkpoints' }
  /** So many of its events, the first ones, are left out: the thread has them at hand. */
  | { readonly kind: 'apply'; readonly batch: Batch; readonly known: number }
  | { readonly kind: 'pass'; readonly collection: string; readonly position: string }
  | { readonly kind: 'beginRebuild' | 'switchRebuild'; readonly collection: string }
  | { readonly kind: 'saveSnapshot'; readonly stream: string; readonly snapshot: Snapshot };

/** … and of those that read what is large. Rows come as JSON: one text passes between threads several times as fast as its cells. */
export type Reading =
  | { readonly kind: 'plan'; readonly plan: Plan }
  /** The first column of a page as one text. */
  | { readonly kind: 'bodies'; readonly plan: Plan; readonly limit: number }
  | { readonly kind: 'list'; readonly plan: ListPlan }
  /** `raw`: bytes that are no packed values stay as they are. */
  | { readonly kind: 'cells' | 'raw'; readonly statement: Sql };

export interface LargePage {
  readonly text: string;
  /** The sort's value and the id of the last row, if there is more. */
  readonly end: Cells | undefined;
}

export interface Question<Asked> {
  readonly number: number;
  readonly asked: Asked;
}

export interface Answer {
  readonly number: number;
  readonly value?: unknown;
  readonly failure?: { readonly message: string; readonly away: boolean };
}

/** The answer to `apply`: what came of it, and what it wrote. */
export interface Applied {
  readonly outcome: BatchOutcome;
  readonly changed: Changes;
}
