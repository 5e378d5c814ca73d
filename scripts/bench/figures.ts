import { cpus, loadavg } from 'node:os';
import type { Benchmark, Case, Sample } from './benchmark.js';

interface Figure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface CaseFigures {
  readonly case: string;
  /** Operations in all counted runs. */
  readonly n: number;
  readonly per_s: Figure;
  readonly p50_ms: Figure;
  readonly p99_ms: Figure;
  /** The longest that the event loop of the service was held, and by how much its resident memory grew: where that is watched. */
  readonly held_ms?: Figure;
  readonly grown_mb?: Figure;
  /** Figures that this benchmark has beside those of all. */
  readonly more?: Readonly<Record<string, Figure>>;
  /** Processor time of an operation: of the main thread of the service, and of all its threads. */
  readonly main_cpu_ms?: Figure;
  readonly all_cpu_ms?: Figure;
  /** Median of per_s over that of the case it is compared with. */
  readonly of_compared?: number;
}

export interface BenchmarkFigures {
  readonly benchmark: string;
  readonly unit: string;
  readonly engine: string;
  readonly cases: readonly CaseFigures[];
  readonly runs: number;
  readonly seconds: number;
  readonly at: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  /** The load of the last minute, before and after: other work on the machine shows in the first. */
  readonly load_before: number;
  readonly load_after: number;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function figure(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { median: rounded(median), min: rounded(sorted[0] ?? 0), max: rounded(sorted.at(-1) ?? 0) };
}

function caseFigures(name: string, samples: readonly Sample[]): CaseFigures {
  const strains = samples.flatMap(({ strain }) => strain ?? []);
  const perOperation = (name: 'main_cpu_ms' | 'all_cpu_ms', of: 'cpuMs' | 'mainCpuMs') => {
    const costs = samples.flatMap(({ n, strain }) => (strain?.[of] === undefined ? [] : [strain[of] / Math.max(n, 1)]));
    return costs.length === 0 ? {} : { [name]: figure(costs) };
  };
  const sorted = samples.map(({ latenciesMs }) => [...latenciesMs].sort((a, b) => a - b));
  return {
    case: name,
    n: samples.reduce((sum, { n }) => sum + n, 0),
    per_s: figure(samples.map(({ n, seconds }) => n / seconds)),
    p50_ms: figure(sorted.map((latencies) => percentile(latencies, 0.5))),
    p99_ms: figure(sorted.map((latencies) => percentile(latencies, 0.99))),
    ...(strains.length > 0 && {
      held_ms: figure(strains.map(({ heldMs }) => heldMs)),
      grown_mb: figure(strains.map(({ grownMb }) => grownMb)),
      ...perOperation('main_cpu_ms', 'mainCpuMs'),
      ...perOperation('all_cpu_ms', 'cpuMs'),
    }),
    ...(samples.some(({ more }) => more) && { more: moreFigures(samples) }),
  };
}

function moreFigures(samples: readonly Sample[]): Readonly<Record<string, Figure>> {
  const names = new Set(samples.flatMap(({ more = {} }) => Object.keys(more)));
  const valuesOf = (name: string) => samples.flatMap(({ more }) => more?.[name] ?? []);
  return Object.fromEntries([...names].map((name) => [name, figure(valuesOf(name))]));
}

function compared(cases: readonly Case[], figures: readonly CaseFigures[]): CaseFigures[] {
  return figures.map((own, index) => {
    const other = figures.find((figures) => figures.case === cases[index]?.comparedWith);
    return other ? { ...own, of_compared: rounded(own.per_s.median / other.per_s.median) } : own;
  });
}

/** Measures all cases once to warm up, then in rounds, so that a noisy moment of the machine does not fall on one case alone. */
export async function figuresOf(benchmark: Benchmark, runs: number, seconds: number): Promise<BenchmarkFigures> {
  const load_before = rounded(loadavg()[0] ?? 0);
  const { engine, cases, tearDown } = await benchmark.prepare();
  try {
    const samples = new Map<Case, Sample[]>(cases.map((each) => [each, []]));
    for (const each of cases) await each.measure(Math.min(1000, seconds * 500));
    for (let run = 0; run < runs; run++) {
      for (const [each, seen] of samples) seen.push(await each.measure(seconds * 1000));
    }
    const figures = [...samples].map(([{ name }, seen]) => caseFigures(name, seen));
    return {
      benchmark: benchmark.name,
      unit: benchmark.unit,
      engine,
      cases: compared(cases, figures),
      runs,
      seconds,
      at: new Date().toISOString(),
      node: process.version,
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      load_before,
      load_after: rounded(loadavg()[0] ?? 0),
    };
  } finally {
    await tearDown();
  }
}
