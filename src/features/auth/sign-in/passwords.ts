import { LONGEST_PASSWORD } from '../../../ports/password-hasher.js';
import { COMMON_PASSWORDS } from './common-passwords.js';

const SHORTEST_PASSWORD = 10;

/** The rule as people are told it. */
export const PASSWORD_RULE = `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} bytes in UTF-8, and none of the most common ones`;

/** Why a text cannot be a new password, or undefined when it can. Only length and commonness count, no composition. */
export function passwordProblem(text: string): string | undefined {
  if (/[\0\p{Surrogate}]/u.test(text)) return 'holds a character that cannot be typed';
  const bytes = Buffer.byteLength(text.normalize('NFC'));
  if (bytes < SHORTEST_PASSWORD) return `must have at least ${SHORTEST_PASSWORD} bytes`;
  if (bytes > LONGEST_PASSWORD) return `must have at most ${LONGEST_PASSWORD} bytes`;
  return COMMON_PASSWORDS.has(text.toLowerCase()) ? 'is one of the most common passwords' : undefined;
}
