import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Snapshot } from '../../../ports/snapshots.js';
import type { Sql } from '../reading/conditions.js';
import { sql } from '../reading/conditions.js';

/** Replaces a stream's snapshot, all pieces in one transaction, unless a newer one is there. */
export function writeSnapshot(database: DatabaseSyncInstance, stream: string, snapshot: Snapshot): void {
  const { logId, version, revision, pieces } = snapshot;
  database.exec('begin immediate');
  try {
    const newer = database.prepare(
      'select 1 from snapshots where stream = ? and logId = ? and version = ? and revision > ?',
    );
    if (newer.get(stream, logId, version, revision) === undefined) {
      database
        .prepare('insert or replace into snapshots (stream, logId, version, revision) values (?, ?, ?, ?)')
        .run(stream, logId, version, revision);
      database.prepare('delete from snapshotPieces where stream = ?').run(stream);
      const insert = database.prepare('insert into snapshotPieces (stream, piece, bytes) values (?, ?, ?)');
      for (const [piece, bytes] of pieces.entries()) insert.run(stream, piece, bytes);
    }
    database.exec('commit');
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** One statement sees one snapshot. */
export const snapshotOf = (stream: string): Sql =>
  sql(
    `select logId, version, revision, bytes from snapshots left join snapshotPieces using (stream)
     where stream = ? order by piece`,
    stream,
  );

export type SnapshotCells = readonly [logId: string, version: number, revision: number, bytes: Uint8Array | null];
