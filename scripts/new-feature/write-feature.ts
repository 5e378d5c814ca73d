import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { FeatureNames } from './names.js';
import { InvalidName } from './names.js';
import { filesOf } from './templates.js';

/** A file with a list that every feature has a line in. */
interface List {
  readonly path: string;
  /** What is imported: each name with its file. */
  readonly imports: readonly (readonly [name: string, from: string])[];
  readonly entry: string;
  /** The words before the list; it is the last of its file when undefined. */
  readonly after?: string;
}

const listsOf = ({ folder, plural, singular }: FeatureNames): readonly List[] => [
  {
    path: 'src/features/index.ts',
    imports: [[`${plural}Feature`, `./${folder}/feature.js`]],
    entry: `${plural}Feature`,
  },
  {
    path: 'src/features/permissions.ts',
    imports: [[`${singular}Permissions`, `./${folder}/permissions.js`]],
    entry: `...${singular}Permissions`,
    after: 'const declarations = [',
  },
  {
    path: 'projections/index.ts',
    imports: [[`${plural}Projector`, `./${folder}/${folder}.js`]],
    entry: `${plural}Projector`,
  },
  {
    path: 'projections/audit/parts/histories.ts',
    imports: [
      [`${singular}Events`, `../../../src/features/${folder}/events.js`],
      [`${singular}History`, `../../../src/features/${folder}/history.js`],
    ],
    entry: `told(${singular}Events, ${singular}History)`,
    after: 'const TOLD: readonly ToldCodec[] = [',
  },
];

function withEntry(text: string, { path, imports, entry, after = '' }: List): string {
  const lastImport = text.lastIndexOf('\nimport ');
  const importsEnd = text.indexOf('\n', lastImport + 1) + 1;
  const start = text.indexOf(after);
  const end = after === '' ? text.lastIndexOf(']') : text.indexOf('\n]', start);
  if (lastImport < 0 || start < 0 || end < importsEnd) throw new Error(`no list to add ${entry} to in ${path}`);
  const head = `${text.slice(0, importsEnd)}${imports.map(([name, from]) => `import { ${name} } from '${from}';\n`).join('')}`;
  return `${head}${text.slice(importsEnd, end).trimEnd().replace(/,$/, '')}, ${entry}${text.slice(end)}`;
}

const EXAMPLES = 'test/support/route-examples.ts';

/** Adds what the feature's routes take to the table that they are tried with. */
function withExamples(text: string, folder: string): string {
  const table = text.indexOf(' EXAMPLES: ');
  const start = text.indexOf('{\n', table) + 1;
  if (table < 0 || start < table) throw new Error(`no table of examples in ${EXAMPLES}`);
  const entries = `'POST /${folder}': named, 'PATCH /${folder}/{id}': named,`;
  return `${text.slice(0, start)}${entries}${text.slice(start)}`;
}

/** Writes the files, touches the lists and the table of examples; gives the paths of all. Nothing is written when one of them is there already. */
export async function writeFeature(root: string, names: FeatureNames): Promise<readonly string[]> {
  const { folder } = names;
  const files = new Map(filesOf(names));
  for (const path of files.keys()) {
    if (existsSync(join(root, path))) throw new InvalidName(`${path} is there already`);
  }
  for (const list of listsOf(names)) {
    files.set(list.path, withEntry(await readFile(join(root, list.path), 'utf8'), list));
  }
  files.set(EXAMPLES, withExamples(await readFile(join(root, EXAMPLES), 'utf8'), folder));
  const style = await resolveConfig(join(root, 'package.json'));
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), await format(text.trimStart(), { ...style, filepath: path }));
  }
  return [...files.keys()];
}
