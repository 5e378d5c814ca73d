/** Two states of a record, field by field: `items[2].quantity`. */
export interface FieldPair {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly differs: boolean;
}

type Leaves = ReadonlyMap<string, unknown>;

function leavesOf(value: unknown, path = '', into = new Map<string, unknown>()): Leaves {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) {
    if (path !== '') into.set(path, value);
    return into;
  }
  for (const [name, inner] of Object.entries(value)) {
    const part = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`;
    leavesOf(inner, path + part, into);
  }
  return into;
}

/** Undefined stands for a record that did not exist. */
export function comparedFields(before: object | undefined, after: object | undefined): readonly FieldPair[] {
  const [left, right] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...left.keys(), ...right.keys()])].map((path) => {
    const [one, other] = [left.get(path), right.get(path)];
    return { path, before: one, after: other, differs: JSON.stringify(one) !== JSON.stringify(other) };
  });
}
