import { z } from 'zod';
import { pauseUntilAborted } from '../../../kernel/values/pause.js';
import type { Clock } from '../../../kernel/values/clock.js';
import { toIso } from '../../../kernel/values/clock.js';
import { GrowingTree } from '../../../kernel/proof/growing-tree.js';
import type { EventStore } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';
import type { KeptCheckpoints } from '../../../ports/kept-checkpoints.js';
import type { Leases } from '../../../ports/leases.js';
import type { CheckedPlace, LogBreak, LogChecker } from '../../../ports/log-checker.js';
import type { Vault } from '../../../ports/vault.js';
import type { Checkpoint } from '../proof/checkpoint.js';
import type { LogTree } from '../proof/log-tree.js';

export const VERIFICATION = 'audit-verification';
const ID = 'installation';

const verification = z.object({
  /** How many events from the log's beginning were found whole. */
  verifiedSize: z.int(),
  at: z.string(),
  ok: z.boolean(),
  firstBreak: z.object({ reason: z.string(), stream: z.string(), revision: z.int(), position: z.string() }).optional(),
});
export type Verification = z.output<typeof verification>;

export async function lastVerification(vault: Vault): Promise<Verification | undefined> {
  const row = await vault.get(VERIFICATION, ID);
  return row && verification.parse(row.value);
}

interface VerifierServices {
  readonly eventStore: Pick<EventStore, 'logId'>;
  readonly checker: LogChecker;
  readonly vault: Vault;
  readonly leases: Leases;
  readonly holder: string;
  readonly clock: Clock;
  readonly tree: LogTree;
  readonly checkpoints: KeptCheckpoints;
  onError(error: unknown): void;
  readonly pause?: typeof pauseUntilAborted;
}

/** So many events are a stretch; who checks fewer at once does. */
const STRETCH = 4_000;
/** After each it rests so many times as long as that took, which is longer while others are at work. */
const REST = 5;
const SHORTEST_REST = 50;
/** How long it waits for more to check, and how often it writes down how far it came. */
const IDLE = 10_000;
const LEASE = 60_000;
/** Whoever mends the log waits no longer to hear that it is whole. */
const AFTER_BREAK = 10 * 60_000;
/** What was found whole is looked at again, from the beginning, after so long. */
const AGAIN_AFTER = 24 * 3_600_000;

/**
 * Goes through the whole log by itself, in one process at a time, then through what comes, and once a day from the beginning again: every
 * chain, the tree that proofs are made of, and the checkpoints that were kept.
 */
export class Verifier {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly services: VerifierServices) {}

  start(): void {
    this.running ??= this.run();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private pause(milliseconds: number): Promise<void> {
    return (this.services.pause ?? pauseUntilAborted)(milliseconds, this.stopping.signal);
  }

  private async run(): Promise<void> {
    // A start has better things to do.
    await this.pause(IDLE);
    while (!this.stopped) {
      try {
        const lease = await this.services.leases.acquire(VERIFICATION, this.services.holder, LEASE);
        if (lease) {
          await this.goThrough(() => lease.renew()).finally(() => lease.release());
        }
      } catch (error) {
        this.services.onError(error);
      }
      await this.pause(IDLE);
    }
  }

  /** One walk from the beginning, and on with what comes until it is time for the next; ends early when another holds the lease. */
  private async goThrough(renew: () => Promise<boolean>): Promise<void> {
    const { clock } = this.services;
    const began = clock.now();
    const walk = new Walk(this.services, await lastVerification(this.services.vault));
    let noted = clock.now();
    while (!this.stopped && clock.now() - began < AGAIN_AFTER) {
      const stepped = performance.now();
      const atEnd = await walk.step();
      if (walk.broken) {
        const { reason, stream, revision } = walk.broken;
        const where = stream === '' ? '' : ` (stream ${stream}, revision ${String(revision)})`;
        this.services.onError(new Error(`the log is not whole: ${reason}${where}`));
        await this.pause(AFTER_BREAK);
        return;
      }
      if (!atEnd) {
        const rest = Math.max(SHORTEST_REST, REST * (performance.now() - stepped));
        await this.pause(rest);
        if (clock.now() - noted < IDLE) continue;
      }
      await walk.note();
      noted = clock.now();
      if (!(await renew())) return;
      if (atEnd) await this.pause(IDLE);
    }
  }
}

