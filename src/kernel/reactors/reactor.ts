import type { VaultWrite } from '../../ports/vault.js';
import type { DomainEvent, EventCodec, Recorded } from '../events/event.js';

/** What follows from some events. */
export interface Reaction {
  /** Stored together with the reactor's checkpoint. Each is expected `absent` or `any`: after a crash the same rows come again. */
  readonly rows: readonly VaultWrite[];
  /** Called once the rows are stored, to wake whoever works on them. `new`: this one write stored all of them, and none was there before. */
  wake?(how: 'new' | 'some were there'): void;
}

/**
 * Follows the log and turns events into vault rows. It sees each event at least once, in order, in one process at a time, and never on
 * the replay of a projection. What it does beside its rows must bear repetition: ids that follow from the event and what it is done to.
 */
export interface Reactor<E extends DomainEvent = DomainEvent> {
  /** Names its checkpoint and its lease; never changed once released. */
  readonly name: string;
  readonly codec: EventCodec<E>;
  /** The events that it reacts to; all others pass undecoded. */
  readonly types: readonly E['type'][];
  /** Where it begins when it has no checkpoint yet: with the log's first event, or with what comes after its own first start. */
  readonly begins: 'at the first event' | 'with new events';
  /** `fence` grows with every change of the process that runs it: the epoch of what it appends to the log. */
  react(events: readonly Recorded<E>[], fence: number): Promise<Reaction>;
}

/** How a reactor is doing. */
export interface ReactorHealth {
  readonly name: string;
  /** `waiting`: another process runs it; `stopped`: it can't go on, and an operator has to say how. */
  readonly state: 'following' | 'waiting' | 'stopped';
  /** Age of the oldest event that it has been given and is not done with. */
  readonly lagMilliseconds: number;
  /** When it is stopped. */
  readonly reason?: string;
}

/** The checkpoint does not fit the log: going on could repeat or leave out anything. */
export class ReactorStopped extends Error {}
