import type { Position } from '../../ports/event-store.js';

export interface ProjectionHealth {
  readonly name: string;
  readonly version: number;
  readonly state: 'live' | 'catching-up' | 'rebuilding' | 'stopped';
  readonly position: Position;
  /** Events between its position and the head, as far as this process knows. */
  readonly lagEvents: number;
  /** How long ago the oldest event it has not applied yet was seen, 0 when it is up to date. */
  readonly lagMilliseconds: number;
  /** How far the build is that a rebuild makes beside it. */
  readonly rebuiltTo?: Position;
  /** Set when a poison event stopped it. */
  readonly poison?: {
    readonly position: Position;
    readonly stream: string;
    readonly type: string;
    readonly reason: string;
  };
}

/** What the rest of the program sees of the running projections. */
export interface Projections {
  /** Other processes read what this one, or one of them, projects. */
  readonly shared: boolean;
  /** True once every named collection has passed the position; false when that took too long or one has stopped. */
  waitFor(collections: readonly string[], position: Position, milliseconds: number): Promise<boolean>;
  /** What a command waits for before it is decided: undefined unless the projections fall behind. */
  pace(): Promise<void> | undefined;
  health(): readonly ProjectionHealth[];
  /** Builds the collections again beside the live ones, in one reading of the log, and switches; resolves after the last switch. */
  rebuild(...collections: readonly string[]): Promise<void>;
  /** An operator's explicit decision to go on after the poison event at that position. */
  skip(collection: string, position: Position): Promise<void>;
  /** Resolves when everything that stood in the log at the time of the call is projected. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}
