import type { z } from 'zod';
import type { RejectionKind } from '../../kernel/events/rejection.js';
import { COMMAND_TOO_LARGE, declaredRejections, NOT_FOUND, STALE, UNAVAILABLE } from '../../kernel/events/rejection.js';
import { isPermission } from '../../kernel/values/permissions.js';
import { PROJECTION_BEHIND } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { mayBeTried } from '../../kernel/routes/route.js';
import { grouped } from '../../kernel/values/grouped.js';
import type { JsonSchema } from './json-schema.js';
import { SchemaComponents } from './schemas.js';
import { CROSS_SITE } from '../exchange/origin.js';
import * as shell from '../exchange/rejections.js';
import { answerHeader, heedsIfMatch } from './parameters.js';

const PROBLEM = { $ref: '#/components/schemas/Problem' };

const NAMES: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'Something in the request is wrong; `errors` names each member with its path'],
  401: ['Unauthorized', 'The credential is absent or invalid'],
  403: ['Forbidden', 'The credential may not do this'],
  404: ['NotFound', 'There is no such record in the store, or an id in the body names none'],
  408: ['RequestTimeout', 'The request took too long to arrive'],
  409: ['Conflict', 'The state does not allow it, or another record is in the way; nothing was written'],
  412: ['PreconditionFailed', 'The record has changed since it was read'],
  413: ['PayloadTooLarge', 'The body is over 1 MiB'],
  415: ['UnsupportedMediaType', 'The body is no JSON in UTF-8'],
  429: ['TooManyRequests', 'Too much at once: repeat after `Retry-After`'],
  500: ['InternalError', 'Something went wrong on our side'],
  502: ['BadGateway', 'What the service asked elsewhere failed'],
  503: [
    'Unavailable',
    'Something is away for a moment: repeat after `Retry-After`, a command with its `Idempotency-Key`',
  ],
};

const nameOf = (status: number): string => NAMES[status]?.[0] ?? `Refusal${String(status)}`;

/** What a refusal says in its headers beside the name of the request. */
const OWN_HEADERS: Readonly<Record<number, Parameters<typeof answerHeader>[0]>> = {
  401: 'WWW-Authenticate',
  409: 'Idempotency-Replayed',
  429: 'Retry-After',
  503: 'Retry-After',
};

const response = (description: string, trials: boolean, own?: Parameters<typeof answerHeader>[0]): JsonSchema => ({
  description,
  headers: {
    ...answerHeader('X-Request-Id'),
    ...(trials ? answerHeader('Preference-Applied') : {}),
    ...(own ? answerHeader(own) : {}),
  },
  content: { 'application/problem+json': { schema: PROBLEM } },
});

/** One response for each status of a refusal, shared by all operations. */
export function problemResponses(
  routes: readonly Route[],
  ofAuthentication: readonly RejectionKind[],
  trials: boolean,
): JsonSchema {
  const used = new Set(routes.flatMap((route) => kindsOf(route, ofAuthentication, true).map(({ status }) => status)));
  const entries = [...used]
    .sort((a, b) => a - b)
    .map((status) => [nameOf(status), response(NAMES[status]?.[1] ?? 'A refusal', trials, OWN_HEADERS[status])]);
  return {
    ...(Object.fromEntries(entries) as JsonSchema),
    Refusal: response('A refusal that any address may give, such as 405, 408, 421 or 431', trials, 'Allow'),
  };
}

