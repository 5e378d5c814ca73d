import type { Position } from '../../ports/event-store.js';
import { START, StoreUnavailable } from '../../ports/event-store.js';
import type { VaultWrite } from '../../ports/vault.js';
import { toIso } from '../values/clock.js';
import type { StreamType } from '../events/decider.js';
import { streamName } from '../events/decider.js';
import type { Actor, DomainEvent, Recorded } from '../events/event.js';
import type { Seed } from '../values/ids.js';
import { idsOf, namedId } from '../values/ids.js';
import type { CommandEnvelope, Executed } from './decision.js';
import type { Head } from './head.js';
import type { CommandLanes } from './lanes.js';
import type { CommandOptions, Commands } from './commands.js';

/** Who sends commands, for which store and when, and how a repeat of them is recognised. */
export interface CommandFacts {
  readonly storeId: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  readonly seed: Seed;
  /** They came with an idempotency key. */
  readonly keyed: boolean;
  /** The key's row, to be stored with the first events. */
  readonly claim: VaultWrite | undefined;
  /** Whether its key is still this run's, where it is claimed before anything is recorded. */
  readonly claimLasts?: CommandEnvelope['mayRecord'];
  /** The key was used before, first at this time (milliseconds since 1970). */
  readonly repeatSince: number | undefined;
}

/** The commands of one request, or of one call of the administration: their own ids and time, the same for a repeat. */
export class CommandContext implements Commands {
  readonly storeId: string;
  readonly actor: Actor;
  readonly isRepeat: boolean;
  readonly at: string;
  readonly newId: () => string;
  private readonly newCommandId: () => string;
  private claim: VaultWrite | undefined;
  /** Settles with the command that brings the claim. */
  private claiming: Promise<void> | undefined;
  private executed: Position | undefined;
  private hasRecorded = false;
  private readonly types = new Set<string>();
  private foundDone = false;
  /** How often a command of that name was recorded in a stream, by both. */
  private readonly recordings = new Map<string, number>();
  private mayRecord: CommandEnvelope['mayRecord'];
  /** What was asked of the log since the request came, or since its last command. */
  private asked: Promise<boolean> | undefined;
  /** What its last command recorded, unless an earlier run of the request did. */
  private last: readonly Recorded<DomainEvent>[] = [];

  constructor(
    private readonly lanes: CommandLanes,
    private readonly sender: CommandFacts,
  ) {
    this.storeId = sender.storeId;
    this.actor = sender.actor;
    this.isRepeat = sender.repeatSince !== undefined;
    this.at = toIso(sender.seed.at);
    this.newId = idsOf(sender.seed);
    this.newCommandId = idsOf(sender.seed, 'command');
    this.claim = sender.claim;
    this.mayRecord = sender.claimLasts;
  }

  namedId(name: string): string {
    return namedId(this.sender.seed, name);
  }

  /** The position of the last command's events; undefined when there was none. */
  lastPosition(): Position | undefined {
    return this.executed;
  }

  /** Whether any event was appended, or found from an earlier run. */
  recorded(): boolean {
    return this.hasRecorded;
  }

  /** The types of what it recorded; undefined when it also rests on what was recorded before. */
  protected recordedTypes(): ReadonlySet<string> | undefined {
    return this.foundDone ? undefined : this.types;
  }

  recordUntil(isLate: () => boolean): void {
    const { mayRecord } = this;
    this.mayRecord = () => {
      if (isLate()) throw new StoreUnavailable('the process stood still in the middle of a request', false);
      return mayRecord?.() ?? true;
    };
  }

