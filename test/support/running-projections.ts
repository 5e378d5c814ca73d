import type { Applier } from '../../src/kernel/projections/applier.js';
import { storeApplier } from '../../src/kernel/projections/applier.js';
import { startProjections } from '../../src/kernel/projections/host.js';
import type { ProjectionHealth, Projections } from '../../src/kernel/projections/projections.js';
import type { Projector } from '../../src/kernel/projections/projector.js';
import type { Position } from '../../src/ports/event-store.js';
import { NO_STREAM } from '../../src/ports/event-store.js';
import { MemoryEventStore } from './memory-event-store.js';
import { MemoryProjectionStore } from './memory-projection-store.js';
import type { ShelfEvent } from './shelf-projectors.js';
import { projectors, shelfEvent } from './shelf-projectors.js';

/** A log and projections of it, all in memory. */
export class RunningProjections {
  readonly errors: unknown[] = [];
  now = 1_000;
  private revision = NO_STREAM;
  private started: Projections | undefined;

  constructor(
    readonly log = new MemoryEventStore(),
    readonly store = new MemoryProjectionStore(),
  ) {}

  get projections(): Projections {
    if (!this.started) throw new Error('not started');
    return this.started;
  }

  async start(
    list: readonly Projector[] = projectors,
    change: (applier: Applier) => Applier = (a) => a,
  ): Promise<this> {
    this.started = await startProjections({
      eventStore: this.log,
      applier: change(await storeApplier(this.store, list, this.log.logId)),
      clock: { now: () => this.now },
      onError: (error) => this.errors.push(error),
    });
    return this;
  }

  async append(...events: readonly ShelfEvent[]): Promise<Position> {
    const sealed = events.map((event) => shelfEvent(event));
    const { revision, position } = await this.log.append('shelf', this.revision, sealed);
    this.revision = revision;
    return position;
  }

  healthOf(collection: string): ProjectionHealth | undefined {
    return this.projections.health().find(({ name }) => name === collection);
  }

  /** One document of the live build. */
  document(collection: string, id: string): unknown {
    return this.store.contents()[`live:${collection}`]?.[`s1/${id}`];
  }

  async stop(): Promise<void> {
    await this.started?.close();
    this.started = undefined;
  }
}
