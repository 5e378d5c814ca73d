import { z } from 'zod';

/** Who did something, in the answers of every feature. */
export const actor = z
  .object({ kind: z.enum(['user', 'apiKey', 'system']), id: z.string(), name: z.string() })
  .meta({ id: 'Actor' });
