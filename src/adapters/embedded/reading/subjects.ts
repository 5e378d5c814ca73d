import type { AnyCollection } from '../../../ports/read-models.js';

/** So many of the subjects written last are remembered: what an answer rests on is compared with them alone. */
const KNOWN = 2 ** 17;

const HIGH_START = 0x811c9dc5;
const HIGH_PRIME = 0x01000193;
const LOW_START = 0x9747b28c;
const LOW_PRIME = 0x5bd1e995;
const HIGH_BITS_LEFT_OUT = 11;
const LOW_VALUES = 2 ** 32;

/**
 * The number of 53 bits, never 0, that stands for a subject of a store. Should two subjects ever have the same one, a write of the one ends
 * answers about the other as well.
 */
export function numberOf(store: string, subject: string): number {
  const text = `${store} ${subject}`;
  let high = HIGH_START;
  let low = LOW_START;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, HIGH_PRIME);
    low = Math.imul(low ^ code, LOW_PRIME);
    low ^= low >>> 15;
  }
  return (high >>> HIGH_BITS_LEFT_OUT) * LOW_VALUES + (low >>> 0) || 1;
}

/** A write to a collection that does not say what it is about would go unnoticed. */
export function insistOnSubjects(collection: AnyCollection): void {
  const says = collection.kind === 'rows' ? 'subjects' in collection : 'subjectsOf' in collection;
  if (!says) throw new Error(`${collection.name} does not say what its records are about`);
}

/** A set of such numbers, which says of many of them quickly whether they are in it. */
export class NumberSet {
  private readonly places: Float64Array;
  private readonly mask: number;

  constructor(numbers: readonly number[]) {
    let size = 16;
    while (size < numbers.length * 2) size *= 2;
    this.places = new Float64Array(size);
    this.mask = size - 1;
    for (const number of numbers) this.places[this.placeOf(number)] = number;
  }

  get bytes(): number {
    return this.places.byteLength;
  }

  has(number: number): boolean {
    return this.places[this.placeOf(number)] === number;
  }

  /** Where it stands, or would. */
  private placeOf(number: number): number {
    const { places, mask } = this;
    for (let place = number & mask; ; place = (place + 1) & mask) {
      const there = places[place];
      if (there === 0 || there === number) return place;
    }
  }
}

/** The subjects that were written, in their order. */
export class WrittenSubjects {
  private readonly last = new Float64Array(KNOWN);
  private all = 0;

  /** How many were written so far. */
  get count(): number {
    return this.all;
  }

  add(subjects: readonly number[]): void {
    for (const subject of subjects) this.last[this.all++ % KNOWN] = subject;
  }

  /** Whether, as far as is known, none of these was among those written after the first `from`. */
  spared(sets: readonly NumberSet[], from: number): boolean {
    if (this.all - from > KNOWN) return false;
    for (let at = from; at < this.all; at++) {
      const written = this.last[at % KNOWN] ?? 0;
      for (const set of sets) if (set.has(written)) return false;
    }
    return true;
  }

  /** Visits those written after the first `from`; false where they are too many to be known. */
  eachAfter(from: number, visit: (subject: number) => void): boolean {
    if (this.all - from > KNOWN) return false;
    for (let at = from; at < this.all; at++) visit(this.last[at % KNOWN] ?? 0);
    return true;
  }
}
