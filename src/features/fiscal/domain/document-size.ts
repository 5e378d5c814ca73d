import type { Emission, Note } from './note.js';
import { noteXml } from './xml/note-xml.js';

/** Whether a document fits into what authorities take of one message. */

const MOST_BYTES = 500_000;
/** Signature with its certificate, QR code, and what lies around the document. */
const FRAME = 8_000;
/** Items and lots are hardly ever longer: most documents need not be measured. */
const LONG_ITEM = 2_000;
const LONG_LOT = 200;

/** As long as a real one. */
const SAMPLE: Emission = {
  series: 889,
  number: 999_999_999,
  randomCode: '00000000',
  accessKey: '0'.repeat(44),
  emissionType: 9,
  issuedAt: '2026-12-31T23:59:59-03:00',
  issuedOn: '2026-12-31',
  contingency: { since: '2026-12-31T23:59:59-03:00', reason: '-'.repeat(256) },
};

export function isTooLarge(note: Note): boolean {
  const lots = note.items.reduce((sum, item) => sum + item.lots.length, 0);
  if (note.items.length * LONG_ITEM + lots * LONG_LOT + FRAME <= MOST_BYTES) return false;
  return Buffer.byteLength(noteXml(note, SAMPLE).sent) + FRAME > MOST_BYTES;
}
