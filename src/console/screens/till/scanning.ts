import { useEffect, useRef, useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { isPassing } from '../../client/problem.js';
import { isRefused } from '../../client/queries.js';
import type { Scanned } from './cart.js';
import { isCode, readScan } from './cart.js';
import { newId } from '../../values/ids.js';

/** Codes are looked up one after the other, in the order in which they were read, however fast the scanner is. */

export interface Waiting {
  readonly id: string;
  readonly factor: number;
  readonly code: string;
}

const AGAIN_MILLISECONDS = 2_000;

/** Found before in this tab: a code is read again even without a connection. */
const found = new Map<string, Scanned>();

async function byName(text: string): Promise<Scanned | undefined> {
  const { items } = await body(api.GET('/products', { params: { query: { q: text, take: 5, active: true } } }));
  const [product] = items;
  const variant =
    product?.variants.find(({ gtin, sku }) => gtin === text || sku?.toLowerCase() === text.toLowerCase()) ??
    product?.variants[0];
  return product && variant ? { product, variantId: variant.id } : undefined;
}

async function lookUp(code: string): Promise<Scanned | undefined> {
  if (!isCode(code)) return byName(code);
  try {
    return await body(api.GET('/products/by-gtin/{gtin}', { params: { path: { gtin: code } } }));
  } catch (error) {
    if (isRefused(error, 'NOT_FOUND')) return byName(code);
    throw error;
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface Scanning {
  readonly waiting: readonly Waiting[];
  /** Whether the last try did not reach the service. */
  readonly isCutOff: boolean;
  scan(typed: string): void;
  forget(id: string): void;
}

export function useScanning(onFound: (waiting: Waiting, scanned: Scanned | undefined) => void): Scanning {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [isCutOff, setCutOff] = useState(false);
  const latest = useRef(onFound);
  latest.current = onFound;
  const [head] = waiting;
  const forget = (id: string) => {
    setWaiting((all) => all.filter((one) => one.id !== id));
  };
  useEffect(() => {
    if (!head) return undefined;
    const state = { ended: false };
    const isOver = () => state.ended;
    const go = async () => {
      while (!isOver()) {
        try {
          const scanned = found.get(head.code) ?? (await lookUp(head.code));
          if (isOver()) return;
          if (scanned) found.set(head.code, scanned);
          setCutOff(false);
          latest.current(head, scanned);
          forget(head.id);
          return;
        } catch (error) {
          if (isOver()) return;
          if (!isPassing(error)) {
            latest.current(head, undefined);
            forget(head.id);
            return;
          }
          setCutOff(true);
          await pause(AGAIN_MILLISECONDS);
        }
      }
    };
    void go();
    return () => {
      state.ended = true;
    };
  }, [head?.id]);
  return {
    waiting,
    isCutOff: isCutOff && waiting.length > 0,
    scan(typed) {
      const { factor, code } = readScan(typed);
      if (code !== '') setWaiting((all) => [...all, { id: newId(), factor, code }]);
    },
    forget,
  };
}

/** Prices and stock may have changed. */
export const forgetFound = (): void => {
  found.clear();
};
