import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A column of a table, by what decides where it stands. */
export interface FittedColumn {
  readonly title: string;
  /** Figures stand at the end of their column. */
  readonly figure?: boolean;
  /** Left out where the screen is narrow. */
  readonly wide?: boolean;
  /** Stands below the first cell where the screen is narrow: as it is, or with the title of its column before it. */
  readonly below?: 'plain' | 'titled';
  /** Rows are alike without it: it is in the name of a row's link, as what stands below plainly is. */
  readonly tells?: boolean;
  /** Stands beside the first cell however narrow the screen is: something is typed there. */
  readonly stays?: boolean;
}

/** As `styles/table.css` has it. */
const NARROW = matchMedia('(max-width: 53.75em)');

export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const look = () => {
      setNarrow(NARROW.matches);
    };
    NARROW.addEventListener('change', look);
    return () => {
      NARROW.removeEventListener('change', look);
    };
  }, []);
  return isNarrow;
}

/** How wide the texts of a table may be; the first where they fit counts. */
const CELL_PIXELS = [360, 280, 220, 160, 120];

/** A scroll bar that comes with what was folded does not unfold it. */
const SCROLL_BAR_PIXELS = 20;

/** Whether a column can stand below the first cell where the screen has no room beside it. */
const canFold = ({ title, wide, below, stays }: FittedColumn, place: number): boolean =>
  place > 0 && title !== '' && !wide && !below && !stays;

/** The first so many that can stand below the first cell do. */
function fold<C extends FittedColumn>(columns: readonly C[], most: number): readonly C[] {
  let left = most;
  return columns.map((column, place) =>
    canFold(column, place) && left-- > 0 ? { ...column, below: column.figure ? 'titled' : 'plain' } : column,
  );
}

/** Whether a code, which is read in one piece, had to be broken below the first cell. */
const hasBrokenCode = (frame: HTMLElement): boolean =>
  [...frame.querySelectorAll<HTMLElement>('.below .whole')].some(
    (code) => code.offsetHeight > 2 * parseFloat(getComputedStyle(code).fontSize),
  );

/** So many letters of a name stand side by side before anything else does. */
const NAME_LETTERS = 16;

/** Whether words of the names in the first cells would have to be broken. */
function isNameNarrow(frame: HTMLElement): boolean {
  const name = frame.querySelector<HTMLElement>('tbody td:not([colspan])');
  return name !== null && name.offsetWidth < (NAME_LETTERS / 2) * parseFloat(getComputedStyle(name).fontSize);
}

/** Letters may become wider where nothing is drawn anew: with a font that comes late, or as readers set their spacing. */
function useFitAgain(frame: { readonly current: HTMLElement | null }, isDrawn: boolean): void {
  const [, fit] = useState(0);
  useEffect(() => {
    const { current: element } = frame;
    const table = element?.querySelector('table');
    if (!element || !table) return undefined;
    const changes = new ResizeObserver(() => {
      // One that cannot be made to fit is tried once with each width.
      if (element.scrollWidth > element.clientWidth) fit(element.scrollWidth);
    });
    changes.observe(table);
    return () => {
      changes.disconnect();
    };
  }, [isDrawn]);
}

/**
 * No column is left outside of the screen. Where it is wide, long names are cut; where it is narrow, one column after the other
 * goes below the first cell, and words are broken at last.
 */
export function useFitting<C extends FittedColumn>(columns: readonly C[], isNarrow: boolean, isDrawn: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const fitted = useRef({ place: 0, width: 0 });
  const [folded, setFolded] = useState(0);
  useFitAgain(frame, isDrawn);
  const most = isNarrow ? columns.filter(canFold).length : 0;
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const width = element.clientWidth;
    const show = (place: number) => {
      fitted.current = { place, width };
      element.style.setProperty('--cell', `${String(CELL_PIXELS[place])}px`);
      element.classList.toggle('tight', place > 0);
    };
    if (Math.abs(width - fitted.current.width) > SCROLL_BAR_PIXELS) {
      show(0);
      setFolded(0);
      if (folded > 0) return;
    }
    const isTooWide = () => element.scrollWidth > element.clientWidth;
    if (folded < most) {
      if (isTooWide() || hasBrokenCode(element) || isNameNarrow(element)) setFolded(folded + 1);
      return;
    }
    while (isTooWide() && fitted.current.place < CELL_PIXELS.length - 1) show(fitted.current.place + 1);
  });
  return { frame, columns: fold(columns, Math.min(folded, most)) };
}
