import { useEffect, useState } from 'preact/hooks';
import { plainNumber } from '../../values/formats.js';
import type { Cart, Line, Payment, Scanned } from './cart.js';
import { emptyCart, isFree, withScanned } from './cart.js';
import { newId } from '../../values/ids.js';

/** The purchase that lies on the counter; it survives a reload of the page. */

const nameOf = (slug: string): string => `till-cart ${slug}`;

function kept(slug: string): Cart {
  try {
    return (JSON.parse(sessionStorage.getItem(nameOf(slug)) ?? 'null') as Cart | null) ?? emptyCart;
  } catch {
    return emptyCart;
  }
}

/** What was finished last in this browser, and is known by its lines and payments. */
interface Finished {
  readonly lines: readonly string[];
  readonly payments: readonly Payment[];
}

const finishedName = (slug: string): string => `till-finished ${slug}`;
const FINISHED_KEPT = 100;

function finishedBefore(slug: string): readonly Finished[] {
  try {
    return JSON.parse(localStorage.getItem(finishedName(slug)) ?? '[]') as readonly Finished[];
  } catch {
    return [];
  }
}

/** Also told to tabs that show another page by now: they come back to the till when the sale has long been answered. */
export function rememberFinished(slug: string, { lines }: Cart, payments: readonly Payment[]): void {
  const finished: Finished = { lines: lines.map(({ id }) => id), payments };
  try {
    const all = [...finishedBefore(slug), finished];
    localStorage.setItem(finishedName(slug), JSON.stringify(all.slice(-FINISHED_KEPT)));
  } catch {
    // A browser that keeps nothing still sells.
  }
}

/**
 * What is left of a purchase that was finished elsewhere, as a tab that was duplicated shows it once more, and so does one that
 * was ended before it had forgotten it: lines and payments that were not part of it. Undefined where all is still to be sold.
 */
export function leftUnsold(slug: string, cart: Cart): Pick<Cart, 'lines' | 'paid'> | undefined {
  const { lines, paid = [] } = cart;
  const finished = finishedBefore(slug).filter((one) => lines.some(({ id }) => one.lines.includes(id)));
  if (finished.length === 0) return undefined;
  const sold = new Set(finished.flatMap((one) => one.lines));
  const counted = finished.flatMap(({ payments }) => payments.map((payment) => JSON.stringify(payment)));
  return {
    lines: lines.filter(({ id }) => !sold.has(id)),
    paid: paid.filter((payment) => {
      const place = counted.indexOf(JSON.stringify(payment));
      if (place !== -1) counted.splice(place, 1);
      return place === -1;
    }),
  };
}

export function usePurchase(slug: string) {
  const [cart, setCart] = useState<Cart>(() => kept(slug));
  useEffect(() => {
    try {
      sessionStorage.setItem(nameOf(slug), JSON.stringify(cart));
    } catch {
      // A browser that keeps nothing still sells.
    }
  }, [cart, slug]);
  const change = (changes: Partial<Cart>) => {
    setCart((before) => ({ ...before, ...changes }));
  };
  return {
    cart,
    /** Its lines are others than those of the sale that it was, which is finished. */
    open(again: Cart) {
      setCart({ ...again, lines: again.lines.map((line) => ({ ...line, id: newId() })) });
    },
    change,
    clear() {
      setCart(emptyCart);
    },
    add(scanned: Scanned, factor: number) {
      setCart((before) => {
        const begun = isFree(before) ? { ...before, begunAt: Date.now() } : before;
        return withScanned(begun, scanned, factor, { id: newId(), write: (value) => plainNumber(value) });
      });
    },
    changeLine(id: string, changes: Partial<Pick<Line, 'quantity' | 'discount'>>) {
      setCart((before) => ({
        ...before,
        lines: before.lines.map((line) => (line.id === id ? { ...line, ...changes } : line)),
      }));
    },
    remove(id: string) {
      setCart((before) => ({ ...before, lines: before.lines.filter((line) => line.id !== id) }));
    },
  };
}
