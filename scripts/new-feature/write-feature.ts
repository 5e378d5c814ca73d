import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { InvalidName, type FeatureNames } from './names.js';
import { filesOf } from './templates.js';

/** Adds a name with its import to a list file whose last statement is the list. */
function listed(text: string, name: string, from: string): string {
  const imports = text.lastIndexOf('\nimport ');
  const after = text.indexOf('\n', imports + 1) + 1;
  const end = text.lastIndexOf(']');
  if (imports < 0 || end < after) throw new Error(`no list to add ${name} to`);
  const head = `${text.slice(0, after)}import { ${name} } from '${from}';\n`;
  return `${head}${text.slice(after, end).trimEnd().replace(/,$/, '')}, ${name}${text.slice(end)}`;
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

/** Writes the files, touches the two lists and the table of examples; gives the paths of all. Nothing is written when one of them is there already. */
export async function writeFeature(root: string, names: FeatureNames): Promise<readonly string[]> {
  const { folder, plural } = names;
  const files = new Map(filesOf(names));
  for (const path of files.keys()) {
    if (existsSync(join(root, path))) throw new InvalidName(`${path} is there already`);
  }
  const add = async (path: string, name: string, from: string) => {
    files.set(path, listed(await readFile(join(root, path), 'utf8'), name, from));
  };
  await add('src/features/index.ts', `${plural}Feature`, `./${folder}/feature.js`);
  await add('projections/index.ts', `${plural}Projector`, `./${folder}/${folder}.js`);
  files.set(EXAMPLES, withExamples(await readFile(join(root, EXAMPLES), 'utf8'), folder));
  const style = await resolveConfig(join(root, 'package.json'));
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), await format(text.trimStart(), { ...style, filepath: path }));
  }
  return [...files.keys()];
}
