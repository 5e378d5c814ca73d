/** Server-sent events, as the watchers of a store get them. */

/** For a browser: how long it waits before it connects again, in milliseconds. */
const RECONNECT = 2_000;

/** Moves a browser's Last-Event-ID without an event for its page. */
export const beginning = (id: string): string => `retry: ${String(RECONNECT)}\nid: ${id}\n\n`;

export const changed = (kinds: readonly string[], id: string): string =>
  `id: ${id}\ndata: ${JSON.stringify({ collections: kinds, position: id })}\n\n`;

/** What the watcher missed is not known any more: everything may have changed. */
export const reset = (id: string): string => `id: ${id}\ndata: ${JSON.stringify({ reset: true })}\n\n`;

/** A comment, which no page hears of; it keeps what stands between from closing the connection. */
export const HEARTBEAT = ': heartbeat\n\n';
