import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useStrayScans } from './stray-scans.js';

interface Scannable {
  /** The code of its product, read while the focus was on a number. */
  readonly scanned: string;
}

/** Texts, lots and documents have codes of their own, which are read where they belong: anywhere else a code is a product. */
const takesCodes = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.inputMode !== 'decimal' && !/^(?:date|checkbox)$/.test(target.type));

interface Read {
  readonly code: string;
  readonly where: EventTarget | null;
}

/** Hands over products that are read while the focus is on a number of the form, or on nothing that takes a code. */
export function useScannedProducts(
  place: RefObject<HTMLElement>,
  onProduct: (code: string, where: EventTarget | null) => void,
): void {
  const [read, setRead] = useState<Read>();
  const isBeingSent = () => place.current?.closest('[inert]') != null;
  useStrayScans(
    (target) => takesCodes(target) || isBeingSent(),
    (code, where) => {
      setRead({ code, where });
    },
  );
  // Once the number is back that it was read into.
  useEffect(() => {
    if (!read) return;
    onProduct(read.code, read.where);
    setRead(undefined);
  }, [read]);
}

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A line for what was read: the last one, where nothing stands in it yet. */
export function withScanned<L extends Scannable>(lines: readonly L[], fresh: L, scanned: string): readonly L[] {
  const last = lines.at(-1);
  const others = last && isSame(last, fresh) ? lines.slice(0, -1) : lines;
  return [...others, { ...fresh, scanned }];
}
