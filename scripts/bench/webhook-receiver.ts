import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A process of its own: takes every delivery but those to /hang, which it never answers, and says on demand how many came and how old each was. */

let latenciesMs: number[] = [];
let received = 0;

const server = createServer((request, response) => {
  if (request.url === '/hang') {
    request.resume();
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.end('ok');
    received += 1;
    const [, createdAt = ''] = /"createdAt":"([^"]+)"/.exec(Buffer.concat(parts).toString()) ?? [];
    latenciesMs.push(Date.now() - Date.parse(createdAt));
  });
});

process.on('message', (question) => {
  if (question === 'count') process.send?.({ received });
  else {
    process.send?.({ received, latenciesMs });
    latenciesMs = [];
  }
});
process.on('disconnect', () => process.exit(0));
server.keepAliveTimeout = 30_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
