import { parseArgs } from 'node:util';
import { append } from './append.js';
import { audit } from './audit.js';
import { authority } from './authority.js';
import { backup } from './backup.js';
import type { Benchmark } from './benchmark.js';
import { day } from './day.js';
import { fees } from './fees.js';
import { figuresOf } from './figures.js';
import { firstRecalls } from './first-recalls.js';
import { fiscal } from './fiscal.js';
import { httpCommands, httpQueries } from './http.js';
import { memory } from './memory.js';
import { MOVE, printMove } from './move.js';
import { agedOrders, orders } from './orders.js';
import { products } from './products.js';
import { projector } from './projector.js';
import { reads } from './reads.js';
import { rebuild } from './rebuild.js';
import { printReport, REPORTS } from './reports.js';
import { recall } from './recall.js';
import { sales } from './sales.js';
import { signIn } from './sign-in.js';
import { start } from './start.js';
import { tableOf } from './table.js';
import { webhooks } from './webhooks.js';
import { messageOf } from '../../src/kernel/values/message-of.js';

const benchmarks: readonly Benchmark[] = [
  append,
  reads,
  projector,
  httpCommands,
  httpQueries,
  products,
  sales,
  recall,
  firstRecalls,
  orders,
  agedOrders,
  signIn,
  webhooks,
  fees,
  fiscal,
  authority,
  audit,
  start,
  memory,
  day,
  rebuild,
  backup,
];

const USAGE = `npm run -s bench -- [--only NAME,…] [--runs N] [--seconds S]
benchmarks: ${benchmarks.map(({ name }) => name).join(', ')}
reports: round-trips, which counts requests to servers; console, which looks at the pages in a browser; ${MOVE}, which goes to servers and back
BENCH_EVENTSTORE_URL names a log on a server, on which orders, sales and whatever else begins with an empty store is measured then.
A table goes to standard error, one JSON line a benchmark to standard output.`;

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n${USAGE}\n`);
  process.exit(2);
}

function flags() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        runs: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '3' },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return refuse(messageOf(error));
  }
}

function positive(text: string, flag: string): number {
  const value = Number(text);
  return value > 0 ? value : refuse(`--${flag} takes a number above 0`);
}

const { only, help, ...given } = flags();
if (help) {
  process.stdout.write(`${USAGE}\n`);
} else {
  const runs = Math.ceil(positive(given.runs, 'runs'));
  const seconds = positive(given.seconds, 'seconds');
  const report = only === undefined ? undefined : REPORTS[only];
  if (report !== undefined) process.exit(await printReport(report));
  if (only === MOVE) process.exit(await printMove());
  const names = only?.split(',') ?? [];
  const isChosen = (name: string) => names.some((one) => name === one || name.startsWith(`${one}-`));
  const chosen = benchmarks.filter(({ name }) => only === undefined || isChosen(name));
  if (chosen.length === 0) refuse(`there is no benchmark ${only ?? ''}`);
  for (const benchmark of chosen) {
    const figures = await figuresOf(benchmark, runs, seconds);
    process.stderr.write(`${tableOf(figures)}\n`);
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  }
}
