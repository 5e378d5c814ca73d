import { useEffect, useState } from 'preact/hooks';
import { plainNumber } from '../../values/formats.js';
import type { Cart, Line, Scanned } from './cart.js';
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

/**
 * What lies on the counter and is in a finished sale as well: a tab that was duplicated shows the same purchase, and so does
 * one that was ended before it had forgotten it.
 */
export function soldOf({ lines }: Cart, outgoing: readonly { readonly cart: Cart }[]): readonly Line[] {
  const sold = new Set(outgoing.flatMap(({ cart }) => cart.lines.map(({ id }) => id)));
  return lines.filter(({ id }) => sold.has(id));
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
    open: setCart,
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
