import type { z } from 'zod';
import { isPermission } from '../../kernel/values/permissions.js';
import type { Route } from '../../kernel/routes/route.js';
import { mayBeTried } from '../../kernel/routes/route.js';
import type { JsonSchema } from './json-schema.js';
import type { SchemaComponents } from './schemas.js';

/** Headers of answers and parameters of requests, as the OpenAPI document shares and names them. */

const text = (description: string, more: JsonSchema = {}) => ({ description, schema: { type: 'string', ...more } });

export const HEADERS = {
  'X-Request-Id': text('Names the request in logs and events; taken from the request when it is sane'),
  'X-Position': text('Opaque: where the command stands in the log'),
  ETag: text("Revision of the record's own last change", { pattern: '^"[0-9]+"$' }),
  'X-Next-Cursor': text('The `cursor` with which the list goes on; absent at its end'),
  'X-Total-Count': {
    description: 'How many records the list has, where they are counted',
    schema: { type: 'integer' },
  },
  'Content-Disposition': text('The name of the file', { examples: ['attachment; filename="movements.csv"'] }),
  'Set-Cookie': text('The cookies of the session, or their end; one header for each'),
  Allow: text('With 405: the methods that the address takes', { examples: ['GET, HEAD, POST, OPTIONS'] }),
  'WWW-Authenticate': text('The scheme of the credential that is missing or invalid', { enum: ['Bearer'] }),
  'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
  'Preference-Applied': text('`dry-run` when the command was tried and not done', { enum: ['dry-run'] }),
  'Idempotency-Replayed': text('`true` when an earlier answer is given again', { enum: ['true'] }),
};

const header = (name: string, { description, schema }: ReturnType<typeof text>) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

export const PARAMETERS = {
  RequestId: header('X-Request-Id', text('Up to 100 letters, digits and `._:-`')),
  IdempotencyKey: header(
    'Idempotency-Key',
    text('1 to 255 visible characters, chosen by the client', { pattern: '^[!-~]{1,255}$' }),
  ),
  IfMatch: header(
    'If-Match',
    text('Entity tag that the record must still have, such as `"12"`', {
      pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$',
    }),
  ),
  Prefer: header(
    'Prefer',
    text('`dry-run` tries the command: everything is checked and decided, nothing is written', {
      examples: ['dry-run'],
    }),
  ),
  MinPosition: header('X-Min-Position', text('An `X-Position`: the answer is not older', { minLength: 1 })),
};

const parameter = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });
export const answerHeader = (name: keyof typeof HEADERS) => ({ [name]: { $ref: `#/components/headers/${name}` } });

const CHANGING: readonly string[] = ['patch', 'put', 'delete'];

/** A single record of the store is changed or deleted. */
export const heedsIfMatch = ({ ifMatch, method, path, permission }: Route): boolean =>
  ifMatch ?? (isPermission(permission) && CHANGING.includes(method) && path.includes('{'));

/** Each member of an object schema as a parameter. */
function members(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  components: SchemaComponents,
  examples: Readonly<Record<string, string>>,
): JsonSchema[] {
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
    ...(examples[name] === undefined ? {} : { example: valueOf(examples[name], rest) }),
  }));
}

/** Parameters travel as text; in the document they have their types. */
function valueOf(text: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

export interface ParameterExamples {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export function parametersOf(
  route: Route,
  components: SchemaComponents,
  { params = {}, query = {} }: ParameterExamples,
): readonly JsonSchema[] {
  const isQuery = route.method === 'get';
  const isRepeatable = !isQuery && route.permission !== 'public';
  return [
    ...members('path', route.request.params, components, params),
    ...members('query', route.request.query, components, query),
    parameter('RequestId'),
    ...(isQuery ? [parameter('MinPosition')] : []),
    ...(isRepeatable ? [parameter('IdempotencyKey')] : []),
    ...(mayBeTried(route) ? [parameter('Prefer')] : []),
    ...(heedsIfMatch(route) ? [parameter('IfMatch')] : []),
  ];
}
