import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { KeptCheckpoints, SignedCheckpoint } from '../ports/kept-checkpoints.js';
import { makeFolder } from '../kernel/files/folders.js';
import { replaceFile } from '../kernel/files/lasting.js';

const NAME = /^\d{4}-\d{2}-\d{2}\.json$/;

const kept = z.strictObject({
  logId: z.string(),
  size: z.int(),
  rootHash: z.string(),
  at: z.iso.datetime(),
  signature: z.string(),
});

/** A file a day, in the form that `npm run audit -- verify --checkpoint` takes. */
export class CheckpointFolder implements KeptCheckpoints {
  constructor(private readonly folder: string) {}

  /** A file that is none of them is left alone. */
  async all(): Promise<readonly SignedCheckpoint[]> {
    const found = (await this.names()).filter((name) => NAME.test(name)).sort();
    const texts = await Promise.all(found.map((name) => readFile(join(this.folder, name), 'utf8').catch(() => '')));
    return texts.flatMap((text) => parsed(text) ?? []);
  }

  async has(day: string): Promise<boolean> {
    return (await this.names()).includes(`${day}.json`);
  }

  private names(): Promise<readonly string[]> {
    return readdir(this.folder).catch(() => []);
  }

  async keep(day: string, checkpoint: SignedCheckpoint): Promise<void> {
    makeFolder(this.folder);
    await replaceFile(join(this.folder, `${day}.json`), `${JSON.stringify(checkpoint)}\n`);
  }
}

function parsed(text: string): SignedCheckpoint | undefined {
  try {
    return kept.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
