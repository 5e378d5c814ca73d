/** Of the subjects that were written last so many are known: what an answer rests on is compared with them alone. */
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
  spared(subjects: NumberSet, from: number): boolean {
    if (this.all - from > KNOWN) return false;
    for (let at = from; at < this.all; at++) if (subjects.has(this.last[at % KNOWN] ?? 0)) return false;
    return true;
  }
}
