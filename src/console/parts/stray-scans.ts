import { useEffect, useRef } from 'preact/hooks';
import { isGtin } from '../../brazil/gtin.js';

/** A scanner types wherever the focus is: what it read must not become a quantity, an amount or the end of a payment. */

/** Nobody types so fast, digit after digit. */
const FASTEST_HAND_MILLISECONDS = 80;
/** A slow scanner or a busy device takes longer between two digits, and is told by the check digit of what it read. */
const PAUSE_MILLISECONDS = 500;
const SHORTEST_CODE = 8;
/** A digit that somebody typed right before belongs to no code: the commonest length is tried first. */
const LENGTHS = [13, 12, 8, 14];

interface Run {
  readonly digits: string;
  readonly at: number;
  readonly slowest: number;
  /** Where the first digit was typed, and what stood there before. */
  readonly field: HTMLInputElement | undefined;
  readonly before: string;
}

const noRun: Run = { digits: '', at: -Infinity, slowest: 0, field: undefined, before: '' };

function withDigit(run: Run, { key, target, timeStamp }: KeyboardEvent): Run {
  const pause = timeStamp - run.at;
  if (pause < PAUSE_MILLISECONDS)
    return { ...run, digits: run.digits + key, at: timeStamp, slowest: Math.max(run.slowest, pause) };
  const field = target instanceof HTMLInputElement ? target : undefined;
  return { ...noRun, digits: key, at: timeStamp, field, before: field?.value ?? '' };
}

/** What was read, if it was read and not typed by hand. */
function codeOf({ digits, at, slowest }: Run, endsAt: number): string | undefined {
  const pause = Math.max(slowest, endsAt - at);
  if (digits.length < SHORTEST_CODE || pause >= PAUSE_MILLISECONDS) return undefined;
  const proven = LENGTHS.map((length) => digits.slice(-length)).find(isGtin);
  return proven ?? (pause < FASTEST_HAND_MILLISECONDS ? digits : undefined);
}

/** What stood there before, with what somebody typed right before the code. */
function putBack({ digits, field, before }: Run, code: string): void {
  if (!field) return;
  const isTyped = digits.length > code.length && field.value.endsWith(code);
  field.value = isTyped ? field.value.slice(0, -code.length) : before;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Hands over codes that were read while the focus was elsewhere than where codes belong. */
export function useStrayScans(
  belongs: (target: EventTarget | null) => boolean,
  onScan: (code: string, where: EventTarget | null) => void,
): void {
  const latest = useRef({ belongs, onScan });
  latest.current = { belongs, onScan };
  useEffect(() => {
    let run = noRun;
    const press = (event: KeyboardEvent) => {
      if (/^\d$/.test(event.key)) {
        run = withDigit(run, event);
        return;
      }
      const ended = run;
      run = noRun;
      if (event.key !== 'Enter' || latest.current.belongs(event.target)) return;
      const code = codeOf(ended, event.timeStamp);
      if (code === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (ended.field === event.target) putBack(ended, code);
      latest.current.onScan(code, event.target);
    };
    addEventListener('keydown', press, true);
    return () => {
      removeEventListener('keydown', press, true);
    };
  }, []);
}
