import { setTimeout as pause } from 'node:timers/promises';
import { unlessAborted } from '../../kernel/values/pause.js';
import { StoreUnavailable } from '../../ports/event-store.js';

/** A call ends within this time, whatever the server does. */
const PATIENCE = 4_000;
const LONGEST_PAUSE = 800;

const OUTAGES = new Set(['unavailable', 'cancelled', 'deadline-exceeded', 'timeout', 'not-leader']);
/** gRPC: cancelled, deadline exceeded, aborted, internal, unavailable. */
const OUTAGE_CODES = new Set([1, 4, 10, 13, 14]);

/** gRPC: permission denied, unauthenticated. */
const REFUSED_CODES = new Set([7, 16]);
const REFUSED = 'wrong setting: EVENTSTORE_URL: EventStoreDB does not accept its user name and password';

const isRefusal = ({ type, code }: ClientError): boolean =>
  type === 'access-denied' || (code !== undefined && REFUSED_CODES.has(code));

/** What the client throws: its own errors carry a type, some of the connection's only a code. */
export interface ClientError extends Error {
  readonly type?: string;
  readonly code?: number;
}

/** The call may be answered when it is repeated, and a write may have been stored. */
function isOutage(error: ClientError): boolean {
  if (error.type !== undefined && OUTAGES.has(error.type)) return true;
  if (error.code !== undefined) return OUTAGE_CODES.has(error.code);
  return error.type === 'unknown' || error.message.startsWith('Failed to discover');
}

/** The server knows no record at the position that a read or subscription should start from. */
export const isUnknownPosition = (error: unknown): boolean => {
  const { type, code } = error as ClientError;
  return type === 'unknown' && code !== undefined && !OUTAGE_CODES.has(code);
};

/** Doubling pauses, spread so that many callers do not come back at once. */
export const backoff = (failures: number, longest: number): number =>
  Math.min(longest, 50 * 2 ** failures) * (0.5 + Math.random() / 2);

/**
 * Repeats an attempt while the server is away, then throws StoreUnavailable. An attempt is given up when its signal aborts, even if it hangs.
 * `mayHaveWritten` tells whether an attempt that failed may have had its effect.
 */
export async function throughOutage<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  mayHaveWritten: () => boolean = () => false,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort();
  }, PATIENCE);
  let cause: Error = new Error('it does not answer');
  try {
    for (let failures = 0; ; failures++) {
      try {
        return await unlessAborted(attempt(limit.signal), limit.signal);
      } catch (error) {
        if (limit.signal.aborted) throw error;
        if (isRefusal(error as ClientError)) throw new StoreUnavailable(REFUSED, false, { cause: error });
        if (!isOutage(error as ClientError)) throw error;
        cause = error as Error;
      }
      await pause(backoff(failures, LONGEST_PAUSE), undefined, { signal: limit.signal });
    }
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    throw new StoreUnavailable(`EventStoreDB is away: ${cause.message}`, mayHaveWritten(), { cause });
  } finally {
    clearTimeout(timer);
  }
}
