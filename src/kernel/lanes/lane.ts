import { setTimeout as pause } from 'node:timers/promises';
import type { Position, StoredEvent } from '../../ports/event-store.js';
import { RevisionConflict, RowConflict, StoreUnavailable } from '../../ports/event-store.js';
import type { VaultWrite } from '../../ports/vault.js';
import type { StreamType } from '../events/decider.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import type { Attempt, CommandEnvelope, EarlierRun, Executed, SealedEvent, Waiting } from './decision.js';
import { decideGroup } from './decision.js';
import type { Freshness } from './freshness.js';
import type { Head } from './head.js';
import type { HeadServices } from './known-head.js';
import { KnownHead } from './known-head.js';
import { Rejection, UNAVAILABLE } from '../events/rejection.js';

export const MAX_GROUP_COMMANDS = 256;
const CONFLICT_PATIENCE = 2_000;
/** What a lane costs with nothing in it, in things held. */
const OWN_WEIGHT = 10;

export interface LaneServices extends HeadServices {
  /** Called for each command after the append of its group, before anybody is answered. */
  onAppended?(stream: string, storeId: string | null, position: string, events: readonly SealedEvent[]): void;
  onConflict?(): void;
  /** How many commands shared an append, and how long it took. */
  onGroup?(commands: number, milliseconds: number): void;
}

/** All commands for one stream in this process, one after the other; what waits together is appended together. */
export class Lane<S, C, E extends DomainEvent> {
  private waiting: Waiting<C, E>[] = [];
  private running: Promise<void> | undefined;
  private readers = 0;
  private readonly known: KnownHead<S, C, E>;

  constructor(
    readonly stream: string,
    private readonly type: StreamType<S, C, E>,
    private readonly services: LaneServices,
  ) {
    this.known = new KnownHead(stream, type, services);
  }

  /** Commands that have not been decided yet. */
  get queued(): number {
    return this.waiting.length;
  }

  get idle(): boolean {
    return this.running === undefined && this.readers === 0;
  }

  /** Whether nobody works on it and its stream, as far as is known, does not exist. */
  get isEmpty(): boolean {
    const { loaded } = this.known;
    return this.idle && (loaded === undefined || loaded.revision < 0);
  }

  /** Roughly how many things it keeps in memory. */
  get weight(): number {
    const { loaded } = this.known;
    return OWN_WEIGHT + (loaded && this.type.weigh ? this.type.weigh(loaded.state) : 0);
  }

  execute(command: C, envelope: CommandEnvelope): Promise<Executed<E>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ command, envelope, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** The state at the stream's head, where nothing has to be asked or read to know it. */
  get settled(): Head<S> | undefined {
    return this.known.settled;
  }

  /** The state at the stream's head, as new as the freshness that was asked for, or that is asked for now. */
  async current(freshness?: Freshness): Promise<Head<S>> {
    this.readers += 1;
    try {
      return await this.known.current(freshness);
    } finally {
      this.readers -= 1;
    }
  }

  /** What an earlier run of a keyed command recorded; nothing where there was none. */
  async recordedBy(command: EarlierRun): Promise<readonly Recorded<E>[]> {
    await this.current();
    return this.known.recordedBy(command);
  }

  /** To be told of every event of the stream that anybody appends. */
  hear(event: StoredEvent): void {
    this.known.hear(event, this.running === undefined);
  }

  /** Somebody may have shortened the stream. */
  doubt(): void {
    this.known.doubt();
  }

  /** Keeps the state beside the log when enough has happened since the last time, and that is long enough ago. */
  async snapshot(minimumEvents: number, minimumAge?: number): Promise<void> {
    const { loaded, keys } = this.known;
    if (!loaded || !this.type.snapshot) return;
    await this.services.snapshots?.save(this.stream, this.type.snapshot, loaded, keys, minimumEvents, minimumAge);
  }

