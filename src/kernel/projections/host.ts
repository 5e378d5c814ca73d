import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore, Position, StoredEvent } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type { Clock } from '../values/clock.js';
import { Backlog, pauseAt } from './backlog.js';
import { PositionWaiters } from './position-waiters.js';
import type { Applier, Batch } from './applier.js';
import { CatchingUp, PoisonMet } from './catching-up.js';
import type { PoisonEvent } from './engine.js';
import { LivePump } from './live-pump.js';
import { noteSaved, Passing } from './passing.js';
import { trustedPositions } from './trusted-positions.js';
import type { Track } from './track.js';
import { healthOf, leastOf } from './track.js';
import type { ProjectionHealth, Projections } from './projections.js';
import { grouped } from '../values/grouped.js';
import { Turns } from '../values/turns.js';

interface ProjectionOptions {
  readonly eventStore: EventStore;
  readonly applier: Applier;
  readonly clock: Clock;
  readonly onError?: (error: unknown) => void;
}

/** So long after the last live events more of them are expected. */
const BUSY_MS = 2_000;

/** How long a portion beside live events may take where they wait for it, while they come and while none do, and where they don't. Shorter ones take longer together. */
const PATIENCE_MS = { busy: 15, idle: 50, apart: 500 } as const;

/** Starts projecting, each collection from where it was, or from the start where that is unknown. */
export async function startProjections(options: ProjectionOptions): Promise<Projections> {
  const { positions, head } = await trustedPositions(options.eventStore, options.applier);
  return new ProjectionHost(options, positions, head);
}

/**
 * One pump feeds all live collections. What is behind the most advanced of them at the start catches up beside the pump, page by page, and
 * joins it between two of its batches; a rebuild is the same into another build, with a switch at the end. Those that begin at one place
 * go together: each event is read and decoded once for all of them.
 */
class ProjectionHost implements Projections {
  readonly shared = false;
  private readonly tracks: ReadonlyMap<string, Track>;
  private readonly waiters = new PositionWaiters(
    (name) => this.reach(name),
    () => {
      this.pump.wake();
    },
  );
  private readonly pump: LivePump;
  private readonly backlog = new Backlog();
  /** Whoever holds the turn may change which collections the pump feeds. */
  private readonly turns = new Turns();
  private readonly closing = new AbortController();
  private readonly catchingUp: CatchingUp;
  private readonly passing: Passing;
  private readonly startedAt: number;

  constructor(
    private readonly options: ProjectionOptions,
    positions: ReadonlyMap<string, Position>,
    private readonly headAtStart: Position,
  ) {
    this.startedAt = options.clock.now();
    const furthest = [...positions.values()].reduce((most, position) => (position > most ? position : most), START);
    this.tracks = new Map(
      options.applier.collections.map(({ name, version }) => {
        const position = positions.get(name) ?? START;
        const stage = position === furthest ? 'live' : 'behind';
        return [name, { name, version, stage, position, wants: position, saved: position, savedAt: -Infinity }];
      }),
    );
    const { signal } = this.closing;
    this.pump = new LivePump(
      {
        ...options,
        live: () => [...this.tracks.values()].filter(({ stage }) => stage === 'live'),
        came: (events) => {
          this.passing.came(events);
        },
        apply: (tracks, events) => this.applyLive(tracks, events),
        waiters: this.waiters,
        turns: this.turns,
        signal,
      },
      furthest,
    );
    this.passing = new Passing({
      ...options,
      tracks: [...this.tracks.values()],
      end: () => this.pump.window.end,
      shared: !options.eventStore.exclusive,
    });
    this.catchingUp = new CatchingUp({
      ...options,
      pumped: () => this.pump.window.end,
      patience: () => this.patience(),
      inTurn: (work) => this.turns.take(work),
      signal,
    });
    const behind = [...this.tracks.values()].filter(({ stage }) => stage === 'behind');
    for (const tracks of grouped(behind, ({ position }) => position).values()) this.catchUp(tracks);
  }

