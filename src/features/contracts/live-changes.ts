import type { Principal } from '../../kernel/routes/request-context.js';
import type { OpenStream } from '../../kernel/routes/route.js';

/** Tells those who watch a store which kinds of records change in it. */
export interface LiveChanges {
  /** `lastEventId` is what the watcher heard last, on an earlier connection. */
  watch(principal: Principal, lastEventId: string | undefined, stream: OpenStream): void;
}
