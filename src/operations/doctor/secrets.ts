import type { Config } from '../../config.js';
import type { Finding } from './findings.js';
import { ok, wrong } from './findings.js';

/** Thirty-two bytes by chance have some thirty different ones, and are never letters alone. */
const FEWEST_DIFFERENT = 20;

const isMadeUp = (secret: Buffer): boolean =>
  new Set(secret).size < FEWEST_DIFFERENT || secret.every((byte) => byte >= 0x20 && byte < 0x7f);

const REMEDY = {
  JWT_SECRET: 'put another in its place (openssl rand -base64 32): everybody signs in again',
  SECRETS_KEY:
    'make another for each new installation (openssl rand -base64 32): what lies in this one can be guessed open',
} as const;

/** Whoever guesses them signs tokens and opens the vault. */
export function secretFindings(config: Pick<Config, 'JWT_SECRET' | 'SECRETS_KEY'>): readonly Finding[] {
  return (['JWT_SECRET', 'SECRETS_KEY'] as const).flatMap((name) => {
    const secret = config[name];
    if (!secret) return [];
    return isMadeUp(secret)
      ? wrong(name, `it was not made by chance: ${REMEDY[name]}`)
      : ok(name, 'it looks like chance');
  });
}
