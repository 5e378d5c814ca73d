import { Map as ImmutableMap } from 'immutable';
import { lotCodeKey } from '../events.js';

/**
 * Where in the stream a sale, an order or a lot code was touched, for as long as it is recent. What is older is looked up in the read models
 * and handed to the decision, which checks by this that nothing has happened in between.
 */
export interface History {
  /** Everything since this revision is remembered. */
  readonly since: number;
  /** Everything since this revision stands in `young`. */
  readonly youngSince: number;
  readonly young: ImmutableMap<string, readonly number[]>;
  readonly old: ImmutableMap<string, readonly number[]>;
}

/** Revisions that are remembered at least; at most twice as many. */
export const REMEMBERED = 10_000;

export const emptyHistory: History = { since: 0, youngSince: 0, young: ImmutableMap(), old: ImmutableMap() };

const CODE = 'code ';

/** Notes that an event touched something; two generations make forgetting cheap. */
export function noted(history: History, keys: readonly string[], revision: number): History {
  if (keys.length === 0) return history;
  const aged = revision - history.youngSince >= REMEMBERED ? age(history, revision) : history;
  const young = aged.young.withMutations((map) => {
    for (const key of keys) {
      // A code is only asked whether it is known; it may be touched every day for years.
      const before = key.startsWith(CODE) ? [] : (map.get(key) ?? aged.old.get(key) ?? []);
      if (before.at(-1) !== revision) map.set(key, [...before, revision]);
    }
  });
  return { since: aged.since, youngSince: aged.youngSince, young, old: aged.old };
}

const age = ({ youngSince, young }: History, revision: number): History => ({
  since: youngSince,
  youngSince: revision,
  young: ImmutableMap(),
  old: young,
});

/** The revisions at which it was touched, as far as they are remembered. */
export const touchesOf = (history: History, key: string): readonly number[] =>
  history.young.get(key) ?? history.old.get(key) ?? [];

export const saleKey = (saleId: string): string => `sale ${saleId}`;
export const orderKey = (orderId: string): string => `order ${orderId}`;
export const codeKey = (variantId: string, lotCode: string): string => CODE + lotCodeKey(variantId, lotCode);
