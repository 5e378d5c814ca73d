import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore, NewEvent } from '../ports/event-store.js';
import { RevisionConflict, RowConflict } from '../ports/event-store.js';
import type { VaultWrite } from '../ports/vault.js';
import { sealEvent } from './chain.js';
import type { StreamType } from './decider.js';
import type { Actor, DomainEvent, EventMeta, Recorded } from './event.js';
import { uuidV5 } from './ids.js';
import type { Head } from './lane-head.js';
import { KeyedCommands, advance, decodeEvent, emptyHead, searchBack } from './lane-head.js';
import type { LaneSnapshots } from './lane-snapshots.js';
import { COMMAND_TOO_LARGE, Rejection, UNAVAILABLE } from './rejection.js';

export const MAX_GROUP_COMMANDS = 256;
export const MAX_GROUP_BYTES = 512 * 1024;
const CONFLICT_PATIENCE = 2_000;
/** What a lane costs with nothing in it, in things held. */
const OWN_WEIGHT = 10;

export interface Executed<E extends DomainEvent> {
  /** What was recorded; empty when there was nothing to do. */
  readonly events: readonly Recorded<E>[];
  /** Of the stream's head when the command was decided. */
  readonly revision: number;
  readonly position: string;
}

/** Who sends a command, when, and how a repeat of it is recognised. */
export interface CommandEnvelope {
  readonly commandId: string;
  readonly storeId: string | null;
  readonly actor: Actor;
  readonly requestId: string;
  readonly at: string;
  /** It came with an idempotency key. */
  readonly keyed?: boolean;
  /** It may have run before: since when its key is in use. */
  readonly repeatSince?: string;
  /** Vault rows for the same transaction, where the engine can. */
  readonly rows?: readonly VaultWrite[];
}

interface Waiting<C, E extends DomainEvent> {
  readonly command: C;
  readonly envelope: CommandEnvelope;
  resolve(executed: Executed<E>): void;
  reject(reason: unknown): void;
}

type Decided<C, E extends DomainEvent> = { readonly waiting: Waiting<C, E> } & (
  | { readonly recorded: readonly Omit<Recorded<E>, 'position'>[]; readonly revision: number }
  | { readonly refusal: unknown }
);

interface Attempt<S, C, E extends DomainEvent> {
  readonly decided: readonly Decided<C, E>[];
  readonly leftOver: readonly Waiting<C, E>[];
  readonly events: readonly NewEvent[];
  readonly rows: readonly VaultWrite[];
  readonly head: Head<S>;
}

export interface LaneServices {
  readonly store: EventStore;
  readonly snapshots?: LaneSnapshots;
  /** Called for each command after the append of its group, before anybody is answered. */
  onAppended?(stream: string, storeId: string | null, position: string): void;
  onConflict?(): void;
}

/** All commands for one stream in this process, one after the other; what waits together is appended together. */
export class Lane<S, C, E extends DomainEvent> {
  private waiting: Waiting<C, E>[] = [];
  private running: Promise<void> | undefined;
  private head: Head<S> | undefined;
  private keys = new KeyedCommands(0);

  constructor(
    readonly stream: string,
    private readonly type: StreamType<S, C, E>,
    private readonly services: LaneServices,
  ) {}

  get idle(): boolean {
    return this.running === undefined;
  }

  /** Roughly how many things it keeps in memory. */
  get weight(): number {
    return OWN_WEIGHT + (this.head && this.type.weigh ? this.type.weigh(this.head.state) : 0);
  }

  execute(command: C, envelope: CommandEnvelope): Promise<Executed<E>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ command, envelope, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** The state at the stream's head. */
  async current(): Promise<Head<S>> {
    const head = await this.load();
    if (this.services.store.exclusive) return head;
    const newest = await this.advance(head);
    if (!this.running && this.head === head) this.head = newest;
    return newest;
  }

