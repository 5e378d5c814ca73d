import { z } from 'zod';
import { rejection, RETRY_AFTER } from '../../kernel/events/rejection.js';

/** Refusals of the shell itself, before and around a route's handler. */
export const MALFORMED_REQUEST = rejection(400, 'MALFORMED_REQUEST', 'The request is malformed');
export const MALFORMED_JSON = rejection(400, 'MALFORMED_JSON', 'The body is not valid JSON');
export const BODY_REQUIRED = rejection(400, 'BODY_REQUIRED', 'The request needs a JSON body');
export const INVALID_INPUT = rejection(400, 'INVALID_INPUT', 'The request holds invalid values');
export const PERMISSION_DENIED = rejection(403, 'PERMISSION_DENIED', 'The credential lacks a permission', {
  permission: z.string().meta({ description: 'The one that is needed' }),
});
export const DRY_RUN_NOT_POSSIBLE = rejection(
  400,
  'DRY_RUN_NOT_POSSIBLE',
  'What signs in or makes a secret cannot be tried without doing it',
);
export const SESSION_ONLY = rejection(403, 'SESSION_ONLY', 'This is for signed-in users, not for API keys');
export const UNKNOWN_PATH = rejection(404, 'UNKNOWN_PATH', 'There is nothing at this path');
export const METHOD_NOT_ALLOWED = rejection(405, 'METHOD_NOT_ALLOWED', 'The path does not take this method');
export const REQUEST_TIMEOUT = rejection(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive');
export const BODY_TOO_LARGE = rejection(413, 'BODY_TOO_LARGE', 'The body is too large');
export const UNSUPPORTED_MEDIA_TYPE = rejection(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8');
export const EXPECTATION_FAILED = rejection(417, 'EXPECTATION_FAILED', 'The expectation cannot be met');
export const RATE_LIMITED = rejection(429, 'RATE_LIMITED', 'Too many requests', RETRY_AFTER);
export const HEADERS_TOO_LARGE = rejection(431, 'HEADERS_TOO_LARGE', 'The request headers are too large');
export const INTERNAL_ERROR = rejection(500, 'INTERNAL_ERROR', 'Something went wrong on our side');
export const IDEMPOTENCY_KEY_REUSED = rejection(
  409,
  'IDEMPOTENCY_KEY_REUSED',
  'The idempotency key was used for another request',
);
export const IDEMPOTENCY_IN_PROGRESS = rejection(
  409,
  'IDEMPOTENCY_IN_PROGRESS',
  'The first request with this idempotency key is still running',
);
export const METRICS_CLOSED = rejection(
  403,
  'METRICS_CLOSED',
  'The measurements are for this machine or the bearer of METRICS_TOKEN',
);
export const NOT_READY = rejection(503, 'NOT_READY', 'The service cannot work yet');
