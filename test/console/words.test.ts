import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

const CONSOLE = 'src/console';
const files = readdirSync(CONSOLE, { recursive: true }).map(String);
const isWords = (path: string) =>
  path !== 'words/words.ts' && /(?:^|\/|-)words\.ts$|^words\/(?:field-names|frame|refusals)\.ts$/.test(path);

/** Those whose keys are names of the interface: which of them there are, other tests and the types say. */
const NAMED_BY_SERVICE = [
  'words/field-names.ts',
  'words/refusals.ts',
  'screens/audit/words.ts',
  'screens/documents/check-words.ts',
];

const sources = new Map(
  files
    .filter((name) => /\.tsx?$/.test(name) && !isWords(name))
    .map((name) => [name, readFileSync(join(CONSOLE, name), 'utf8')]),
);

/** The sources that can say the words of a catalogue: those of its room, and whoever takes something from there. */
function speakersOf(catalogue: string): readonly string[] {
  const room = dirname(catalogue);
  return [...sources].flatMap(([name, source]) => {
    const taken = [...source.matchAll(/from '(\.[^']+)'/g)].map(([, from = '']) => dirname(join(dirname(name), from)));
    return [dirname(name), ...taken].includes(room) ? [name] : [];
  });
}

interface Said {
  readonly key: string;
  readonly texts: readonly string[];
}

const parse = (path: string) =>
  ts.createSourceFile(path, readFileSync(join(CONSOLE, path), 'utf8'), ts.ScriptTarget.Latest, true);

/** The texts of a catalogue: members whose value is a list of texts. */
function catalogueOf(path: string): readonly Said[] {
  const said: Said[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isArrayLiteralExpression(node.initializer)) {
      const { elements } = node.initializer;
      const texts = elements.filter(ts.isStringLiteralLike).map(({ text }) => text);
      if (texts.length === elements.length) said.push({ key: node.name.getText(), texts });
    }
    node.forEachChild(visit);
  };
  visit(parse(path));
  return said;
}

const namesIn = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

const catalogues = files.filter(isWords);

test('there are words to look at', () => {
  expect(catalogues.length).toBeGreaterThan(5);
});

describe.each(catalogues)('%s', (path) => {
  const said = catalogueOf(path);

  test('says everything in both languages', () => {
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter(({ texts }) => texts.length !== 2 || texts.some((text) => text.trim() === ''))).toEqual([]);
  });

  test('fills in the same, and tells one from many, in both', () => {
    for (const { key, texts } of said) {
      const [portuguese = '', english = ''] = texts;
      expect([key, ...namesIn(portuguese)]).toEqual([key, ...namesIn(english)]);
      expect([key, portuguese.includes('|')]).toEqual([key, english.includes('|')]);
    }
  });

  test('has no word that nobody says', () => {
    if (NAMED_BY_SERVICE.includes(path)) return;
    const spoken = speakersOf(path)
      .map((name) => sources.get(name) ?? '')
      .join('\n');
    const called = [...readFileSync(join(CONSOLE, path), 'utf8').matchAll(/export const (\w+)/g)].map(
      ([, name]) => name,
    );
    const begun = [...spoken.matchAll(/`(\w+)\$\{/g)].map(([, beginning = '']) => beginning);
    const unsaid = said
      .map(({ key }) => key.replace(/^'|'$/g, ''))
      .filter((key) => !/^[A-Z0-9_]+$/.test(key) && !begun.some((beginning) => key.startsWith(beginning)))
      .filter((key) => !new RegExp(`['"\`]${key}['"\`]|\\b(?:${called.join('|')})\\.${key}\\b`).test(spoken));
    expect(unsaid).toEqual([]);
  });
});

test('no text stands in a component', () => {
  const found: string[] = [];
  const LETTERS = /\p{L}{2,}/u;
  for (const path of files.filter((name) => name.endsWith('.tsx'))) {
    const visit = (node: ts.Node): void => {
      if (ts.isJsxText(node) && LETTERS.test(node.text)) found.push(`${path}: ${node.text.trim()}`);
      if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer)) {
        const name = node.name.getText();
        const isSaid = ['label', 'title', 'placeholder', 'aria-label', 'alt', 'hint', 'submit'].includes(name);
        if (isSaid && LETTERS.test(node.initializer.text)) found.push(`${path}: ${name}="${node.initializer.text}"`);
      }
      node.forEachChild(visit);
    };
    visit(parse(path));
  }
  expect(
    found.filter((line) => !/: (?:title="(?:sales|brands|tags|categories)"|English|Português)/.test(line)),
  ).toEqual([]);
});

test('every refusal of the interface has its words', () => {
  const document = JSON.parse(readFileSync('dist/openapi.json', 'utf8')) as {
    components: { schemas: { RefusalCode: { enum: readonly string[] } } };
  };
  const known = new Set(catalogueOf('words/refusals.ts').map(({ key }) => key));
  expect(document.components.schemas.RefusalCode.enum.filter((code) => !known.has(code))).toEqual([]);
});
