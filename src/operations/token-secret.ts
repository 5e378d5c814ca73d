import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { Vault } from '../ports/vault.js';

const PLACE = { kind: 'about', id: 'token-secret' } as const;

/**
 * Processes with different secrets take for forged what another one has signed: sessions, cursors and positions. Whoever starts with
 * another secret than the process before says so; one that was changed in all of them is told once.
 */
export async function noteTokenSecret(
  { vault, logger }: { readonly vault: Vault; readonly logger: Logger },
  tokenSecret: Buffer,
): Promise<void> {
  const value = createHmac('sha256', tokenSecret).update(PLACE.id).digest('base64');
  const known = await vault.get(PLACE.kind, PLACE.id);
  if (known?.value === value) return;
  if (known) {
    logger.warn(
      'JWT_SECRET is another one than that of the process that started before: sessions end, and while processes differ nobody stays signed in. Set the same for all of them',
    );
  }
  await vault.write([{ ...PLACE, value, expected: 'any' }]);
}
