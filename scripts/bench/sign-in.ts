import type { Benchmark, Case, Sample } from './benchmark.js';
import type { LoadGenerator, LoadJob } from './load.js';
import { startLoadGenerator } from './load.js';
import type { Service } from './servers.js';
import { logEngine, startService } from './servers.js';

/** People who sign in at once. */
const PEOPLE = 20;
const PASSWORD = 'a long enough password';
const READERS = 4;

type Reading = Pick<LoadJob, 'clients' | 'path' | 'headers'>;

async function post({ port }: Service, path: string, headers: Readonly<Record<string, string>>, body: object) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path} was answered ${answer.status}`);
  return answer;
}

async function makePeople(service: Service): Promise<void> {
  for (let number = 0; number < PEOPLE; number++) {
    const username = `bench-${number}`;
    const email = `${username}@bench.example`;
    const person = { username, email, name: username, password: PASSWORD, role: 'CASHIER' };
    await post(service, '/users', service.headers, person);
  }
}

/** The cookie of who is signed in, as a header. */
async function sessionOf(service: Service): Promise<Readonly<Record<string, string>>> {
  const answer = await post(service, '/auth/login', {}, { username: 'bench-0', password: PASSWORD });
  const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return { Cookie: cookie };
}

const reads =
  (load: LoadGenerator, { port }: Service, reading: Reading) =>
  (milliseconds: number) =>
    load.run({ ...reading, method: 'GET', port, milliseconds, status: 200 });

const signIns = (load: LoadGenerator, { port }: Service, milliseconds: number): Promise<Sample> => {
  const body = JSON.stringify({ username: 'bench-{client}', password: PASSWORD });
  const login = { method: 'POST', path: '/auth/login', headers: {}, body, status: 200 } as const;
  return load.run({ ...login, port, clients: PEOPLE, milliseconds });
};

function casesOf(
  service: Service,
  loads: readonly [LoadGenerator, LoadGenerator],
  session: Reading['headers'],
): Case[] {
  const [readers, people] = loads;
  const open = 'open read, 1 client';
  const alone = `reads, ${READERS} clients`;
  const withKey = { path: '/store', headers: service.headers };
  const quietly = reads(readers, service, { ...withKey, clients: READERS });
  return [
    { name: open, measure: reads(readers, service, { clients: 1, path: '/healthz', headers: {} }) },
    { name: 'with an API key', comparedWith: open, measure: reads(readers, service, { ...withKey, clients: 1 }) },
    {
      name: 'with a session',
      comparedWith: open,
      measure: reads(readers, service, { clients: 1, path: '/store', headers: session }),
    },
    { name: alone, measure: quietly },
    {
      name: `reads beside ${PEOPLE} who sign in`,
      comparedWith: alone,
      async measure(milliseconds) {
        const [sample] = await Promise.all([quietly(milliseconds), signIns(people, service, milliseconds)]);
        return sample;
      },
    },
    { name: `sign in, ${PEOPLE} at once`, measure: (milliseconds) => signIns(people, service, milliseconds) },
  ];
}

export const signIn: Benchmark = {
  name: 'sign-in',
  unit: 'requests',
  async prepare() {
    const service = await startService();
    await makePeople(service);
    const loads = [startLoadGenerator(), startLoadGenerator()] as const;
    return {
      engine: logEngine,
      cases: casesOf(service, loads, await sessionOf(service)),
      async tearDown() {
        for (const load of loads) load.stop();
        await service.stop();
      },
    };
  },
};
