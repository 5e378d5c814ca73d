import type { NewEvent } from '../../ports/event-store.js';
import type { VaultWrite } from '../../ports/vault.js';
import { sealEvent } from '../events/chain.js';
import type { StreamType } from '../events/decider.js';
import type { Actor, DomainEvent, EventMeta, Recorded } from '../events/event.js';
import { newId } from '../values/ids.js';
import type { Head } from './head.js';
import { COMMAND_TOO_LARGE, Rejection } from '../events/rejection.js';

/** The most bytes of the events that are appended at once, and of those of one command. */
const MAX_GROUP_BYTES = 512 * 1024;

/** Vault rows that end where a state follows another. */
export type EndedRows<S> = (before: S, after: S) => readonly VaultWrite[];

export interface Executed<E extends DomainEvent> {
  /** What was recorded; empty when there was nothing to do. */
  readonly events: readonly Recorded<E>[];
  /** The revision of the stream's head when the command was decided. */
  readonly revision: number;
  readonly position: string;
  /** Rows that end with it: they went in one write with it where appends store rows, and are left where not. */
  readonly ended?: readonly VaultWrite[] | undefined;
}

/** Who sends a command, when, and how a repeat of it is recognised. */
export interface CommandEnvelope {
  readonly commandId: string;
  readonly storeId: string | null;
  readonly actor: Actor;
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  readonly at: string;
  /** It came with an idempotency key. */
  readonly keyed?: boolean | undefined;
  /** Whether it may be recorded still: not where another run has taken its key over. Throws where others have done what was left of its request. */
  readonly mayRecord?: (() => boolean | Promise<boolean>) | undefined;
  /** It may have run before: since when its key is in use. */
  readonly repeatSince?: string | undefined;
  /** Vault rows for the same transaction, where the engine can. */
  readonly rows?: readonly VaultWrite[] | undefined;
  /** Rows that end with what is recorded, by the states before and behind it. */
  readonly ends?: EndedRows<never> | undefined;
}

/** What tells what an earlier run of a command recorded. */
export type EarlierRun = Pick<CommandEnvelope, 'keyed' | 'commandId' | 'repeatSince'>;

/** A command whose sender waits for the answer. */
export interface Waiting<C, E extends DomainEvent> {
  readonly command: C;
  readonly envelope: CommandEnvelope;
  resolve(executed: Executed<E>): void;
  reject(reason: unknown): void;
}

/** An event on its way into the log, which gives it its position. */
export type SealedEvent<E extends DomainEvent = DomainEvent> = Omit<Recorded<E>, 'position'>;

type Decided<C, E extends DomainEvent> = { readonly waiting: Waiting<C, E> } & (
  | {
      readonly recorded: readonly SealedEvent<E>[];
      readonly revision: number;
      readonly ended: readonly VaultWrite[] | undefined;
    }
  | { readonly refusal: unknown }
);

/** What a group of commands comes to on one head: to be appended whole, and answered only then. */
export interface Attempt<S, C, E extends DomainEvent> {
  readonly decided: readonly Decided<C, E>[];
  readonly leftOver: readonly Waiting<C, E>[];
  readonly events: readonly NewEvent[];
  readonly rows: readonly VaultWrite[];
  readonly head: Head<S>;
}

/** Decides commands one after the other, each on what those before it produced, until an append is full. */
export function decideGroup<S, C, E extends DomainEvent>(
  stream: string,
  type: StreamType<S, C, E>,
  pending: readonly Waiting<C, E>[],
  committed: Head<S>,
): Attempt<S, C, E> {
  const decided: Decided<C, E>[] = [];
  const events: NewEvent[] = [];
  const rows: VaultWrite[] = [];
  let head = committed;
  let bytes = 0;
  for (const [index, waiting] of pending.entries()) {
    let made;
    try {
      made = decideOne(stream, type, waiting, head);
    } catch (refusal) {
      decided.push({ waiting, refusal });
      continue;
    }
    if (bytes + made.bytes > MAX_GROUP_BYTES) {
      return { decided, leftOver: pending.slice(index), events, rows, head };
    }
    bytes += made.bytes;
    const ended =
      made.sealed.length > 0 ? waiting.envelope.ends?.(head.state as never, made.head.state as never) : undefined;
    head = made.head;
    for (const event of made.sealed) events.push(event);
    if (made.sealed.length > 0 && waiting.envelope.rows) rows.push(...waiting.envelope.rows);
    decided.push({ waiting, recorded: made.recorded, revision: head.revision, ended });
  }
  return { decided, leftOver: [], events, rows, head };
}

function metaOf(envelope: CommandEnvelope, schemaVersion: number, at: string): Omit<EventMeta, 'hash'> {
  const { commandId: causationId, storeId, actor, requestId, traceparent, keyed } = envelope;
  // Spreads are made much more slowly, and most commands come without either.
  if (traceparent === undefined && keyed !== true) return { schemaVersion, storeId, actor, requestId, causationId, at };
  return {
    schemaVersion,
    storeId,
    actor,
    requestId,
    ...(traceparent === undefined ? {} : { traceparent }),
    causationId,
    at,
    ...(keyed === true ? { keyed } : {}),
  };
}

/** What one command comes to on a head. */
export function decideOne<S, C, E extends DomainEvent>(
  stream: string,
  { decider, events }: StreamType<S, C, E>,
  { command, envelope }: Pick<Waiting<C, E>, 'command' | 'envelope'>,
  committed: Head<S>,
) {
  const at = envelope.at > committed.at ? envelope.at : committed.at; // never backwards
  const sealed: NewEvent[] = [];
  const recorded: SealedEvent<E>[] = [];
  let head = committed;
  let bytes = 0;
  const idsAt = Date.parse(at);
  for (const fact of decider.decide(committed.state, command, at)) {
    const { type, data } = fact;
    // Of this run alone: a log that knows an id takes its append for done, and another run of the same request has other hashes.
    const id = newId(idsAt);
    const meta = metaOf(envelope, events.versionOf(type), at);
    const { event, hash } = sealEvent(head.hash, { id, type, data }, meta);
    const revision = head.revision + 1;
    const state = decider.evolve(head.state, fact, { revision, at, actor: envelope.actor });
    head = { state, revision, position: head.position, hash, at };
    bytes += Buffer.byteLength(event.data) + Buffer.byteLength(event.meta);
    sealed.push(event);
    recorded.push({ type, data, id, stream, revision, meta: { hash, ...meta } } as SealedEvent<E>);
  }
  if (bytes > MAX_GROUP_BYTES) throw new Rejection(COMMAND_TOO_LARGE);
  return { sealed, recorded, head, bytes };
}
