import type { VaultWrite } from './vault.js';

/** An opaque, ordered string: a later event has a greater one. */
export type Position = string;

/** It lies before the first event of every log. */
export const START: Position = '';

/** `expectedRevision` of a stream that must not exist yet. */
export const NO_STREAM = -1;

/** An event on its way into the log; `data` and `meta` are JSON texts, kept as they are. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

export interface StoredEvent extends NewEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

/** Bytes of types, data and metadata that one append may carry. */
export const MAX_APPEND_BYTES = 1_000_000;

/** The append is over the limit or empty; nothing was written. */
export class AppendRefused extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'AppendRefused';
  }
}

/** What every adapter asks of an append before it starts; gives its size. */
export function checkedSize(stream: string, events: readonly NewEvent[]): number {
  if (events.length === 0) throw new AppendRefused(`an append to ${stream} carries no event`);
  let bytes = 0;
  for (const { type, data, meta } of events) {
    bytes += Buffer.byteLength(type) + Buffer.byteLength(data) + Buffer.byteLength(meta);
  }
  if (bytes > MAX_APPEND_BYTES) throw new AppendRefused(`an append to ${stream} carries ${bytes} bytes`);
  return bytes;
}

/** Where the last event of an append stands. */
export interface Appended {
  readonly revision: number;
  readonly position: Position;
}

/** The stream is not at the expected revision; nothing was written. */
export class RevisionConflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: number,
  ) {
    super(`${stream} is not at revision ${expected}`);
    this.name = 'RevisionConflict';
  }
}

/** A row that an append should store with its events was not as expected; nothing was written. */
export class RowConflict extends Error {
  constructor() {
    super('a row written with the events was not at the expected version');
    this.name = 'RowConflict';
  }
}

/** The backing server or disk is away. When `unknown`, the write may or may not have happened. */
export class StoreUnavailable extends Error {
  constructor(
    message: string,
    readonly unknown: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/** A stream lacks events that it had: nothing may be decided on what is left of it, nor written to it. */
export class HistoryNotWhole extends StoreUnavailable {
  constructor(
    readonly stream: string,
    /** The first revision that should be there and is not; undefined when nothing is left of the stream. */
    readonly missing?: number,
  ) {
    const lost = missing === undefined ? 'has been deleted' : `lacks its event ${missing}`;
    super(
      `the stream ${stream} ${lost}: it was shortened by hand and takes no commands until it is whole again`,
      false,
    );
    this.name = 'HistoryNotWhole';
  }
}

export interface Subscription {
  stop(): Promise<void>;
  /** When it last heard from a live log (milliseconds of the process's clock); a process trusts what it cached only for so long. */
  readonly provedLiveAt: number;
}

export interface EventStore {
  /** Names this log: a checkpoint or snapshot of another log is worthless. */
  readonly logId: string;
  /** No other process can append while this one runs: what it last wrote is the head. */
  readonly exclusive: boolean;
  /** `append` stores vault rows in the same transaction. */
  readonly storesRows: boolean;
  /**
   * Durable when it resolves. All or nothing. Throws RevisionConflict, RowConflict, StoreUnavailable or AppendRefused.
   * Repeating it with the same event ids and the same expected revision after an unknown outcome is safe.
   */
  append(
    stream: string,
    expectedRevision: number,
    events: readonly NewEvent[],
    rows?: readonly VaultWrite[],
  ): Promise<Appended>;
  /** From `from` (included) on, or from the end backwards; a stream that never was is empty. Throws HistoryNotWhole for one that was deleted. */
  readStream(
    stream: string,
    options: { readonly from?: number; readonly direction?: 'forward' | 'backward'; readonly limit: number },
  ): Promise<readonly StoredEvent[]>;
  /** All events after a position, in order, without gaps; system events are left out. */
  readAll(after: Position, limit: number): Promise<readonly StoredEvent[]>;
  /** The events at these positions, in their order; positions that no event has are left out. */
  readAt(positions: readonly Position[]): Promise<readonly StoredEvent[]>;
  /** The position of the last event, START when there is none. */
  head(): Promise<Position>;
  /**
   * Ordered and gap-free, at catch-up and live, for ever: resumes by itself after the server was away.
   * The next batch waits for the promise of the last one; a batch that is refused is given again after a pause.
   * `onShortened` hears of streams that somebody may have shortened by hand.
   */
  subscribe(
    after: Position,
    onEvents: (batch: readonly StoredEvent[]) => Promise<void>,
    onShortened?: (stream: string) => void,
  ): Subscription;
  /** Whether a token could be a position of this log. */
  isPosition(token: string): boolean;
  close(): Promise<void>;
}
