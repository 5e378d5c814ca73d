import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint } from '../proof/checkpoint.js';
import { checkpointAnswer } from '../proof/checkpoint.js';

const NAME = /^\d{4}-\d{2}-\d{2}\.json$/;

/** The checkpoints of past days, a file each, in the form that `npm run audit -- verify --checkpoint` takes. */
export class KeptCheckpoints {
  constructor(private readonly folder: string) {}

  /** By day, the first day first. A file that is none of them is left alone. */
  async all(): Promise<readonly Checkpoint[]> {
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

  /** Whole or not at all. */
  async keep(day: string, checkpoint: Checkpoint): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.folder, `${day}.json`);
    await writeFile(`${file}.new`, `${JSON.stringify(checkpoint)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}

function parsed(text: string): Checkpoint | undefined {
  try {
    return checkpointAnswer.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
