import { setImmediate as othersFirst } from 'node:timers/promises';
import { batchesOf } from '../../../kernel/values/batches.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { grouped } from '../../../kernel/values/grouped.js';

/** What a location held of a lot, and what that was worth. */
export interface HeldAt {
  readonly lotId: string;
  readonly variantId: string;
  readonly locationId: string;
  readonly quantity: Decimal;
  readonly value: Decimal;
}

type Stored = readonly [lotId: string, quantity: string, value: string];

/** How many lots are worked on in one turn of the event loop: a store may have a hundred thousand. */
export const LOTS_AT_ONCE = 500;

type PlaceIds = Pick<HeldAt, 'variantId' | 'locationId'>;

export const placeKeyOf = ({ variantId, locationId }: PlaceIds): string => `${variantId} ${locationId}`;
export const lotKeyOf = (one: Pick<HeldAt, 'lotId'> & PlaceIds): string => `${placeKeyOf(one)} ${one.lotId}`;

const byLot = (a: HeldAt, b: HeldAt): number => (a.lotId < b.lotId ? -1 : 1);

/** In the order of variants, locations and lots: a line for some lots of one place, which begins with the key of the first. */
export async function heldLines(all: readonly HeldAt[]): Promise<Buffer> {
  const lines: string[] = [];
  let turn = 0;
  const places = [...grouped(all, placeKeyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [place, held] of places) {
    const lots = [...held].sort(byLot);
    for (const some of batchesOf(lots, LOTS_AT_ONCE)) {
      const stored = some.map((one): Stored => [one.lotId, String(one.quantity), String(one.value)]);
      lines.push(`${place} ${some[0]?.lotId ?? ''} ${JSON.stringify(stored)}`);
      turn += some.length;
      if (turn < LOTS_AT_ONCE) continue;
      turn = 0;
      await othersFirst();
    }
  }
  return Buffer.from(lines.join('\n'));
}

function heldInLine(line: string): readonly HeldAt[] {
  const [variantId = '', locationId = ''] = line.split(' ', 2);
  return (JSON.parse(line.slice(line.indexOf('['))) as readonly Stored[]).map(([lotId, quantity, value]) => ({
    lotId,
    variantId,
    locationId,
    quantity: Decimal.from(quantity),
    value: Decimal.from(value),
  }));
}

/** Reads of such lines what is asked for. */
export class HeldStock {
  private readonly lines: readonly string[];

  constructor(bytes: Buffer) {
    this.lines = bytes.length === 0 ? [] : bytes.toString().split('\n');
  }

  /** What comes after a place or a lot, by its key, some lots at a time; all of it after nothing. */
  async *after(key = ''): AsyncGenerator<readonly HeldAt[]> {
    const isBeyond = (text: string): boolean => key === '' || text.slice(0, key.length) > key;
    const beyond = this.lines.findIndex(isBeyond);
    // The line before may go on beyond a lot.
    const first = Math.max(0, (beyond < 0 ? this.lines.length : beyond) - 1);
    let some: HeldAt[] = [];
    for (const line of this.lines.slice(first)) {
      for (const one of heldInLine(line)) if (isBeyond(lotKeyOf(one))) some.push(one);
      if (some.length < LOTS_AT_ONCE) continue;
      yield some;
      some = [];
      await othersFirst();
    }
    yield some;
  }
}
