import { drawChanceFrom } from './drawn-chance.js';
import { trySeeds } from '../seeds.js';
import { HangWatch } from './hang-watch.js';

/** What somebody asks of processes, as far as it came. */
export interface Life {
  readonly faults: readonly string[];
  readonly story: readonly string[];
  /** Undefined: nobody listens. */
  onTold?: (line: string) => void;
  live(): Promise<void>;
}

/** One life for each seed, all of whose chance is drawn from it; where nothing happens any more the story says so. */
export async function explore(lifeOf: (seed: number) => Life): Promise<void> {
  const watch = new HangWatch();
  await trySeeds(async (seed) => {
    drawChanceFrom(seed);
    watch.begin(`seed ${String(seed)}:`);
    const life = lifeOf(seed);
    life.onTold = watch.tell;
    const broken = await life.live().catch((error: unknown) => [`it broke: ${(error as Error).stack ?? ''}`]);
    return { faults: [...life.faults, ...(broken ?? [])], story: life.story };
  });
}
