import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { hashOf } from '../../../kernel/events/chain.js';
import type { StreamHead } from '../../../kernel/proof/log-check.js';
import { LogCheck } from '../../../kernel/proof/log-check.js';
import { boundedCache } from '../../../kernel/values/bounded-cache.js';
import type { CheckedPlace, CheckedStretch } from '../../../ports/log-checker.js';
import { eventPages } from './event-pages.js';
import { positionNumber } from './position.js';

/** Heads of streams that are remembered; those of others are read again when they go on. */
const MOST_HEADS = 20_000;

/** Checks stretches of the log out of `events.db`, as bytes. */
export class StretchCheck {
  private readonly heads = boundedCache<StreamHead>(MOST_HEADS);
  /** Up to where the heads are known. */
  private position: string | undefined;
  private readonly metaOf;

  constructor(private readonly database: DatabaseSyncInstance) {
    this.metaOf = database.prepare(
      'select meta from events where stream = (select id from streams where name = ?) and revision = ?',
    );
    this.metaOf.setReturnArrays(true);
  }

  next({ position, tree }: CheckedPlace, limit: number): CheckedStretch {
    if (position !== this.position) this.heads.clear();
    const check = new LogCheck(this.heads, tree);
    const size = check.tree.size;
    this.position = undefined;
    let last = position;
    for (const { bytes, events } of eventPages(this.database, 'sealed', positionNumber(position))) {
      for (const event of events) {
        const { stream, revision } = event;
        if (!this.heads.has(stream)) this.recall(stream, revision);
        const reason = check.passBytes(event, bytes);
        if (reason !== undefined) {
          return { found: { reason, stream, revision, position: event.position }, size: check.tree.size - 1 };
        }
        last = event.position;
        if (check.tree.size - size === limit) return this.cameTo(check, last, false);
      }
    }
    return this.cameTo(check, last, true);
  }

  private cameTo({ tree }: LogCheck, position: string, atEnd: boolean): CheckedStretch {
    this.position = position;
    return { place: { position, tree: tree.state() }, atEnd };
  }

  private recall(stream: string, revision: number): void {
    if (revision === 0) return;
    const [meta] = (this.metaOf.get(stream, revision - 1) ?? []) as unknown as readonly string[];
    if (meta !== undefined) this.heads.set(stream, { revision: revision - 1, hash: hashOf({ meta }) });
  }
}
