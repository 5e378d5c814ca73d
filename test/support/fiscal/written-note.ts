import type { Emission, Note } from '../../../src/features/fiscal/domain/note.js';
import type { QrSettings, WrittenNote } from '../../../src/features/fiscal/signing/written-note.js';
import { signedNote, unsignedNote } from '../../../src/features/fiscal/signing/written-note.js';
import type { Identity } from '../../../src/features/fiscal/signing/xml-signature.js';

/** A document written and signed at once, in this thread. */
export const writtenNote = (
  note: Note,
  emission: Emission,
  settings: QrSettings,
  identity: Identity,
): Promise<WrittenNote> => signedNote(unsignedNote(note, emission, settings), identity);
