import type { BenchmarkFigures, CaseFigures } from './figures.js';

const HEADINGS = ['per s', 'min … max', 'p50 ms', 'p99 ms', 'n'];

const STRAIN = ['held ms', 'max', 'MB more', 'max', 'CPU ms main', 'max', 'all', 'max'];

/** Only of a service that was watched. */
const strainCells = ({ held_ms, grown_mb, main_cpu_ms, all_cpu_ms }: CaseFigures): string[] =>
  [held_ms, grown_mb, main_cpu_ms, all_cpu_ms].flatMap((figure) =>
    figure ? [figure.median.toString(), figure.max.toString()] : [],
  );

/** The names of figures that not every benchmark has. */
const moreNames = (cases: readonly CaseFigures[]): readonly string[] => [
  ...new Set(cases.flatMap(({ more = {} }) => Object.keys(more))),
];

function cells({ case: name, per_s, p50_ms, p99_ms, n, of_compared }: CaseFigures): string[] {
  return [
    name,
    per_s.median.toLocaleString('en'),
    `${per_s.min.toLocaleString('en')} … ${per_s.max.toLocaleString('en')}`,
    p50_ms.median.toString(),
    p99_ms.median.toString(),
    n.toLocaleString('en'),
    of_compared === undefined ? '' : `${Math.round(of_compared * 100)} %`,
  ];
}

/** For people; the JSON line is for programs. */
export function tableOf(figures: BenchmarkFigures): string {
  const { benchmark, unit, engine, cases, runs, seconds, node, cpu, cores, load_before, load_after } = figures;
  const isWatched = cases.some(({ held_ms }) => held_ms);
  const names = moreNames(cases);
  const headings = [benchmark, ...HEADINGS, '', ...(isWatched ? STRAIN : []), ...names];
  const moreCells = ({ more = {} }: CaseFigures) => names.map((name) => more[name]?.median.toString() ?? '');
  const rows = [headings, ...cases.map((each) => [...cells(each), ...strainCells(each), ...moreCells(each)])];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  const note = `${unit}; ${engine}; median of ${runs} runs of ${seconds} s; Node ${node}, ${cores} × ${cpu}; load ${load_before} → ${load_after}`;
  return `${rows.map((row) => line(row).trimEnd()).join('\n')}\n${note}\n`;
}
