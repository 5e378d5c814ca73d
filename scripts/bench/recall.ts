import type { Benchmark, Case, Sample } from './benchmark.js';
import { measure } from './benchmark.js';
import { largeStore } from './large-store.js';
import type { LoadJob } from './load.js';
import { startLoadGenerator } from './load.js';
import type { Server } from './servers.js';
import { startBareExpress, startServiceOn } from './servers.js';

const CLIENTS = 8;
const PATH = '/bakery-production';
async function download(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, { headers });
  if (!answer.ok || !answer.body) throw new Error(`${url} was answered ${answer.status}`);
  await answer.body.pipeTo(new WritableStream());
  return 1;
}

/** A question for the load generator. */
type Asked = Pick<LoadJob, 'method' | 'path' | 'status' | 'body' | 'next'>;

const reading = (query: string) => ({ method: 'GET', path: PATH + query, status: 200 }) as const;

/** The write is part of what is measured. It concerns none of the lots: what was worked out of them before holds. */
const afterAWrite = (query: string): Asked => ({
  method: 'POST',
  path: '/brands',
  body: JSON.stringify({ name: `Bench ${Date.now()} {unique}` }),
  status: 201,
  next: [reading(query)],
});

export const recall: Benchmark = {
  name: 'recall',
  unit: `requests; a premix is in 1,000 sold lines, a flour in a tenth of all, a salt in a fifth`,
  async prepare() {
    const { dataDir, slug, apiKey, remove } = await largeStore();
    const service = await startServiceOn(dataDir, { storeSlug: slug, apiKey });
    const { headers, port } = service;
    const load = startLoadGenerator();
    const watched = (name: string, run: (milliseconds: number) => Promise<Sample>): Case => ({
      name,
      async measure(milliseconds) {
        const { measured, strain } = await service.strainOf(() => run(milliseconds));
        return { ...measured, strain };
      },
    });
    const asked = (name: string, question: Asked, clients = 1): Case =>
      watched(name, (milliseconds) => load.run({ ...question, headers, port, clients, milliseconds }));
    const downloaded = (name: string, query: string): Case =>
      watched(name, (milliseconds) =>
        measure(milliseconds, 1, () => download(`http://127.0.0.1:${port}${PATH}${query}`, headers)),
      );
    const [premix, salt] = ['/recall?lotCode=MIX-1', '/recall?lotCode=SAL-1'] as const;
    const bread = '/traceability?lotCode=PAO-100';
    const bodyOf = async (query: string) =>
      (await fetch(`http://127.0.0.1:${port}${PATH}${query}`, { headers })).text();
    const bares: Server[] = [];
    const compared = async (name: string, query: string): Promise<readonly Case[]> => {
      const bare = await startBareExpress({ list: await bodyOf(query), record: {} });
      bares.push(bare);
      const comparedWith = `bare Express, the body of a ${name}`;
      const job = { method: 'GET', path: '/', headers: {}, status: 200, clients: CLIENTS, port: bare.port } as const;
      return [
        { name: comparedWith, measure: (milliseconds) => load.run({ ...job, milliseconds }) },
        { ...asked(`${name}, ${CLIENTS} clients`, reading(query), CLIENTS), comparedWith },
      ];
    };
    return {
      engine: 'embedded',
      cases: [
        ...(await compared('recall of a premix', premix)),
        ...(await compared('trace of a bread', bread)),
        asked('recall of a premix, each after a write elsewhere', afterAWrite(premix)),
        asked('recall of a salt, first page', reading(salt)),
        asked('the same, each after a write elsewhere', afterAWrite(salt)),
        asked('trace of a bread, each after a write elsewhere', afterAWrite(bread)),
        downloaded('recall of a premix as a spreadsheet', `${premix}&format=csv`),
        downloaded('recall of a flour as a spreadsheet', '/recall?lotCode=FARINHA-2&format=csv'),
        downloaded('recall of a salt as a spreadsheet', `${salt}&format=csv`),
      ],
      async tearDown() {
        load.stop();
        for (const bare of bares) await bare.stop();
        await service.stop();
        await remove();
      },
    };
  },
};
