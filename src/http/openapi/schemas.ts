import { z } from 'zod';
import { Decimal } from '../../kernel/values/decimal.js';
import type { JsonSchema } from './json-schema.js';
import { choicesOf, told, withPlainTypes } from './json-schema.js';

const LOCAL = '#/$defs/';
const SHARED = '#/components/schemas/';
const MOST_OF_32_BITS = 2 ** 31 - 1;

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

interface Described {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** A value of the program as it would travel; undefined where it has no such form. */
function plain(value: unknown): number | string | boolean | null | undefined {
  const travelled: unknown = value instanceof Decimal ? value.toNumber() : value;
  const isPlain = typeof travelled === 'number' || typeof travelled === 'string' || typeof travelled === 'boolean';
  return isPlain || travelled === null ? travelled : undefined;
}

/** A format says what its pattern spells out, and every whole number is a safe one. */
function tidy({ zodSchema, jsonSchema }: Described): void {
  const isText = jsonSchema.type === undefined || jsonSchema.type === 'string' || Array.isArray(jsonSchema.type);
  if (jsonSchema.format !== undefined || !isText) delete jsonSchema.pattern;
  // What a text is turned into has a default of that kind: a number, for a number in a query.
  const { def } = zodSchema._zod;
  if (def.type === 'default' && jsonSchema.default === undefined) {
    const value = plain(def.defaultValue);
    if (value !== undefined) jsonSchema.default = value;
  }
  // What is said of the type counts for what it is made of.
  if (jsonSchema.anyOf !== undefined && jsonSchema.type !== undefined) delete jsonSchema.anyOf;
  // One of two values is no type of its own in typed languages.
  if (typeof jsonSchema.const === 'boolean') delete jsonSchema.const;
  // A request's examples are what is sent; zod leaves them out where the program makes something else of it.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples as unknown[];
  // Without a format, generated clients take 32 bits.
  if (jsonSchema.type === 'integer' && (jsonSchema.maximum ?? Infinity) > MOST_OF_32_BITS) jsonSchema.format = 'int64';
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const decimalsOf = (schema: JsonSchema): number | undefined =>
  typeof schema['decimals'] === 'number'
    ? schema['decimals']
    : choicesOf(schema)
        .map(decimalsOf)
        .find((decimals) => decimals !== undefined);

const withoutDecimals = ({ decimals: _, ...schema }: JsonSchema): JsonSchema => {
  const choices = choicesOf(schema);
  return choices.length === 0 ? schema : { ...schema, anyOf: choices.map(withoutDecimals) };
};

/** How many decimals a number may have is told in words, beside what else is said of it. */
function withDecimalsTold(schema: JsonSchema): JsonSchema {
  const decimals = decimalsOf(schema);
  if (decimals === undefined) return schema;
  const { description, ...rest } = withoutDecimals(schema);
  return { ...told(description, decimals === 0 ? 'No decimals' : `At most ${decimals} decimals`), ...rest };
}

function withReferences(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map((item) => withReferences(item, names));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(withPlainTypes(withDecimalsTold(node as JsonSchema))).map(([key, value]) => {
      if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(LOCAL)) {
        return [key, withReferences(value, names)];
      }
      return [key, SHARED + (names.get(value.slice(LOCAL.length)) ?? '')];
    }),
  );
}

/** Collects the schemas that carry an id, each under one name, and refers to them from everywhere. */
export class SchemaComponents {
  private readonly sources = new Map<string, string>();
  private readonly schemas = new Map<string, unknown>();
  private readonly withIds = new WeakSet<z.ZodType>();

  constructor(own: Readonly<Record<string, JsonSchema>>) {
    for (const [name, schema] of Object.entries(own)) {
      this.sources.set(name, '');
      this.schemas.set(name, schema);
    }
  }

  /** What a client sends (`input`) or receives (`output`); values of the program inside count as what their meta data say. */
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const described = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy });
    if (JSON.stringify(described).includes('"format":"uuid"')) this.withIds.add(schema);
    const { $schema: _, $defs = {}, ...root } = described;
    const names = new Map<string, string>();
    for (const [id, definition] of Object.entries($defs)) {
      names.set(id, this.nameFor(pascal(id), JSON.stringify(definition), io));
    }
    for (const [id, definition] of Object.entries($defs)) {
      this.schemas.set(names.get(id) ?? '', withReferences(definition, names));
    }
    return withReferences(root, names) as JsonSchema;
  }

  /** Whether ids of records stand in it, of which one may name nothing; known once it was described. */
  holdsIds(schema: z.ZodType | undefined): boolean {
    return schema !== undefined && this.withIds.has(schema);
  }

  toJSON(): JsonSchema {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** One schema may look different to who sends it and who receives it. */
  private nameFor(wanted: string, source: string, io: 'input' | 'output'): string {
    for (let count = 0; ; count++) {
      const name = [wanted, `${wanted}${pascal(io)}`][count] ?? `${wanted}${count}`;
      const known = this.sources.get(name);
      if (known !== undefined && known !== source) continue;
      this.sources.set(name, source);
      return name;
    }
  }
}
