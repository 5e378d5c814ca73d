import { measure } from './benchmark.js';
import { KeepAliveConnection } from './keep-alive.js';
import type { LoadAnswer, LoadJob } from './load.js';

/** A process of its own: it answers each job with what it measured. */

let unique = 0;

interface NextRequest {
  readonly path: string;
  readonly text: string;
}

function nextRequests({ method, path, headers, body }: LoadJob): (client: number) => NextRequest {
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

async function run(job: LoadJob): Promise<LoadAnswer> {
  const connections = Array.from({ length: job.clients }, () => new KeepAliveConnection(job.port));
  const next = nextRequests(job);
  try {
    const sample = await measure(job.milliseconds, job.clients, async (client) => {
      const { path, text } = next(client);
      const status = await connections[client]?.send(text);
      if (status !== job.status) throw new Error(`${path} was answered ${status ?? 'by nobody'}`);
      return 1;
    });
    return { sample };
  } catch (error) {
    return { failure: `${job.method}: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    for (const connection of connections) connection.close();
  }
}

process.on('message', (job: LoadJob) => {
  void run(job).then((answer) => process.send?.(answer));
});
