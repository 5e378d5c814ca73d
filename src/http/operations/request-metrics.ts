import type { Registry } from 'prom-client';
import { Histogram } from 'prom-client';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** How long answers took, by method, route pattern and class of status: few series, whatever clients send. */
export class RequestMetrics {
  private readonly histogram;
  private readonly series = new Map<string, { observe(seconds: number): void }>();

  constructor(registry: Registry) {
    this.histogram = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the start of a request to the end of its answer, or to the beginning of one without an end',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
  }

  observe(anyMethod: string, route: string, status: number, milliseconds: number): void {
    const method = METHODS.has(anyMethod) ? anyMethod : 'OTHER';
    const key = `${method} ${route} ${Math.trunc(status / 100)}`;
    let series = this.series.get(key);
    if (!series) {
      series = this.histogram.labels(method, route, `${Math.trunc(status / 100)}xx`);
      this.series.set(key, series);
    }
    series.observe(milliseconds / 1000);
  }
}
