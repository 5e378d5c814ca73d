import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

const fieldId = (variantId: string): string => `counted-${variantId}`;

/** Leads from what was scanned to its count, and from a count to what is scanned or counted next. */
export function useCountFocus() {
  const filters = useRef<HTMLDivElement>(null);
  /** Gives the field that is wanted, if it is there yet. */
  const wanted = useRef<() => Element | null | undefined>();
  const [, render] = useReducer((turn: number) => turn + 1, 0);
  // The row of what was scanned is there once the others are gone, and its code then stands in the filter.
  useLayoutEffect(() => {
    const field = wanted.current?.();
    if (!(field instanceof HTMLInputElement)) return;
    wanted.current = undefined;
    field.focus();
    field.select();
  });
  const lead = (to: () => Element | null | undefined): void => {
    wanted.current = to;
    render(undefined);
  };
  return {
    filters,
    fieldId,
    /** To the count of this one, as soon as it is shown. */
    toCount: (variantId: string): void => {
      lead(() => document.getElementById(fieldId(variantId)));
    },
    isFilter: (target: EventTarget | null): boolean =>
      target instanceof Node && filters.current?.contains(target) === true,
    /** To where the next is scanned: it takes the place of what was scanned before. */
    toFilter: (): void => {
      lead(() => filters.current?.querySelector('input'));
    },
  };
}

/** The count below this one. */
export function fieldBelow(field: HTMLInputElement): HTMLInputElement | undefined {
  const all = [...document.querySelectorAll<HTMLInputElement>('.count-input')];
  return all[all.indexOf(field) + 1];
}
