import type { Position, StoredEvent } from './event-store.js';

/** Which of some events are wanted, and how they are told. */
export interface Telling {
  readonly language: 'pt' | 'en';
  /** With all that is recorded of them, beside what they tell. */
  readonly whole: boolean;
  readonly hidesCosts: boolean;
  readonly type?: string | undefined;
  readonly actorId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly entityKind?: string | undefined;
  readonly entityId?: string | undefined;
}

export interface EventToTell extends StoredEvent {
  /** Its data as UTF-8, where that is at hand. */
  readonly dataBytes?: Uint8Array;
}

/** A record that a sentence names, and when it was called so. */
export interface NameThen {
  readonly kind: string;
  readonly id: string;
  /** The id of the part of it that is named instead. */
  readonly part?: string;
  readonly at: string;
  /** What follows the quantity of a variant instead of its name alone: its unit, and its name where that is told as well. */
  readonly counted?: { readonly language: 'pt' | 'en'; readonly named: boolean };
}

/** Events as items of an answer. Their sentences leave the names of records open: those may be sealed, or forgotten. */
export interface ToldPage {
  readonly count: number;
  /** Their JSON, one after the other with commas between them. */
  readonly bytes: Uint8Array;
  readonly names: readonly NameThen[];
  /** Where in the bytes each of the names belongs. */
  readonly places: readonly number[];
}

/** Tells events in words, off the main thread where the engine can. */
export interface EventTeller {
  /** Those of them that are wanted, in their order. */
  tell(positions: readonly Position[], telling: Telling): Promise<ToldPage>;
}
