import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshFolder } from './service-process.js';

const LARGEST_PIECE = 1024 * 1024;
const SMALLEST_PIECE = 512;
const mounted: string[] = [];

const mounts = (folder: string, megabytes: number): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m`, 'tmpfs', folder]).status === 0;

/** Whether the tests may mount disks here. */
export async function mayMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-'));
  const may = mounts(folder, 1);
  if (may) spawnSync('umount', [folder]);
  await rm(folder, { recursive: true });
  return may;
}

/** A small disk of its own. */
export async function mountDisk(megabytes: number): Promise<string> {
  const folder = await freshFolder();
  if (!mounts(folder, megabytes)) throw new Error('the disk could not be mounted');
  mounted.push(folder);
  return folder;
}

/** To be called after each test that mounts, before the folders are removed. */
export function unmountAll(): void {
  for (const folder of mounted.splice(0)) spawnSync('umount', ['-l', folder]); // even while it is in use
}

/** Takes all the space that is left, by a file whose path it gives. */
export async function fillDisk(folder: string): Promise<string> {
  const ballast = join(folder, 'ballast');
  const file = await open(ballast, 'w');
  try {
    for (let size = LARGEST_PIECE; size >= SMALLEST_PIECE;) {
      try {
        await file.appendFile(Buffer.alloc(size));
      } catch {
        size /= 2;
      }
    }
  } finally {
    await file.close();
  }
  return ballast;
}
