import { isPermission } from '../../kernel/values/permissions.js';
import type { RejectionKind } from '../../kernel/events/rejection.js';
import type { Notification } from '../../kernel/routes/notification.js';
import type { Route } from '../../kernel/routes/route.js';
import { DRY_RUN_SCHEMAS, orTried, triedApart, triedHeader, withoutTrials } from './dry-run.js';
import { operationIdOf } from './operation-names.js';
import type { ParameterExamples } from './parameters.js';
import { HEADERS, PARAMETERS, answerHeader, parametersOf } from './parameters.js';
import { ownRefusals, problemResponses, problemSchemas, refusalsOf } from './refusals.js';
import type { JsonSchema } from './json-schema.js';
import { SchemaComponents } from './schemas.js';
import { NOTIFICATIONS_TAG, webhooksOf } from './webhooks.js';

const TRIALS = `- A command with \`Prefer: dry-run\` is tried: checked, authorized and decided against the present state, and answered with what it would have answered and recorded (\`DryRunAnswer\`); nothing is written, sent or numbered, an \`Idempotency-Key\` is not used up, and the answer carries \`Preference-Applied: dry-run\`. A refusal is answered as it would be. What signs in or makes a secret cannot be tried (400 \`DRY_RUN_NOT_POSSIBLE\`). What others would have to answer is open in a trial: a fiscal document stays PENDING, a webhook is not sent.\n`;

const descriptionOf = (
  trials: boolean,
): string => `Every request is scoped to one store, named by the header \`X-Store-Slug\`.

- Refusals are \`application/problem+json\` with a stable \`code\`.
- Unknown body members and query parameters are refused, and so is a member that stands twice.
- Commands take an \`Idempotency-Key\`: for 24 hours a repeat gets the first answer, with the header \`Idempotency-Replayed: true\`.
${trials ? TRIALS : ''}- A command answers with \`X-Position\`; a query that sends it as \`X-Min-Position\` sees at least that write. A plain client reads its own writes anyway.
- Single records carry an \`ETag\` for \`If-Match\`; the answer is never 304.
- Numbers have at most 15 significant digits and are computed exactly: money with 2 decimals, quantities with 6, unit costs with 10, percentages with 4, rounded half up. More decimals in a request are refused. Case and accents never matter when texts are compared.
- Times are UTC. A date stands for that day in the store's time zone: \`from\` for its beginning, \`to\` and an expiry for its end.
- Lists are plain arrays, pages \`{ items, page, take, total }\`, or \`{ items, nextCursor }\`; their order is stable.`;

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the store that X-Store-Slug names' },
  storeSlug: { type: 'apiKey', in: 'header', name: 'X-Store-Slug', description: 'The short name of the store' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sm_access',
    description:
      'The cookie that signing in sets; a browser sends it by itself, from pages of the service alone. Where the address is https its name begins with `__Host-`. The store is the one of the session.',
  },
};

/** What a reader finds under each heading; a heading that stands for itself needs no words. */
const TAGS: Readonly<Record<string, string>> = {
  Store: 'The store of the credential and its settings',
  Authentication: 'Signing in and out, second factor, password, and what a signed-in user sets for themselves',
  Users: 'Who works in the store, and what they may do',
  'API keys': 'Credentials of programs',
  Categories: 'Groups of products, with the NCM that their products usually have',
  Brands: 'Who makes a product',
  'Product tags': 'Words by which products are found together',
  Products: 'What is sold, bought and used, with variants, kits and barcodes',
  Locations: 'Where goods lie',
  Stock: 'Lots, what enters, leaves and moves, balances and the ledger',
  Sales: 'Sales with their payments, returns and cancellations',
  'Production orders': 'What is planned, made and unmade',
  Recipes: 'Formulas with their versions, costs and drafts',
  Customers: 'Who buys, as far as the store knows',
  Traceability: 'Where a lot came from and went to, and recalls',
  'Fiscal documents': 'NF-e and NFC-e: issued, authorized, cancelled, printed; and how goods are taxed',
  'Card fees': 'Card machines, brands and rates, and what card payments cost',
  Webhooks: 'Where other systems are told of fiscal documents, and what was delivered to them',
  [NOTIFICATIONS_TAG]: 'What is sent to the destinations of webhooks',
  Planning: 'What should be made',
  Audit: 'What was recorded, by whom, and the proof that it was not changed',
  Explanations: 'Why a figure is what it is: lines that add up to it, each with the event that it comes from',
};

const TEXT = /^text\/|[/+]xml$/;
const JSON_OBJECT = /[/+]json$/;

const isFile = (type: string): boolean => type !== 'text/event-stream';

/** What is no text says so: clients that are generated decode a text, and a workbook or an archive would be spoilt. */
function fileSchema(type: string): JsonSchema {
  if (JSON_OBJECT.test(type)) return { type: 'object', additionalProperties: true };
  return TEXT.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' };
}

