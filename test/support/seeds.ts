import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What became of a seed, and how. */
interface Explored {
  readonly faults: readonly string[];
  readonly story: readonly string[];
}

/** Tries seeds as the command line says, names each that ends wrong, and tells the story of the first one, or of the only one that is asked for. */
export async function trySeeds(explored: (seed: number) => Promise<Explored>): Promise<void> {
  const [from = 1, to = from] = process.argv.slice(2).map(Number);
  let failed = 0;
  for (let seed = from; seed <= to; seed++) {
    const { faults, story } = await explored(seed);
    if (faults.length > 0) failed += 1;
    if (from === to || (failed === 1 && faults.length > 0)) console.log(story.join('\n'));
    for (const fault of faults) console.log(`seed ${String(seed)}: ${fault}`);
  }
  console.log(`${String(to - from + 1)} seeds, ${String(failed)} of them wrong`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** What an explorer, which tries seeds in a process of its own, says of some. */
export async function toldOfSeeds(explorer: string, seeds: readonly string[]): Promise<string> {
  const program = `dist/test/support/${explorer}/explore.js`;
  const running = promisify(execFile)(process.execPath, [program, ...seeds], { maxBuffer: 2 ** 26 });
  const { stdout } = await running.catch((error: unknown) => error as { readonly stdout: string });
  return stdout;
}
