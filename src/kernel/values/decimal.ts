/** Exact fixed-point numbers with ten decimals: what domain code uses for money, quantities, costs and percentages. */
const SCALE = 10;
const ONE = 10n ** BigInt(SCALE);
const PER_ONE = Number(ONE);
const SAFE = 2n ** 53n;
const PATTERN = /^(-?)(\d+)(?:\.(\d+))?$/;
const EXPONENT = /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d+)$/i;

const SMALL = BigInt(Number.MAX_SAFE_INTEGER);

const POWERS = Array.from({ length: SCALE + 1 }, (_, exponent) => 10n ** BigInt(exponent));
const power = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/** Half-up on the magnitude, so that a reversal rounds like what it reverses. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const rounded = (n + n + d) / (d + d);
  return negative ? -rounded : rounded;
}

const ZERO_CODE = 48;
const NINE_CODE = 57;
const POINT_CODE = 46;
const MINUS_CODE = 45;
/** Digits that a binary number holds exactly. */
const EXACT_DIGITS = 15;

/** Short plain numbers, which is nearly all of them; undefined leaves the text to the full rules. */
function parseShort(text: string): bigint | undefined {
  const first = text.charCodeAt(0) === MINUS_CODE ? 1 : 0;
  if (text.length === first || text.length - first > EXACT_DIGITS) return undefined;
  let digits = 0;
  let point = -1;
  for (let index = first; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO_CODE && code <= NINE_CODE) digits = digits * 10 + (code - ZERO_CODE);
    else if (code === POINT_CODE && point < 0 && index > first) point = index;
    else return undefined;
  }
  const decimals = point < 0 ? 0 : text.length - point - 1;
  if (point === text.length - 1 || decimals > SCALE) return undefined;
  const units = BigInt(first === 1 ? -digits : digits);
  return decimals === SCALE ? units : units * power(SCALE - decimals);
}

function parseUnits(text: string): bigint | undefined {
  return parseShort(text) ?? parseAny(text);
}

function parseAny(text: string): bigint | undefined {
  const plain = text.includes('e') || text.includes('E') ? withoutExponent(text) : text;
  const match = plain === undefined ? null : PATTERN.exec(plain);
  if (!match) return undefined;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > SCALE) return undefined;
  const units = BigInt(match[2] ?? '0') * ONE + BigInt(fraction.padEnd(SCALE, '0'));
  return match[1] === '-' ? -units : units;
}

/** Quantities are kept to a millionth, money to a cent. */
export const QUANTITY_DECIMALS = 6;
export const MONEY_DECIMALS = 2;

function withoutExponent(text: string): string | undefined {
  const match = EXPONENT.exec(text);
  if (!match) return undefined;
  const exponent = Number(match[4]);
  if (Math.abs(exponent) > 40) return undefined;
  const whole = match[2] ?? '0';
  const digits = whole + (match[3] ?? '');
  const point = whole.length + exponent;
  const padded = digits.padStart(digits.length - Math.min(point - 1, 0), '0').padEnd(point, '0');
  const split = Math.max(point, 1);
  return `${match[1] ?? ''}${padded.slice(0, split)}${padded.length > split ? `.${padded.slice(split)}` : ''}`;
}

export class Decimal {
  static readonly zero = new Decimal(0n);
  static readonly one = new Decimal(ONE);
  static readonly hundred = new Decimal(100n * ONE);

  private constructor(private readonly units: bigint) {}

  /** Throws a RangeError for what is not a number or has more than ten decimals. */
  static from(value: number | string): Decimal {
    const units = parseUnits(String(value));
    if (units === undefined) throw new RangeError(`not a decimal with at most ${SCALE} decimals: ${value}`);
    return new Decimal(units);
  }

  /** Undefined for what is not a number or has more than ten decimals. */
  static parse(text: string): Decimal | undefined {
    const units = parseUnits(text);
    return units === undefined ? undefined : new Decimal(units);
  }

  static isValid(value: number | string): boolean {
    return parseUnits(String(value)) !== undefined;
  }

  static sum(values: Iterable<Decimal>): Decimal {
    let units = 0n;
    for (const value of values) units += value.units;
    return new Decimal(units);
  }

  /** The sum of what `of` gives of each: of thousands, without a list of them. */
  static sumOf<T>(items: Iterable<T>, of: (item: T) => Decimal): Decimal {
    let units = 0n;
    for (const item of items) units += of(item).units;
    return new Decimal(units);
  }

  plus(other: Decimal): Decimal {
    return new Decimal(this.units + other.units);
  }

  minus(other: Decimal): Decimal {
    return new Decimal(this.units - other.units);
  }

  times(other: Decimal): Decimal {
    return new Decimal(divideRounded(this.units * other.units, ONE));
  }

  dividedBy(other: Decimal): Decimal {
    return new Decimal(divideRounded(this.units * ONE, other.units));
  }

  /** this × numerator ÷ denominator, rounded once. */
  timesRatio(numerator: Decimal, denominator: Decimal, decimals = SCALE): Decimal {
    const step = power(SCALE - decimals);
    return new Decimal(divideRounded(this.units * numerator.units, denominator.units * step) * step);
  }

