import {
  COMMAND_TOO_LARGE,
  declaredRejections,
  NOT_FOUND,
  STALE,
  UNAVAILABLE,
  type RejectionKind,
} from '../../kernel/events/rejection.js';
import { isPermission } from '../../kernel/values/permissions.js';
import { PROJECTION_BEHIND } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import type { JsonSchema } from './schemas.js';
import * as shell from '../exchange/rejections.js';

const PROBLEM = { $ref: '#/components/schemas/Problem' };

export const PROBLEM_RESPONSES = {
  Refusal: {
    description: 'A refusal that any address may give, such as 405, 408, 421 or 431',
    content: { 'application/problem+json': { schema: PROBLEM } },
  },
};

/** The body of every refusal, with the list of all codes. */
export const problemSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Problem: {
    type: 'object',
    description: 'RFC 9457. Some refusals carry further members.',
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'Names the kind of refusal; not meant to be fetched',
      },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { $ref: '#/components/schemas/RefusalCode' },
      requestId: { type: 'string' },
      errors: {
        type: 'array',
        description: 'What is wrong with the input: 50 at most',
        maxItems: 50,
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, message: { type: 'string' } },
          required: ['path', 'message'],
        },
      },
      errorsOmitted: { type: 'integer', description: 'How many more errors there are than are told' },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  },
  RefusalCode: {
    type: 'string',
    description: declaredRejections()
      .map(({ status, code, title }) => `- \`${code}\` (${status}): ${title}`)
      .join('\n'),
    enum: [...new Set(declaredRejections().map(({ code }) => code))],
  },
});

function kindsOf(route: Route, ofAuthentication: readonly RejectionKind[]): ReadonlySet<RejectionKind> {
  const isCommand = route.method !== 'get';
  return new Set([
    shell.INVALID_INPUT,
    shell.MALFORMED_REQUEST,
    shell.RATE_LIMITED,
    shell.INTERNAL_ERROR,
    UNAVAILABLE,
    ...(route.permission === 'public' ? [] : ofAuthentication),
    ...(route.permission === 'session' ? [shell.SESSION_ONLY] : []),
    ...(isPermission(route.permission) ? [shell.PERMISSION_DENIED] : []),
    ...(route.path.includes('{') ? [NOT_FOUND] : []),
    ...(isCommand
      ? [
          shell.MALFORMED_JSON,
          shell.BODY_TOO_LARGE,
          shell.UNSUPPORTED_MEDIA_TYPE,
          shell.REQUEST_TIMEOUT,
          shell.IDEMPOTENCY_IN_PROGRESS,
          shell.IDEMPOTENCY_KEY_REUSED,
          COMMAND_TOO_LARGE,
          STALE,
        ]
      : [PROJECTION_BEHIND]),
    ...(route.request.body ? [shell.BODY_REQUIRED] : []),
    ...(route.rejections ?? []),
  ]);
}

/** A response for each status with which the route may refuse, naming the codes. */
export function refusalResponses(
  route: Route,
  ofAuthentication: readonly RejectionKind[],
): Readonly<Record<string, JsonSchema>> {
  const byStatus = new Map<number, RejectionKind[]>();
  for (const kind of kindsOf(route, ofAuthentication)) {
    byStatus.set(kind.status, [...(byStatus.get(kind.status) ?? []), kind]);
  }
  const response = (status: number, kinds: readonly RejectionKind[]) => ({
    description: kinds.map(({ code, title }) => `\`${code}\`: ${title}`).join('\n\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
    },
    content: {
      'application/problem+json': {
        schema: { allOf: [PROBLEM], properties: { code: { enum: kinds.map(({ code }) => code).sort() } } },
      },
    },
  });
  const responses: Record<string, JsonSchema> = { default: { $ref: '#/components/responses/Refusal' } };
  for (const [status, kinds] of byStatus) responses[status] = response(status, kinds);
  return responses;
}
