import { useRef } from 'preact/hooks';
import { newId } from '../values/ids.js';
import { storeSlug, userId } from './session.js';

/**
 * One intention keeps its key until it succeeds or is refused, so that trying again after a break never books twice. Where
 * something is added, this device keeps the key for the person, and nothing of what was sent: who closes the form, the tab
 * or the browser without an answer, and comes back, is told by the service whether the same is sent once more.
 */

/** The service knows a key for 24 hours. */
const TRUSTED_MILLISECONDS = 20 * 3_600_000;

const UNANSWERED = 'unanswered ';

const nameOf = (place: string): string => `${UNANSWERED}${storeSlug() ?? ''} ${userId() ?? ''} ${place}`;

function trustedKey(name: string): string | undefined {
  const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as { key: string; at: number } | null;
  return kept && Date.now() - kept.at < TRUSTED_MILLISECONDS ? kept.key : undefined;
}

const unansweredAt = (place: string): string | undefined => trustedKey(nameOf(place));

/** Those too old to be trusted go, whoever left them. */
function keep(place: string, key: string): void {
  for (const name of Object.keys(localStorage))
    if (name.startsWith(UNANSWERED) && trustedKey(name) === undefined) localStorage.removeItem(name);
  localStorage.setItem(nameOf(place), JSON.stringify({ key, at: Date.now() }));
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
    if (place !== undefined) keep(place, key);
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
      if (place !== undefined && unansweredAt(place) === kept.current?.key) localStorage.removeItem(nameOf(place));
      kept.current = undefined;
    },
    isOtherInDoubt: (print) =>
      kept.current?.inDoubt === true && kept.current.print !== undefined && kept.current.print !== print,
  };
}
