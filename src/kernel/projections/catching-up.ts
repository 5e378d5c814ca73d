import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore, Position, StoredEvent } from '../../ports/event-store.js';
import { RebuildReplaced } from '../../ports/read-models.js';
import type { PoisonEvent } from './engine.js';
import { LARGEST_BATCH, Portions } from './portions.js';

const PAUSE_AFTER_FAILURE = 200;
/** So few events are taken between two batches of the pump. */
const FEW = 8;

/** A projector cannot take an event. */
export class PoisonMet extends Error {
  constructor(
    collection: string,
    readonly reached: Position,
    readonly poison: PoisonEvent,
  ) {
    super(`${collection} stopped before the event at ${poison.position} (${poison.type}): ${poison.reason}`);
    this.name = 'PoisonMet';
  }
}

interface Pump {
  readonly eventStore: EventStore;
  pumped(): Position;
  /** How many milliseconds what is live can wait for a portion that is applied beside it. */
  patience(): number;
  /** Runs the work between two batches of the pump. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  readonly signal: AbortSignal;
  readonly onError?: (error: unknown) => void;
}

/** Gives the position after the events. */
type Apply = (after: Position, events: readonly StoredEvent[]) => Promise<Position>;

interface Progress {
  position: Position;
}

/** Reads the log from some position until it meets the pump. */
export class CatchingUp {
  constructor(private readonly pump: Pump) {}

  /**
   * Joins between two batches of the pump, at what has come to it by then, once or until it says that all have joined. Outlives failures of the
   * stores; ends at a poison event, at a rebuild by another process, or at the close.
   */
  async follow(from: Position, apply: Apply, join: (position: Position) => Promise<boolean> | boolean): Promise<void> {
    const progress = { position: from };
    const beside = Portions.beside(() => this.pump.patience());
    const inTurn = Portions.alone();
    for (let before = Infinity; ;) {
      this.pump.signal.throwIfAborted();
      try {
        const taken = await this.approach(progress, beside, apply);
        // What came meanwhile is taken beside the pump as well, as long as that becomes less.
        const comesCloser = taken > FEW && taken < before;
        before = comesCloser ? taken : Infinity;
        if (comesCloser) continue;
        const haveJoined = await this.pump.inTurn(async () => {
          // The pump keeps what comes from now on: whoever waited for that too would hold it up for as long as more comes.
          const end = this.pump.pumped();
          while (progress.position < end) await this.approach(progress, inTurn, apply);
          return join(progress.position);
        });
        if (haveJoined) return;
      } catch (error) {
        if (isFinal(error) || this.pump.signal.aborted) throw error;
        this.pump.onError?.(error);
        await pause(PAUSE_AFTER_FAILURE, undefined, { signal: this.pump.signal });
      }
    }
  }

  /** Up to the pump or a page that is not full. Gives how many events that were. */
  private async approach(progress: Progress, portions: Portions, apply: Apply): Promise<number> {
    let taken = 0;
    for await (const page of pagesAfter(this.pump.eventStore, progress.position)) {
      this.pump.signal.throwIfAborted();
      const limit = this.pump.pumped();
      const events = page.filter(({ position }) => position <= limit);
      await portions.each(events, async (some) => {
        progress.position = await apply(progress.position, some);
      });
      taken += events.length;
      if (events.length < LARGEST_BATCH) break;
    }
    return taken;
  }
}

const isFinal = (error: unknown): boolean => error instanceof PoisonMet || error instanceof RebuildReplaced;

/** Reads the next page while the last one is being worked on. */
async function* pagesAfter(store: EventStore, from: Position): AsyncGenerator<readonly StoredEvent[], void> {
  let next = store.readAll(from, LARGEST_BATCH);
  for (;;) {
    const page = await next;
    const last = page.at(-1);
    if (!last) return;
    next = store.readAll(last.position, LARGEST_BATCH);
    next.catch(() => undefined);
    yield page;
  }
}
