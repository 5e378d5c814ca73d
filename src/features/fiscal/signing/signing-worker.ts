import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { NoteToSeal, SealedNote } from './sealed-note.js';
import { sealedNote } from './sealed-note.js';
import type { Identity } from './xml-signature.js';
import { signTextNow } from './xml-signature.js';
import { messageOf } from '../../../kernel/values/message-of.js';

/** Documents that one store signs together, and what became of each, in the same order. */
export interface SigningTask {
  readonly identity: Identity;
  readonly notes: readonly NoteToSeal[];
}
export type SigningResult = { readonly sealed: SealedNote } | { readonly error: string };

const A_LITTLE_LATER = 5;

// On Linux a priority is a thread's own: selling goes on beside documents, however many there are.
if (process.platform === 'linux') setPriority(A_LITTLE_LATER);

async function resultOf(note: NoteToSeal, identity: Identity): Promise<SigningResult> {
  try {
    return { sealed: await sealedNote(note, identity, signTextNow) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

parentPort?.on('message', ({ identity, notes }: SigningTask) => {
  void Promise.all(notes.map((note) => resultOf(note, identity))).then((results) => parentPort?.postMessage(results));
});
