import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const CONSOLE = 'src/console';
const files = readdirSync(CONSOLE, { recursive: true }).map(String);

/** The words of all texts in the sources, and what a text begins with that is completed by a value. */
function written() {
  const words = new Set<string>();
  const begun = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isWhole = ts.isStringLiteralLike(node) || ts.isTemplateTail(node);
    if (isWhole || ts.isTemplateHead(node) || ts.isTemplateMiddle(node)) {
      const parts = node.text.split(/\s+/);
      for (const part of parts) words.add(part);
      const last = parts.at(-1) ?? '';
      if (!isWhole && last.endsWith('-')) begun.add(last);
    }
    node.forEachChild(visit);
  };
  for (const path of files.filter((name) => /\.tsx?$/.test(name))) {
    visit(ts.createSourceFile(path, readFileSync(join(CONSOLE, path), 'utf8'), ts.ScriptTarget.Latest, true));
  }
  return { words, begun: [...begun] };
}

const { words, begun } = written();

test.each(files.filter((name) => name.endsWith('.css')))('%s styles nothing that nothing carries', (path) => {
  const selectors = readFileSync(join(CONSOLE, path), 'utf8')
    .replace(/\/\*[^]*?\*\/|@import[^;]*;/g, '')
    .replace(/\{[^{}]*\}/g, '{}');
  const classes = new Set(Array.from(selectors.matchAll(/\.([a-z][\w-]*)/gi), ([, name = '']) => name));
  expect([...classes].filter((name) => !words.has(name) && !begun.some((start) => name.startsWith(start)))).toEqual([]);
});
