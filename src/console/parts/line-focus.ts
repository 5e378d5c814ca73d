import { useLayoutEffect, useRef } from 'preact/hooks';

interface Awaited {
  /** Where the focus goes among the lines that are left. */
  readonly place: number;
  readonly before: readonly Element[];
}

/**
 * Leads the focus to the line that was added, or from the one that was removed to the next, to the one before it, or to
 * the button that adds one.
 */
export function useLineFocus<E extends HTMLElement>(line: string) {
  const element = useRef<E>(null);
  const awaited = useRef<Awaited>();
  const linesNow = (): HTMLElement[] => [...(element.current?.querySelectorAll<HTMLElement>(line) ?? [])];
  // What is removed or added may first be sent.
  useLayoutEffect(() => {
    const wanted = awaited.current;
    const now = linesNow();
    if (!wanted || !element.current) return;
    if (now.length === wanted.before.length && now.every((one) => wanted.before.includes(one))) return;
    awaited.current = undefined;
    const focused = document.activeElement;
    // A heading has it only while nothing better is there.
    const isElsewhere = focused !== document.body && focused?.matches('h1, h2') !== true;
    if (isElsewhere && !element.current.contains(focused)) return;
    const place = now[wanted.place] ?? now.at(-1) ?? element.current;
    const field = place.querySelector<HTMLElement>('input, select, textarea');
    (field ?? place.querySelector<HTMLElement>('button'))?.focus();
  });
  const lead = (place: number): void => {
    awaited.current = { place, before: linesNow() };
  };
  return {
    element,
    /** Said before the line at this place is removed. */
    removing: lead,
    /** Said before one is added after the others. */
    adding: (): void => {
      lead(Infinity);
    },
  };
}
