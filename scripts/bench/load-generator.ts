import { setTimeout as pause } from 'node:timers/promises';
import type { Sample } from './benchmark.js';
import { measure } from './benchmark.js';
import { KeepAliveConnection } from './keep-alive.js';
import type { LoadAnswer, LoadJob, MixedJob, Question } from './load.js';
import { messageOf } from '../../src/kernel/values/message-of.js';

/** A process of its own: it answers each job with what it measured. */

let unique = 0;

interface NextRequest {
  readonly path: string;
  readonly text: string;
}

function nextRequests({ method, path, body }: Question, headers: LoadJob['headers']): (client: number) => NextRequest {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const rest = ` HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}`;
  const paths = typeof path === 'string' ? [path] : path;
  return (client) => {
    const one = paths[Math.floor(Math.random() * paths.length)] ?? '/';
    return { path: one, text: `${method} ${one}${rest}${bodyText(body, client)}` };
  };
}

function bodyText(body: LoadJob['body'], client: number): string {
  if (body === undefined) return '\r\n';
  const bodies = typeof body === 'string' ? [body] : body;
  const text = (bodies[unique % bodies.length] ?? '')
    .replace('{unique}', `${process.pid}-${unique++}`)
    .replace('{client}', String(client));
  return `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** What stands in an answer under a path such as `stages.0.stageId`. */
function memberOf(answer: unknown, path: string): string {
  let value = answer;
  for (const name of path.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
  return String(value);
}

async function send(connection: KeepAliveConnection, { path, text }: NextRequest, expected: number): Promise<Buffer> {
  const { status, body } = await connection.send(text);
  if (status !== expected) throw new Error(`${path} was answered ${status}: ${body.toString()}`);
  return body;
}

/** The requests that follow a first one, with what its answer gave. */
async function follow(job: LoadJob, connection: KeepAliveConnection, client: number, first: Buffer): Promise<void> {
  if (!job.next) return;
  const answer: unknown = JSON.parse(first.toString());
  for (const question of job.next) {
    const path = question.path.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => memberOf(answer, name));
    const { body } = question;
    const told =
      typeof body === 'string'
        ? { body: body.replaceAll(/\{answer\.([\w.]+)\}/g, (_, name: string) => memberOf(answer, name)) }
        : {};
    await send(connection, nextRequests({ ...question, path, ...told }, job.headers)(client), question.status);
  }
}

/** When the next operation may begin. */
function pacer(perSecond: number | undefined): () => Promise<unknown> {
  if (perSecond === undefined) return () => Promise.resolve();
  const start = performance.now();
  let begun = 0;
  return () => pause(Math.max(0, start + (begun++ * 1000) / perSecond - performance.now()));
}

/** What one client does, again and again. */
type Operation = (connection: KeepAliveConnection, client: number) => Promise<void>;

async function run(
  { port, clients, milliseconds, perSecond }: LoadJob | MixedJob,
  nextOperation: () => Operation,
): Promise<Sample> {
  const connections = Array.from({ length: clients }, () => new KeepAliveConnection(port));
  const turn = pacer(perSecond);
  try {
    return await measure(milliseconds, clients, async (client) => {
      const connection = connections[client];
      if (!connection) throw new Error('a client without a connection');
      await turn();
      await nextOperation()(connection, client);
      return 1;
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function runAlike(job: LoadJob): Promise<readonly Sample[]> {
  const next = nextRequests(job, job.headers);
  const operate: Operation = async (connection, client) =>
    follow(job, connection, client, await send(connection, next(client), job.status));
  return [await run(job, () => operate)];
}

async function runMixed(job: MixedJob): Promise<readonly Sample[]> {
  const kinds = job.kinds.map((kind) => ({
    ...kind,
    next: nextRequests(kind, job.headers),
    latenciesMs: [] as number[],
  }));
  const drawn = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  const { seconds } = await run(job, () => async (connection, client) => {
    const kind = drawn[Math.floor(Math.random() * drawn.length)];
    if (!kind) throw new Error('a job without kinds');
    const before = performance.now();
    await send(connection, kind.next(client), kind.status);
    kind.latenciesMs.push(performance.now() - before);
  });
  return kinds.map(({ latenciesMs }) => ({ n: latenciesMs.length, seconds, latenciesMs }));
}

async function answerTo(job: LoadJob | MixedJob): Promise<LoadAnswer> {
  try {
    return { samples: await ('kinds' in job ? runMixed(job) : runAlike(job)) };
  } catch (error) {
    const what = 'kinds' in job ? 'a mixed load' : job.method;
    return { failure: `${what}: ${messageOf(error)}` };
  }
}

process.on('message', (job: LoadJob | MixedJob) => {
  void answerTo(job).then((answer) => process.send?.(answer));
});
