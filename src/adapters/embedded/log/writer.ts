import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { demandRoom } from '../../../kernel/files/disk-room.js';
import type { LogFaults } from './faults.js';
import type { LogFile } from './file.js';
import { DONE, EVENT_FIELDS, REPEATED, REVISION_CONFLICT, ROW_CONFLICT } from './protocol.js';
import type { FlatEvents, Outcome, RowRequest, WriteReply, WriteRequest } from './protocol.js';
import { LogRows } from './rows.js';
import { messageOf } from '../../../kernel/values/message-of.js';

interface StreamHead {
  readonly id: number;
  revision: number;
}

const CACHED_STREAMS = 100_000;
const FULL = 13;
const NO_REVISION = -1;

/** Runs groups of requests, each group in one transaction that is flushed to disk. Lives in the log worker. */
export class LogWriter {
  private readonly database: DatabaseSyncInstance;
  private readonly rows: LogRows;
  private readonly statements;
  private readonly streams = new Map<string, StreamHead>();
  private position = 0;
  private lastStream = 0;

  constructor(
    { database, cipher }: LogFile,
    private readonly faults: LogFaults,
    private readonly dataDir: string,
  ) {
    this.database = database;
    this.rows = new LogRows(database, cipher);
    this.statements = {
      begin: database.prepare('begin immediate'),
      commit: database.prepare('commit'),
      rollback: database.prepare('rollback'),
      heads: database.prepare(
        'select (select max(position) from events) as position, (select max(id) from streams) as stream',
      ),
      findStream: database.prepare(
        `select id, (select max(revision) from events where stream = streams.id) as revision from streams where name = ?`,
      ),
      addStream: database.prepare('insert into streams (id, name) values (?, ?)'),
      addEvent: database.prepare('insert into events values (?, ?, ?, ?, ?, ?, ?)'),
      between: database.prepare(
        'select id, position from events where stream = ? and revision between ? and ? order by revision',
      ),
    };
    this.loadHeads();
  }

  get head(): number {
    return this.position;
  }

  run(requests: readonly WriteRequest[], now: number): WriteReply {
    const outcomes: number[] = [];
    try {
      demandRoom(this.dataDir);
      this.statements.begin.run();
      for (const request of requests) outcomes.push(...this.apply(request, now));
      this.faults.strike('beforeCommit');
    } catch (error) {
      return this.undone(requests.length, error, false);
    }
    try {
      this.statements.commit.run();
    } catch (error) {
      // After a failed flush nobody knows what the disk holds; a full disk never took the commit.
      return this.undone(requests.length, error, (error as { errcode?: number }).errcode !== FULL);
    }
    this.faults.strike('afterCommit');
    return { count: requests.length, outcomes, head: this.position };
  }

  private apply(request: WriteRequest, now: number): Outcome {
    switch (request[0]) {
      case 'append':
        return this.append(request[1], request[2], request[3], request[4], now);
      case 'rows':
        return [this.writeRows(request[1], now) ? DONE : ROW_CONFLICT, 0];
      case 'sweep':
        return [DONE, this.rows.sweep(request[1], request[2])];
    }
  }

  private append(
    name: string,
    expected: number,
    events: FlatEvents,
    rows: readonly RowRequest[],
    now: number,
  ): Outcome {
    const known = this.find(name);
    if ((known?.revision ?? NO_REVISION) !== expected) {
      const repeated = known && this.positionOfRepeat(known.id, expected, events);
      return repeated === undefined ? [REVISION_CONFLICT, 0] : [REPEATED, repeated];
    }
    if (rows.length > 0 && !this.writeRows(rows, now)) return [ROW_CONFLICT, 0];
    const stream = known ?? this.addStream(name);
    const { addEvent } = this.statements;
    for (let at = 0; at < events.length; at += EVENT_FIELDS) {
      this.position += 1;
      stream.revision += 1;
      addEvent.run(
        this.position,
        stream.id,
        stream.revision,
        events[at],
        events[at + 1],
        events[at + 2],
        events[at + 3],
      );
    }
    return [DONE, this.position];
  }

  private writeRows(rows: readonly RowRequest[], now: number): boolean {
    const versions = this.rows.check(rows, now);
    if (versions) this.rows.write(rows, versions);
    return versions !== undefined;
  }

  /** Where the last of these events stands if all of them are there already, right after the expected revision. */
  private positionOfRepeat(stream: number, expected: number, events: FlatEvents): number | undefined {
    const count = events.length / EVENT_FIELDS;
    const found = this.statements.between.all(stream, expected + 1, expected + count) as {
      id: string;
      position: number;
    }[];
    if (found.length !== count || found.some(({ id }, at) => id !== events[at * EVENT_FIELDS])) return undefined;
    return found.at(-1)?.position;
  }

  private find(name: string): StreamHead | undefined {
    const cached = this.streams.get(name);
    if (cached) return cached;
    const row = this.statements.findStream.get(name) as { id: number; revision: number } | undefined;
    return row && this.remember(name, { id: row.id, revision: row.revision });
  }

  private addStream(name: string): StreamHead {
    this.lastStream += 1;
    this.statements.addStream.run(this.lastStream, name);
    return this.remember(name, { id: this.lastStream, revision: NO_REVISION });
  }

  private remember(name: string, head: StreamHead): StreamHead {
    if (this.streams.size >= CACHED_STREAMS) this.streams.clear();
    this.streams.set(name, head);
    return head;
  }

  /** Back to what is on disk. When even that fails, the error ends the worker, and a new one opens the file afresh. */
  private undone(count: number, error: unknown, unknown: boolean): WriteReply {
    if (this.database.isTransaction) this.statements.rollback.run();
    this.loadHeads();
    const message = messageOf(error);
    return { count, outcomes: [], head: this.position, failure: { message, unknown } };
  }

  private loadHeads(): void {
    const row = this.statements.heads.get() as { position: number | null; stream: number | null };
    this.position = row.position ?? 0;
    this.lastStream = row.stream ?? 0;
    this.streams.clear();
  }
}
