import type { components } from 'openapi-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useMe } from '../../client/session.js';
import { readNumber } from '../../values/formats.js';
import { sixDecimals } from '../../values/six-decimals.js';
import { newId } from '../../values/ids.js';

/** What was counted and is not booked yet: it outlives a reload, a locked phone and a look at another screen. */

export interface Counted {
  readonly typed: string;
  /** The balance when it was typed: what is sold or arrives later is no difference. */
  readonly against: number;
  /** The newest adjustment that was known when it was typed. */
  readonly since?: string | undefined;
}

type Counting = Readonly<Record<string, Counted>>;

export interface Difference {
  readonly variantId: string;
  readonly quantity: number;
}

/** Differences that are booked at once. */
export interface Portion {
  readonly key: string;
  readonly variantIds: readonly string[];
  readonly body: components['schemas']['AdjustmentBody'];
}

/** What was sent and is not answered: the very same is sent again until it is, or it would be booked twice. */
export interface Booking {
  /** What stood on the sheet then. */
  readonly counted: Counting;
  readonly portions: readonly Portion[];
}

/** The last adjustments, the newest first, and how much those of other people's counts in a location found of each product. */
export interface OtherCounts {
  readonly ids: readonly string[];
  readonly found: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

interface Sheet {
  readonly counted: Counting;
  readonly booking?: Booking | undefined;
}

const EMPTY: Sheet = { counted: {} };

const MOST_HOURS = 24;

interface Kept {
  readonly at?: number;
  readonly counted?: Counting;
  readonly booking?: Pick<Booking, 'portions'> & Partial<Booking>;
}

function kept(name: string): Sheet {
  try {
    const { at = 0, counted = {}, booking } = JSON.parse(localStorage.getItem(name) ?? '{}') as Kept;
    if (Date.now() - at >= MOST_HOURS * 3_600_000) return EMPTY;
    // What an earlier release kept does not say what stood on the sheet when it was sent.
    return { counted, booking: booking && { counted: booking.counted ?? counted, portions: booking.portions } };
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
  return sixDecimals((readNumber(counted.typed) ?? 0) - counted.against);
}

/** What is left of what was counted once this is booked: what was counted anew since, held against what is there by then. */
function withoutBooked(counted: Counting, { variantIds, body }: Portion, sent: Counting): Counting {
  const left = Object.entries(counted).flatMap(([variantId, now]) => {
    const before = sent[variantId] ?? now;
    if (!variantIds.includes(variantId)) return [[variantId, now] as const];
    if (now.typed === before.typed) return [];
    const booked = body.items.reduce((sum, item) => sum + (item.variantId === variantId ? item.quantity : 0), 0);
    const against = now.against === before.against ? sixDecimals(now.against + booked) : now.against;
    return [[variantId, { ...now, against }] as const];
  });
  return Object.fromEntries(left);
}

/** What other people's counts found of a product after this was typed. */
function foundByOthers({ since }: Counted, variantId: string, others: OtherCounts): number {
  const at = others.ids.indexOf(since ?? '');
  // What an earlier release kept says nothing of when it was typed.
  const newer = since === undefined ? [] : others.ids.slice(0, at < 0 ? undefined : at);
  return newer.reduce((sum, id) => sum + (others.found.get(id)?.get(variantId) ?? 0), 0);
}

/** Two who count the same goods find the same difference: what is booked of it already is none any more. */
function heldAgainst(counted: Counting, others: OtherCounts): Counting {
  return Object.fromEntries(
    Object.entries(counted).map(([variantId, one]) => {
      const found = foundByOthers(one, variantId, others);
      if (found === 0) return [variantId, one];
      return [variantId, { ...one, against: sixDecimals(one.against + found), since: others.ids[0] }];
    }),
  );
}

/**
 * What is left to send of a booking without an answer, once it is known which of its goods are booked: of a portion that never arrived
 * nothing that other people found since is booked once more.
 */
export function withoutFound({ counted, portions }: Booking, now: Counting, isBooked: (variantId: string) => boolean) {
  const isFound = (variantId: string) => {
    const [before, after] = [counted[variantId], now[variantId]];
    return before !== undefined && after?.typed === before.typed && after.against !== before.against;
  };
  const left = portions.flatMap((portion) => {
    if (portion.variantIds.some(isBooked) || !portion.variantIds.some(isFound)) return [portion];
    const variantIds = portion.variantIds.filter((variantId) => !isFound(variantId));
    const items = portion.body.items.filter((item) => !isFound(item.variantId));
    // What is left of it is another command.
    return variantIds.length === 0 ? [] : [{ key: newId(), variantIds, body: { ...portion.body, items } }];
  });
  return { counted, portions: left };
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
    /** What stands on it at this moment, also for who began earlier. */
    present: (): Counting => latest.current.sheet.counted,
    /** Which of these were counted, and not as they are. */
    differences: (variantIds: readonly string[]): readonly Difference[] =>
      variantIds.flatMap((variantId) => {
        const quantity = differenceOf(latest.current.sheet.counted[variantId]) ?? 0;
        return quantity === 0 ? [] : [{ variantId, quantity }];
      }),
    write(variantId: string, one: Counted) {
      const { counted, booking } = latest.current.sheet;
      const { [variantId]: _, ...others } = counted;
      become({ counted: one.typed.trim() === '' ? others : { ...others, [variantId]: one }, booking });
    },
    /** Takes account of what others counted and booked meanwhile. */
    learn(others: OtherCounts) {
      const { counted, booking } = latest.current.sheet;
      const next = heldAgainst(counted, others);
      if (JSON.stringify(next) !== JSON.stringify(counted)) become({ counted: next, booking });
    },
    /** What was begun and not answered. */
    begun: (): Booking | undefined => latest.current.sheet.booking,
    hold(booking: Booking | undefined) {
      become({ counted: latest.current.sheet.counted, booking });
    },
    /** Takes what is booked from the sheet, and holds what is left to book. */
    booked(portion: Portion, { counted, portions }: Booking) {
      const left = withoutBooked(latest.current.sheet.counted, portion, counted);
      become({ counted: left, booking: portions.length === 0 ? undefined : { counted, portions } });
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
