import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Holds every answer of the service to its OpenAPI document, whoever asks: nothing undeclared, nothing missing. */

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-refusal-codes'?: Readonly<Record<string, readonly string[]>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What any address may refuse with: the default response speaks of it. */
const EVERYWHERE: Readonly<Record<number, readonly string[]>> = {
  405: ['METHOD_NOT_ALLOWED'],
  413: ['BODY_TOO_LARGE'],
  417: ['EXPECTATION_FAILED'],
  421: ['WRONG_HOST'],
  431: ['HEADERS_TOO_LARGE'],
};

/** What every answer carries, and what the transport adds. */
const COMMON: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  // Tells what stands before the service to pass on at once what is followed.
  'x-accel-buffering',
  'x-content-type-options',
]);

const escaped = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

export class AnswerCheck {
  /** The document as a whole is no schema: holding it to that of schemas finds nothing, and takes longer than all else here. */
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, validateSchema: false });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly members: ReadonlySet<string>;
  private readonly patterns: readonly (readonly [RegExp, string])[];

  constructor(private readonly document: ApiDocument) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(document, 'document');
    const { properties = {} } = (document.components['schemas']?.['Problem'] ?? {}) as { readonly properties?: object };
    this.members = new Set(Object.keys(properties));
    this.patterns = Object.keys(document.paths)
      // A fixed part of a path goes before a parameter in the same place.
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), path] as const);
  }

  /** What is wrong with an answer; undefined when nothing is, or when the document does not speak of the request. */
  mistake(method: string, path: string, answer: Answered): string | undefined {
    const template = this.patterns.find(([pattern]) => pattern.test(path))?.[1];
    const operation = template === undefined ? undefined : this.document.paths[template]?.[method.toLowerCase()];
    if (template === undefined || !operation) return undefined;
    const pointer = `/paths/${escaped(template)}/${method.toLowerCase()}`;
    const wrong =
      (answer.status < 300 ? this.wrongSuccess(pointer, operation, answer) : this.wrongRefusal(operation, answer)) ??
      this.wrongHeaders(operation, answer);
    return wrong === undefined
      ? undefined
      : `${method} ${template} answered ${String(answer.status)}, but ${wrong}: ${answer.text.slice(0, 2_000)}`;
  }

  private wrongSuccess(pointer: string, operation: Operation, { status, headers, text }: Answered): string | undefined {
    const response = operation.responses[String(status)];
    if (!response) return 'the document has no such status for it';
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (text === '') return response.content ? 'the document promises a body' : undefined;
    if (response.content?.[type] === undefined) return `the document has no answer as ${type}`;
    if (type !== 'application/json') return undefined;
    const schema = `document#${pointer}/responses/${String(status)}/content/application~1json/schema`;
    return this.wrongBody(schema, JSON.parse(text));
  }

  private wrongRefusal(operation: Operation, { status, headers, text }: Answered): string | undefined {
    if (headers.get('content-type') !== 'application/problem+json') return 'it is no application/problem+json';
    const problem = JSON.parse(text) as { readonly code: string };
    const codes = [...(operation['x-refusal-codes']?.[String(status)] ?? []), ...(EVERYWHERE[status] ?? [])];
    if (!codes.includes(problem.code)) {
      return `the operation does not name ${problem.code} (declare it in the route's rejections)`;
    }
    const unknown = Object.keys(problem).filter((name) => !this.members.has(name));
    if (unknown.length > 0) return `Problem has no ${unknown.join()} (declare it with the rejection)`;
    return this.wrongBody('document#/components/schemas/Problem', problem);
  }

  private wrongHeaders({ responses }: Operation, { status, headers }: Answered): string | undefined {
    const response = responses[String(status)] ?? responses['default'];
    const shared = this.document.components['responses']?.[response?.$ref?.split('/').at(-1) ?? ''] as Response;
    const declared = Object.keys((response?.$ref === undefined ? response : shared)?.headers ?? {});
    const known = new Set(declared.map((name) => name.toLowerCase()));
    const unknown = [...headers.keys()].filter((name) => !COMMON.has(name) && !known.has(name));
    return unknown.length === 0 ? undefined : `the document has no header ${unknown.join()} for it`;
  }

  private wrongBody(schema: string, body: unknown): string | undefined {
    const validate = this.validators.get(schema) ?? this.ajv.compile({ $ref: schema });
    this.validators.set(schema, validate);
    if (validate(body)) return undefined;
    return (validate.errors ?? [])
      .slice(0, 5)
      .map(({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`)
      .join('; ');
  }
}

let check: AnswerCheck | undefined;

/** Throws when an answer of the service is not as its document says. */
export function expectDocumented(url: string, method: string, answer: Answered): void {
  check ??= new AnswerCheck(serviceDocument());
  const mistake = check.mistake(method, new URL(url).pathname, answer);
  if (mistake !== undefined) throw new Error(mistake);
}

/** Made once for all test files, before the first of them. */
function serviceDocument(): ApiDocument {
  const path = process.env['SERVICE_DOCUMENT'];
  if (path === undefined) throw new Error('SERVICE_DOCUMENT names no file: run the tests by npm test');
  return JSON.parse(readFileSync(path, 'utf8')) as ApiDocument;
}
