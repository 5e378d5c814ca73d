import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { BackupDone, BackupWish } from './backing-up.js';
import { backupPath, erasuresPath, openBackup } from './backup-file.js';
import { makeFolder } from '../../../kernel/files/folders.js';
import { flushFolder } from '../../../kernel/files/lasting.js';
import { answerOfThread } from '../../../kernel/threads/one-answer.js';
import { TurnsByKey } from '../../../kernel/values/turns.js';

const WORKER = new URL('./backup-worker.js', import.meta.url);

/**
 * Backs up in a thread of its own, which ends with it, or soon after it is told to: a thread that others end while SQLite is at work in it
 * takes the whole process along.
 */
export async function backUpBeside(wish: BackupWish, signal: AbortSignal): Promise<BackupDone> {
  const brokenOff = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const breakOff = () => void Atomics.store(brokenOff, 0, 1);
  signal.addEventListener('abort', breakOff, { once: true });
  try {
    const task: BackupWish = { ...wish, brokenOff };
    return await answerOfThread<BackupDone>(WORKER, task, 'the backup was broken off');
  } finally {
    signal.removeEventListener('abort', breakOff);
  }
}

/** When the newest backup in a folder was made; undefined where there is none. Throws StartRefused for one that cannot be read. */
export function lastBackupAt(directory: string): number | undefined {
  if (!existsSync(backupPath(directory))) return undefined;
  const { database, last } = openBackup(directory, { create: false });
  database.close();
  return last && Date.parse(last.at);
}

const NEWLINE = '\n'.charCodeAt(0);
/** Far more than a line has. */
const LONGEST_LINE = 64 * 1024;

/** A crash may have left the last line half written: whoever wanted it said has not heard that it was. */
async function cutTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const length = Math.min(size, LONGEST_LINE);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  if (length > 0 && buffer.at(-1) !== NEWLINE) await file.truncate(size - length + buffer.lastIndexOf(NEWLINE) + 1);
}

type ErasedRows = readonly { readonly kind: string; readonly id: string }[];

/** By folder: who cuts a torn line must not cut what another has written behind it since. */
const notes = new TurnsByKey();

/** Says at once, beside the backups, which rows no restore may bring back. */
export const noteErasures = (directory: string, rows: ErasedRows, at: string): Promise<void> =>
  notes.take(directory, () => note(directory, rows, at));

async function note(directory: string, rows: ErasedRows, at: string): Promise<void> {
  makeFolder(directory);
  const file = await open(erasuresPath(directory), 'a+', 0o600);
  try {
    await cutTornLine(file);
    await file.appendFile(rows.map(({ kind, id }) => `${JSON.stringify({ kind, id, at })}\n`).join(''));
    await file.sync();
    await flushFolder(directory);
  } finally {
    await file.close();
  }
}
