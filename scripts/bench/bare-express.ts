import type { AddressInfo } from 'node:net';
import express from 'express';

/** What the service is compared with: Express with nothing around two routes that answer what they were given. */

export interface BareRoutes {
  /** Sent to GET / as it is. */
  readonly list: string;
  /** Sent to POST / as JSON, after the body was parsed. */
  readonly record: unknown;
}

process.on('message', ({ list, record }: BareRoutes) => {
  const app = express();
  app.get('/', (_request, response) => {
    response.type('application/json').send(list);
  });
  app.post('/', express.json(), (_request, response) => {
    response.status(201).json(record);
  });
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port);
  });
});
