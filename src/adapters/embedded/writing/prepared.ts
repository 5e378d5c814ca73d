import { existsSync, statSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { AnyCollection, Checkpoint } from '../../../ports/read-models.js';
import { openReadFileForReading, readFilePath } from '../read-file.js';
import { shapeOf } from './tables.js';

/**
 * How far the live builds have come, where `read.db` was left in order and holds just these collections. Undefined where whoever
 * writes must look at the file first.
 */
export function preparedCheckpoints(
  dataDir: string,
  collections: readonly AnyCollection[],
): readonly Checkpoint[] | undefined {
  const path = readFilePath(dataDir);
  const ahead = `${path}-wal`;
  if (!existsSync(path) || (existsSync(ahead) && statSync(ahead).size > 0)) return undefined;
  try {
    const database = openReadFileForReading(dataDir, 1);
    try {
      return isPrepared(database, collections) ? checkpointsIn(database) : undefined;
    } finally {
      database.close();
    }
  } catch {
    return undefined; // whoever writes finds out what is wrong with it
  }
}

type Cells = readonly string[];

function isPrepared(database: DatabaseSyncInstance, collections: readonly AnyCollection[]): boolean {
  const shapes = new Map(
    (database.prepare('select collection, shape from shapes').all() as unknown as Cells[]).map(([name, shape]) => [
      name,
      shape,
    ]),
  );
  return (
    shapes.size === collections.length &&
    collections.every((collection) => shapes.get(collection.name) === shapeOf(collection))
  );
}

/** Undefined where a build was broken off. */
function checkpointsIn(database: DatabaseSyncInstance): readonly Checkpoint[] | undefined {
  const rows = database
    .prepare('select collection, version, generation, logId, position from checkpoints')
    .all() as unknown as [string, number, Checkpoint['generation'], string, string][];
  const all = rows.map(([collection, version, generation, logId, position]) => {
    return { collection, version, generation, logId, position };
  });
  return all.some(({ generation }) => generation === 'next') ? undefined : all;
}
