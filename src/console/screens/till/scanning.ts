import { useEffect, useRef, useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { isPassing } from '../../client/problem.js';
import { isRefused } from '../../client/queries.js';
import { storeSlug } from '../../client/session.js';
import type { Scanned } from './cart.js';
import { isCode, meantBy, readScan } from './cart.js';
import { newId } from '../../values/ids.js';

/** Codes are looked up one after the other, in the order in which they were read, however fast the scanner is. */

export interface Waiting {
  readonly id: string;
  readonly factor: number;
  readonly code: string;
  readonly typed: string;
}

/** Undefined if nothing is called so. */
type Meant = Scanned | 'several' | undefined;

const AGAIN_MILLISECONDS = 2_000;
/** How long a customer waits for what is known already. */
const PATIENCE_MILLISECONDS = 1_500;

/** Found before in this tab: a code is read again even without a connection, then with the price that it had. */
const found = new Map<string, Scanned>();

async function byName(text: string, signal: AbortSignal | null): Promise<Meant> {
  const { items } = await body(api.GET('/products', { params: { query: { q: text, take: 5, active: true } }, signal }));
  return meantBy(text, items);
}

async function asked(code: string, signal: AbortSignal | null): Promise<Meant> {
  if (!isCode(code)) return byName(code, signal);
  try {
    return await body(api.GET('/products/by-gtin/{gtin}', { params: { path: { gtin: code } }, signal }));
  } catch (error) {
    if (isRefused(error, 'NOT_FOUND')) return byName(code, signal);
    throw error;
  }
}

const keyOf = (code: string): string => `${storeSlug() ?? ''} ${code}`;

const isKnown = ({ code }: Waiting): boolean => found.has(keyOf(code));

/** As the service has it now; as it was found before, so that it is not fresh, where the service does not answer in time. */
async function lookUp(code: string): Promise<{ readonly meant: Meant; readonly isFresh: boolean }> {
  const known = found.get(keyOf(code));
  const signal = known ? AbortSignal.timeout(PATIENCE_MILLISECONDS) : null;
  try {
    const meant = await asked(code, signal);
    if (meant && meant !== 'several') found.set(keyOf(code), meant);
    else found.delete(keyOf(code));
    return { meant, isFresh: true };
  } catch (error) {
    if (known && (isPassing(error) || signal?.aborted)) return { meant: known, isFresh: false };
    throw error;
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface Scanning {
  readonly waiting: readonly Waiting[];
  /** Those for which the service was not reached, and that are not known from before. */
  readonly stuck: readonly Waiting[];
  scan(typed: string): void;
  forget(id: string): void;
}

/** Gives what does something at once, or, while codes are being looked up, after that: it is meant with what was read before. */
export function useAfterScans({ waiting, stuck }: Scanning, act: (hasWaited: boolean) => void): () => void {
  const [isWanted, setWanted] = useState(false);
  const isLooking = waiting.length > stuck.length;
  useEffect(() => {
    if (!isWanted || isLooking) return;
    setWanted(false);
    act(true);
  }, [isWanted, isLooking]);
  return () => {
    if (isLooking) setWanted(true);
    else act(false);
  };
}

export function useScanning(onFound: (waiting: Waiting, meant: Meant) => void): Scanning {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [isCutOff, setCutOff] = useState(false);
  const latest = useRef(onFound);
  latest.current = onFound;
  const stuck = isCutOff ? waiting.filter((one) => !isKnown(one)) : [];
  // Without a connection what is known is sold past what is not.
  const head = waiting.find((one) => !stuck.includes(one)) ?? stuck[0];
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
          const { meant, isFresh } = await lookUp(head.code);
          if (isOver()) return;
          if (isFresh) setCutOff(false);
          latest.current(head, meant);
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
    stuck,
    scan(typed) {
      const { factor, code } = readScan(typed);
      if (code !== '') setWaiting((all) => [...all, { id: newId(), factor, code, typed }]);
    },
    forget,
  };
}