/** One walk through the log, and what it found. */
export class Walk {
  broken: LogBreak | undefined;
  private place: CheckedPlace = { position: START, tree: { size: 0, edge: [] } };
  private notedSize = -1;
  private checkpoints: readonly Checkpoint[] | undefined;
  private readonly compared = new Set<string>();

  constructor(
    private readonly services: Pick<
      VerifierServices,
      'eventStore' | 'checker' | 'vault' | 'clock' | 'tree' | 'checkpoints'
    >,
    /** What earlier walks found, whole or broken, counts until this one has come further. */
    private readonly earlier: Verification | undefined,
  ) {}

  get size(): number {
    return this.place.tree.size;
  }

  /** Checks some more events and what they come to; says whether it came to the end of the log. */
  async step(): Promise<boolean> {
    const checked = await this.services.checker.next(this.place, await this.upToNextCheckpoint());
    if (checked.found) {
      await this.breakAt(checked.found, checked.size);
      return true;
    }
    this.place = checked.place;
    const wrong = await this.wrongRoot(checked.atEnd);
    if (wrong) await this.breakAt(wrong, this.size);
    return checked.atEnd;
  }

  /** Writes down how far it came, when that is news. */
  async note(): Promise<void> {
    const { verifiedSize: known = 0, ok: wasWhole = true } = this.earlier ?? {};
    if (this.size === this.notedSize || (!wasWhole && this.size <= known)) return;
    this.notedSize = this.size;
    await this.write({ verifiedSize: Math.max(this.size, known), ok: true });
  }

  private async upToNextCheckpoint(): Promise<number> {
    this.checkpoints ??= await this.services.checkpoints.all();
    const { logId } = this.services.eventStore;
    const next = this.checkpoints
      .filter((one) => one.logId === logId && one.size > this.size)
      .reduce((least, one) => Math.min(least, one.size), Infinity);
    return Math.min(STRETCH, next - this.size);
  }

  /** Compares the tree with the checkpoints of this size, and at the end of the log with the tree that proofs are made of. */
  private async wrongRoot(atEnd: boolean): Promise<LogBreak | undefined> {
    const { eventStore, tree } = this.services;
    const root = new GrowingTree(this.place.tree).root();
    for (const kept of this.checkpoints ?? []) {
      if (kept.logId !== eventStore.logId || kept.size !== this.size || this.compared.has(kept.at)) continue;
      this.compared.add(kept.at);
      if (kept.rootHash !== root) {
        return { reason: `the events up to it are not those of the checkpoint of ${kept.at}`, ...this.noEvent };
      }
    }
    if (!atEnd || this.size === 0) return undefined;
    const lost = (this.checkpoints ?? []).find((kept) => kept.logId === eventStore.logId && kept.size > this.size);
    if (lost) return { reason: `the log has lost events since the checkpoint of ${lost.at}`, ...this.noEvent };
    const stored = await tree.rootAt(this.size);
    return stored === undefined || stored === root
      ? undefined
      : { reason: 'the tree of the proofs is not that of the events', ...this.noEvent };
  }

  /** Stands for the event where no single one is wrong. */
  private get noEvent() {
    return { stream: '', revision: 0, position: this.place.position };
  }

  private async breakAt(firstBreak: LogBreak, verifiedSize: number): Promise<void> {
    this.broken = firstBreak;
    await this.write({ verifiedSize, ok: false, firstBreak });
  }

  private async write(result: Omit<Verification, 'at'>): Promise<void> {
    const value = { ...result, at: toIso(this.services.clock.now()) };
    await this.services.vault.write([{ kind: VERIFICATION, id: ID, value, expected: 'any' }]);
  }
}
