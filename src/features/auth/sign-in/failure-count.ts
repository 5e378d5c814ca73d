/** How many attempts of one account or address failed lately, as a value. */

/** An attempt that was let through and has not ended. */
interface Pending {
  readonly id: string;
  readonly at: number;
}

export interface FailureCount {
  /** Times of the latest failures, at most as many as the limit. */
  readonly failures: readonly number[];
  readonly pending: readonly Pending[];
  /** How often in a row it was blocked: what a further failure doubles. */
  readonly blocks: number;
  readonly blockedUntil: number;
}

export const NO_FAILURES: FailureCount = { failures: [], pending: [], blocks: 0, blockedUntil: 0 };

const MINUTE = 60_000;
const WINDOW = 15 * MINUTE;
const FIRST_BLOCK = MINUTE;
const LONGEST_BLOCK = 15 * MINUTE;
/** An attempt whose process died counts as failed. */
const LOST_AFTER = MINUTE;
/** Nothing matters for longer, however far the clocks of two processes are apart: what seems to is of a clock that was ahead. */
const LONGEST = LONGEST_BLOCK + 2 * WINDOW;

/** From when on nothing of it matters any more. */
export const forgottenAt = ({ failures, pending, blockedUntil }: FailureCount): number =>
  Math.max(blockedUntil, ...failures, ...pending.map(({ at }) => at)) + WINDOW;

function failed(count: FailureCount, at: number, limit: number): FailureCount {
  const failures = [...count.failures, at].filter((time) => time > at - WINDOW).slice(-limit);
  // Once blocked, each failure blocks again, until a quiet time has passed.
  if (failures.length < limit && count.blocks === 0) return { ...count, failures };
  const blockedFor = Math.min(FIRST_BLOCK * 2 ** count.blocks, LONGEST_BLOCK);
  return { ...count, failures, blocks: Math.min(count.blocks + 1, 10), blockedUntil: at + blockedFor };
}

/** As it stands now: what is long ago is forgotten, and lost attempts have failed. */
export function at(count: FailureCount, now: number, limit: number): FailureCount {
  const forgotten = forgottenAt(count);
  if (forgotten <= now || forgotten > now + LONGEST) return NO_FAILURES;
  const lost = count.pending.filter((attempt) => attempt.at <= now - LOST_AFTER);
  const pending = count.pending.filter((attempt) => attempt.at > now - LOST_AFTER);
  const failures = count.failures.filter((time) => time > now - WINDOW);
  return lost.reduce<FailureCount>((counted, attempt) => failed(counted, attempt.at, limit), {
    ...count,
    pending,
    failures,
  });
}

/** No more attempts run at once than may still fail. */
export const hasRoom = ({ failures, pending, blocks }: FailureCount, limit: number): boolean =>
  pending.length < (blocks > 0 ? 1 : Math.max(1, limit - failures.length));

export const begun = (count: FailureCount, id: string, now: number): FailureCount => ({
  ...count,
  pending: [...count.pending, { id, at: now }],
});

export const givenBack = (count: FailureCount, id: string): FailureCount => ({
  ...count,
  pending: count.pending.filter((attempt) => attempt.id !== id),
});

export const endedInFailure = (count: FailureCount, id: string, now: number, limit: number): FailureCount =>
  count.pending.some((attempt) => attempt.id === id) ? failed(givenBack(count, id), now, limit) : count;

export const endedInSuccess = (count: FailureCount, id: string): FailureCount => ({
  ...NO_FAILURES,
  pending: givenBack(count, id).pending,
});