  private async run(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const group = this.waiting.splice(0, MAX_GROUP_COMMANDS);
        try {
          await this.settle(group);
        } catch (error) {
          this.known.forget();
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

  private async settle(group: readonly Waiting<C, E>[]): Promise<void> {
    let pending = group;
    const started = performance.now();
    for (let tries = 0; ; tries++) {
      // In this order: what the head that is decided on holds is known among the repeats.
      const committed = await this.known.newest();
      pending = await withoutOvertaken(await this.withoutRepeats(pending));
      if (pending.length === 0) return;
      const attempt = decideGroup(this.stream, this.type, pending, committed);
      const outcome = await this.commit(attempt, committed);
      if (typeof outcome === 'object') {
        this.waiting.unshift(...attempt.leftOver);
        this.answer(attempt, outcome.position);
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
      await this.known.refresh();
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
      const events = await this.known.recordedBy(waiting.envelope);
      const last = events.at(-1);
      if (last) waiting.resolve({ events, revision: last.revision, position: last.position });
      else fresh.push(waiting);
    }
    return fresh;
  }

  /** Gives what the attempt's answers rest on, when that is the head of the stream. */
  private async commit(
    attempt: Attempt<S, C, E>,
    committed: Head<S>,
  ): Promise<{ readonly position: Position } | 'conflict' | 'row-conflict'> {
    // A refusal is a statement about the head of the stream.
    if (attempt.events.length === 0) return (await this.known.isNewest(committed)) ? committed : 'conflict';
    try {
      return await this.known.appended(() => this.append(attempt, committed));
    } catch (error) {
      if (error instanceof RevisionConflict) return 'conflict';
      if (error instanceof RowConflict) return 'row-conflict';
      throw error;
    }
  }

  private async append({ events, rows, decided, head }: Attempt<S, C, E>, { revision }: Head<S>): Promise<Head<S>> {
    const { store } = this.services;
    const beside = store.storesRows ? [...rows, ...endedBy(decided)] : rows;
    const began = performance.now();
    const { position } = await store.append(this.stream, revision, events, beside.length > 0 ? beside : undefined);
    this.services.onGroup?.(decided.length, performance.now() - began);
    for (const result of decided) {
      const recorded = 'recorded' in result ? result.recorded : [];
      this.services.onAppended?.(this.stream, result.waiting.envelope.storeId, position, recorded);
    }
    return { state: head.state, revision: head.revision, position, hash: head.hash, at: head.at };
  }

  private answer({ decided }: Attempt<S, C, E>, position: Position): void {
    for (const result of decided) {
      if ('refusal' in result) {
        result.waiting.reject(result.refusal);
        continue;
      }
      const events: Recorded<E>[] = [];
      for (const event of result.recorded) {
        this.known.keys.add(event.meta, event.revision);
        events.push({ position, ...event } as Recorded<E>);
      }
      result.waiting.resolve({ events, revision: result.revision, position, ended: result.ended });
    }
  }
}

/**
 * Refuses those of a process that stood still for so long that others went on with their requests: what came of that was answered or undone,
 * also where it is nothing that the stream would show.
 */
async function withoutOvertaken<C, E extends DomainEvent>(
  group: readonly Waiting<C, E>[],
): Promise<readonly Waiting<C, E>[]> {
  if (!group.some(({ envelope }) => envelope.mayRecord)) return group;
  const left: Waiting<C, E>[] = [];
  for (const waiting of group) {
    try {
      const may = waiting.envelope.mayRecord?.() ?? true;
      if (may === true || (await may)) left.push(waiting);
      else waiting.reject(new RowConflict());
    } catch (error) {
      waiting.reject(error);
    }
  }
  return left;
}

/** Behind all rows that are put: one command may end what another of its group has put. */
function endedBy<C, E extends DomainEvent>(decided: Attempt<unknown, C, E>['decided']): readonly VaultWrite[] {
  return decided.flatMap((result) => ('recorded' in result ? (result.ended ?? []) : []));
}
