import { pino } from 'pino';
import { endOnUncaught } from '../../src/crashes.js';
import { beginAnswer, requestsInFlight } from '../../src/http/exchange/in-flight.js';

/** A process in which an error is thrown that nobody catches, while a request is being answered. */
const logger = pino(pino.destination({ sync: true }));
const dataDir = process.env['DATA_DIR'] ?? '';
endOnUncaught({ dataDir, logger, flush: () => undefined, requests: requestsInFlight });
beginAnswer({ mark: { requestId: 'the-request', method: 'GET', route: '/things' } });
setImmediate(() => {
  throw new Error('nobody catches this');
});
