import { z } from 'zod';

/** Where a schema and its examples hold ids of records: `items[].variantId`. */

interface Node {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly allOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
}

const definitionOf = (reference: string, root: Node): Node => root.$defs?.[reference.replace(/^#\/\$defs\//, '')] ?? {};

function pathsIn(node: Node, at: string, root: Node): readonly string[] {
  const { properties = {}, items, allOf = [], anyOf = [], oneOf = [], $ref } = node;
  return [
    ...(node.format === 'uuid' ? [at] : []),
    ...($ref === undefined ? [] : pathsIn(definitionOf($ref, root), at, root)),
    ...(items ? pathsIn(items, `${at}[]`, root) : []),
    ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => pathsIn(part, at, root)),
    ...Object.entries(properties).flatMap(([name, part]) => pathsIn(part, at === '' ? name : `${at}.${name}`, root)),
  ];
}

/** Every place in a schema where an id may stand. */
export function idPaths(schema: z.ZodType): ReadonlySet<string> {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node;
  return new Set(pathsIn(root, '', root));
}

interface FoundId {
  /** As in the schema. */
  readonly path: string;
  readonly id: string;
  /** The same value with another id in this place. */
  with(other: string): unknown;
}

/** The ids that stand in a value at the places of its schema. */
export function idsIn(value: unknown, paths: ReadonlySet<string>, at = ''): readonly FoundId[] {
  if (typeof value === 'string') return paths.has(at) ? [{ path: at, id: value, with: (other) => other }] : [];
  if (typeof value !== 'object' || value === null) return [];
  const within = (member: unknown, path: string, put: (changed: unknown) => unknown) =>
    idsIn(member, paths, path).map((found) => ({ ...found, with: (other: string) => put(found.with(other)) }));
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    return list.flatMap((member, index) => within(member, `${at}[]`, (changed) => list.with(index, changed)));
  }
  return Object.entries(value).flatMap(([name, member]) =>
    within(member, at === '' ? name : `${at}.${name}`, (changed) => ({ ...value, [name]: changed })),
  );
}
