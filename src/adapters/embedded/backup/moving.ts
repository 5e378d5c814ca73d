import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { StoredEvent } from '../../../ports/event-store.js';
import type { LogTarget, LogToMove, SealedRow, VaultTarget, VaultToMove } from '../../../ports/moving.js';
import { StartRefused } from '../../../ports/start-refused.js';
import { rowSeal } from '../../row-seal.js';
import { vaultCipher } from '../../vault-cipher.js';
import { lockDataFolder } from '../data-folder.js';
import { followedLog, NOTED_LOG } from '../log-check.js';
import { expectFormat, identify, keyCheckOf, LOG_SCHEMA } from '../log/file.js';
import { damagedLog, lacksLog, logFilePath } from '../log/log-before.js';
import type { EventRow } from '../log/protocol.js';
import { storedEvent } from '../log/stored-event.js';
import type { MovedPart } from '../moved-folder.js';
import { markMovedParts, movedAlready, movedParts } from '../moved-folder.js';
import { isSpoilt, openOwnFile } from '../own-file.js';
import { messageOf } from '../../../kernel/values/message-of.js';
import { beginUnfinished, expectEmptyFolder, putLogInPlace, removeUnfinished, unfinishedPath } from './empty-folder.js';

const PAGE = 1_000;

type RowCells = readonly [string, string, number, Uint8Array, number | null, number | null];

/**
 * A data folder whose log, vault or both come or go. All that is written is one transaction, which ends with the last part that is
 * finished. The folder is this process's own meanwhile.
 */
export class MovingFolder {
  private readonly lock: { release(): void };
  private readonly path: string;
  private readonly database: DatabaseSyncInstance;
  private readonly unfinished = new Set<object>();
  /** The parts that are about to leave, and those of them that have arrived where they go. */
  private readonly leaving = new Set<MovedPart>();
  private readonly gone = new Set<MovedPart>();
  /** The parts that were brought here. */
  private readonly brought = new Set<MovedPart>();
  /** An earlier try brought everything, and was broken off before the servers were marked. */
  private ended = false;

  constructor(
    private readonly dataDir: string,
    private readonly secretsKey: Uint8Array,
    wantsFresh: boolean,
  ) {
    this.lock = lockDataFolder(dataDir);
    try {
      // One that is there may be what an earlier try brought.
      const fresh = wantsFresh && (lacksLog(dataDir) || movedParts(dataDir).size > 0);
      this.path = fresh ? unfinishedPath(dataDir) : logFilePath(dataDir);
      if (fresh) this.begin();
      else if (lacksLog(dataDir)) throw new StartRefused(`there is no log in the data folder ${dataDir}`);
      this.database = openOwnFile(this.path);
      if (!fresh) this.expectOwn();
      this.database.exec(
        'pragma busy_timeout = 5000; pragma synchronous = full; pragma cache_size = -65536; begin immediate',
      );
      if (fresh) this.database.exec(LOG_SCHEMA);
    } catch (error) {
      this.lock.release();
      throw isSpoilt(error) ? damagedLog(dataDir, messageOf(error)) : error;
    }
  }

  /** That of the log whose vault it has: of the one on a server, where it did not begin here. */
  get followedLogId(): string {
    if (this.countOf('events') > 0) return this.logId;
    const noted = this.database.prepare('select kind, id, version, value from vault where kind = ? and id = ?');
    const row = noted.get(...NOTED_LOG) as unknown as SealedRow | undefined;
    return (row && followedLog(rowSeal(this.secretsKey).open(row), this.logId)) ?? this.logId;
  }

  private get logId(): string {
    return (this.database.prepare('select logId from about').get() as { readonly logId: string }).logId;
  }

  /** The log that lies here, for a move away. */
  logToMove(): LogToMove {
    this.expectHere('EVENTSTORE_URL');
    this.leaving.add('EVENTSTORE_URL');
    return {
      logId: this.logId,
      pages: (from) => this.eventPages(from),
      markMoved: () => this.mark('EVENTSTORE_URL'),
    };
  }

  logTarget(): LogTarget {
    let position = 0;
    const target: LogTarget = {
      begin: (logId) => {
        const isHere = this.countOf('events') > 0 && !movedParts(this.dataDir).has('EVENTSTORE_URL');
        this.ended = isHere && this.logId === logId;
        if (this.ended) return Promise.resolve(this.countOf('events'));
        if (isHere) throw this.notEmpty();
        this.database.exec('delete from events; delete from streams; delete from about');
        const keyCheck = keyCheckOf(vaultCipher(this.secretsKey), logId);
        this.database.prepare('insert into about values (?, ?)').run(logId, keyCheck);
        return Promise.resolve(0);
      },
      append: (events) => {
        if (this.ended)
          throw new StartRefused(`DATA_DIR ${this.dataDir} is not empty: its log is older than the servers’`);
        for (const event of events) this.addEvent(event, (position += 1));
        return Promise.resolve();
      },
      pages: () => this.eventPages(0),
      finish: () => this.finished(target, 'EVENTSTORE_URL'),
    };
    this.unfinished.add(target);
    return target;
  }

  /** The vault that lies here, for a move away. */
  vaultToMove(): VaultToMove {
    this.expectHere('MONGODB_URL');
    this.leaving.add('MONGODB_URL');
    return { pages: () => this.rowPages(), markMoved: () => this.mark('MONGODB_URL') };
  }

