import type { IncomingHttpHeaders } from 'node:http';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Route } from '../../kernel/routes/route.js';
import { mayBeTried } from '../../kernel/routes/route.js';
import type { DryEvent, DryRun } from '../options.js';
import type { Answer } from './exchange.js';
import { DRY_RUN_NOT_POSSIBLE } from './rejections.js';
import type { Shell } from './shell.js';

/** Commands that are tried and not done (`Prefer: dry-run`, RFC 7240). */

export const APPLIED = ['Preference-Applied', 'dry-run'];

/** Whether a command is to be tried only; queries have nothing to try. */
export function wantsDryRun({ method }: Pick<Route, 'method'>, headers: IncomingHttpHeaders): boolean {
  const { prefer } = headers;
  if (method === 'get' || prefer === undefined) return false;
  const named = [prefer].flat().join(',').split(',');
  return named.some((preference) => /^\s*dry-run\s*(;|=\s*("(true|1)?"|true|1)\s*(;|$)|$)/i.test(preference));
}

export function startDryRun(route: Route, { options }: Shell): DryRun {
  const run = mayBeTried(route) ? options.services.dryRun?.(route) : undefined;
  if (!run) throw new Rejection(DRY_RUN_NOT_POSSIBLE);
  return run;
}

/** What would have been answered, with what would have been recorded. */
export function dryAnswer({ status, body }: Answer, events: readonly DryEvent[]): Answer {
  const text = body === undefined ? 'null' : body.toString();
  return {
    status: 200,
    headers: ['Content-Type', 'application/json; charset=utf-8', ...APPLIED],
    body: `{"dryRun":true,"status":${String(status)},"body":${text},"events":${JSON.stringify(events)}}`,
  };
}
