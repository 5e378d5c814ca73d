import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { HttpOptions } from '../options.js';

/** Streams whose commands are refused, asked for only when somebody looks. */
export function registerStreamMetrics(registry: Registry, shortened: HttpOptions['shortened']): void {
  new Gauge({
    name: 'streams_not_whole',
    help: 'Streams that lack events and take no commands',
    registers: [registry],
    collect() {
      this.set(shortened?.().length ?? 0);
    },
  });
}
