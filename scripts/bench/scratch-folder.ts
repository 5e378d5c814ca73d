import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

interface ScratchFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** In the project's data folder and not in the system's temporary one, which may lie in memory, where a flush costs nothing. */
export async function makeScratchFolder(): Promise<ScratchFolder> {
  await mkdir('data', { recursive: true });
  const path = await mkdtemp(join('data', 'bench-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
