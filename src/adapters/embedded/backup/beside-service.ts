import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { BackupDone, BackupWish } from './backing-up.js';
import { backupPath, erasuresPath, openBackup } from './backup-file.js';
import { makeFolder } from '../../../kernel/files/folders.js';

const WORKER = new URL('./backup-worker.js', import.meta.url);

/** Backs up in a thread of its own, which ends with it. */
export function backUpBeside(wish: BackupWish): Promise<BackupDone> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: wish });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new Error('the backup was broken off'));
    });
  });
}

/** When the newest backup in a folder was made; undefined where there is none that can be read. */
export function lastBackupAt(directory: string): number | undefined {
  if (!existsSync(backupPath(directory))) return undefined;
  try {
    const { database, last } = openBackup(directory, { create: false });
    database.close();
    return last && Date.parse(last.at);
  } catch {
    return undefined; // the next backup says why
  }
}

/** Says at once, beside the backups, which rows no restore may bring back. */
export async function noteErasures(
  directory: string,
  rows: readonly { readonly kind: string; readonly id: string }[],
  at: string,
): Promise<void> {
  makeFolder(directory);
  const file = await open(erasuresPath(directory), 'a', 0o600);
  try {
    await file.appendFile(rows.map(({ kind, id }) => `${JSON.stringify({ kind, id, at })}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
}