  /** Keeps the state beside the log when enough has happened since the last time. */
  async snapshot(minimumEvents: number): Promise<void> {
    if (!this.head || !this.type.snapshot) return;
    await this.services.snapshots?.save(this.stream, this.type.snapshot, this.head, this.keys, minimumEvents);
  }

  private async run(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const group = this.waiting.splice(0, MAX_GROUP_COMMANDS);
        try {
          await this.settle(group);
        } catch (error) {
          this.head = undefined; // what the log holds now is unknown: read it again
          for (const waiting of group) waiting.reject(error);
        }
      }
    } finally {
      this.running = undefined;
    }
    this.services.snapshots?.consider(this);
  }

  private async load(): Promise<Head<S>> {
    if (this.head) return this.head;
    const { store, snapshots } = this.services;
    const kept = this.type.snapshot && (await snapshots?.load(this.stream, this.type.snapshot, store));
    this.keys = kept?.keys ?? new KeyedCommands(0);
    return (this.head = await this.advance(kept?.head ?? emptyHead(this.type)));
  }

  private advance(head: Head<S>): Promise<Head<S>> {
    return advance(this.services.store, this.stream, this.type, head, this.keys);
  }

  private async settle(group: readonly Waiting<C, E>[]): Promise<void> {
    await this.load();
    let pending = await this.withoutRepeats(group);
    const started = performance.now();
    for (let tries = 0; pending.length > 0; tries++) {
      const attempt = this.decideAll(pending, await this.load());
      const outcome = await this.commit(attempt);
      if (outcome === 'committed') {
        this.waiting.unshift(...attempt.leftOver);
        this.answer(attempt);
        return;
      }
      if (outcome === 'row-conflict') {
        await this.settleApart(pending);
        return;
      }
      this.services.onConflict?.();
      if (performance.now() - started > CONFLICT_PATIENCE) {
        const busy = new Rejection(UNAVAILABLE, 'Other processes change the same records; try again');
        for (const waiting of pending) waiting.reject(busy);
        return;
      }
      if (tries > 0) await pause(Math.random() * Math.min(5 * 2 ** tries, 100));
      this.head = await this.advance(await this.load());
      pending = await this.withoutRepeats(pending);
    }
  }

  /** One command's row stood in the way: the others of its group must not suffer. */
  private async settleApart(group: readonly Waiting<C, E>[]): Promise<void> {
    if (group.length === 1) {
      group[0]?.reject(new RowConflict());
      return;
    }
    for (const waiting of group) await this.settle([waiting]);
  }

  /** Answers keyed commands that the stream already holds from what they recorded. */
  private async withoutRepeats(group: readonly Waiting<C, E>[]): Promise<readonly Waiting<C, E>[]> {
    if (!group.some(({ envelope }) => envelope.keyed === true)) return group;
    const fresh: Waiting<C, E>[] = [];
    for (const waiting of group) {
      const events = await this.recordedBy(waiting.envelope);
      const last = events.at(-1);
      if (last) waiting.resolve({ events, revision: last.revision, position: last.position });
      else fresh.push(waiting);
    }
    return fresh;
  }

  private async recordedBy(envelope: CommandEnvelope): Promise<readonly Recorded<E>[]> {
    if (envelope.keyed !== true) return [];
    const { store } = this.services;
    const range = this.keys.find(envelope.commandId);
    if (range) {
      const limit = range.last - range.first + 1;
      const events = await store.readStream(this.stream, { from: range.first, limit });
      return events.map((event) => decodeEvent(this.type, event));
    }
    if (envelope.repeatSince === undefined || this.keys.knownFrom === 0) return [];
    return searchBack(store, this.stream, this.type, envelope.commandId, envelope.repeatSince, this.keys.knownFrom - 1);
  }

  private decideAll(pending: readonly Waiting<C, E>[], committed: Head<S>): Attempt<S, C, E> {
    const decided: Decided<C, E>[] = [];
    const events: NewEvent[] = [];
    const rows: VaultWrite[] = [];
    let head = committed;
    let bytes = 0;
    for (const [index, waiting] of pending.entries()) {
      let made;
      try {
        made = this.decideOne(waiting, head);
      } catch (refusal) {
        decided.push({ waiting, refusal });
        continue;
      }
      if (bytes > 0 && bytes + made.bytes > MAX_GROUP_BYTES) {
        return { decided, leftOver: pending.slice(index), events, rows, head };
      }
      bytes += made.bytes;
      head = made.head;
      for (const event of made.sealed) events.push(event);
      if (made.sealed.length > 0 && waiting.envelope.rows) rows.push(...waiting.envelope.rows);
      decided.push({ waiting, recorded: made.recorded, revision: head.revision });
    }
    return { decided, leftOver: [], events, rows, head };
  }

  private decideOne({ command, envelope }: Waiting<C, E>, committed: Head<S>) {
    const at = envelope.at > committed.at ? envelope.at : committed.at; // never backwards
    const { commandId, storeId, actor, requestId } = envelope;
    const facts = this.type.decider.decide(committed.state, command, at);
    const sealed: NewEvent[] = [];
    const recorded: Omit<Recorded<E>, 'position'>[] = [];
    let head = committed;
    let bytes = 0;
    for (const [index, fact] of facts.entries()) {
      const id = uuidV5(commandId, `${this.stream}/${index}`);
      const meta: Omit<EventMeta, 'hash'> = {
        schemaVersion: this.type.events.versionOf(fact.type),
        storeId,
        actor,
        requestId,
        causationId: commandId,
        at,
        ...(envelope.keyed === true ? { keyed: true as const } : {}),
      };
      const { event, hash } = sealEvent(head.hash, { id, type: fact.type, data: fact.data }, meta);
      const revision = head.revision + 1;
      const state = this.type.decider.evolve(head.state, fact, { revision, at });
      head = { ...head, state, revision, hash, at };
      bytes += Buffer.byteLength(event.data) + Buffer.byteLength(event.meta);
      sealed.push(event);
      recorded.push({ ...fact, id, stream: this.stream, revision, meta: { ...meta, hash } } as Omit<
        Recorded<E>,
        'position'
      >);
    }
    if (bytes > MAX_GROUP_BYTES) throw new Rejection(COMMAND_TOO_LARGE);
    return { sealed, recorded, head, bytes };
  }

  private async commit(attempt: Attempt<S, C, E>): Promise<'committed' | 'conflict' | 'row-conflict'> {
    const { store } = this.services;
    const committed = await this.load();
    if (attempt.events.length === 0) {
      if (store.exclusive) return 'committed';
      // A refusal is a statement about the head of the stream: look whether it still is the head.
      const newer = await store.readStream(this.stream, { from: committed.revision + 1, limit: 1 });
      return newer.length === 0 ? 'committed' : 'conflict';
    }
    try {
      const rows = attempt.rows.length > 0 ? attempt.rows : undefined;
      const { position } = await store.append(this.stream, committed.revision, attempt.events, rows);
      this.head = { ...attempt.head, position };
      for (const { waiting } of attempt.decided)
        this.services.onAppended?.(this.stream, waiting.envelope.storeId, position);
      return 'committed';
    } catch (error) {
      if (error instanceof RevisionConflict) return 'conflict';
      if (error instanceof RowConflict) return 'row-conflict';
      throw error;
    }
  }

  private answer({ decided }: Attempt<S, C, E>): void {
    const position = this.head?.position ?? '';
    for (const result of decided) {
      if ('refusal' in result) {
        result.waiting.reject(result.refusal);
        continue;
      }
      const events: Recorded<E>[] = [];
      for (const event of result.recorded) {
        this.keys.add(event.meta, event.revision);
        events.push({ ...event, position } as Recorded<E>);
      }
      result.waiting.resolve({ events, revision: result.revision, position });
    }
  }
}
