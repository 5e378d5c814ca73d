import { StartRefused } from '../ports/start-refused.js';

/**
 * What this release writes into a log, on every engine, and into its backups. Each change of what events hold raises it, since a release
 * that does not know them would fail wherever it meets one. Logs from before it was kept have none, or 0.
 */
export const LOG_FORMAT = 3;

/** Throws StartRefused. */
export function expectKnownFormat(what: string, format: number): void {
  if (format <= LOG_FORMAT) return;
  throw new StartRefused(
    `${what} has format ${String(format)}, and this release knows ${String(LOG_FORMAT)}: a newer release wrote it`,
  );
}
