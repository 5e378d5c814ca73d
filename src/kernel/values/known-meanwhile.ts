import type { Known, KnownOfEach, MakeKnown } from '../../ports/read-models.js';

interface Found<T> extends Known<T> {
  value: T;
}

/** Where nothing is kept: what was found is known for as long as somebody asks for more of the same. */
export class KnownMeanwhile<T> implements KnownOfEach<T> {
  private readonly found = new Map<string, Found<T>>();

  constructor(private readonly make: MakeKnown<T>) {}

  async of(subjects: readonly (string | Known<T>)[]): Promise<readonly Known<T>[]> {
    const named = subjects.map((one) => (typeof one === 'string' ? one : one.subject));
    const missing = [...new Set(named)].filter((subject) => !this.found.has(subject));
    const made = missing.length === 0 ? [] : await this.make(missing, []);
    for (const [index, subject] of missing.entries()) {
      // Another may have found it meanwhile.
      const value = made[index] as T;
      const known = this.found.get(subject);
      if (known) known.value = value;
      else this.found.set(subject, { subject, ordinal: this.found.size, value });
    }
    return named.map((subject) => this.found.get(subject) as Found<T>);
  }
}
