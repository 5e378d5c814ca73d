import { isCpf } from '../../../brazil/cpf.js';
import { environmentCode } from '../../../brazil/fiscal-layout.js';
import type { Environment } from '../../contracts/fiscal-settings.js';

/** The text of a consumer note's QR code after `?p=`, but for what only hashing or signing gives. */

export interface QrFacts {
  readonly accessKey: string;
  readonly environment: Environment;
  readonly offline: boolean;
  /** The day of the month, two digits. */
  readonly day: string;
  /** As in the XML. */
  readonly total: string;
  /** Base64. */
  readonly digestValue: string;
  readonly recipientDocument: string | null;
}

/** Version 2, up to the id of the code of security: what is hashed together with the code's token. */
export function secondVersion(facts: QrFacts, securityCodeId: string): string {
  const { accessKey, offline, day, total, digestValue } = facts;
  const offlineParts = offline ? [day, total, hexadecimal(digestValue)] : [];
  return [accessKey, '2', environmentCode(facts), ...offlineParts, String(Number(securityCodeId))].join('|');
}

/** Version 3; offline it is signed, and the signature follows after a bar. */
export function thirdVersion(facts: QrFacts): string {
  const { accessKey, offline, day, total, recipientDocument } = facts;
  const online = [accessKey, '3', environmentCode(facts)];
  if (!offline) return online.join('|');
  const kind = recipientDocument === null ? '' : isCpf(recipientDocument) ? '2' : '1';
  return [...online, day, total, kind, recipientDocument ?? ''].join('|');
}

/** Writes the characters themselves, each as two digits. */
function hexadecimal(text: string): string {
  let digits = '';
  for (let index = 0; index < text.length; index++) digits += text.charCodeAt(index).toString(16).padStart(2, '0');
  return digits;
}
