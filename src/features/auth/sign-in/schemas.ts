import { z } from 'zod';
import { me } from './me.js';

/** What several of these endpoints take and give. */

export const tag = 'Authentication';

/** Kept as typed: neither trimmed nor folded. */
export const secretText = (maximum: number) => z.string().min(1).max(maximum);

export const token = secretText(200);
/** As typed: no password that is longer fits. */
export const knownPassword = secretText(1_000);
export const signedInAnswer = z.object({ user: me, storeSlug: z.string() }).meta({ id: 'signedIn' });
export const ok = z.object({ status: z.literal('ok') });
