import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const ROUND_TRIPS = 'round-trips';

const ROOT = new URL('../../../', import.meta.url);
const COMPILER = 'node_modules/typescript/bin/tsc';
const TABLE = 'dist/test/support/round-trips-table.js';

/** Prints what requests ask of EventStoreDB and MongoDB. What stands in for the two belongs to the tests, which are built for it. */
export async function printRoundTrips(): Promise<number> {
  const built = await run(COMPILER, '-p', 'tsconfig.json');
  return built === 0 ? run(TABLE) : built;
}

async function run(...words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, words, { cwd: fileURLToPath(ROOT), stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
