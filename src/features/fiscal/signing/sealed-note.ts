import { sealXml } from './sealed-xml.js';
import type { UnsignedNote, WrittenNote } from './written-note.js';
import { signedNote } from './written-note.js';
import type { Identity, SignText } from './xml-signature.js';

/** A document on its way to be signed, and then sealed under the key of its own. */
export interface NoteToSeal {
  readonly note: UnsignedNote;
  readonly documentId: string;
  readonly documentKey: Uint8Array;
}

export interface SealedNote extends WrittenNote {
  readonly sealedXml: string;
}

export async function sealedNote(
  { note, documentId, documentKey }: NoteToSeal,
  identity: Identity,
  signing?: SignText,
): Promise<SealedNote> {
  const { xml, digestValue, qrCodeUrl } = await signedNote(note, identity, signing);
  return { xml, digestValue, qrCodeUrl, sealedXml: sealXml(documentKey, { documentId, part: 'note' }, xml) };
}
