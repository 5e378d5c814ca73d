import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { ProjectionHealth } from '../../kernel/projections/projections.js';
import type { HttpOptions } from '../options.js';

interface Measure {
  readonly name: string;
  readonly help: string;
  readonly of: (health: ProjectionHealth) => number;
}

const MEASURES: readonly Measure[] = [
  {
    name: 'projection_lag_events',
    help: 'Events between what a projection has applied and the end of the log',
    of: ({ lagEvents }) => lagEvents,
  },
  {
    name: 'projection_lag_seconds',
    help: 'Age of the oldest event that a projection has not applied',
    of: ({ lagMilliseconds }) => lagMilliseconds / 1000,
  },
  {
    name: 'projection_stopped',
    help: '1 when a poison event has stopped the projection',
    of: ({ state }) => (state === 'stopped' ? 1 : 0),
  },
];

/** How far the read models are behind, asked for only when somebody looks. */
export function registerProjectionMetrics(registry: Registry, projections: HttpOptions['projections']): void {
  for (const { name, help, of } of MEASURES) {
    new Gauge({
      name,
      help,
      labelNames: ['projection'],
      registers: [registry],
      collect() {
        for (const health of projections.health()) this.set({ projection: health.name }, of(health));
      },
    });
  }
}
