import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** XML as events keep it: deflated, then AES-256-GCM under a key of its document; base64 of nonce (12), tag (16), ciphertext. */

const ALGORITHM = 'aes-256-gcm';
const KEY = 32;
const NONCE = 12;
const TAG = 16;

/** What can be saved is nearly all in what repeats from one item to the next. */
const QUICKLY = { level: 4, windowBits: 13, memLevel: 7, chunkSize: 4096 } as const;

const DRAWN = 4096;
let drawn = Buffer.alloc(0);
let given = 0;

/** Random bytes, which cost far less when many are drawn at once; what was given is kept nowhere else. */
function random(length: number): Buffer {
  if (given + length > drawn.length) {
    drawn = randomBytes(DRAWN);
    given = 0;
  }
  const bytes = Buffer.from(drawn.subarray(given, given + length));
  drawn.fill(0, given, given + length);
  given += length;
  return bytes;
}

export const newDocumentKey = (): Buffer => random(KEY);

/** What a text is bound to, so that it cannot pass for another document's, or for another kind of text. */
export interface SealedPlace {
  readonly documentId: string;
  readonly part: 'note' | 'cancellation' | 'void';
}

const boundTo = ({ documentId, part }: SealedPlace): Buffer => Buffer.from(`${documentId}/${part}`);

export function sealXml(key: Uint8Array, place: SealedPlace, xml: string): string {
  const nonce = random(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(boundTo(place));
  const body = cipher.update(deflateRawSync(xml, QUICKLY));
  const end = cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), body, end]).toString('base64');
}

export function openXml(key: Buffer, place: SealedPlace, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  const deflated = Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]);
  return inflateRawSync(deflated).toString('utf8');
}
