import { z } from 'zod';
import { CHECKPOINT_MAIL } from '../../features/audit/verification/daily-checkpoint.js';
import { VERIFICATION } from '../../features/audit/verification/verifier.js';
import { installationEvents, INSTALLATION_STREAM, logRestored } from '../../features/installation/events.js';
import { erasedCustomers } from '../../features/customers/erased-after-restore.js';
import { advancedNumbers } from '../../features/fiscal/numbers-after-restore.js';
import { DELIVERY_QUEUE } from '../../features/webhooks/records.js';
import { newestSecret, WEBHOOK_SECRET } from '../../features/webhooks/secrets.js';
import { linesKindOf } from '../../kernel/reactors/work-line.js';
import { SYSTEM } from '../../kernel/routes/request-context.js';
import type { RestoredMoment, RestoreRules } from '../../ports/restore-rules.js';
import { OPEN_WORK, openWork } from './open-work.js';
import { SidesOfCut } from './sides-of-cut.js';

/** Whoever was signed in signs in again; what was underway for a moment, or said of the log before, is forgotten. */
const GONE: ReadonlySet<string> = new Set([
  'session',
  'lease',
  'throttle',
  'reset-mail',
  'mail',
  'one-time-token',
  'latest-one-time-token',
  VERIFICATION,
  CHECKPOINT_MAIL,
  ...OPEN_WORK,
]);
const reactor = z.object({ logId: z.string(), position: z.string() }).loose();
const LINES = linesKindOf(DELIVERY_QUEUE);

/** One that had come to the moment goes on from the new end; one that had not would never hear of what lies between. */
function reactorAfter(row: unknown, { logId, cut, head }: RestoredMoment) {
  const known = reactor.parse(row);
  return { ...known, logId, position: known.position < cut ? known.position : head };
}

/** What a log that was cut begins with, and what becomes of the vault beside it. */
export const restoreRules: RestoreRules = {
  factsAfter(log, kept, lost) {
    const restored = {
      stream: INSTALLATION_STREAM,
      storeId: null,
      actor: SYSTEM,
      type: logRestored.type,
      schemaVersion: installationEvents.versionOf(logRestored.type),
      data: log,
    };
    return [restored, ...advancedNumbers(kept, lost).map((fact) => ({ ...fact, actor: SYSTEM }))];
  },
  rowsAfter(kept, lost) {
    const sides = new SidesOfCut(kept, lost);
    return (row, moment) => {
      const { kind } = row;
      if (GONE.has(kind)) return 'goes';
      if (kind === 'idempotency') return sides.keyAfter(row.value(), moment.at);
      // Receivers know the newest secret, also where the log no longer does.
      if (kind === WEBHOOK_SECRET) return { value: newestSecret(row.value()) };
      if (kind === 'reactor') return { value: reactorAfter(row.value(), moment) };
      // One of their deliveries may be due again.
      if (kind === LINES) return { value: row.value(), dueAt: moment.now };
      return kind.startsWith(`${DELIVERY_QUEUE}-`) ? sides.deliveryAfter(row.value(), moment) : 'stays';
    };
  },
  erasuresAfter: (kept, hasRow) => erasedCustomers(kept, hasRow).map((fact) => ({ ...fact, actor: SYSTEM })),
  workAfter: openWork,
};
