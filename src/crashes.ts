import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** What nobody caught ends the process, after the log has it; and who starts again and again waits longer and longer. */

const FILE = 'crashes.json';
/** A process that lived so long begins anew. */
const QUIET = 10 * 60_000;
/** So many may follow each other at once. */
const FREE = 2;
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 60_000;

interface Crashes {
  readonly count: number;
  /** The moment of the last one, in milliseconds since 1970. */
  readonly at: number;
}

const pathOf = (dataDir: string): string => join(dataDir, FILE);

function crashesIn(dataDir: string, now: number): Crashes {
  try {
    const known = JSON.parse(readFileSync(pathOf(dataDir), 'utf8')) as Crashes;
    return Math.abs(now - known.at) < QUIET ? known : { count: 0, at: now };
  } catch {
    return { count: 0, at: now };
  }
}

/** How long a start waits after so many crashes in a row. */
export const waitAfter = (count: number): number =>
  count <= FREE ? 0 : Math.min(FIRST_WAIT * 2 ** (count - FREE - 1), LONGEST_WAIT);

/** Keeps a crash loop from burning the machine and filling the log; ends early when the process is to stop. */
export async function dampCrashLoop(dataDir: string, logger: Logger, stopping: Promise<unknown>): Promise<void> {
  const { count } = crashesIn(dataDir, Date.now());
  const wait = waitAfter(count);
  if (wait === 0) return;
  logger.warn({ crashes: count, milliseconds: wait }, 'the service crashed again and again: it waits before it starts');
  const ended = new AbortController();
  await Promise.race([pause(wait, undefined, { signal: ended.signal }).catch(() => undefined), stopping]);
  ended.abort();
}

interface Dying {
  readonly dataDir: string;
  readonly logger: Logger;
  readonly flush: () => void;
  /** What was being answered. */
  readonly requests: () => readonly object[];
}

/** Logs what nobody caught with the requests that were being answered, flushes, and ends with 1. The log of events needs no goodbye. */
export function endOnUncaught({ dataDir, logger, flush, requests }: Dying): void {
  process.on('uncaughtException', (error, origin) => {
    try {
      logger.fatal({ err: error, origin, requests: requests() }, 'an error that nobody caught ends the service');
      flush();
      const { count } = crashesIn(dataDir, Date.now());
      writeFileSync(pathOf(dataDir), JSON.stringify({ count: count + 1, at: Date.now() }), { mode: 0o600 });
    } finally {
      process.exit(1);
    }
  });
}

/** A clean stop, or a life long enough, ends the count. It is clean also where something else lies in the file's place, which counts nothing. */
export function forgetCrashes(dataDir: string): void {
  try {
    rmSync(pathOf(dataDir), { force: true });
  } catch {
    return;
  }
}
