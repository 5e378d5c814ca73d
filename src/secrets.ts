import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from './config.js';

export interface Secrets {
  /** Encrypts the vault. */
  readonly secretsKey: Buffer;
  /** Signs what sessions carry. */
  readonly tokenSecret: Buffer;
}

const kept = z.object({ secretsKey: z.string(), tokenSecret: z.string() });
const fresh = () => randomBytes(32).toString('base64');

/** The configured secrets; in development, those that are missing are made once and kept in the data folder. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const { SECRETS_KEY, JWT_SECRET } = config;
  if (SECRETS_KEY && JWT_SECRET) return { secretsKey: SECRETS_KEY, tokenSecret: JWT_SECRET };
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(config.DATA_DIR, 'secrets.json');
  try {
    const made = JSON.stringify({ secretsKey: fresh(), tokenSecret: fresh() });
    await writeFile(file, made, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { secretsKey, tokenSecret } = kept.parse(JSON.parse(await readFile(file, 'utf8')));
  return {
    secretsKey: SECRETS_KEY ?? Buffer.from(secretsKey, 'base64'),
    tokenSecret: JWT_SECRET ?? Buffer.from(tokenSecret, 'base64'),
  };
}
