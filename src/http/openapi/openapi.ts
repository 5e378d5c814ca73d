import type { z } from 'zod';
import { isPermission } from '../../kernel/values/permissions.js';
import type { RejectionKind } from '../../kernel/events/rejection.js';
import type { Route } from '../../kernel/routes/route.js';
import { PROBLEM_RESPONSES, problemSchemas, refusalResponses } from './refusals.js';
import { SchemaComponents, type JsonSchema } from './schemas.js';

const DESCRIPTION = `Every request is scoped to one store, named by the header \`X-Store-Slug\`.

- Refusals are \`application/problem+json\` with a stable \`code\`.
- Unknown body members and query parameters are refused; of a repeated body member the last counts.
- Commands take an \`Idempotency-Key\`: for 24 hours a repeat gets the first answer, with the header \`Idempotency-Replayed: true\`.
- A command answers with \`X-Position\`; a query that sends it as \`X-Min-Position\` sees at least that write. A plain client reads its own writes anyway.
- Single records carry an \`ETag\` for \`If-Match\`; the answer is never 304.
- Numbers have at most 15 significant digits and are computed exactly: money with 2 decimals, quantities with 6, unit costs with 10, percentages with 4, rounded half up. More decimals in a request are refused. Case and accents never matter when texts are compared.
- Times are UTC. A date stands for that day in the store's time zone: \`from\` for its beginning, \`to\` and an expiry for its end.
- Lists are plain arrays, pages \`{ items, page, take, total }\`, or \`{ items, nextCursor }\`; their order is stable.`;

const text = (description: string, more: JsonSchema = {}) => ({ description, schema: { type: 'string', ...more } });

const HEADERS = {
  'X-Request-Id': text('Names the request in logs and events; taken from the request when it is sane'),
  'X-Position': text('Opaque: where the command stands in the log'),
  ETag: text("Revision of the record's own last change", { pattern: '^"[0-9]+"$' }),
  'X-Next-Cursor': text('The `cursor` with which the list goes on; absent at its end'),
  'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
  'Idempotency-Replayed': text('`true` when an earlier answer is given again', { enum: ['true'] }),
};

const header = (name: string, { description, schema }: ReturnType<typeof text>) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

const PARAMETERS = {
  RequestId: header('X-Request-Id', text('Up to 100 letters, digits and `._:-`')),
  IdempotencyKey: header(
    'Idempotency-Key',
    text('1 to 255 visible characters, chosen by the client', { minLength: 1, maxLength: 255 }),
  ),
  IfMatch: header(
    'If-Match',
    text(
      'Entity tag that the record must still have, such as `"12"`; ignored by what creates, computes or blocks something',
      {
        pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$',
      },
    ),
  ),
  MinPosition: header('X-Min-Position', text('An `X-Position`: the answer is not older')),
};

const parameter = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });
const answerHeader = (name: keyof typeof HEADERS) => ({ [name]: { $ref: `#/components/headers/${name}` } });

const operationId = ({ method, path }: Route): string =>
  method +
  path
    .split(/[/-]/)
    .filter((word) => word !== '')
    .map((word) =>
      word.replace(/^\{(\w+)\}$/, (_, name: string) => `By${name.charAt(0).toUpperCase()}${name.slice(1)}`),
    )
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Each member of an object schema as a parameter. */
function members(place: 'path' | 'query', schema: z.ZodType | undefined, components: SchemaComponents): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.describe(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function parametersOf(route: Route, components: SchemaComponents): JsonSchema[] {
  const isQuery = route.method === 'get';
  const isRepeatable = !isQuery && route.permission !== 'public';
  return [
    ...members('path', route.request.params, components),
    ...members('query', route.request.query, components),
    parameter('RequestId'),
    ...(isQuery ? [parameter('MinPosition')] : []),
    ...(isRepeatable ? [parameter('IdempotencyKey'), parameter('IfMatch')] : []),
  ];
}

function successOf(route: Route, components: SchemaComponents): JsonSchema {
  const { schema, etag, continued, alternatives = [] } = route.response;
  return {
    description: route.summary,
    headers: {
      ...answerHeader('X-Request-Id'),
      ...(etag === true ? answerHeader('ETag') : {}),
      ...(continued === true ? answerHeader('X-Next-Cursor') : {}),
      ...(route.method === 'get' ? {} : { ...answerHeader('X-Position'), ...answerHeader('Idempotency-Replayed') }),
    },
    ...(schema
      ? {
          content: {
            'application/json': { schema: components.describe(schema, 'output') },
            ...Object.fromEntries(alternatives.map((type) => [type, { schema: { type: 'string' } }])),
          },
        }
      : {}),
  };
}

function operationOf(
  route: Route,
  components: SchemaComponents,
  ofAuthentication: readonly RejectionKind[],
): JsonSchema {
  const { body } = route.request;
  const permission = isPermission(route.permission) ? `Needs the permission \`${route.permission}\`.` : '';
  const description = [route.description, permission].filter(Boolean).join('\n\n');
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    ...(route.permission === 'public' ? { security: [] } : {}),
    parameters: parametersOf(route, components),
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: { 'application/json': { schema: components.describe(body, 'input') } },
          },
        }
      : {}),
    responses: {
      [route.response.status]: successOf(route, components),
      ...refusalResponses(route, ofAuthentication),
    },
  };
}

/** The OpenAPI 3.1 document of the routes, as JSON. */
export function openApiDocument(routes: readonly Route[], ofAuthentication: readonly RejectionKind[]): string {
  const components = new SchemaComponents(problemSchemas());
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method] = operationOf(route, components, ofAuthentication);
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Store management', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: '/' }],
    security: [{ bearer: [], storeSlug: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: PROBLEM_RESPONSES,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key' },
        storeSlug: { type: 'apiKey', in: 'header', name: 'X-Store-Slug' },
      },
    },
  });
}
