import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which operations of the interface the console's sources use, and which of its rooms use each. */

const CONSOLE = 'src/console';

/** What the list of small sets with names is used for. */
const NAMED_SETS = ['/categories', '/brands', '/product-tags'];

const roomOf = (name: string): string => {
  const [first = '', second = ''] = name.split('/');
  return first === 'screens' ? second : first;
};

/** Names of parameters do not matter; what is asked for after the path is no part of it. */
const patternOf = (path: string): string => path.replace(/\$?\{[^}]*\}/g, '{}').replace(/\?.*$/, '');

function* usesIn(source: string): Generator<string> {
  for (const [, method = '', path = ''] of source.matchAll(/api\.([A-Z]+)\(\s*'([^']+)'/g)) yield `${method} ${path}`;
  for (const [, method = '', template = ''] of source.matchAll(/api\.([A-Z]+)\(\s*(path\b|`\$\{path\}[^`]*`)/g)) {
    const rest = template.replace(/^path$|^`\$\{path\}|`$/g, '');
    for (const set of NAMED_SETS) yield `${method} ${set}${rest}`;
  }
  for (const [, path = '', method = ''] of source.matchAll(/fetch\('(\/[^']+)', \{ method: '([A-Z]+)'/g)) {
    yield `${method} ${path}`;
  }
  // Files and streams are asked for by their address.
  for (const [, path = ''] of source.matchAll(/['`](\/[a-z][^'`\s]*)['`]/g)) yield `GET ${path}`;
}

/** By operation as the document names it, such as `GET /products/{id}`. */
export function consoleUses(operations: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byPattern = new Map(operations.map((operation) => [patternOf(operation), operation]));
  const uses = new Map<string, Set<string>>();
  for (const name of readdirSync(CONSOLE, { recursive: true }).map(String)) {
    if (!/\.tsx?$/.test(name)) continue;
    for (const use of usesIn(readFileSync(join(CONSOLE, name), 'utf8'))) {
      const operation = byPattern.get(patternOf(use));
      if (operation === undefined) continue;
      uses.set(operation, (uses.get(operation) ?? new Set()).add(roomOf(name)));
    }
  }
  return new Map([...uses].map(([operation, rooms]) => [operation, [...rooms].sort()]));
}
