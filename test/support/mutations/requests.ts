import type { Chance } from '../../../src/demo/chance.js';
import { ODD_JSON, ODD_MOMENTS, ODD_NUMBERS, ODD_TEXTS } from './odd-values.js';

/** Requests that are nearly right: an example with something of it changed. */

/** What a schema of the OpenAPI document may say. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

type Lookup = (reference: string) => Schema;

/** A schema without references and choices: the first that is more than null. */
function plain(schema: Schema | undefined, lookup: Lookup): Schema {
  if (!schema) return {};
  if (schema.$ref !== undefined) return plain(lookup(schema.$ref), lookup);
  const [first] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].filter(
    ({ type }) => type !== 'null',
  );
  return first ? { ...plain(first, lookup), ...schema } : schema;
}

/** The edges of what a schema allows, and just beyond them. */
function edgesOf({ minimum, maximum, minLength, maxLength, enum: values }: Schema): readonly string[] {
  const numbers = [minimum, maximum].flatMap((edge) => (edge === undefined ? [] : [edge - 1, edge, edge + 1]));
  const lengths = [minLength, maxLength].flatMap((edge) => (edge === undefined ? [] : [edge - 1, edge, edge + 1]));
  return [
    ...numbers.map((number) => String(number)),
    ...lengths
      .filter((length) => length >= 0 && length <= 20_000)
      .flatMap((length) => [JSON.stringify('á'.repeat(length)), JSON.stringify('7'.repeat(length))]),
    ...(values ?? []).map((value) => JSON.stringify(value)),
  ];
}

function oddFor(schema: Schema, choices: Chance): string {
  const edges = edgesOf(schema);
  if (edges.length > 0 && choices.happens(0.4)) return choices.of(edges);
  const type = Array.isArray(schema.type) ? (schema.type as readonly string[])[0] : schema.type;
  if ((type === 'number' || type === 'integer') && choices.happens(0.5)) return choices.of(ODD_NUMBERS);
  if (/date/.test(schema.format ?? '') && choices.happens(0.7)) return choices.of(ODD_MOMENTS);
  return choices.of(ODD_JSON);
}

const inList = (value: readonly unknown[], schema: Schema, choices: Chance, lookup: Lookup): string => {
  const texts = value.map((member) => JSON.stringify(member));
  const index = choices.between(0, value.length - 1);
  switch (choices.between(0, 4)) {
    case 0:
      return `[${[...texts, texts[index] ?? '1'].join(',')}]`;
    case 1:
      return `[${texts.toSpliced(index, 1).join(',')}]`;
    case 2:
      return `[${Array.from({ length: (schema.maxItems ?? 20) + 1 }, () => texts[index] ?? '1').join(',')}]`;
    default:
      return `[${texts.with(index, mutatedJson(value[index], schema.items, choices, lookup)).join(',')}]`;
  }
};

function inObject(value: Readonly<Record<string, unknown>>, schema: Schema, choices: Chance, lookup: Lookup): string {
  const known = Object.entries(value).filter(([, member]) => member !== undefined);
  const texts = new Map(known.map(([name, member]) => [name, JSON.stringify(member)]));
  const written = () => [...texts].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  const names = [...new Set([...texts.keys(), ...Object.keys(schema.properties ?? {})])];
  const kind = names.length === 0 ? 0 : choices.between(0, 11);
  if (kind === 0) return `{${[...written(), '"unheardOf":1'].join(',')}}`;
  const name = choices.of(names);
  if (kind === 1) {
    texts.delete(name);
    return `{${written().join(',')}}`;
  }
  if (kind === 2) return `{${[...written(), `${JSON.stringify(name)}:${choices.of(ODD_JSON)}`].join(',')}}`;
  if (kind === 3) return `{${['"__proto__":{"admin":true}', ...written()].join(',')}}`;
  texts.set(name, mutatedJson(value[name], schema.properties?.[name], choices, lookup));
  return `{${written().join(',')}}`;
}

/** A value with one place of it changed, as a JSON text or what looks like one. */
export function mutatedJson(value: unknown, described: Schema | undefined, choices: Chance, lookup: Lookup): string {
  const schema = plain(described, lookup);
  if (Array.isArray(value) && value.length > 0 && choices.happens(0.85)) {
    return inList(value as readonly unknown[], schema, choices, lookup);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && choices.happens(0.95)) {
    return inObject(value as Readonly<Record<string, unknown>>, schema, choices, lookup);
  }
  if (value === undefined && schema.type === 'object' && choices.happens(0.7)) {
    return inObject({}, schema, choices, lookup);
  }
  if (value === undefined && schema.type === 'array' && choices.happens(0.7)) {
    return `[${mutatedJson(undefined, schema.items, choices, lookup)}]`;
  }
  return oddFor(schema, choices);
}

const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['if-match', ['', '*', '"0"', '"1"', 'W/"0"', '"-1"', '"x"', '"0", "1"', `"${'9'.repeat(30)}"`]],
  ['idempotency-key', ['', ' ', 'k', 'é', 'k'.repeat(255), 'k'.repeat(256), '__proto__']],
  ['prefer', ['dry-run', 'dry-run=1', 'respond-async, dry-run', 'DRY-RUN', 'wait=10', ',,;;']],
  ['accept-language', ['en', 'pt;q=0', '*', 'en;q=2', ',;q', 'a'.repeat(3_000)]],
  ['accept', ['text/html', 'application/xml', '*/*;q=0', '']],
  ['traceparent', ['00-0', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`, 'x'.repeat(500)]],
  ['x-request-id', ['', 'a b', 'é', 'x'.repeat(1_000), '__proto__']],
  ['x-min-position', ['', '0', 'x', '9'.repeat(40), '-1']],
  ['content-type', ['text/plain', 'application/json; charset=latin1', 'application/json;;', 'application/xml', '']],
  ['last-event-id', ['', 'x', '9'.repeat(40)]],
  ['range', ['bytes=0-0']],
  ['x-http-method-override', ['DELETE']],
  ['origin', ['https://evil.example', 'null']],
  ['cookie', ['sm_access=a.b.c', '__proto__=1', 'sm_access=%E0%A4%A']],
];

/** One header that is odd. */
export function oddHeader(choices: Chance): Readonly<Record<string, string>> {
  const [name, values] = choices.of(HEADERS);
  return { [name]: Buffer.from(choices.of(values)).toString('latin1') };
}

/** A query with one parameter that is odd, given twice, or unheard of. */
export function oddQuery(
  query: Readonly<Record<string, string>>,
  names: readonly (readonly [name: string, schema: Schema])[],
  choices: Chance,
): string {
  const known = new URLSearchParams(query);
  const [name, schema] = names.length > 0 ? choices.of(names) : (['q', {}] as const);
  const edges = edgesOf(schema).map((text) => text.replaceAll('"', ''));
  const value = choices.happens(0.4) && edges.length > 0 ? choices.of(edges) : choices.of(ODD_TEXTS);
  switch (choices.between(0, 7)) {
    case 0:
      known.append(name, known.get(name) ?? value);
      known.append(name, value);
      break;
    case 1:
      known.set(`${name}[]`, value);
      break;
    case 2:
      known.set(choices.of(['__proto__', 'unheardOf', 'constructor', '']), value);
      break;
    default:
      known.set(name, value);
  }
  const text = known.toString();
  return choices.happens(0.05) ? `${text}&x=%E0%A4%A` : text;
}