  round(decimals: number): Decimal {
    const step = power(SCALE - decimals);
    return new Decimal(divideRounded(this.units, step) * step);
  }

  /** The largest whole number that is not greater. */
  floor(): Decimal {
    const rest = ((this.units % ONE) + ONE) % ONE;
    return new Decimal(this.units - rest);
  }

  /** The smallest whole number that is not less. */
  ceil(): Decimal {
    return this.negated().floor().negated();
  }

  negated(): Decimal {
    return new Decimal(-this.units);
  }

  abs(): Decimal {
    return this.units < 0n ? this.negated() : this;
  }

  compare(other: Decimal): -1 | 0 | 1 {
    return this.units < other.units ? -1 : this.units > other.units ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.units === other.units;
  }

  lessThan(other: Decimal): boolean {
    return this.units < other.units;
  }

  greaterThan(other: Decimal): boolean {
    return this.units > other.units;
  }

  min(other: Decimal): Decimal {
    return other.units < this.units ? other : this;
  }

  max(other: Decimal): Decimal {
    return other.units > this.units ? other : this;
  }

  get isZero(): boolean {
    return this.units === 0n;
  }

  get isPositive(): boolean {
    return this.units > 0n;
  }

  get isNegative(): boolean {
    return this.units < 0n;
  }

  /** How many decimals it needs: 1.50 needs one. */
  get decimals(): number {
    for (let decimals = 0; decimals < SCALE; decimals++) {
      if (this.units % power(SCALE - decimals) === 0n) return decimals;
    }
    return SCALE;
  }

  toNumber(): number {
    // One rounding from exact parts is what reading the text would give.
    if (this.units < SAFE && this.units > -SAFE) return Number(this.units) / PER_ONE;
    return Number(this.toString());
  }

  toString(): string {
    return this.units <= SMALL && this.units >= -SMALL ? smallText(Number(this.units)) : this.longText();
  }

  /** Rounded to so many decimals, and with all of them: 1.5 as `1.50`. */
  toFixed(decimals: number): string {
    const steps = this.stepsOf(decimals);
    const digits = String(steps < 0 ? -steps : steps).padStart(decimals + 1, '0');
    const point = digits.length - decimals;
    return `${steps < 0 ? '-' : ''}${digits.slice(0, point)}${decimals > 0 ? `.${digits.slice(point)}` : ''}`;
  }

  /** How many units of the last of so many decimals it is, rounded. */
  private stepsOf(decimals: number): number | bigint {
    const { units } = this;
    if (units >= SAFE || units <= -SAFE) return divideRounded(units, power(SCALE - decimals));
    const step = 10 ** (SCALE - decimals);
    const magnitude = Math.abs(Number(units));
    const rest = magnitude % step;
    const rounded = (magnitude - rest) / step + (2 * rest >= step ? 1 : 0);
    return units < 0n ? -rounded : rounded;
  }

  private longText(): string {
    const magnitude = this.units < 0n ? -this.units : this.units;
    const whole = magnitude / ONE;
    return `${this.units < 0n ? '-' : ''}${whole.toString()}${fractionText(Number(magnitude - whole * ONE))}`;
  }

  /** In events a decimal is a string, so that no reader turns it into a binary fraction. */
  toJSON(): string {
    return this.toString();
  }

  /** Splits a total by weights into parts of that many decimals that add up to it: largest remainder first. */
  static allocate(total: Decimal, weights: readonly Decimal[], decimals: number): Decimal[] {
    const step = power(SCALE - decimals);
    const whole = weights.reduce((sum, weight) => sum + weight.units, 0n);
    if (whole <= 0n || weights.some((weight) => weight.units < 0n)) throw new RangeError('weights must be positive');
    const steps = total.units / step;
    const shares = weights.map((weight) => (steps * weight.units) / whole);
    const remainders = weights.map((weight, index) => ({ index, rest: abs((steps * weight.units) % whole) }));
    let missing = abs(steps - shares.reduce((sum, share) => sum + share, 0n));
    const direction = steps < 0n ? -1n : 1n;
    for (const { index } of remainders.sort((a, b) =>
      a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1,
    )) {
      if (missing === 0n) break;
      shares[index] = (shares[index] ?? 0n) + direction;
      missing -= 1n;
    }
    const parts = shares.map((share) => share * step);
    const dust = total.units - steps * step;
    if (dust !== 0n) throw new RangeError(`${total.toString()} has more than ${decimals} decimals`);
    return parts.map((units) => new Decimal(units));
  }
}

const UNIT = 10 ** SCALE;

/** The text of units that a binary number holds exactly. */
function smallText(units: number): string {
  const magnitude = Math.abs(units);
  const whole = Math.floor(magnitude / UNIT);
  return `${units < 0 ? '-' : ''}${String(whole)}${fractionText(magnitude - whole * UNIT)}`;
}

/** The decimals of so many units below one, with their point; nothing where there are none. */
function fractionText(units: number): string {
  if (units === 0) return '';
  let rest = units;
  let decimals = SCALE;
  while (rest % 10 === 0) {
    rest /= 10;
    decimals--;
  }
  return `.${String(rest).padStart(decimals, '0')}`;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
