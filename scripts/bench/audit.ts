import { z } from 'zod';
import { auditCommandCases } from './audit-commands.js';
import type { Benchmark, Case } from './benchmark.js';
import { largeStore } from './large-store.js';
import { startLoadGenerator } from './load.js';
import type { Service } from './servers.js';
import { startServiceOn } from './servers.js';
import { sampleOf, treeCostCases } from './tree-cost.js';

const CLIENTS = 8;
const PAGE = 50;
/** How many places of the history the questions are about: what is asked again and again is soon known. */
const PLACES = 60;
/** So many that hardly a page of them is known when it is asked for. */
const FRESH_PLACES = 20_000;
const SAMPLE = 20;

const event = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({ id: z.string() }),
  entities: z.array(z.object({ kind: z.string(), id: z.string() })),
});
type Told = z.output<typeof event>;
const eventPage = z.object({ items: z.array(event) });
const verification = z.object({ size: z.number() });

async function ask<T>(service: Service, path: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: service.headers });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return schema.parse(await answer.json());
}

const moment = (at: string | number): string => encodeURIComponent(new Date(at).toISOString());

interface History {
  readonly moments: readonly string[];
  readonly freshMoments: readonly string[];
  readonly told: readonly Told[];
}

/** Moments evenly over the whole history, and some events at each of them. */
async function history(service: Service): Promise<History> {
  const end = async (order: string) =>
    Date.parse((await ask(service, `/audit/events?limit=1&order=${order}`, eventPage)).items[0]?.at ?? '');
  const [first, last] = [await end('asc'), await end('desc')];
  const spread = (places: number) =>
    Array.from({ length: places }, (_, place) => moment(first + ((last - first) * place) / places));
  const moments = spread(PLACES);
  const told: Told[] = [];
  for (const from of moments) {
    told.push(...(await ask(service, `/audit/events?limit=${SAMPLE}&from=${from}`, eventPage)).items);
  }
  told.push(...(await ask(service, `/audit/events?limit=${SAMPLE}&type=ProductCreated`, eventPage)).items);
  return { moments, freshMoments: spread(FRESH_PLACES), told };
}

/** Ways to ask for a page of events, and for a record as it was. */
function questions({ moments, freshMoments, told }: History): Readonly<Record<string, readonly string[]>> {
  const entities = told.flatMap(({ entities: all, at }) => all.map((entity) => ({ ...entity, at })));
  const distinct = (paths: readonly string[]): readonly string[] => [...new Set(paths)];
  const page = (filter: string): string => `/audit/events?limit=${PAGE}&${filter}`;
  const stateOf = (wanted: string): readonly string[] =>
    distinct(
      entities
        .filter(({ kind }) => kind === wanted)
        .map(({ kind, id, at }) => `/audit/entities/${kind}/${id}/state?at=${moment(at)}`),
    );
  return {
    'a page of events of a record': distinct(
      entities.map(({ kind, id }) => page(`entityKind=${kind}&entityId=${encodeURIComponent(id)}`)),
    ),
    'a page of events of somebody, from any moment': moments.flatMap((from) =>
      distinct(told.map(({ actor }) => actor.id)).map((id) => page(`actorId=${id}&from=${from}`)),
    ),
    'a page of events from any moment': moments.map((from) => page(`from=${from}`)),
    'a page of events from a moment that nobody asked for before': freshMoments.map((from) => page(`from=${from}`)),
    'the newest events': [page('order=desc')],
    'an order as it was': stateOf('order'),
    'a lot as it was': stateOf('lot'),
    'a product as it was': stateOf('product'),
    'a checkpoint': ['/audit/checkpoint'],
    'a proof of an event': told.map(({ id }) => `/audit/proofs/${id}`),
  };
}

export const audit: Benchmark = {
  name: 'audit',
  unit: `requests of ${CLIENTS} clients, pages of ${PAGE} events`,
  async prepare() {
    const { dataDir, slug, apiKey, remove } = await largeStore();
    const sample = await sampleOf(dataDir);
    const service = await startServiceOn(dataDir, { storeSlug: slug, apiKey });
    const { headers, port } = service;
    const load = startLoadGenerator();
    const { size } = await ask(service, '/audit/verification', verification);
    const asked = ([name, path]: [string, readonly string[]]): Case => ({
      name,
      async measure(milliseconds) {
        const { measured, strain } = await service.strainOf(() =>
          load.run({ method: 'GET', path, status: 200, headers, port, clients: CLIENTS, milliseconds }),
        );
        return { ...measured, strain };
      },
    });
    const kept = Object.entries(questions(await history(service))).filter(([, paths]) => paths.length > 0);
    return {
      engine: `embedded, ${size.toLocaleString('en')} events`,
      cases: [...kept.map(asked), ...auditCommandCases(dataDir, slug), ...treeCostCases(sample)],
      async tearDown() {
        load.stop();
        await service.stop();
        await remove();
      },
    };
  },
};
