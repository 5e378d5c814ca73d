import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Reports that need what belongs to the tests: what stands in for servers, and a browser. */
export const REPORTS: Readonly<Record<string, string>> = {
  'round-trips': 'dist/test/support/round-trips-table.js',
  console: 'dist/test/support/console-figures.js',
};

const ROOT = new URL('../../../', import.meta.url);
const COMPILER = 'node_modules/typescript/bin/tsc';

/** Builds the tests and prints the report. */
export async function printReport(script: string, ...words: readonly string[]): Promise<number> {
  const built = await run(COMPILER, '-p', 'tsconfig.json');
  return built === 0 ? run(script, ...words) : built;
}

async function run(...words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, words, { cwd: fileURLToPath(ROOT), stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
