import type { Express, NextFunction, Request, Response } from 'express';
import express from 'express';
import { consoleEndpoints } from './console/console-endpoints.js';
import { ConsoleFiles } from './console/console-files.js';
import { endpoint } from './exchange/endpoint.js';
import { Exchange } from './exchange/exchange.js';
import { UntakenAnswers } from './exchange/untaken-answers.js';
import { untakenAllowed } from '../kernel/values/memory-allowed.js';
import { TurnsByKey } from '../kernel/values/turns.js';
import { Idempotency } from './idempotency/idempotency.js';
import type { HttpOptions } from './options.js';
import { openEndpoints } from './operations/open-endpoints.js';
import { registerProjectionMetrics } from './operations/projection-metrics.js';
import { registerReactorMetrics } from './operations/reactor-metrics.js';
import { registerStreamMetrics } from './operations/stream-metrics.js';
import { PositionTokens } from '../kernel/routes/position-tokens.js';
import { ClientAddresses } from './exchange/network-address.js';
import { OwnAddresses } from './exchange/own-addresses.js';
import { RateLimit } from './exchange/rate-limit.js';
import { RequestMetrics } from './operations/request-metrics.js';
import { routing } from './exchange/routing.js';
import type { Shell } from './exchange/shell.js';

const BODY_BYTES = 1024 * 1024;
const REQUESTS_PER_SECOND = 5000;
const OPEN_REQUESTS_PER_MINUTE = 60;
const BODY_MILLISECONDS = 30_000;
const STALLED_MILLISECONDS = 30_000;
const SLOW_MILLISECONDS = 5_000;

/** Behind a proxy that is trusted each request tells; otherwise the public address does. */
function transportOf({ trustedProxies }: HttpOptions, { https }: OwnAddresses): Shell['isSecure'] {
  if (https === true) return () => true;
  return trustedProxies ? (request) => request.secure : () => false;
}

function shellOf(options: HttpOptions): Shell {
  const { limits } = options;
  const perSecond = limits?.requestsPerSecond ?? REQUESTS_PER_SECOND;
  const openPerMinute = limits?.openRequestsPerMinute ?? OPEN_REQUESTS_PER_MINUTE;
  const ownAddresses = new OwnAddresses(options);
  return {
    options,
    clock: options.clock,
    logger: options.logger,
    metrics: new RequestMetrics(options.metrics),
    ownAddresses,
    clientAddresses: new ClientAddresses(options.trustedProxies),
    hasPages: options.consoleFolder !== undefined,
    isSecure: transportOf(options, ownAddresses),
    rateLimit: new RateLimit({ requests: perSecond, period: 'second', burst: perSecond * 2 }),
    openRateLimit: new RateLimit({ requests: openPerMinute, period: 'minute', burst: openPerMinute }),
    positions: new PositionTokens(options.tokenSecret),
    changes: new TurnsByKey(),
    idempotency: new Idempotency({ ...options, storesRows: options.eventStore.storesRows }),
    bodyBytes: limits?.bodyBytes ?? BODY_BYTES,
    bodyMilliseconds: limits?.bodyMilliseconds ?? BODY_MILLISECONDS,
    stalledMilliseconds: limits?.stalledMilliseconds ?? STALLED_MILLISECONDS,
    untaken: new UntakenAnswers({
      bytes: limits?.untakenBytes ?? untakenAllowed(),
      slowMilliseconds: limits?.slowMilliseconds ?? SLOW_MILLISECONDS,
    }),
  };
}

/** The HTTP shell around the routes: an Express application that is not yet listening. */
export function createApp(options: HttpOptions): Express {
  const shell = shellOf(options);
  registerProjectionMetrics(options.metrics, options.projections);
  registerReactorMetrics(options.metrics, options.reactors);
  registerStreamMetrics(options.metrics, options.shortened);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', options.trustedProxies ?? false);

  const endpoints = options.routes.map((route) => ({
    method: route.method,
    path: route.path,
    handler: endpoint(route, shell),
  }));
  const pages = options.consoleFolder === undefined ? undefined : ConsoleFiles.open(options.consoleFolder);
  if (options.consoleFolder !== undefined && !pages) options.logger.warn('the console is not built: npm run build');
  const mounted = [...openEndpoints(shell), ...(pages ? consoleEndpoints(pages, shell) : []), ...endpoints];
  app.use(routing(mounted, shell));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    new Exchange(request, response, 'unknown', shell).fail(error);
  });
  return app;
}
