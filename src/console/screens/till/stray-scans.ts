import { useEffect, useRef } from 'preact/hooks';

/** A scanner types wherever the focus is: what it read must not become a quantity, an amount or the end of a payment. */

/** Nobody types so fast, digit after digit. */
const FASTEST_HAND_MILLISECONDS = 80;
const SHORTEST_CODE = 8;

interface Run {
  digits: string;
  at: number;
  /** What stood in the field before the first digit. */
  before: string | undefined;
}

const noRun: Run = { digits: '', at: 0, before: undefined };

function putBack(target: EventTarget | null, before: string | undefined): void {
  if (!(target instanceof HTMLInputElement) || before === undefined) return;
  target.value = before;
  target.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Hands over codes that were read while the focus was elsewhere than where codes belong. */
export function useStrayScans(belongs: (target: EventTarget | null) => boolean, onScan: (code: string) => void): void {
  const latest = useRef({ belongs, onScan });
  latest.current = { belongs, onScan };
  useEffect(() => {
    let run = noRun;
    const press = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event;
      const isFast = timeStamp - run.at < FASTEST_HAND_MILLISECONDS;
      if (/^\d$/.test(key)) {
        const before = target instanceof HTMLInputElement ? target.value : undefined;
        run = isFast ? { ...run, digits: run.digits + key, at: timeStamp } : { digits: key, at: timeStamp, before };
        return;
      }
      const { digits, before } = run;
      run = noRun;
      if (key !== 'Enter' || !isFast || digits.length < SHORTEST_CODE || latest.current.belongs(target)) return;
      event.preventDefault();
      event.stopPropagation();
      putBack(target, before);
      latest.current.onScan(digits);
    };
    addEventListener('keydown', press, true);
    return () => {
      removeEventListener('keydown', press, true);
    };
  }, []);
}
