import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';
import { LogWriter } from './log-writer.js';
import { StoreUnavailable } from './ports/event-store.js';

/** The log: JSON for programs, lines for people when a terminal reads them. */

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
/** What every line of pino says, and says nothing on a terminal. */
const UNSAID = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);

interface Line extends Readonly<Record<string, unknown>> {
  readonly level?: number;
  readonly time?: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

const valueOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A line of the log for people: `2026-11-22T09:00:00.000Z warn  a mail did not leave to=… `. */
export function readableLine(json: string): string {
  const line = JSON.parse(json) as Line;
  const { level = 0, time = 0, msg = '', err } = line;
  const rest = Object.entries(line)
    .filter(([name, value]) => !UNSAID.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${valueOf(value)}`);
  const head = [new Date(time).toISOString(), (LEVELS[level] ?? String(level)).padEnd(5), msg];
  const text = [...head, ...rest].filter((part) => part !== '').join(' ');
  const trouble = err?.stack ?? err?.message;
  return trouble === undefined ? `${text}\n` : `${text}\n${trouble}\n`;
}

interface Log {
  readonly logger: Logger;
  /** Writes what is still waiting. */
  flush(): void;
}

/** Lines of programs are written beside the work; who stops cleanly flushes them. A log that cannot be written stops nothing. */
export function openLog(level: string, output: NodeJS.WriteStream & { readonly fd: number }): Log {
  // A terminal that was closed tells the service to stop, and takes no line of how it does so.
  output.on('error', () => undefined);
  if (output.isTTY) {
    const terminal: DestinationStream = { write: (json) => void output.write(readableLine(json)) };
    return { logger: pino({ level }, terminal), flush: (): void => undefined };
  }
  const writer = new LogWriter(output.fd);
  return {
    logger: pino({ level }, writer),
    flush() {
      writer.flush();
    },
  };
}

/** So long a server that is away is told of by one line for each kind of work: every try meets it, several a second. */
const SAID_FOR = 60_000;

/** Tells what went wrong beside requests. */
export function troubleTeller(
  logger: Pick<Logger, 'warn' | 'error'>,
  now = () => performance.now(),
): (error: unknown, what: string, level?: 'warn' | 'error') => void {
  const saidAt = new Map<string, number>();
  return (error, what, level = 'warn') => {
    if (error instanceof StoreUnavailable) {
      const [place = ''] = error.message.split(' ', 1);
      const [key, at] = [`${what}: ${place}`, now()];
      if (at - (saidAt.get(key) ?? -Infinity) < SAID_FOR) return;
      saidAt.set(key, at);
    }
    logger[level]({ err: error }, what);
  };
}
