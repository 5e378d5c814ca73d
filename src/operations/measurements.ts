import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { OnWorked } from '../kernel/reactors/work-line.js';
import type { HttpPoster } from '../ports/http-poster.js';
import type { CacheSize } from '../ports/read-models.js';

/** What somebody who is called at night wants to know of a process: how full, how slow, how late. */

const NANOSECONDS = 1e9;
const LOOP_RESOLUTION = 20;

interface Measured {
  /** Streams whose state is in memory, and commands that wait for theirs. */
  readonly lanes: { readonly size: number; readonly waiting: number };
  readonly caches: () => readonly CacheSize[];
}

/** Made before the lanes, which tell of their appends. */
export class AppendMeasurements {
  private readonly commands: Counter;
  private readonly conflicts: Counter;
  private readonly group: Histogram;
  private readonly seconds: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.commands = new Counter({ name: 'commands_recorded_total', help: 'Commands that were appended', registers });
    this.conflicts = new Counter({
      name: 'append_conflicts_total',
      help: 'Appends that others were faster than',
      registers,
    });
    this.group = new Histogram({
      name: 'append_group_commands',
      help: 'Commands that shared an append',
      registers,
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    });
    this.seconds = new Histogram({
      name: 'append_duration_seconds',
      help: 'Time of an append until it was flushed to disk',
      registers,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    });
  }

  recorded(): void {
    this.commands.inc();
  }

  conflicted(): void {
    this.conflicts.inc();
  }

  appended(commands: number, milliseconds: number): void {
    this.group.observe(commands);
    this.seconds.observe(milliseconds / 1000);
  }
}

/** What goes on apart from requests: pieces of work of queues, and runs of schedules. */
export function workMeasurements(registry: Registry): OnWorked {
  const seconds = new Histogram({
    name: 'work_duration_seconds',
    help: 'Pieces of work of queues, and runs of schedules',
    registers: [registry],
    labelNames: ['work', 'outcome'] as const,
    buckets: [0.01, 0.1, 0.5, 1, 5, 10, 60, 300],
  });
  return (work, outcome, milliseconds) => {
    seconds.observe({ work, outcome }, milliseconds / 1000);
  };
}

/** Gauges that are read when somebody looks. Gives what ends them. */
export function registerMeasurements(registry: Registry, { lanes, caches }: Measured): () => void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  };
  gauge('process_resident_memory_bytes', 'Memory that the process takes', () => process.memoryUsage.rss());
  gauge('process_heap_used_bytes', 'Memory that objects of the main thread take', () => process.memoryUsage().heapUsed);
  gauge('process_uptime_seconds', 'Time since the process started', () => process.uptime());
  gauge('lanes_open', 'Streams whose state is in memory', () => lanes.size);
  gauge('lane_commands_waiting', 'Commands that wait for their stream', () => lanes.waiting);
  for (const [name, help, member] of [
    ['cache_entries', 'What caches hold', 'entries'],
    ['cache_bytes', 'Memory of caches that are bounded by it', 'bytes'],
  ] as const) {
    new Gauge({
      name,
      help,
      registers,
      labelNames: ['cache'],
      collect() {
        for (const cache of caches()) this.set({ cache: cache.name }, cache[member] ?? 0);
      },
    });
  }
  return loopDelay(registry);
}

/** Since somebody last looked. */
function loopDelay(registry: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION });
  delays.enable();
  new Gauge({
    name: 'event_loop_delay_seconds',
    help: 'How late the main thread comes to its work',
    registers: [registry],
    labelNames: ['quantile'],
    collect() {
      for (const [quantile, percent] of [
        ['0.5', 50],
        ['0.99', 99],
      ] as const) {
        this.set({ quantile }, delays.percentile(percent) / NANOSECONDS);
      }
      this.set({ quantile: '1' }, delays.max / NANOSECONDS);
      delays.reset();
    },
  });
  return () => {
    delays.disable();
  };
}

/** The same poster, which counts what came of each sending. */
export function measuredPoster(poster: HttpPoster, registry: Registry): HttpPoster {
  const attempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Attempts to send to receivers',
    registers: [registry],
    labelNames: ['outcome'] as const,
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return {
    refusalOf: (url) => poster.refusalOf(url),
    async post(post) {
      const result = await poster.post(post);
      const { statusCode, error, durationMs } = result;
      const outcome = error === null ? `${String(Math.trunc((statusCode ?? 0) / 100))}xx` : 'failed';
      attempts.observe({ outcome }, durationMs / 1000);
      return result;
    },
    close: () => poster.close(),
  };
}
