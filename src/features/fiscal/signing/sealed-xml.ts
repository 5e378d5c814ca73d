import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** XML as events keep it: deflated, then AES-256-GCM under a key of its document; base64 of nonce (12), tag (16), ciphertext. */

const ALGORITHM = 'aes-256-gcm';
const KEY = 32;
const NONCE = 12;
const TAG = 16;

/** What can be saved is nearly all in what repeats from one item to the next. */
const QUICKLY = { level: 4, windowBits: 13, memLevel: 7, chunkSize: 4096 } as const;

export const newDocumentKey = (): Buffer => randomBytes(KEY);

/** What a text is bound to, so that it cannot pass for another document's, or for another kind of text. */
export interface SealedPlace {
  readonly documentId: string;
  readonly part: 'note' | 'cancellation' | 'void';
}

const boundTo = ({ documentId, part }: SealedPlace): Buffer => Buffer.from(`${documentId}/${part}`);

export function sealXml(key: Uint8Array, place: SealedPlace, xml: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(boundTo(place));
  const body = Buffer.concat([cipher.update(deflateRawSync(xml, QUICKLY)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

export function openXml(key: Buffer, place: SealedPlace, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  const deflated = Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]);
  return inflateRawSync(deflated).toString('utf8');
}
