import { useState } from 'preact/hooks';
import { useMe } from '../../client/session.js';
import { readNumber } from '../../values/formats.js';

/** What was counted and is not booked yet: it outlives a reload, a locked phone and a look at another screen. */

export interface Counted {
  readonly typed: string;
  /** The balance when it was typed: what is sold or arrives later is no difference. */
  readonly against: number;
}

export type Counting = Readonly<Record<string, Counted>>;

const MOST_HOURS = 24;

function kept(name: string): Counting {
  try {
    const { at, counted } = JSON.parse(localStorage.getItem(name) ?? '{}') as { at?: number; counted?: Counting };
    return Date.now() - (at ?? 0) < MOST_HOURS * 3_600_000 ? (counted ?? {}) : {};
  } catch {
    return {};
  }
}

function keep(name: string, counted: Counting): void {
  try {
    if (Object.keys(counted).length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify({ at: Date.now(), counted }));
  } catch {
    // A browser that keeps nothing still counts.
  }
}

export const isWrong = ({ typed }: Counted): boolean => !((readNumber(typed) ?? -1) >= 0);

/** Undefined where nothing was counted, or no quantity. */
export function differenceOf(counted: Counted | undefined): number | undefined {
  if (!counted || isWrong(counted)) return undefined;
  return Number(((readNumber(counted.typed) ?? 0) - counted.against).toFixed(6));
}

export function useCounting(locationId: string) {
  const { storeSlug, id } = useMe();
  const name = `count ${storeSlug} ${id} ${locationId}`;
  const [state, setState] = useState({ name, counting: kept(name) });
  const counting = state.name === name ? state.counting : kept(name);
  const become = (next: Counting) => {
    keep(name, next);
    setState({ name, counting: next });
  };
  return {
    counting,
    write(variantId: string, typed: string, against: number) {
      const { [variantId]: _, ...others } = counting;
      become(typed.trim() === '' ? others : { ...others, [variantId]: { typed, against } });
    },
    clear() {
      become({});
    },
  };
}
