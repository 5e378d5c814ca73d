/** The little of protobuf's encoding that the log's messages need: https://protobuf.dev/programming-guides/encoding/ */

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** Multiplying goes on exactly until here; longer numbers are put together as bigint. */
const EXACT_SHIFT = 2 ** 42;

/** A message in the making. */
export class Message {
  private readonly pieces: Uint8Array[] = [];
  private length = 0;

  bytes(field: number, value: Uint8Array): this {
    this.add(varints((field << 3) | BYTES, value.length));
    return this.add(value);
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value));
  }

  number(field: number, value: bigint | number): this {
    return this.add(varints((field << 3) | VARINT, value));
  }

  message(field: number, inner: Message): this {
    this.add(varints((field << 3) | BYTES, inner.length));
    for (const piece of inner.pieces) this.add(piece);
    return this;
  }

  /** A message without content. */
  mark(field: number): this {
    return this.add(varints((field << 3) | BYTES, 0));
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.pieces, this.length);
  }

  private add(piece: Uint8Array): this {
    this.pieces.push(piece);
    this.length += piece.length;
    return this;
  }
}

function varints(...values: readonly (bigint | number)[]): Uint8Array {
  const bytes: number[] = [];
  for (const value of values) {
    let rest = value;
    while (rest >= 128) {
      bytes.push(Number(typeof rest === 'bigint' ? rest & 127n : rest % 128) | 128);
      rest = typeof rest === 'bigint' ? rest >> 7n : Math.floor(rest / 128);
    }
    bytes.push(Number(rest));
  }
  return Uint8Array.from(bytes);
}

/** Goes through the fields of a message, one `next` each; what nobody reads is skipped. */
export class Fields {
  field = 0;
  private wire = VARINT;
  private isRead = true;

  constructor(
    private readonly buffer: Buffer,
    private at = 0,
    private readonly end = buffer.length,
  ) {}

  next(): boolean {
    if (!this.isRead) this.skip();
    if (this.at >= this.end) return false;
    const key = Number(this.varint());
    this.field = key >>> 3;
    this.wire = key & 7;
    this.isRead = false;
    return true;
  }

  number(): bigint | number {
    this.expect(VARINT);
    return this.varint();
  }

  /** The fields of the message that this one holds. */
  message(): Fields {
    const [start, end] = this.range();
    return new Fields(this.buffer, start, end);
  }

  text(): string {
    const [start, end] = this.range();
    return this.buffer.toString('utf8', start, end);
  }

  private range(): readonly [start: number, end: number] {
    this.expect(BYTES);
    const length = Number(this.varint());
    const start = this.at;
    this.at = this.moved(length);
    return [start, this.at];
  }

  private skip(): void {
    if (this.wire === VARINT) this.varint();
    else if (this.wire === FIXED_64) this.at = this.moved(8);
    else if (this.wire === FIXED_32) this.at = this.moved(4);
    else if (this.wire === BYTES) this.at = this.moved(Number(this.varint()));
    else throw new Error(`a message has a field of the unknown kind ${this.wire}`);
    this.isRead = true;
  }

  private expect(wire: number): void {
    if (this.wire !== wire) throw new Error(`the field ${this.field} of a message is of the kind ${this.wire}`);
    this.isRead = true;
  }

  private moved(by: number): number {
    const to = this.at + by;
    if (to > this.end) throw new Error('a message ends in the middle of a field');
    return to;
  }

  private varint(): bigint | number {
    let value = 0;
    for (let scale = 1; scale <= EXACT_SHIFT; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    let long = BigInt(value);
    for (let shift = 49n; ; shift += 7n) {
      const byte = this.byte();
      long |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, long);
    }
  }

  private byte(): number {
    const place = this.at;
    this.at = this.moved(1);
    return this.buffer[place] ?? 0;
  }
}
