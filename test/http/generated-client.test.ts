import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Within the project, so that the program finds its packages. */
const FOLDER = resolve('dist/generated-client');
const PROGRAM = join(FOLDER, 'twenty-operations.ts');

let world: World;
let store: StoreClient;
beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  await mkdir(FOLDER, { recursive: true });
});
afterAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await world.close();
});

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

test('a client that is generated from the document compiles, and twenty operations work with it', async () => {
  const document = (await (await fetch(`${world.url}/openapi.json?trials=false`)).json()) as Parameters<
    typeof openapiTS
  >[0];
  await writeFile(join(FOLDER, 'openapi.ts'), astToString(await openapiTS(document)));
  const source = await readFile('test/fixtures/client/twenty-operations.ts.txt', 'utf8');
  await writeFile(PROGRAM, source);
  const mistakes = ts.getPreEmitDiagnostics(ts.createProgram([PROGRAM], OPTIONS));
  expect(mistakes.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);

  const compiled = join(FOLDER, 'twenty-operations.js');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { ...OPTIONS, noEmit: false, module: ts.ModuleKind.ESNext },
  });
  await writeFile(compiled, outputText);
  const { callTwentyOperations } = (await import(pathToFileURL(compiled).href)) as {
    callTwentyOperations(url: string, key: string, slug: string): Promise<readonly string[]>;
  };
  const worked = await callTwentyOperations(world.url, store.key, store.slug);
  expect(worked).toHaveLength(20);
});
