import { measure } from './benchmark.js';
import { KeepAliveConnection } from './keep-alive.js';
import type { LoadAnswer, LoadJob } from './load.js';

/** A process of its own: it answers each job with what it measured. */

let unique = 0;

function requestText({ method, path, headers, body }: LoadJob): (client: number) => string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}`;
  if (body === undefined) return () => `${head}\r\n`;
  const bodies = typeof body === 'string' ? [body] : body;
  return (client) => {
    const text = (bodies[unique % bodies.length] ?? '')
      .replace('{unique}', `${process.pid}-${unique++}`)
      .replace('{client}', String(client));
    return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  };
}

async function run(job: LoadJob): Promise<LoadAnswer> {
  const connections = Array.from({ length: job.clients }, () => new KeepAliveConnection(job.port));
  const nextRequest = requestText(job);
  try {
    const sample = await measure(job.milliseconds, job.clients, async (client) => {
      const status = await connections[client]?.send(nextRequest(client));
      if (status !== job.status) throw new Error(`${job.method} ${job.path} was answered ${status ?? 'by nobody'}`);
      return 1;
    });
    return { sample };
  } catch (error) {
    return { failure: `${job.method} ${job.path}: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    for (const connection of connections) connection.close();
  }
}

process.on('message', (job: LoadJob) => {
  void run(job).then((answer) => process.send?.(answer));
});