  vaultTarget(): VaultTarget {
    // Brought by an earlier try that was broken off before the server was told, unless it differs.
    let isHere = false;
    let same = 0;
    const target: VaultTarget = {
      // What differs is found when it comes: all that is written here is one transaction.
      expectRoom: () => Promise.resolve(),
      begin: () => {
        if (this.ended) return Promise.resolve();
        isHere = this.countOf('vault') > 0 && !movedParts(this.dataDir).has('MONGODB_URL');
        if (!isHere) this.database.exec('delete from vault');
        return Promise.resolve();
      },
      put: (rows) => {
        if (isHere) same += this.countSame(rows);
        return this.ended || isHere ? Promise.resolve() : this.putRows(rows);
      },
      count: () => {
        const count = this.countOf('vault');
        if (isHere && same !== count) throw this.notEmpty();
        return Promise.resolve(count);
      },
      finish: () => this.finished(target, 'MONGODB_URL'),
    };
    this.unfinished.add(target);
    return target;
  }

  /** The vault that stays here while its log comes or goes: reactors follow it. */
  vaultThatStays(): { readonly from: VaultToMove; readonly to: VaultTarget } {
    this.expectHere('MONGODB_URL');
    const to: VaultTarget = {
      expectRoom: () => Promise.resolve(),
      begin: () => Promise.resolve(),
      put: (rows) => this.putRows(rows),
      count: () => Promise.resolve(this.countOf('vault')),
      finish: () => this.finished(to),
    };
    this.unfinished.add(to);
    return { from: { pages: () => this.rowPages(), markMoved: () => Promise.resolve() }, to };
  }

  close(): void {
    if (this.database.isOpen) {
      if (this.database.isTransaction) this.database.exec('rollback');
      this.database.close();
      if (this.path !== logFilePath(this.dataDir)) removeUnfinished(this.dataDir);
    }
    this.lock.release();
  }

  private begin(): void {
    expectEmptyFolder(this.dataDir, 'a move');
    beginUnfinished(this.dataDir);
  }

  /** What lies here is a log that this release and the key can read. */
  private expectOwn(): void {
    expectFormat(this.database, this.dataDir);
    identify(this.database, vaultCipher(this.secretsKey), this.dataDir);
  }

  private expectHere(part: MovedPart): void {
    if (movedParts(this.dataDir).has(part)) throw movedAlready(this.dataDir, part);
  }

  private countSame(rows: readonly SealedRow[]): number {
    const same = this.database.prepare('select 1 from vault where kind = ? and id = ? and version = ? and value = ?');
    return rows.filter(({ kind, id, version, value }) => same.get(kind, id, version, value) !== undefined).length;
  }

  private notEmpty(): StartRefused {
    return new StartRefused(`DATA_DIR ${this.dataDir} is not empty: a move needs an empty folder`);
  }

  private finished(target: object, part?: MovedPart): Promise<void> {
    this.unfinished.delete(target);
    if (part) this.brought.add(part);
    if (this.unfinished.size > 0) return Promise.resolve();
    this.database.exec('commit');
    if (this.path !== logFilePath(this.dataDir)) {
      this.database.close();
      putLogInPlace(this.dataDir);
    }
    const away = [...movedParts(this.dataDir)].filter((known) => !this.brought.has(known));
    markMovedParts(this.dataDir, new Set(away));
    return Promise.resolve();
  }

  /** All parts are marked in one write: a move that died between two could neither be repeated nor be undone. */
  private mark(part: MovedPart): Promise<void> {
    this.gone.add(part);
    if (this.gone.size === this.leaving.size) {
      markMovedParts(this.dataDir, new Set([...movedParts(this.dataDir), ...this.gone]));
    }
    return Promise.resolve();
  }

  private countOf(table: 'events' | 'vault'): number {
    return (this.database.prepare(`select count(*) as n from ${table}`).get() as { readonly n: number }).n;
  }

  private addEvent({ stream, revision, id, type, data, meta }: StoredEvent, position: number): void {
    this.database.prepare('insert or ignore into streams (name) values (?)').run(stream);
    this.database
      .prepare('insert into events values (?, (select id from streams where name = ?), ?, ?, ?, ?, ?)')
      .run(position, stream, revision, id, type, data, meta);
  }

  private async *eventPages(from: number): AsyncGenerator<readonly StoredEvent[]> {
    const read = this.database.prepare(
      `select position, name, revision, events.id, type, data, meta from events join streams on streams.id = stream
       where position > ? order by position limit ${String(PAGE)}`,
    );
    read.setReturnArrays(true);
    for (let after = from; ;) {
      const page = read.all(after) as unknown as readonly EventRow[];
      const last = page.at(-1);
      if (!last) return;
      yield await Promise.resolve(page.map(storedEvent));
      after = last[0];
    }
  }

  private async *rowPages(): AsyncGenerator<readonly SealedRow[]> {
    const read = this.database.prepare(
      `select kind, id, version, value, dueAt, expiresAt from vault where (kind, id) > (?, ?)
       order by kind, id limit ${String(PAGE)}`,
    );
    read.setReturnArrays(true);
    for (let after: readonly [string, string] = ['', '']; ;) {
      const page = read.all(...after) as unknown as readonly RowCells[];
      const last = page.at(-1);
      if (!last) return;
      yield await Promise.resolve(
        page.map(([kind, id, version, value, dueAt, expiresAt]) => ({ kind, id, version, value, dueAt, expiresAt })),
      );
      after = [last[0], last[1]];
    }
  }

  private putRows(rows: readonly SealedRow[]): Promise<void> {
    const put = this.database.prepare(
      'insert or replace into vault (kind, id, version, value, dueAt, expiresAt) values (?, ?, ?, ?, ?, ?)',
    );
    for (const { kind, id, version, value, dueAt, expiresAt } of rows) {
      put.run(kind, id, version, value, dueAt, expiresAt);
    }
    return Promise.resolve();
  }
}