/** Generated clients take whatever is JSON for one answer: each would be either of two. */
function withoutOtherJson(route: Route): Route {
  const { alternatives = [] } = route.response;
  return {
    ...route,
    response: { ...route.response, alternatives: alternatives.filter((each) => !JSON_OBJECT.test(each)) },
  };
}

function successOf(route: Route, components: SchemaComponents, { answer }: OperationExample): JsonSchema {
  const { schema: own, etag, continued, counted, cookies, alternatives = [] } = route.response;
  const schema = orTried(route, own && components.describe(own, 'output'));
  return {
    description: route.summary,
    headers: {
      ...answerHeader('X-Request-Id'),
      ...(etag === true ? answerHeader('ETag') : {}),
      ...(continued === true ? answerHeader('X-Next-Cursor') : {}),
      ...(counted === true ? answerHeader('X-Total-Count') : {}),
      ...(cookies === true ? answerHeader('Set-Cookie') : {}),
      ...(alternatives.some(isFile) ? answerHeader('Content-Disposition') : {}),
      ...triedHeader(route),
      ...(route.method === 'get' ? {} : { ...answerHeader('X-Position'), ...answerHeader('Idempotency-Replayed') }),
    },
    ...(schema || alternatives.length > 0
      ? {
          content: {
            ...(schema && {
              'application/json': {
                schema,
                ...(answer === undefined ? {} : { example: answer }),
              },
            }),
            ...Object.fromEntries(alternatives.map((type) => [type, { schema: fileSchema(type) }])),
          },
        }
      : {}),
  };
}

/** What the service knows about examples that work: by the name of the operation, `POST /categories`. */
export interface OperationExample extends ParameterExamples {
  readonly body?: unknown;
  readonly answer?: unknown;
}

export type OperationExamples = Readonly<Record<string, OperationExample>>;

const SECURITY: Readonly<Record<string, readonly JsonSchema[]>> = {
  public: [],
  session: [{ session: [] }],
};
const ANY_CREDENTIAL = [{ bearer: [], storeSlug: [] }, { session: [] }];

function operationOf(
  route: Route,
  components: SchemaComponents,
  ofAuthentication: readonly RejectionKind[],
  example: OperationExample,
  trials: boolean,
): JsonSchema {
  const { body } = route.request;
  const told = trials ? route : withoutOtherJson(withoutTrials(route));
  const permission = isPermission(route.permission) ? `Needs the permission \`${route.permission}\`.` : '';
  const description = [route.description, permission, ownRefusals(route)].filter(Boolean).join('\n\n');
  const parameters = parametersOf(told, components, example);
  const bodySchema = body && components.describe(body, 'input');
  const { responses, codes } = refusalsOf(route, ofAuthentication, components);
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    ...(SECURITY[route.permission] ? { security: SECURITY[route.permission] } : {}),
    parameters,
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: {
              'application/json': {
                schema: bodySchema,
                ...(example.body === undefined ? {} : { example: example.body }),
              },
            },
          },
        }
      : {}),
    responses: { [route.response.status]: successOf(told, components, example), ...triedApart(told), ...responses },
    'x-refusal-codes': codes,
  };
}

const isOfTrials = (name: string): boolean => name === 'Prefer' || name === 'Preference-Applied';

/** What of some shared parts the document refers to. */
const referred = (parts: Readonly<Record<string, JsonSchema>>, trials: boolean) =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => trials || !isOfTrials(name)));

/** Generators know what may be null of an object that is open alone; and a client of today is to bear members that come tomorrow. */
const withOpenObjects = (key: string, value: unknown): unknown =>
  key === 'additionalProperties' && value === false ? undefined : value;

/** The OpenAPI 3.1 document of the routes, as JSON; without trials, and with open objects, for clients that are generated. */
export function openApiDocument(
  version: string,
  routes: readonly Route[],
  ofAuthentication: readonly RejectionKind[],
  notifications: readonly Notification[] = [],
  examples: OperationExamples = {},
  trials: boolean,
): string {
  const components = new SchemaComponents({ ...problemSchemas(), ...(trials ? DRY_RUN_SCHEMAS : {}) });
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    const example = examples[`${route.method.toUpperCase()} ${route.path}`] ?? {};
    path[route.method] = operationOf(route, components, ofAuthentication, example, trials);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Store management',
      version,
      description: descriptionOf(trials),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This service' }],
    security: ANY_CREDENTIAL,
    tags: [...new Set(routes.map(({ tag }) => tag)), ...(notifications.length > 0 ? [NOTIFICATIONS_TAG] : [])].map(
      (name) => ({ name, description: TAGS[name] ?? name }),
    ),
    paths,
    ...(notifications.length > 0 && { webhooks: webhooksOf(notifications, components) }),
    components: {
      schemas: components,
      parameters: referred(PARAMETERS, trials),
      headers: referred(HEADERS, trials),
      responses: problemResponses(routes, ofAuthentication, trials),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
  return JSON.stringify(document, trials ? undefined : withOpenObjects);
}
