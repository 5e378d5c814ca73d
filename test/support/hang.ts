import type { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { until } from './until.js';

/**
 * Makes a process hang: it keeps its connections and does nothing. On a busy machine its threads go on for a while after the signal, so that
 * what it is asked then may still be answered: this waits until they have all stopped (Linux alone shows it).
 */
export async function hang(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  if (process.platform === 'linux') await until('the process hangs', () => threadStates(child).every(isStopped));
}

const isStopped = (state: string): boolean => state === 'T';

/** The letter that stands behind the name, which stands in brackets and may hold anything. */
function threadStates({ pid }: ChildProcess): string[] {
  const threads = `/proc/${String(pid)}/task`;
  return readdirSync(threads).map((thread) => {
    const about = readFileSync(`${threads}/${thread}/stat`, 'utf8');
    return about.charAt(about.lastIndexOf(')') + 2);
  });
}
