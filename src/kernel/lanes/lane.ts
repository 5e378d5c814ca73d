import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore } from '../../ports/event-store.js';
import { RevisionConflict, RowConflict, StoreUnavailable } from '../../ports/event-store.js';
import type { StreamType } from '../events/decider.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import type { Attempt, CommandEnvelope, Executed, Waiting } from './decision.js';
import { decideGroup } from './decision.js';
import type { Head } from './head.js';
import { KeyedCommands, advance, decodeEvent, emptyHead, searchBack } from './head.js';
import type { LaneSnapshots } from './snapshots.js';
import { Rejection, UNAVAILABLE } from '../events/rejection.js';

export const MAX_GROUP_COMMANDS = 256;
const CONFLICT_PATIENCE = 2_000;
/** What a lane costs with nothing in it, in things held. */
const OWN_WEIGHT = 10;

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

  /** Keeps the state beside the log when enough has happened since the last time, and that is long enough ago. */
  async snapshot(minimumEvents: number, minimumAge?: number): Promise<void> {
    if (!this.head || !this.type.snapshot) return;
    await this.services.snapshots?.save(
      this.stream,
      this.type.snapshot,
      this.head,
      this.keys,
      minimumEvents,
      minimumAge,
    );
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
          if (error instanceof StoreUnavailable) this.refuseWaiting(error);
        }
      }
    } finally {
      this.running = undefined;
    }
    this.services.snapshots?.consider(this);
  }

  /** Those behind it would only hear the same, after as long a wait again. */
  private refuseWaiting(cause: StoreUnavailable): void {
    const away = new StoreUnavailable(cause.message, false, { cause });
    for (const waiting of this.waiting.splice(0)) waiting.reject(away);
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
      const attempt = decideGroup(this.stream, this.type, pending, await this.load());
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
