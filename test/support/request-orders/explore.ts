import { drawChanceFrom } from './drawn-chance.js';
import { HangWatch } from './hang-watch.js';

/** What somebody asks of processes, as far as it came. */
export interface Life {
  readonly faults: readonly string[];
  readonly story: readonly string[];
  /** Undefined: nobody listens. */
  onTold?: (line: string) => void;
  live(): Promise<void>;
}

/** Tries seeds as the command line says, names each that ends wrong, and tells the story of the first one, or of the only one that is asked for. */
export async function explore(lifeOf: (seed: number) => Life): Promise<void> {
  const [from = 1, to = from] = process.argv.slice(2).map(Number);
  const watch = new HangWatch();
  let failed = 0;
  for (let seed = from; seed <= to; seed++) {
    drawChanceFrom(seed);
    watch.begin(`seed ${String(seed)}:`);
    const life = lifeOf(seed);
    life.onTold = watch.tell;
    const broken = await life.live().catch((error: unknown) => [`it broke: ${(error as Error).stack ?? ''}`]);
    const faults = [...life.faults, ...(broken ?? [])];
    if (faults.length > 0) failed += 1;
    if (from === to || (failed === 1 && faults.length > 0)) console.log(life.story.join('\n'));
    for (const fault of faults) console.log(`seed ${String(seed)}: ${fault}`);
  }
  console.log(`${String(to - from + 1)} seeds, ${String(failed)} of them wrong`);
  process.exitCode = failed > 0 ? 1 : 0;
}
