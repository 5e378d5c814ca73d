import type { TargetedKeyboardEvent } from 'preact';

/**
 * Arrows lead from a search box through what it found, and back; Escape leaves what was found, and nothing else.
 * Undefined where nothing is shown.
 */
export const hitKeys =
  (leave: (() => void) | undefined) =>
  (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const { key, currentTarget, target } = event;
    if (!leave || !(target instanceof HTMLElement)) return;
    const box = currentTarget.querySelector('input');
    if (key === 'Escape') {
      // A dialog around it stays.
      event.preventDefault();
      box?.focus();
      leave();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    const hits = [...currentTarget.querySelectorAll<HTMLElement>('.hits :is(a[href], button)')];
    if (step === undefined || hits.length === 0) return;
    event.preventDefault();
    const next = hits.indexOf(target) + step;
    // The box stands before the first hit.
    if (next < 0) box?.focus();
    else hits[Math.min(next, hits.length - 1)]?.focus();
  };
