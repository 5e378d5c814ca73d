import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Example } from '../../src/demo/examples/example.js';
import { ANSWERS } from '../../src/demo/examples/answers.js';
import { WORKING_EXAMPLES } from '../../src/demo/examples/operation-examples.js';
import { SIGN_IN_EXAMPLES } from '../../src/demo/examples/sign-in-examples.js';
import type { Resolve } from '../../src/demo/examples/references.js';
import { demoReferences, resolveAll } from '../../src/demo/examples/references.js';
import type { ApiDocument } from '../support/documented-answers.js';
import { AnswerCheck } from '../support/documented-answers.js';
import { demoOf, newDemoFolder } from '../support/demo-folder.js';
import type { Answer, World } from '../support/world.js';
import { callService, openWorld } from '../support/world.js';

/** The examples of the OpenAPI document, on the demonstration that a first start makes. */

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}
type Document = ApiDocument & { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

let world: World;
let document: Document;
let resolve: Resolve;
let call: (method: string, path: string, body?: unknown) => Promise<Answer>;

beforeAll(async () => {
  world = await openWorld({ dataDir: await newDemoFolder(), env: { DEMO: 'true' } });
  const { core } = world.service;
  const { apiKey, storeSlug } = (await demoOf(world)).credentials;
  const headers = { authorization: `Bearer ${apiKey}`, 'x-store-slug': storeSlug };
  call = (method, path, body) => callService(world.url + path, method, body, headers);
  document = (await (await fetch(`${world.url}/openapi.json`)).json()) as Document;
  resolve = demoReferences((await core.administration.stores.bySlug(storeSlug))?.id ?? '');
}, 300_000);
afterAll(() => world.close());

const split = (operation: string): readonly [method: string, path: string] => {
  const [method = '', path = ''] = operation.split(' ');
  return [method, path];
};
const operations = (): readonly (readonly [name: string, operation: Operation])[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );

/** Where a command has two, the first is that of a dry run. */
const successOf = (responses: Operation['responses']) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .at(-1) ?? (['', undefined] as const);

function addressOf(path: string, { params = {}, query = {} }: Pick<Example, 'params' | 'query'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '?'));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

describe('the examples of the document', () => {
  test('of queries can be tried as they stand there', async () => {
    const failed: string[] = [];
    for (const [name, { parameters }] of operations()) {
      const [method, path] = split(name);
      const named = parameters.filter((one) => one.in === 'path' || one.in === 'query');
      const isWhole = named.every(({ required, example: shown }) => required !== true || shown !== undefined);
      if (method !== 'GET' || !isWhole || path === '/live') continue;
      const given = (place: string) =>
        Object.fromEntries(
          named
            .filter((one) => one.in === place && one.example !== undefined)
            .map((one) => [one.name ?? '', String(one.example)]),
        );
      const { status, text } = await call(method, addressOf(path, { params: given('path'), query: given('query') }));
      if (status !== 200 && !text.includes('SESSION_ONLY')) failed.push(`${name}: ${text}`);
    }
    expect(failed).toEqual([]);
  });

  test('work one after the other', async () => {
    const answers = new Map<string, unknown>();
    const recorded: Record<string, string> = {};
    const known: Resolve = (reference) => {
      if (!reference.startsWith('made ')) return resolve(reference);
      const [, method = '', path = '', member = ''] = reference.split(' ');
      const steps = member.split('.');
      const found = steps.reduce<unknown>(
        (value, step) =>
          Array.isArray(value) ? value.at(Number(step)) : (value as Record<string, unknown> | undefined)?.[step],
        answers.get(`${method} ${path}`),
      );
      return typeof found === 'string' ? found : undefined;
    };
    const failed: string[] = [];
    for (const one of WORKING_EXAMPLES) {
      const [method, path] = split(one.operation);
      const asked = resolveAll(one, known) as Example;
      const { status, text, body } = await call(method, addressOf(path, asked), asked.body);
      if (status >= 300) failed.push(`${one.operation}: ${text}`);
      if (status < 300 && body !== undefined && body !== null) {
        answers.set(one.operation, body);
        recorded[one.operation] ??= text;
      }
    }
    expect(failed).toEqual([]);
    if (process.env['RECORD_EXAMPLES']) await record(recorded);
  }, 300_000);

  test('are there for every body and every answer', () => {
    const missing = operations().flatMap(([name, { requestBody, responses }]) => {
      const body = requestBody && requestBody.content['application/json'].example === undefined ? [`${name} body`] : [];
      const success = successOf(responses)[1]?.content?.['application/json'];
      return [...body, ...(success && success.example === undefined ? [`${name} answer`] : [])];
    });
    expect(missing).toEqual([]);
  });

  test('are as their schemas say', () => {
    const check = new AnswerCheck(document);
    const wrong = operations().flatMap(([name, { responses }]) => {
      const [method, path] = split(name);
      const [status, success] = successOf(responses);
      const shown = success?.content?.['application/json']?.example;
      if (shown === undefined) return [];
      const headers = new Headers({ 'content-type': 'application/json' });
      const concrete = path.replaceAll(/\{\w+\}/g, 'x');
      return check.mistake(method, concrete, { status: Number(status), headers, text: JSON.stringify(shown) }) ?? [];
    });
    expect(wrong).toEqual([]);
  });

  test('name operations that there are', () => {
    const names = new Set(operations().map(([name]) => name));
    const all = [...WORKING_EXAMPLES, ...SIGN_IN_EXAMPLES].map(({ operation }) => operation);
    expect([...all, ...Object.keys(ANSWERS)].filter((name) => !names.has(name))).toEqual([]);
  });
});

const SECRET = /"(?:key|secret)":"(?:smk|whsec)_[^"]+"/g;

/** Writes the answers down, with references in place of the demonstration's own ids. */
async function record(answers: Readonly<Record<string, string>>): Promise<void> {
  const references = new Set(JSON.stringify(WORKING_EXAMPLES).match(/\{\{(?!made)[^}]+\}\}/g) ?? []);
  const known = [...references].map((reference) => [reference, resolve(reference.slice(2, -2)) ?? ''] as const);
  const lines = Object.entries(answers).map(([operation, text]) => {
    const short = JSON.stringify(shortened(JSON.parse(text)));
    const named = known.reduce((all, [reference, id]) => (id.length < 36 ? all : all.replaceAll(id, reference)), short);
    const safe = named.replaceAll(SECRET, (member) => member.replace(/:".*"/, ':"mostrado uma única vez"'));
    return `  ${JSON.stringify(operation)}: ${JSON.stringify(safe)},`;
  });
  const head =
    '/** What the examples were answered, by operation, as JSON. */\nexport const ANSWERS: Readonly<Record<string, string>> = {\n';
  await writeFile('src/demo/examples/answers.ts', `${head}${lines.join('\n')}\n};\n`);
}

const MOST_ITEMS = 2;

/** Two of each list tell enough. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