  execute<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    command: C,
    options: CommandOptions<S> & { readonly id?: string } = {},
  ): Promise<Executed<E>> {
    const { id, rows, ends, name } = options;
    return this.executeOn(type, this.stream(type, id), command, { storeId: this.storeId, rows, ends, name });
  }

  async executeOn<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    options: CommandOptions<S> & { readonly storeId: string | null; readonly actor?: Actor },
  ): Promise<Executed<E>> {
    const held = this.held();
    if (held) await held;
    const { keyed, repeatSince } = this.sender;
    const commandId = options.name === undefined ? this.newCommandId() : this.idOfNamed(stream, options.name);
    // One command alone brings the key's row: what is sent beside it waits until the row is there.
    while (this.claim && this.claiming) await this.claiming;
    const rows = this.claim ? [this.claim, ...(options.rows ?? [])] : options.rows;
    const executing = this.executing(type, stream, command, {
      commandId,
      storeId: options.storeId,
      actor: options.actor ?? this.actor,
      requestId: this.sender.requestId,
      traceparent: this.sender.traceparent,
      at: this.at,
      keyed,
      mayRecord: this.mayRecord,
      repeatSince: repeatSince === undefined ? undefined : toIso(repeatSince),
      rows,
      ends: options.ends,
    });
    if (this.claim) this.claiming = executing.then(nothing, nothing).finally(() => (this.claiming = undefined));
    const executed = await executing;
    if (options.name !== undefined && executed.events.length > 0) this.countRecording(stream, options.name);
    return executed;
  }

  /** A name that was recorded already names another command when it is used again: what takes back is not what it takes back. */
  private idOfNamed(stream: string, name: string): string {
    const before = this.recordings.get(placeOf(stream, name)) ?? 0;
    return namedId(this.sender.seed, before === 0 ? name : `${name} ${String(before + 1)}`);
  }

  private countRecording(stream: string, name: string): void {
    const place = placeOf(stream, name);
    this.recordings.set(place, (this.recordings.get(place) ?? 0) + 1);
  }

  /** What each command waits for before anything is done about it. */
  protected held(): Promise<void> | undefined {
    return undefined;
  }

  private async executing<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    envelope: CommandEnvelope,
  ): Promise<Executed<E>> {
    this.last = [];
    try {
      return this.noted(await this.lanes.execute(type, stream, command, envelope));
    } finally {
      // What is looked at after a command must be newer than it, and than what refused it.
      this.asked = undefined;
    }
  }

  private noted<E extends DomainEvent>(executed: Executed<E>): Executed<E> {
    if (executed.events.length === 0) this.foundDone = true;
    for (const event of executed.events) this.types.add(event.type);
    if (!this.isRepeat) this.last = executed.events;
    if (executed.events.length > 0) {
      this.claim = undefined;
      this.hasRecorded = true;
    }
    if (executed.position > (this.executed ?? START)) this.executed = executed.position;
    return executed;
  }

  async recordedBefore<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    name: string,
    stream = this.stream(type, undefined),
  ): Promise<boolean> {
    return (await this.earlier(type, () => namedId(this.sender.seed, name), stream)).length > 0;
  }

  async earlierEvents<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    name?: string,
    stream = this.stream(type, undefined),
  ): Promise<readonly Recorded<E>[] | undefined> {
    const { seed } = this.sender;
    const commandId = () => (name === undefined ? idsOf(seed, 'command')() : namedId(seed, name));
    const events = await this.earlier(type, commandId, stream);
    const last = events.at(-1);
    return last && this.noted({ events, revision: last.revision, position: last.position }).events;
  }

  private async earlier<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    commandId: () => string,
    stream: string,
  ): Promise<readonly Recorded<E>[]> {
    const { keyed, repeatSince } = this.sender;
    if (repeatSince === undefined) return [];
    return this.lanes.recordedBy(type, stream, { keyed, commandId: commandId(), repeatSince: toIso(repeatSince) });
  }

  current<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, options: { readonly id?: string } = {}): Promise<S> {
    return this.currentOn(type, this.stream(type, options.id));
  }

  async recent<S, C, E extends DomainEvent>(type: StreamType<S, C, E>): Promise<S> {
    return (await this.lanes.current(type, this.stream(type, undefined), this.lanes.recent)).state;
  }

  currentOn<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Promise<S> {
    const settled = this.lanes.settled(type, stream);
    return settled ? Promise.resolve(settled.state) : this.headOn(type, stream).then(({ state }) => state);
  }

  head<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    options: { readonly id?: string } = {},
  ): Promise<Head<S>> {
    return this.headOn(type, this.stream(type, options.id));
  }

  /** What its last command recorded needs no look at the log. */
  async eventsAt<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    revisions: readonly number[],
    options: { readonly id?: string } = {},
  ): Promise<readonly Recorded<E>[]> {
    const stream = this.stream(type, options.id);
    const own = this.last.filter((event): event is Recorded<E> => event.stream === stream);
    const found = new Map(own.map((event) => [event.revision, event]));
    const others = revisions.filter((revision) => !found.has(revision));
    for (const event of await this.lanes.eventsAt(type, stream, others)) found.set(event.revision, event);
    return revisions.flatMap((revision) => found.get(revision) ?? []);
  }

  private headOn<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Promise<Head<S>> {
    const { freshness } = this.lanes;
    // Its own append has just shown where the stream ends.
    if (freshness && this.last.at(-1)?.stream === stream) return this.lanes.current(type, stream, known);
    return this.lanes.current(type, stream, freshness && (() => (this.asked ??= freshness())));
  }

  private stream(type: { readonly category: string }, id: string | undefined): string {
    return id === undefined ? streamName(type.category, this.storeId) : streamName(type.category, this.storeId, id);
  }
}

const placeOf = (stream: string, name: string): string => `${stream} ${name}`;

const nothing = (): void => undefined;

const known = (): Promise<boolean> => Promise.resolve(true);
