import { isDeepStrictEqual } from 'node:util';
import type { Told } from './asking.js';
import type { ServiceProcess } from './service-process.js';
import type { World } from './world.js';

type Run = (process: ServiceProcess, key: string) => Promise<Told>;

interface Keyed {
  readonly what: string;
  readonly key: string;
  readonly run: Run;
  first?: Told;
}

/** Somebody else may have answered in place of a request that takes so long, and what it shows is of another moment. */
const STANDS_STILL = 20_000;

/** Requests with an idempotency key, which may come again, at once or later, to any process. */
export class Repeats {
  private readonly keyed: Keyed[] = [];
  private keys = 0;

  constructor(
    private readonly world: World,
    private readonly faults: string[],
    /** Whether every repeat is to hear the very same; others are answered anew. */
    private readonly isKept: (first: Told) => boolean,
  ) {}

  start(what: string, run: Run): void {
    this.keys += 1;
    const keyed: Keyed = { what, run, key: `key-${String(this.keys)}` };
    if (this.world.draws.chance(0.5)) this.keyed.push(keyed);
    this.send(keyed, what);
  }

  repeat(): void {
    if (this.keyed.length === 0) return;
    const keyed = this.world.draws.of(this.keyed.slice(-20));
    this.send(keyed, `${keyed.what}, once more`);
  }

  private send(keyed: Keyed, what: string): void {
    const { world } = this;
    const { schedule } = world;
    world.begin(world.any(), what, async (process) => {
      const began = schedule.now;
      const told = await keyed.run(process, keyed.key);
      return schedule.now - began < STANDS_STILL ? this.heard(keyed, told) : told;
    });
  }

  private heard(keyed: Keyed, told: Told): Told {
    const isDecided = told.status < 300 || (told.status === 409 && !told.code?.startsWith('IDEMPOTENCY_'));
    if (!isDecided) return told;
    const { first, what } = keyed;
    const isSame = !first || (first.status === told.status && isDeepStrictEqual(first.body, told.body));
    if (first && first.status < 300 && !isSame && this.isKept(first)) {
      const heard = `${JSON.stringify(first.body ?? null)} and ${String(told.status)} ${JSON.stringify(told.body ?? null)}`;
      this.faults.push(`a repeat hears something else: ${what} ${heard}`);
    }
    keyed.first ??= told;
    return told;
  }
}
