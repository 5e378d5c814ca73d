import type { components } from 'openapi-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useMe } from '../../client/session.js';
import { readNumber } from '../../values/formats.js';

/** What was counted and is not booked yet: it outlives a reload, a locked phone and a look at another screen. */

export interface Counted {
  readonly typed: string;
  /** The balance when it was typed: what is sold or arrives later is no difference. */
  readonly against: number;
}

export type Counting = Readonly<Record<string, Counted>>;

export interface Difference {
  readonly variantId: string;
  readonly quantity: number;
}

/** Differences that are booked at once. */
export interface Portion {
  readonly key: string;
  readonly variantIds: readonly string[];
  readonly body: components['schemas']['NewAdjustment'];
}

/** What was sent and is not answered: the very same is sent again until it is, or it would be booked twice. */
export interface Booking {
  readonly of: readonly Difference[];
  readonly portions: readonly Portion[];
}

interface Sheet {
  readonly counted: Counting;
  readonly booking?: Booking | undefined;
}

const EMPTY: Sheet = { counted: {} };

const MOST_HOURS = 24;

function kept(name: string): Sheet {
  try {
    const { at, ...sheet } = JSON.parse(localStorage.getItem(name) ?? '{}') as { at?: number } & Partial<Sheet>;
    return Date.now() - (at ?? 0) < MOST_HOURS * 3_600_000 ? { ...EMPTY, ...sheet } : EMPTY;
  } catch {
    return EMPTY;
  }
}

function keep(name: string, sheet: Sheet): void {
  try {
    if (Object.keys(sheet.counted).length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify({ at: Date.now(), ...sheet }));
  } catch {
    // A browser that keeps nothing still counts.
  }
}

/** More than the service takes: a barcode that was read into the field is more than that. */
const TOO_MUCH = 1_000_000_000;

export function isWrong({ typed }: Counted): boolean {
  const quantity = readNumber(typed) ?? -1;
  return quantity < 0 || quantity >= TOO_MUCH;
}

/** Undefined where nothing was counted, or no quantity. */
export function differenceOf(counted: Counted | undefined): number | undefined {
  if (!counted || isWrong(counted)) return undefined;
  return Number(((readNumber(counted.typed) ?? 0) - counted.against).toFixed(6));
}

export function useCounting(locationId: string) {
  const { storeSlug, id } = useMe();
  const name = `count ${storeSlug} ${id} ${locationId}`;
  const [state, setState] = useState({ name, sheet: kept(name) });
  const latest = useRef(state);
  // Whoever books meanwhile goes on from what is there by then, not from what was there when it began.
  latest.current = state.name === name ? state : { name, sheet: kept(name) };
  const become = (sheet: Sheet) => {
    keep(name, sheet);
    latest.current = { name, sheet };
    setState(latest.current);
  };
  useEffect(() => {
    // Another tab counts on the same sheet: what it booked is not booked here once more.
    const follow = ({ key }: StorageEvent) => {
      if (key === name) setState({ name, sheet: kept(name) });
    };
    addEventListener('storage', follow);
    return () => {
      removeEventListener('storage', follow);
    };
  }, [name]);
  return {
    counting: latest.current.sheet.counted,
    write(variantId: string, typed: string, against: number) {
      const { counted, booking } = latest.current.sheet;
      const { [variantId]: _, ...others } = counted;
      become({ counted: typed.trim() === '' ? others : { ...others, [variantId]: { typed, against } }, booking });
    },
    /** What was begun with these differences and not answered. */
    begun(differences: readonly Difference[]): Booking | undefined {
      const { booking } = latest.current.sheet;
      return booking && JSON.stringify(booking.of) === JSON.stringify(differences) ? booking : undefined;
    },
    hold(booking: Booking | undefined) {
      become({ counted: latest.current.sheet.counted, booking });
    },
    /** Takes what is booked from the sheet, and holds what is left to book. */
    booked(variantIds: readonly string[], booking: Booking) {
      const left = Object.entries(latest.current.sheet.counted).filter(([one]) => !variantIds.includes(one));
      become({ counted: Object.fromEntries(left), booking });
    },
    /** All that stood on the sheet when it was sent is over; what was counted since stays. */
    finish(sent: Counting) {
      const isSent = ([one, counted]: readonly [string, Counted]) =>
        JSON.stringify(sent[one]) === JSON.stringify(counted);
      const left = Object.entries(latest.current.sheet.counted).filter((entry) => !isSent(entry));
      become({ counted: Object.fromEntries(left) });
    },
    clear() {
      become(EMPTY);
    },
  };
}
