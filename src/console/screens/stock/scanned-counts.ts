import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** As long as barcodes are, the longest first: one may end with what is another by itself. */
const CODE_LENGTHS = [14, 13, 12, 8];

/** A barcode that was read into a field where a quantity stands, and what stood before it; undefined where none was. */
export function scannedInto(
  typed: string,
  isBarcode: (code: string) => boolean,
): { readonly quantity: string; readonly code: string } | undefined {
  const code = CODE_LENGTHS.map((length) => typed.trim().slice(-length)).find(isBarcode);
  return code === undefined ? undefined : { quantity: typed.trim().slice(0, -code.length), code };
}

const fieldId = (variantId: string): string => `counted-${variantId}`;

/** Leads from what was scanned to its count, and from a count to what is scanned or counted next. */
export function useCountFocus() {
  const filters = useRef<HTMLDivElement>(null);
  const wanted = useRef<string>();
  const [, render] = useReducer((turn: number) => turn + 1, 0);
  // The row of what was scanned is there once the others are gone.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const field = document.getElementById(fieldId(wanted.current));
    if (!(field instanceof HTMLInputElement)) return;
    wanted.current = undefined;
    field.focus();
    field.select();
  });
  return {
    filters,
    fieldId,
    /** To the count of this one, as soon as it is shown. */
    toCount: (variantId: string): void => {
      wanted.current = variantId;
      render(undefined);
    },
    /** To where the next is scanned: it takes the place of what was scanned before. */
    toFilter: (): void => {
      const filter = filters.current?.querySelector('input');
      filter?.focus();
      filter?.select();
    },
  };
}

/** The count below this one. */
export function fieldBelow(field: HTMLInputElement): HTMLInputElement | undefined {
  const all = [...document.querySelectorAll<HTMLInputElement>('.count-input')];
  return all[all.indexOf(field) + 1];
}
