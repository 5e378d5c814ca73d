import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { ReactorHealth } from '../../kernel/reactors/reactor.js';
import type { HttpOptions } from '../options.js';

interface Measure {
  readonly name: string;
  readonly help: string;
  readonly of: (health: ReactorHealth) => number;
}

const MEASURES: readonly Measure[] = [
  {
    name: 'reactor_lag_seconds',
    help: 'Age of the oldest event that a reactor was given and is not done with',
    of: ({ lagMilliseconds }) => lagMilliseconds / 1000,
  },
  {
    name: 'reactor_following',
    help: '1 in the process that runs the reactor',
    of: ({ state }) => (state === 'following' ? 1 : 0),
  },
  {
    name: 'reactor_stopped',
    help: '1 when its checkpoint does not fit the log',
    of: ({ state }) => (state === 'stopped' ? 1 : 0),
  },
];

/** How what turns events into work is doing, asked for only when somebody looks. */
export function registerReactorMetrics(registry: Registry, reactors: HttpOptions['reactors']): void {
  for (const { name, help, of } of MEASURES) {
    new Gauge({
      name,
      help,
      labelNames: ['reactor'],
      registers: [registry],
      collect() {
        for (const health of reactors?.() ?? []) this.set({ reactor: health.name }, of(health));
      },
    });
  }
}
