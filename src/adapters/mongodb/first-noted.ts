import type { Document } from 'mongodb';
import { isDuplicate } from './away.js';
import type { Connection } from './connection.js';
import { maxTimeMS } from './connection.js';

/** What the vault began with, as the first process noted it; where none has yet, this one does. */
export async function firstNoted<D extends Document & { readonly _id: string }>(
  connection: Connection,
  id: D['_id'],
  made: () => Promise<Omit<D, '_id'>>,
): Promise<D> {
  const notes = connection.collection<Document & { readonly _id: string }>('vault_key');
  for (;;) {
    const noted = await connection.read(() => notes.findOne({ _id: id }, { maxTimeMS }));
    if (noted) return noted as unknown as D;
    const note = { ...(await made()), _id: id };
    try {
      await connection.write(() => notes.insertOne(note));
    } catch (error) {
      // Another process was faster: its note counts.
      if (!isDuplicate(error)) throw error;
    }
  }
}
