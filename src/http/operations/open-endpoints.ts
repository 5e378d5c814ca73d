import type { Request, RequestHandler, Response } from 'express';
import { DOCS_FILES } from '../openapi/docs-page.js';
import { limitOpen } from '../exchange/endpoint.js';
import { parseQuery } from '../exchange/query.js';
import { compressed } from './compressed.js';
import type { Answer } from '../exchange/exchange.js';
import { Exchange } from '../exchange/exchange.js';
import { health, readiness } from './health.js';
import type { HttpOptions } from '../options.js';
import { requireMetricsAccess } from './metrics-access.js';
import { openApiDocument } from '../openapi/openapi.js';
import { isOwnProbe } from './probes.js';
import type { Mounted } from '../exchange/routing.js';
import type { Shell } from '../exchange/shell.js';

const JSON_TYPE = 'application/json; charset=utf-8';

const content = (type: string, body: string): Answer => ({ status: 200, headers: ['Content-Type', type], body });
const json = (body: unknown): Answer => content(JSON_TYPE, JSON.stringify(body));

/** What needs no credential: health, measurements, the OpenAPI document and the page that shows it. */
export function openEndpoints(shell: Shell): readonly Mounted[] {
  const { options } = shell;
  const get = (path: string, answer: (request: Request) => Answer | Promise<Answer>): Mounted => {
    const handler: RequestHandler = async (request: Request, response: Response) => {
      const exchange = new Exchange(request, response, path, shell);
      try {
        if (!isOwnProbe(request, shell)) limitOpen(exchange, shell);
        exchange.send(await answer(request));
      } catch (error) {
        exchange.fail(error);
      }
    };
    return { method: 'get', path, handler };
  };

  const document = documentWithExamples(options);
  return [
    get('/healthz', () => json(health(options))),
    get('/readyz', async () => json(await readiness(options.readiness))),
    get('/metrics', async (request) => {
      requireMetricsAccess(request, options.metricsToken, shell.clientAddresses);
      return content(options.metrics.contentType, await options.metrics.metrics());
    }),
    get('/openapi.json', document),
    ...Object.entries(DOCS_FILES).map(([path, answer]) => get(path, compressed(answer))),
  ];
}

/** The document, made anew when there is another store whose records its examples name. */
function documentWithExamples(options: HttpOptions) {
  const { version, routes, authenticationRejections = [], notifications, examples } = options;
  const documents = new Map<string, ReturnType<typeof compressed>>();
  const make = async (storeId: string | undefined, trials: boolean) =>
    content(
      JSON_TYPE,
      openApiDocument(version, routes, authenticationRejections, notifications, await examples?.of(storeId), trials),
    );
  return async (request: Request): Promise<Answer> => {
    const storeId = await examples?.storeId();
    const trials = parseQuery(request.url)['trials'] !== 'false';
    const key = `${storeId ?? ''} ${String(trials)}`;
    const known = documents.get(key) ?? compressed(() => make(storeId, trials));
    documents.set(key, known);
    return known(request);
  };
}
