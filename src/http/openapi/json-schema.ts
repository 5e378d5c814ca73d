export type JsonSchema = Readonly<Record<string, unknown>>;

export const choicesOf = ({ anyOf }: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [];

/** Several descriptions of one thing, each once. */
export const told = (...descriptions: readonly unknown[]): JsonSchema => {
  const all = [...new Set(descriptions.filter((each) => typeof each === 'string'))];
  return all.length === 0 ? {} : { description: all.join('. ') };
};

const isOnlyChoices = (schema: JsonSchema): boolean => Object.keys(schema).join() === 'anyOf';

/** A choice of choices is a choice of all of them. */
const allChoicesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  choicesOf(schema).flatMap((choice) => (isOnlyChoices(choice) ? allChoicesOf(choice) : [choice]));

/** Undefined where its type is none of its own: an object, or a choice. */
function orNull(choice: JsonSchema): JsonSchema | undefined {
  const { type, enum: values, ...rest } = choice;
  if (typeof type !== 'string' || type === 'object' || 'const' in rest || 'anyOf' in rest) return undefined;
  return { ...rest, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) };
}

/**
 * Generators for typed languages make a class of every choice, so null is a type beside another one where it can be, and a choice beside an
 * object: there they see that it may be missing.
 */
export function withPlainTypes(schema: JsonSchema): JsonSchema {
  const { anyOf, description, ...rest } = schema;
  if (anyOf === undefined) return schema;
  const all = allChoicesOf(schema);
  const [first, ...others] = all.filter((choice) => choice['type'] !== 'null');
  const mayBeNull = others.length + 1 < all.length;
  const nullable = first && mayBeNull ? orNull(first) : undefined;
  const choices = nullable ? [nullable, ...others] : all;
  const [single] = choices;
  if (!single || choices.length > 1) return { ...schema, anyOf: choices };
  return { ...single, ...told(description, single['description']), ...rest };
}
