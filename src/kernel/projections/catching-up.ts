import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore, Position, StoredEvent } from '../../ports/event-store.js';
import { RebuildReplaced } from '../../ports/read-models.js';
import type { PoisonEvent } from './engine.js';
import { LARGEST_BATCH, Portions } from './portions.js';

const PAUSE_AFTER_FAILURE = 200;

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
  readonly portions: Portions;
}

/** Reads the log from some position until it meets the pump. */
export class CatchingUp {
  constructor(private readonly pump: Pump) {}

  /**
   * Joins between two batches of the pump, at what has come to it by then, once or until it says that all have joined. Outlives failures of the
   * stores; ends at a poison event, at a rebuild by another process, or at the close.
   */
  async follow(from: Position, apply: Apply, join: (position: Position) => Promise<boolean> | boolean): Promise<void> {
    const progress = { position: from, portions: Portions.beside(() => this.pump.patience()) };
    for (;;) {
      this.pump.signal.throwIfAborted();
      try {
        await this.approach(progress, apply);
        const haveJoined = await this.pump.inTurn(async () => {
          while (progress.position < this.pump.pumped()) await this.approach(progress, apply);
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

  /** Up to the pump or a page that is not full. */
  private async approach(progress: Progress, apply: Apply): Promise<void> {
    for await (const page of pagesAfter(this.pump.eventStore, progress.position)) {
      this.pump.signal.throwIfAborted();
      const limit = this.pump.pumped();
      const events = page.filter(({ position }) => position <= limit);
      await progress.portions.each(events, async (some) => {
        progress.position = await apply(progress.position, some);
      });
      if (events.length < LARGEST_BATCH) return;
    }
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