  async waitFor(collections: readonly string[], position: Position, milliseconds: number): Promise<boolean> {
    const known = this.waiters.state(collections, position);
    if (known !== undefined) return known;
    if (milliseconds > 0) await this.options.applier.awake?.();
    return this.waiters.wait(collections, position, milliseconds);
  }

  pace(): Promise<void> | undefined {
    const milliseconds = pauseAt(this.backlog.age(performance.now()));
    return milliseconds < 1 ? undefined : pause(milliseconds, undefined, { ref: false });
  }

  health(): readonly ProjectionHealth[] {
    const now = this.options.clock.now();
    const waiting = this.backlog.age(performance.now());
    const catchingUpSince = this.hasCaughtUp ? undefined : this.startedAt;
    const coming = { window: this.pump.window, waiting, catchingUpSince };
    return [...this.tracks.values()].map((track) => healthOf(track, coming, now));
  }

  async caughtUp(): Promise<void> {
    const head = await this.options.eventStore.head();
    await Promise.all([...this.tracks.keys()].map((name) => this.waiters.wait([name], head)));
  }

  async rebuild(...collections: readonly string[]): Promise<void> {
    const tracks = [...new Set(collections)].map((name) => this.find(name));
    this.beginRebuild(tracks.filter(({ rebuilding }) => !rebuilding));
    await Promise.all(tracks.flatMap(({ rebuilding }) => rebuilding ?? []));
  }

  async skip(collection: string, position: Position): Promise<void> {
    const track = this.find(collection);
    const expectPoison = (): void => {
      if (track.poison?.position !== position) throw new Error(`${collection} has not stopped at ${position}`);
    };
    expectPoison();
    await this.options.applier.pass(collection, position);
    expectPoison();
    track.position = position;
    this.catchUp([track]);
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.waiters.giveUp();
    await this.pump.close();
    await this.passing.save();
    for (const { catchingUp, rebuilding } of this.tracks.values()) await Promise.allSettled([catchingUp, rebuilding]);
  }

  private find(name: string): Track {
    const track = this.tracks.get(name);
    if (!track) throw new Error(`there is no collection ${name}`);
    return track;
  }

  private reach(name: string): Position | undefined {
    const { stage, position } = this.find(name);
    return stage === 'stopped' ? undefined : position;
  }

  private patience(): number {
    if (!this.options.applier.oneByOne) return PATIENCE_MS.apart;
    return performance.now() - this.pump.pumpedAt < BUSY_MS ? PATIENCE_MS.busy : PATIENCE_MS.idle;
  }

  private get hasCaughtUp(): boolean {
    return this.pump.floor >= this.headAtStart;
  }

  /** Where other processes append, its end would be a question to a server; what stood in it at the start holds nobody up. */
  private async lookAtLog(): Promise<void> {
    const { eventStore } = this.options;
    if (!eventStore.exclusive || !this.hasCaughtUp) return;
    const head = await eventStore.head();
    if (head > this.pump.floor) this.backlog.look(head, performance.now());
  }

  private async applyLive(tracks: readonly Track[], events: readonly StoredEvent[]): Promise<void> {
    await this.lookAtLog();
    const after = leastOf(tracks, this.pump.window.end);
    const further = new Map(
      tracks.filter(({ position }) => position > after).map(({ name, position }) => [name, position]),
    );
    const last = events.at(-1)?.position ?? after;
    const along = this.passing.along(tracks, last);
    const outcome = await this.options.applier.apply({
      generation: 'live',
      collections: tracks.map(({ name }) => name),
      further,
      passed: along.map(({ name }) => name),
      after,
      events,
    });
    for (const track of tracks) {
      const reached = outcome.get(track.name);
      if (!reached) continue;
      const { position, poison } = reached;
      noteSaved(track, position);
      if (poison) this.stop(track, poison, position);
      else track.position = position;
    }
    for (const track of along) noteSaved(track, last);
    this.passing.letPass();
    this.backlog.passed(this.pump.floor);
  }

