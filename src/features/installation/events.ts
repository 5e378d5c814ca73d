import { z } from 'zod';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';

/** What happened to the installation as a whole. Its stream belongs to no store. */
export const INSTALLATION_STREAM = 'installation';

/** The log was brought back to an earlier moment and goes on under another id; it was `fromLogId`, with so many events, until then. */
export const logRestored = defineEvent(
  'LogRestored',
  1,
  z.object({ fromLogId: z.string(), size: z.int(), rootHash: z.string() }),
);

export const installationEvents = eventCodec(logRestored);
