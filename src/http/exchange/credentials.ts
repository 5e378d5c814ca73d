import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../../kernel/routes/credentials.js';
import type { Client } from './client.js';

const BEARER = /^bearer +(\S+)$/i;

export function credentialsOf(request: IncomingMessage, client: Client): Credentials {
  const { authorization } = request.headers;
  return {
    bearer: authorization === undefined ? undefined : BEARER.exec(authorization)?.[1],
    accessToken: authorization === undefined ? client.accessToken : undefined,
    storeSlug: client.storeSlug,
    expectedUser: client.expectedUser,
  };
}
