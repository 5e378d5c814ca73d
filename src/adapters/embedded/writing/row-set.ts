const SHIFT = 5;

/** A set of row numbers, one bit for each: what several words have in common is found as fast as it can be looked through. */
export class RowSet {
  private constructor(private readonly bits: Int32Array) {}

  static of(rows: Int32Array): RowSet {
    let largest = -1;
    for (const row of rows) if (row > largest) largest = row;
    const bits = new Int32Array((largest >> SHIFT) + 1);
    for (const row of rows) bits[row >> SHIFT] = (bits[row >> SHIFT] ?? 0) | (1 << row);
    return new RowSet(bits);
  }

  get bytes(): number {
    return this.bits.byteLength;
  }

  /** How many it holds. */
  get size(): number {
    let count = 0;
    for (let rest of this.bits) for (; rest !== 0; rest &= rest - 1) count += 1;
    return count;
  }

  /** Those that are in this set and in the other. */
  and(other: RowSet): RowSet {
    const both = this.bits.slice(0, Math.min(this.bits.length, other.bits.length));
    for (let index = 0; index < both.length; index++) both[index] = (both[index] ?? 0) & (other.bits[index] ?? 0);
    return new RowSet(both);
  }

  /** Those of `ordered` that are in it, in their order. */
  pick(ordered: Int32Array): Int32Array {
    const { bits, size } = this;
    const end = bits.length;
    const found = new Int32Array(size);
    let count = 0;
    for (let index = 0; index < ordered.length && count < size; index++) {
      const row = ordered[index] as number;
      const at = row >> SHIFT;
      if (at < end && ((bits[at] as number) & (1 << row)) !== 0) found[count++] = row;
    }
    return count === size ? found : found.slice(0, count);
  }
}
