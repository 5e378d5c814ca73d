import type { IndexDescription } from 'mongodb';
import { MongoServerError } from 'mongodb';
import type { Connection } from './connection.js';

const NAMESPACE_NOT_FOUND = 26;

/** Builds those that are missing by name, in one pass over the documents. */
export async function ensureIndexes(
  connection: Connection,
  collection: string,
  indexes: readonly IndexDescription[],
): Promise<void> {
  const present = await indexNames(connection, collection);
  const missing = indexes.filter(({ name }) => name === undefined || !present.has(name));
  if (missing.length === 0) return;
  const quorum = await connection.commitQuorum();
  await connection.patiently(() => connection.collection(collection).createIndexes(missing, quorum));
}

async function indexNames(connection: Connection, collection: string): Promise<ReadonlySet<unknown>> {
  try {
    const listed = await connection.read(() => connection.collection(collection).listIndexes().toArray());
    return new Set(listed.map(({ name }) => name as unknown));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return new Set();
    throw error;
  }
}