  /** All of these collections have come equally far. */
  private catchUp(tracks: readonly Track[]): void {
    for (const track of tracks) {
      delete track.poison;
      track.stage = 'behind';
      this.leave(track);
    }
    const group = new Set(tracks);
    const apply = async (after: Position, events: readonly StoredEvent[]): Promise<Position> => {
      const reached = await this.applyTogether(group, { generation: 'live', after, events }, (track, met) => {
        delete track.catchingUp;
        this.stop(track, met.poison, met.reached);
      });
      for (const track of group) track.position = reached;
      this.waiters.check();
      return reached;
    };
    const catchingUp = this.catchingUp
      .follow(tracks[0]?.position ?? START, apply, (position) => {
        for (const track of group) this.join(track, position);
        return true;
      })
      .catch(() => undefined)
      .finally(() => {
        for (const track of group) delete track.catchingUp;
      });
    for (const track of tracks) track.catchingUp = catchingUp;
  }

  private beginRebuild(tracks: readonly Track[]): void {
    if (tracks.length === 0) return;
    const poisoned = new Map<Track, PoisonMet>();
    const built = this.buildBeside(tracks, poisoned);
    for (const track of tracks) {
      track.rebuilding = built.finally(() => {
        delete track.rebuilding;
        delete track.rebuiltTo;
        const met = poisoned.get(track);
        if (met) throw met;
      });
    }
  }

  /** One reading of the log for all of them. */
  private async buildBeside(tracks: readonly Track[], poisoned: Map<Track, PoisonMet>): Promise<void> {
    await Promise.all(tracks.flatMap(({ catchingUp }) => catchingUp ?? []));
    const { applier } = this.options;
    await Promise.all(tracks.map(({ name }) => applier.beginRebuild(name)));
    const group = new Set(tracks);
    await this.catchingUp.follow(
      START,
      async (after, events) => {
        const reached = await this.applyTogether(group, { generation: 'next', after, events }, (track, met) =>
          poisoned.set(track, met),
        );
        for (const track of group) track.rebuiltTo = reached;
        return reached;
      },
      async (position) => {
        // One in each turn, so that the pump never waits for all of them.
        const [track] = group;
        if (!track) return true;
        await applier.switchRebuild(track.name);
        group.delete(track);
        this.join(track, position);
        return group.size === 0;
      },
    );
  }

  /** Gives the position after the events. Whoever meets a poison event leaves the group; once nobody is left, nothing is followed any more. */
  private async applyTogether(
    group: Set<Track>,
    batch: Omit<Batch, 'collections'>,
    onPoison: (track: Track, met: PoisonMet) => void,
  ): Promise<Position> {
    const outcome = await this.options.applier.apply({ ...batch, collections: [...group].map(({ name }) => name) });
    for (const track of group) {
      const { position, poison } = outcome.get(track.name) ?? { position: batch.after };
      if (!poison) continue;
      const met = new PoisonMet(track.name, position, poison);
      group.delete(track);
      onPoison(track, met);
      if (group.size === 0) throw met;
    }
    return batch.events.at(-1)?.position ?? batch.after;
  }

  /** Where it stands: more may have come meanwhile. */
  private join(track: Track, position: Position): void {
    track.stage = 'live';
    track.position = position;
    track.wants = this.pump.window.end;
    noteSaved(track, position);
    delete track.left;
    delete track.poison;
    this.waiters.check();
  }

  private stop(track: Track, poison: PoisonEvent, reached: Position): void {
    track.stage = 'stopped';
    track.position = reached;
    track.poison = poison;
    this.leave(track);
    this.waiters.check();
    this.options.onError?.(new PoisonMet(track.name, reached, poison));
  }

  private leave(track: Track): void {
    track.left ??= { at: this.options.clock.now(), received: this.pump.window.received };
  }
}
