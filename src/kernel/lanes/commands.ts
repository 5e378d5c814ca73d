import type { VaultWrite } from '../../ports/vault.js';
import type { StreamType } from '../events/decider.js';
import type { Actor, DomainEvent, Recorded } from '../events/event.js';
import type { EndedRows, Executed } from './decision.js';
import type { Head } from './head.js';

export interface CommandOptions<S = never> {
  /** Vault rows for the same transaction, where the engine can. */
  readonly rows?: readonly VaultWrite[] | undefined;
  /** Rows that end with what is recorded, by the states before and behind it: others may have changed what the sender knew. */
  readonly ends?: EndedRows<S> | undefined;
  /**
   * Names the command among those of its request to that stream, where a repeat may send more or fewer before it. What is recorded under a
   * name for the second time is another command.
   */
  readonly name?: string | undefined;
}

/** What a request and the administration have in common: they decide commands. */
export interface Commands {
  readonly storeId: string;
  readonly actor: Actor;
  /** Whether it may have run before, with the same ids: its idempotency key was in use already. */
  readonly isRepeat: boolean;
  /** ISO time of the request; the same for a repeat with the same idempotency key. */
  readonly at: string;
  /** UUIDv7; the first, second … are the same for a repeat with the same idempotency key. */
  newId(): string;
  /** UUIDv7; the one of a name is the same for such a repeat, whatever either asked for before. */
  namedId(name: string): string;
  /** Records nothing any more once that is so, which is asked before each command: what is left by then is left to others. */
  recordUntil(isLate: () => boolean): void;
  /** Decides a command in its stream's lane; the events are on disk when it resolves. `id` names the record where the stream holds one. */
  execute<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    command: C,
    options?: CommandOptions<S> & { readonly id?: string },
  ): Promise<Executed<E>>;
  /** The same on a stream that belongs to no store or to another than the context's; `storeId` is what its events say. */
  executeOn<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    options: CommandOptions<S> & { readonly storeId: string | null; readonly actor?: Actor },
  ): Promise<Executed<E>>;
  /** Whether an earlier run of the request, with the same idempotency key, recorded the command of that name. */
  recordedBefore<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    name: string,
    stream?: string,
  ): Promise<boolean>;
  /** What such a run recorded, by its first command where none is named: all that a repeat needs, also when what its body names is gone since. Undefined where there was none. */
  earlierEvents<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    name?: string,
    stream?: string,
  ): Promise<readonly Recorded<E>[] | undefined>;
  /** The state at the head of a stream. */
  current<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, options?: { readonly id?: string }): Promise<S>;
  currentOn<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Promise<S>;
  /** The state of the store's stream as this process knows it while it hears of everything: for what is only shown. */
  recent<S, C, E extends DomainEvent>(type: StreamType<S, C, E>): Promise<S>;
  /** The same, and which head it is. */
  head<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, options?: { readonly id?: string }): Promise<Head<S>>;
  /** Events of a stream by their revisions, in that order. */
  eventsAt<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    revisions: readonly number[],
    options?: { readonly id?: string },
  ): Promise<readonly Recorded<E>[]>;
}
