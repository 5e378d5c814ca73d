import type { Request, RequestHandler, Response } from 'express';
import type { Answer } from '../exchange/exchange.js';
import { Exchange } from '../exchange/exchange.js';
import type { Mounted } from '../exchange/routing.js';
import type { Shell } from '../exchange/shell.js';
import type { ConsoleFiles } from './console-files.js';

const HOME = '/console/';

const leadTo = (place: string): Answer => ({ status: 302, headers: ['Location', place], body: undefined });

/** Where people find their pages. They lie in memory and say nothing of any store, so nobody is counted or asked who they are. */
export function consoleEndpoints(files: ConsoleFiles, shell: Shell): readonly Mounted[] {
  const get = (path: string, answer: (request: Request) => Answer | Promise<Answer>): Mounted => {
    const handler: RequestHandler = async (request: Request, response: Response) => {
      const exchange = new Exchange(request, response, path, shell);
      try {
        exchange.send(await answer(request));
      } catch (error) {
        exchange.fail(error);
      }
    };
    return { method: 'get', path, handler };
  };
  const page = (request: Request) => files.page(request);
  return [
    get('/', () => leadTo(HOME)),
    get('/console', () => leadTo(HOME)),
    get(HOME, page),
    get('/console/icon.svg', (request) => files.icon(request)),
    get('/console/assets/{name}', (request) => files.asset(request, String(request.params['name']))),
    get('/console/*path', page),
  ];
}
