import type { Feature } from '../../../src/features/contracts/feature.js';
import type { HttpPoster } from '../../../src/ports/http-poster.js';
import type { ReadModels } from '../../../src/ports/read-models.js';
import type { Draws } from '../fiscal-orders/draws.js';
import type { Actor, Schedule } from '../fiscal-orders/schedule.js';
import type { MemoryVault } from '../memory-vault.js';
import type { SharedLog } from './shared-log.js';

/** From it the keys of tokens follow, in every process. */
export const TOKEN_SECRET = Buffer.alloc(32, 7);

/** What a process has to do with others than those who share its work. */
export interface Outside {
  posterOf(actor: Actor): Pick<HttpPoster, 'refusalOf' | 'post'>;
  /** How long webhooks wait after each failure. */
  readonly retryDelays: readonly number[];
  /** How far the clock of a process that begins is ahead of the others'. */
  newSkew(): number;
}

export const NOTHING_OUTSIDE: Outside = {
  posterOf: () => ({
    refusalOf: () => undefined,
    post: () => Promise.reject(new Error('nobody is there')),
  }),
  retryDelays: [60_000],
  newSkew: () => 0,
};

/** What processes of the service have in common. */
export interface Ground {
  readonly schedule: Schedule;
  readonly draws: Draws;
  readonly log: SharedLog;
  readonly vault: MemoryVault;
  /** Rows are stored apart from events, and several processes append. */
  readonly areServers: boolean;
  /** How often a write gets no answer. */
  readonly lossy: number;
  readonly features: readonly Feature[];
  readonly outside: Outside;
  /** What projectors make of the log as it is. */
  readonly reads: ReadModels;
  /** Errors that somebody would read in the log of the service. */
  logged(error: unknown): void;
}
