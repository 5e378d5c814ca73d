import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import yaml from 'js-yaml';
import { z } from 'zod';
import { freshFolder, startService, stopAll, stopService } from '../support/service-process.js';
import { callService } from '../support/world.js';

afterEach(stopAll);

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })).min(10),
});
const alerts = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })).min(10) })),
});

/** Words of the query language, of labels and of Prometheus itself. */
const NO_METRICS = new Set(['up', 'sum', 'by', 'rate', 'max', 'topk', 'histogram_quantile', 'le']);

const namesIn = (expression: string): readonly string[] =>
  [...expression.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ').matchAll(/[a-z_][a-z0-9_]*/g)]
    .map(([name]) => name)
    .filter((name) => !NO_METRICS.has(name) && !/^e\d*$/.test(name))
    .map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));

test('every metric that the dashboard and the alerts name is one that the service has', async () => {
  const dataDir = await freshFolder();
  const service = await startService(dataDir, {
    BACKUP_DIR: join(dataDir, '..', `${dataDir}-backup`),
    BACKUP_EVERY: '1h',
  });
  const { text } = await callService(`${service.url}/metrics`, 'GET', undefined, {});
  await stopService(service);
  const known = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  const { panels } = dashboard.parse(JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8')));
  const { groups } = alerts.parse(yaml.safeLoad(readFileSync('docs/monitoring/alerts.yml', 'utf8')));
  const expressions = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];
  const named = new Set(expressions.flatMap(namesIn));
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
});

test('the alert for memory rings before a limit of the examples slows the process down or ends it', () => {
  const { groups } = alerts.parse(yaml.safeLoad(readFileSync('docs/monitoring/alerts.yml', 'utf8')));
  const [rule] = groups.flatMap(({ rules }) => rules.filter(({ alert }) => alert === 'MemoryGrows'));
  const unit = readFileSync('docs/examples/store-management.service', 'utf8');
  const containers = readFileSync('docker-compose.yml', 'utf8');
  const [, megabytes] = /^MemoryHigh=(\d+)M$/m.exec(unit) ?? [];
  const [, gigabytes] = /^ +mem_limit: (\d+)g$/m.exec(containers) ?? [];
  const lowest = Math.min(Number(megabytes) * 2 ** 20, Number(gigabytes) * 2 ** 30);
  expect(Number(/> (\S+)$/.exec(rule?.expr ?? '')?.[1])).toBeLessThan(lowest);
});
