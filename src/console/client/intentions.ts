import { useRef } from 'preact/hooks';
import { newId } from '../values/ids.js';
import { storeSlug, userId } from './session.js';

/**
 * One intention keeps its key until it succeeds or is refused, so that trying again after a break never books twice. Where
 * something is added, the tab keeps the key, and nothing of what was sent, for whoever closes the form or loads the page
 * again without an answer: the service then tells whether the same is sent once more.
 */

/** The service knows a key for 24 hours. */
const TRUSTED_MILLISECONDS = 20 * 3_600_000;

const nameOf = (place: string): string => `unanswered ${storeSlug() ?? ''} ${userId() ?? ''} ${place}`;

function unansweredAt(place: string): string | undefined {
  const kept = JSON.parse(sessionStorage.getItem(nameOf(place)) ?? 'null') as { key: string; at: number } | null;
  return kept && Date.now() - kept.at < TRUSTED_MILLISECONDS ? kept.key : undefined;
}

interface Intention {
  readonly key: string;
  /** What was sent with it; undefined where another form sent it, and nobody knows what that was. */
  readonly print: string | undefined;
  readonly inDoubt: boolean;
}

export interface IntentionKey {
  take(print: string): string;
  /** Another one is meant than what was sent before. */
  takeAnother(print: string): string;
  /** Whether another form sent something with it. */
  isFromBefore(): boolean;
  /** Nobody knows what became of it. */
  doubt(): void;
  done(): void;
  /** Whether another one than this may be booked unknown to who sent it. */
  isOtherInDoubt(print: string): boolean;
}

/** The key of what is sent, which is added at this place where each time counts. */
export function useIntentionKey(place: string | undefined): IntentionKey {
  const kept = useRef<Intention>();
  const takeAnother = (print: string): string => {
    const key = newId();
    kept.current = { key, print, inDoubt: false };
    if (place !== undefined) sessionStorage.setItem(nameOf(place), JSON.stringify({ key, at: Date.now() }));
    return key;
  };
  return {
    take(print) {
      const before = place === undefined ? undefined : unansweredAt(place);
      if (!kept.current && before !== undefined) kept.current = { key: before, print: undefined, inDoubt: true };
      const { key, print: known = print } = kept.current ?? {};
      return key !== undefined && known === print ? key : takeAnother(print);
    },
    takeAnother,
    isFromBefore: () => kept.current !== undefined && kept.current.print === undefined,
    doubt() {
      if (kept.current) kept.current = { ...kept.current, inDoubt: true };
    },
    done() {
      // Another form may have begun another one by now.
      if (place !== undefined && unansweredAt(place) === kept.current?.key) sessionStorage.removeItem(nameOf(place));
      kept.current = undefined;
    },
    isOtherInDoubt: (print) =>
      kept.current?.inDoubt === true && kept.current.print !== undefined && kept.current.print !== print,
  };
}
