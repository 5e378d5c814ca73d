import type { Strain } from './strain.js';

/** What one measurement saw. */
export interface Sample {
  /** How many operations ended within it. */
  readonly n: number;
  readonly seconds: number;
  /** How long each operation took, or each page where an operation is one of many in a page. */
  readonly latenciesMs: readonly number[];
  /** What the service had to bear, where that is watched. */
  readonly strain?: Strain;
  /** Other figures, each under the name of its column. */
  readonly more?: Readonly<Record<string, number>>;
}

export interface Case {
  readonly name: string;
  /** The case of the same benchmark that it is compared with. */
  readonly comparedWith?: string;
  measure(milliseconds: number): Promise<Sample>;
}

export interface Prepared {
  /** What holds the events. */
  readonly engine: string;
  readonly cases: readonly Case[];
  readonly tearDown: () => Promise<void>;
}

export interface Benchmark {
  readonly name: string;
  /** What one operation is: appends, events, requests. */
  readonly unit: string;
  prepare(): Promise<Prepared>;
}

/** Runs workers side by side until the time is over. Each gives how many operations it has done and is asked again. */
export async function measure(
  milliseconds: number,
  concurrency: number,
  operate: (worker: number) => Promise<number>,
): Promise<Sample> {
  const latenciesMs: number[] = [];
  const start = performance.now();
  const end = start + milliseconds;
  let n = 0;
  const work = async (worker: number) => {
    for (let before = performance.now(); before < end;) {
      const done = await operate(worker);
      n += done;
      const after = performance.now();
      latenciesMs.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)));
  return { n, seconds: (performance.now() - start) / 1000, latenciesMs };
}
