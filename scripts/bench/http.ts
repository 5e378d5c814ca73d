import type { Benchmark, Case, Prepared } from './benchmark.js';
import type { LoadGenerator, LoadJob } from './load.js';
import { startLoadGenerator } from './load.js';
import type { Service } from './servers.js';
import { logEngine, startBareExpress, startService } from './servers.js';

const CLIENTS = 64;
const LISTED = 50;

type Question = Omit<LoadJob, 'port' | 'clients' | 'milliseconds'>;

const asked = (load: LoadGenerator, name: string, port: number, question: Question, comparedWith?: string): Case => ({
  name,
  ...(comparedWith === undefined ? {} : { comparedWith }),
  measure: (milliseconds) => load.run({ ...question, port, clients: CLIENTS, milliseconds }),
});

async function createCategory({ port, headers }: Service, name: string): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/categories`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  if (answer.status !== 201) throw new Error(`creating a category was answered ${answer.status}`);
  return answer.json();
}

async function listCategories({ port, headers }: Service): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/categories`, { headers });
  if (answer.status !== 200) throw new Error(`listing categories was answered ${answer.status}`);
  return answer.text();
}

/** The service and a bare Express that gives the same answers, side by side; the load comes from a third process. */
async function prepared(cases: (load: LoadGenerator, service: Service, bare: number) => Case[]): Promise<Prepared> {
  const service = await startService();
  let record: unknown;
  for (let number = 0; number < LISTED; number++) record = await createCategory(service, `Category ${number}`);
  const bare = await startBareExpress({ list: await listCategories(service), record });
  const load = startLoadGenerator();
  return {
    engine: logEngine,
    cases: cases(load, service, bare.port),
    async tearDown() {
      load.stop();
      await bare.stop();
      await service.stop();
    },
  };
}

export const httpCommands: Benchmark = {
  name: 'http-commands',
  unit: `requests with ${CLIENTS} clients, each committed before its answer`,
  prepare: () =>
    prepared((load, service, bare) => {
      const question = { method: 'POST', body: '{"name":"Category {unique}"}', status: 201 } as const;
      return [
        asked(load, 'bare Express, JSON in and out', bare, { ...question, path: '/', headers: {} }),
        asked(
          load,
          'create a category',
          service.port,
          { ...question, path: '/categories', headers: service.headers },
          'bare Express, JSON in and out',
        ),
      ];
    }),
};

export const httpQueries: Benchmark = {
  name: 'http-queries',
  unit: `requests with ${CLIENTS} clients; ${LISTED} categories and those of the demo store`,
  prepare: () =>
    prepared((load, service, bare) => {
      const question = { method: 'GET', status: 200 } as const;
      return [
        asked(load, 'bare Express, the same body', bare, { ...question, path: '/', headers: {} }),
        asked(
          load,
          'list the categories',
          service.port,
          { ...question, path: '/categories', headers: service.headers },
          'bare Express, the same body',
        ),
      ];
    }),
};