/** What refusals of some codes say beside what all of them do. */
function furtherMembers(): Readonly<Record<string, JsonSchema>> {
  const declared = declaredRejections().flatMap(({ code, members = {} }) =>
    Object.entries(members).map(([name, schema]) => ({ name, code, schema: schema as z.ZodType })),
  );
  const described = [...grouped(declared, ({ name }) => name)].map(([name, uses]) => {
    const codes = `With ${uses.map(({ code }) => `\`${code}\``).join(', ')}`;
    const schemas = uses.map(({ schema }) => new SchemaComponents({}).describe(schema, 'output'));
    const [{ description, ...schema } = {}] = schemas;
    return [name, { ...schema, description: typeof description === 'string' ? `${description}. ${codes}` : codes }];
  });
  return Object.fromEntries(described) as Readonly<Record<string, JsonSchema>>;
}

/** The body of every refusal, with the list of all codes. */
export const problemSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Problem: {
    type: 'object',
    description: 'RFC 9457. Which code carries which of the further members stands beside them.',
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'Names the kind of refusal; not meant to be fetched',
      },
      title: { type: 'string', description: 'What the code means' },
      status: { type: 'integer', description: 'The HTTP status' },
      detail: { type: 'string', description: 'What is wrong here' },
      code: { $ref: '#/components/schemas/RefusalCode' },
      requestId: { type: 'string', description: 'The same as in X-Request-Id' },
      errors: {
        type: 'array',
        maxItems: 50,
        description: 'What is wrong with the input',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'Where in the request: `items[2].quantity`' },
            message: { type: 'string', description: 'Follows the path: `is required`' },
          },
          required: ['path', 'message'],
        },
      },
      errorsOmitted: { type: 'integer', description: 'How many more errors there are than are listed' },
      ...furtherMembers(),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    examples: [
      {
        type: '/problems/invalid-input',
        title: 'The request holds invalid values',
        status: 400,
        detail: 'items[0].quantity is required',
        code: 'INVALID_INPUT',
        requestId: '01a2021b-d686-7c3e-9a55-0f2b6d1c7e90',
        errors: [{ path: 'items[0].quantity', message: 'is required' }],
      },
    ],
  },
  RefusalCode: {
    type: 'string',
    description: declaredRejections()
      .map(({ status, code, title }) => `- \`${code}\` (${status}): ${title}`)
      .join('\n'),
    enum: [...new Set(declaredRejections().map(({ code }) => code))],
  },
});

/** Everything that a route may refuse with. */
function kindsOf(
  route: Route,
  ofAuthentication: readonly RejectionKind[],
  namesRecords: boolean,
): readonly RejectionKind[] {
  const isCommand = route.method !== 'get';
  return [
    ...new Set([
      shell.INVALID_INPUT,
      shell.MALFORMED_REQUEST,
      shell.RATE_LIMITED,
      shell.INTERNAL_ERROR,
      UNAVAILABLE,
      ...(route.permission === 'public' ? [] : ofAuthentication),
      ...(route.permission === 'session' ? [shell.SESSION_ONLY] : []),
      ...(isPermission(route.permission) ? [shell.PERMISSION_DENIED] : []),
      ...(namesRecords ? [NOT_FOUND] : []),
      ...(isCommand
        ? [
            CROSS_SITE,
            shell.MALFORMED_JSON,
            shell.BODY_TOO_LARGE,
            shell.UNSUPPORTED_MEDIA_TYPE,
            shell.REQUEST_TIMEOUT,
            shell.IDEMPOTENCY_IN_PROGRESS,
            shell.IDEMPOTENCY_KEY_REUSED,
            COMMAND_TOO_LARGE,
            ...(mayBeTried(route) ? [] : [shell.DRY_RUN_NOT_POSSIBLE]),
          ]
        : []),
      PROJECTION_BEHIND,
      ...(heedsIfMatch(route) ? [STALE] : []),
      ...(route.request.body ? [shell.BODY_REQUIRED] : []),
      ...(route.rejections ?? []),
    ]),
  ];
}

/** The shared response of each status with which the route may refuse, and the codes. */
export function refusalsOf(
  route: Route,
  ofAuthentication: readonly RejectionKind[],
  components: SchemaComponents,
): {
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly codes: Readonly<Record<string, readonly string[]>>;
} {
  const { params, query, body } = route.request;
  const namesRecords = params !== undefined || components.holdsIds(query) || components.holdsIds(body);
  const byStatus = grouped(kindsOf(route, ofAuthentication, namesRecords), ({ status }) => String(status));
  const refer = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const responses: Record<string, JsonSchema> = { default: refer('Refusal') };
  for (const status of byStatus.keys()) responses[status] = refer(nameOf(Number(status)));
  const codes = [...byStatus].map(([status, kinds]) => [status, kinds.map(({ code }) => code).sort()]);
  return { responses, codes: Object.fromEntries(codes) as Record<string, readonly string[]> };
}

/** In words, what a route refuses beside what every route does. */
export const ownRefusals = ({ rejections = [] }: Route): string =>
  [...new Set(rejections)].map(({ code, status, title }) => `- \`${code}\` (${String(status)}): ${title}`).join('\n');
