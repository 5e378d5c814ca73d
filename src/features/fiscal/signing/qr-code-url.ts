import { createHash } from 'node:crypto';
import type { QrFacts } from '../domain/qr-code.js';
import { secondVersion, thirdVersion } from '../domain/qr-code.js';
import type { Identity } from './xml-signature.js';
import type { SignText } from './xml-signature.js';

/** The code of security of a consumer's note: an id, and a token that never leaves. */
export interface SecurityCode {
  readonly id: string;
  readonly token: string;
}

/** Where the QR code of a consumer's note leads: version 2 with a code of security, else version 3. */
export async function qrCodeUrl(
  address: string,
  facts: QrFacts,
  code: SecurityCode | undefined,
  identity: Identity,
  signing: SignText,
): Promise<string> {
  const told = code ? hashed(secondVersion(facts, code.id), code.token) : await signed(facts, identity, signing);
  return `${address}?p=${told}`;
}

const hashed = (text: string, token: string): string =>
  `${text}|${createHash('sha1')
    .update(text + token)
    .digest('hex')
    .toUpperCase()}`;

async function signed(facts: QrFacts, identity: Identity, signing: SignText): Promise<string> {
  const text = thirdVersion(facts);
  return facts.offline ? `${text}|${await signing(text, identity)}` : text;
}
