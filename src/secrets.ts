import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from './config.js';

export interface Secrets {
  /** Encrypts the vault. */
  readonly secretsKey: Buffer;
}

const kept = z.object({ secretsKey: z.string() });

/** The configured secrets, or, in development, ones that are made once and kept in the data folder. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  if (config.SECRETS_KEY) return { secretsKey: config.SECRETS_KEY };
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(config.DATA_DIR, 'secrets.json');
  const fresh = { secretsKey: randomBytes(32).toString('base64') };
  try {
    await writeFile(file, JSON.stringify(fresh), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { secretsKey } = kept.parse(JSON.parse(await readFile(file, 'utf8')));
  return { secretsKey: Buffer.from(secretsKey, 'base64') };
}
