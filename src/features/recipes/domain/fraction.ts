import { Decimal } from '../../../kernel/values/decimal.js';

/** An exact quotient, for sums that must be rounded once, at their end. */
export class Fraction {
  static readonly one = new Fraction(1n, 1n);

  private constructor(
    private readonly numerator: bigint,
    private readonly denominator: bigint,
  ) {}

  static of(value: Decimal): Fraction {
    const [whole = '0', decimals = ''] = value.toString().split('.');
    return new Fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  }

  plus(other: Fraction): Fraction {
    const { numerator: n, denominator: d } = other;
    return new Fraction(this.numerator * d + n * this.denominator, this.denominator * d);
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  dividedBy(other: Fraction): Fraction {
    return new Fraction(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  /** Half-up, away from zero. */
  round(decimals: number): Decimal {
    const isNegative = this.numerator < 0n !== this.denominator < 0n;
    const n = magnitude(this.numerator) * 10n ** BigInt(decimals);
    const d = magnitude(this.denominator);
    const digits = ((2n * n + d) / (2n * d)).toString().padStart(decimals + 1, '0');
    const point = digits.length - decimals;
    const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
    return Decimal.from(isNegative ? `-${text}` : text);
  }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
