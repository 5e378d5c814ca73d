import type { Position } from '../../../src/ports/event-store.js';
import type { Things } from './drawn.js';
import type { Told } from './process.js';
import type { Shop } from './shop.js';
import type { Wish } from './wishes.js';

/** What was asked of a process, and what came of it. */
export interface Asking {
  readonly wish: Wish;
  readonly key: string | undefined;
  readonly storeId: string;
  /** It is only tried. */
  readonly isDry: boolean;
  /** Names the request, also in the events that it records. */
  readonly id: string;
  /** What had been answered for when it was asked. */
  readonly since: Position;
  /** What stood in the log when it was asked, and when it was answered. */
  readonly from: Position;
  until: Position | undefined;
  told: Told | undefined;
}

/** A store, with what was asked of it. */
export interface Asker {
  readonly shop: Shop;
  readonly asked: Asking[];
  readonly tried: Asking[];
  things: Things;
  /** How far the log was answered for. */
  acknowledged: Position;
}
