import { Rejection, STALE } from '../../../kernel/events/rejection.js';
import { lotCodeKey } from '../events.js';
import type { History } from './touched-revisions.js';
import { codeKey, touchesOf } from './touched-revisions.js';
import type { Inventory } from './state.js';

/** The state has forgotten what the command builds on, or has seen more than the command knows: look again and repeat it. */
export class HistoryOutdated extends Error {}

/** What was recorded of one sale or order, complete up to a revision. */
export interface KnownHistory<E> {
  readonly asOf: number;
  readonly events: readonly { readonly revision: number; readonly event: E }[];
  /** Whether the record is no longer as the client wants it to be (If-Match). */
  readonly stale?: boolean;
}

/** Refuses to decide on a past that is not whole, or not the one that the client has seen. */
export function expectWholeHistory<E>(history: History, key: string, past: KnownHistory<E>): void {
  expectRecent(history, past.asOf);
  const newest = touchesOf(history, key).at(-1);
  if (newest !== undefined && newest > past.asOf && !past.events.some(({ revision }) => revision === newest)) {
    throw new HistoryOutdated();
  }
  if (past.stale === true) throw new Rejection(STALE);
}

/** Which lot codes the read models knew, up to a revision; codes as `lotCodeKey` writes them. */
export interface KnownCodes {
  readonly asOf: number;
  /** The codes that were looked for. */
  readonly wanted: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
}

/** Whether a variant ever had a lot with this code. */
export function isKnownCode(
  state: Inventory,
  variantId: string,
  lotCode: string,
  known: KnownCodes | undefined,
): boolean {
  if (touchesOf(state.history, codeKey(variantId, lotCode)).length > 0) return true;
  if (state.history.since === 0) return false;
  const key = lotCodeKey(variantId, lotCode);
  if (!known?.wanted.has(key)) throw new HistoryOutdated();
  expectRecent(state.history, known.asOf);
  return known.found.has(key);
}

function expectRecent(history: History, asOf: number): void {
  if (asOf + 1 < history.since) throw new HistoryOutdated();
}
