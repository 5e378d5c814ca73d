import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { sealEvent } from '../../../kernel/events/chain.js';
import type { LogCheck } from '../../../kernel/proof/log-check.js';
import { toIso } from '../../../kernel/values/clock.js';
import { newId } from '../../../kernel/values/ids.js';
import type { FactAfterCut } from '../../../ports/restore-rules.js';

/** Appends to a log that nobody else has open. */
export class FactsAfterCut {
  position: number;
  /** What was appended, for whoever restores. */
  readonly added: Pick<FactAfterCut, 'storeId' | 'type' | 'data'>[] = [];

  constructor(
    private readonly database: DatabaseSyncInstance,
    private readonly check: LogCheck,
    private readonly now: number,
  ) {
    this.position = check.tree.size;
  }

  append(facts: readonly FactAfterCut[]): void {
    const addStream = this.database.prepare('insert or ignore into main.streams (name) values (?)');
    const streamOf = this.database.prepare('select id from main.streams where name = ?');
    const lastOf = this.database.prepare(
      `select json_extract(meta, '$.at') as at from main.events where stream = ? order by revision desc limit 1`,
    );
    const addEvent = this.database.prepare('insert into main.events values (?, ?, ?, ?, ?, ?, ?)');
    const commandId = newId(this.now);
    const now = toIso(this.now);
    for (const { stream, storeId, type, schemaVersion, data, actor } of facts) {
      const head = this.check.heads.get(stream) ?? { revision: -1, hash: '' };
      addStream.run(stream);
      const { id: streamId } = streamOf.get(stream) as { readonly id: number };
      const last = lastOf.get(streamId) as { readonly at: string } | undefined;
      // Never backwards within a stream, also where the clock of this machine is behind.
      const at = last !== undefined && last.at > now ? last.at : now;
      const meta = { schemaVersion, storeId, actor, requestId: 'restore', causationId: commandId, at };
      const { event } = sealEvent(head.hash, { id: newId(this.now), type, data }, meta);
      const revision = head.revision + 1;
      this.check.add({ ...event, stream, revision });
      this.position += 1;
      this.added.push({ storeId, type, data });
      addEvent.run(this.position, streamId, revision, event.id, event.type, event.data, event.meta);
    }
  }
}
