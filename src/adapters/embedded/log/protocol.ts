/**
 * What the main thread and the log worker say to each other. Requests are flat arrays, because copying objects between threads
 * costs several times as much. The worker answers in the order of the requests.
 */

/** What an append or a vault write asks of a row; `expected` is a version, ABSENT or ANY. */
export type RowRequest = readonly [
  kind: string,
  id: string,
  /** JSON; null deletes the row. */
  value: string | null,
  expected: number,
  dueAt: number | null,
  expiresAt: number | null,
  /** The version that the row begins with if there was none. */
  firstVersion: number,
];

export const ABSENT = 0;
export const ANY = -1;

/** Id, type, data and meta of each event, one after the other. */
export type FlatEvents = readonly string[];
export const EVENT_FIELDS = 4;

export type WriteRequest =
  | readonly [what: 'append', stream: string, expected: number, events: FlatEvents, rows: readonly RowRequest[]]
  | readonly [what: 'rows', rows: readonly RowRequest[]]
  | readonly [what: 'sweep', now: number, limit: number];

export interface WriteMessage {
  readonly requests: readonly WriteRequest[];
  /** Roughly; bounds how much one transaction takes up. */
  readonly bytes: number;
  /** The time of the process's clock: what has expired by now counts as absent. */
  readonly now: number;
}

/** Its value: the position of the last event, or how many rows were swept. */
export const DONE = 0;
/** An append that was there already; its value: the position of its last event. */
export const REPEATED = 1;
export const REVISION_CONFLICT = 2;
export const ROW_CONFLICT = 3;
export type Outcome = readonly [what: number, value: number];

/** The fate of the next `count` requests. */
export interface WriteReply {
  readonly count: number;
  /** Outcome and value of each request, one after the other; empty when the transaction failed. */
  readonly outcomes: readonly number[];
  /** Position of the last event in the log. */
  readonly head: number;
  readonly failure?: { readonly message: string; readonly unknown: boolean };
}

/** What a worker says once it has opened the file. */
export interface Opened {
  readonly logId: string;
  readonly head: number;
}

/** Asks a worker to close its file and end; sent when nothing else is under way. */
export const CLOSE = 'close';

/** How much one message or transaction takes up. */
export const GROUP_REQUESTS = 256;
export const GROUP_BYTES = 4_000_000;

export type ReadRequest =
  | readonly [what: 'stream', name: string, from: number, backward: boolean, limit: number]
  | readonly [what: 'all', after: number, limit: number]
  | readonly [what: 'at', positions: string]
  | readonly [what: 'row', kind: string, id: string, now: number]
  | readonly [what: 'many', kind: string, ids: string, now: number]
  | readonly [what: 'rows', kind: string, after: string, prefix: string, limit: number, now: number]
  | readonly [what: 'due', kind: string, before: number, limit: number, now: number];

export type EventRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  meta: string,
];
/** Id, version, JSON, dueAt. */
export type VaultRowRead = readonly [string, number, string, number | null];

export interface ReadReply {
  readonly rows: readonly (EventRow | VaultRowRead)[];
  /** The page was cut because it grew large, not because it was at its end. */
  readonly cut: boolean;
  readonly failure?: string;
}
