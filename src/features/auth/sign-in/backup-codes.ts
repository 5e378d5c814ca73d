import { randomBytes } from 'node:crypto';
import type { PasswordHasher } from '../../../ports/password-hasher.js';
import { isSameHash } from './same-hash.js';

/** Codes on paper for who has lost the authenticator app. */

const CODES = 10;
const LENGTH = 10;
/** Crockford's: 32 signs, 5 bits each, none like another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** What is kept of them. A code that was used leaves. */
export interface BackupCodes {
  readonly salt: string;
  readonly hashes: readonly string[];
}

function newCode(): string {
  const signs = Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return `${signs.slice(0, 5)}-${signs.slice(5)}`;
}

/** As it was typed, in whatever case and with whatever gaps; undefined when it cannot be one. */
function signsOf(typed: string): string | undefined {
  if (typed.length > 50) return undefined;
  const signs = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return CODE.test(signs) ? signs : undefined;
}

/** Fresh codes, to be shown once, and what is kept of them. */
export async function makeBackupCodes(
  hasher: PasswordHasher,
): Promise<{ readonly codes: readonly string[]; readonly kept: BackupCodes }> {
  const codes = new Set<string>();
  while (codes.size < CODES) codes.add(newCode());
  const salt = hasher.newCodeSalt();
  const hashes = [...codes].map((code) => hasher.hashCode(code.replace('-', ''), salt));
  return { codes: [...codes], kept: { salt, hashes: await Promise.all(hashes) } };
}

/** The hash of a typed code; undefined when it cannot be one. */
export async function hashBackupCode(hasher: PasswordHasher, typed: string, salt: string): Promise<string | undefined> {
  const signs = signsOf(typed);
  return signs === undefined ? undefined : hasher.hashCode(signs, salt);
}

/** What is kept after a code was used; undefined when it is none of these. */
export function withoutCode(kept: BackupCodes, hash: string): BackupCodes | undefined {
  const hashes = kept.hashes.filter((one) => !isSameHash(one, hash));
  return hashes.length < kept.hashes.length ? { ...kept, hashes } : undefined;
}
