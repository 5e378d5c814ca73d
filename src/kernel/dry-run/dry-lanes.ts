import type { Position } from '../../ports/event-store.js';
import { RowConflict, START } from '../../ports/event-store.js';
import type { Vault } from '../../ports/vault.js';
import type { StreamType } from '../events/decider.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import type { CommandEnvelope, EarlierRun, Executed } from '../lanes/decision.js';
import { decideOne } from '../lanes/decision.js';
import type { Freshness } from '../lanes/freshness.js';
import type { Head } from '../lanes/head.js';
import { decodeEvent } from '../lanes/head.js';
import type { CommandLanes } from '../lanes/lanes.js';

/** Decides commands on the present heads of their streams and on what was decided here before; nothing is appended. */
export class DryLanes implements CommandLanes {
  readonly freshness: Freshness | undefined;
  readonly recent: Freshness | undefined;
  private readonly heads = new Map<string, Head<unknown>>();
  private readonly facts: Recorded<DomainEvent>[] = [];
  /** Settles with the command before: one after the other, in whatever stream. */
  private turn: Promise<unknown> = Promise.resolve();
  private latest: Position = START;

  constructor(
    private readonly lanes: CommandLanes,
    private readonly vault: Vault,
  ) {
    this.freshness = lanes.freshness;
    this.recent = lanes.recent;
  }

  /** What would have been recorded, in its order. */
  get decided(): readonly Recorded<DomainEvent>[] {
    return this.facts;
  }

  /** The position of the latest event that a decision rests on. */
  get restsOn(): Position {
    return this.latest;
  }

  execute<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    envelope: CommandEnvelope,
  ): Promise<Executed<E>> {
    const executing = this.turn.then(() => this.decide(type, stream, command, envelope));
    this.turn = executing.catch(() => undefined);
    return executing;
  }

  settled<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Head<S> | undefined {
    return (this.heads.get(stream) as Head<S> | undefined) ?? this.lanes.settled(type, stream);
  }

  current<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    freshness?: Freshness,
  ): Promise<Head<S>> {
    const moved = this.heads.get(stream) as Head<S> | undefined;
    return moved ? Promise.resolve(moved) : this.lanes.current(type, stream, freshness);
  }

  recordedBy<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: EarlierRun,
  ): Promise<readonly Recorded<E>[]> {
    return this.lanes.recordedBy(type, stream, command);
  }

  async eventsAt<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    revisions: readonly number[],
  ): Promise<readonly Recorded<E>[]> {
    const here = (revision: number) =>
      this.facts.find((fact) => fact.stream === stream && fact.revision === revision) as Recorded<E> | undefined;
    const found = await this.lanes.eventsAt(
      type,
      stream,
      revisions.filter((revision) => !here(revision)),
    );
    const stored = new Map(found.map((event) => [event.revision, event]));
    return revisions.flatMap((revision) => here(revision) ?? stored.get(revision) ?? []);
  }

  /** Beyond every position of a log, in the order of what was decided. */
  private placeAfterAll(index: number): Position {
    return `~${String(this.facts.length + index).padStart(6, '0')}`;
  }

  private async decide<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    envelope: CommandEnvelope,
  ): Promise<Executed<E>> {
    const committed = await this.current(type, stream);
    const { sealed, head } = decideOne(stream, type, { command, envelope }, committed);
    const { rows } = envelope;
    if (rows && sealed.length > 0 && !(await this.vault.write(rows))) throw new RowConflict();
    const { position } = committed;
    const first = committed.revision + 1;
    const events = sealed.map((event, index) => {
      const place = { stream, revision: first + index, position: this.placeAfterAll(index) };
      return decodeEvent(type, { ...event, ...place });
    });
    this.facts.push(...events);
    this.heads.set(stream, head);
    if (position > this.latest) this.latest = position;
    return { events, revision: head.revision, position };
  }
}
