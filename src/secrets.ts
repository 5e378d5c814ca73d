import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config } from './config.js';
import { key32 } from './config.js';
import { StartRefused } from './ports/start-refused.js';
import { fullDisk, isForWantOfRoom } from './kernel/files/disk-room.js';
import { makeFolder } from './kernel/files/folders.js';
import { flushFolder } from './kernel/files/lasting.js';
import { messageOf } from './kernel/values/message-of.js';

export interface Secrets {
  /** Encrypts the vault. */
  readonly secretsKey: Buffer;
  /** Signs what sessions carry. */
  readonly tokenSecret: Buffer;
}

const secret = z.base64().pipe(key32);
const kept = z.object({ secretsKey: secret, tokenSecret: secret });
const fresh = () => randomBytes(32).toString('base64');

/** The configured secrets; in development, those that are missing are made once and kept in the data folder. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const { SECRETS_KEY, JWT_SECRET } = config;
  if (SECRETS_KEY && JWT_SECRET) return { secretsKey: SECRETS_KEY, tokenSecret: JWT_SECRET };
  const file = join(config.DATA_DIR, 'secrets.json');
  try {
    makeFolder(config.DATA_DIR);
    if (!SECRETS_KEY && !existsSync(file)) expectNoLog(config.DATA_DIR, file);
    if (!existsSync(file)) await makeSecrets(file);
  } catch (cause) {
    const why = isForWantOfRoom(cause) ? fullDisk(config.DATA_DIR) : `DATA_DIR cannot be used: ${messageOf(cause)}`;
    throw new StartRefused(why, { cause });
  }
  const { secretsKey, tokenSecret } = await secretsIn(file);
  return { secretsKey: SECRETS_KEY ?? secretsKey, tokenSecret: JWT_SECRET ?? tokenSecret };
}

/** Another key opens nothing of a log that is there, and whoever finds one beside it takes it for the log's own. */
function expectNoLog(dataDir: string, secrets: string): void {
  const log = statSync(join(dataDir, 'events.db'), { throwIfNoEntry: false });
  // A first start that was broken off may have left an empty one.
  if (!log?.isFile() || log.size === 0) return;
  throw new Error(`${secrets} is missing: bring it back from a backup, or set SECRETS_KEY to the key of this log`);
}

async function secretsIn(file: string): Promise<z.output<typeof kept>> {
  try {
    return kept.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === undefined ? 'is damaged: bring it back from a backup' : `cannot be read (${code})`;
    throw new StartRefused(`DATA_DIR cannot be used: ${file} ${why}`, { cause });
  }
}

/** What file systems say that have none, as those of memory cards. */
const NO_LINKS: ReadonlySet<string> = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EPERM']);

/** Whole or not at all, however the process or the power ends, and never over those that another process has made meanwhile. */
async function makeSecrets(file: string): Promise<void> {
  const partial = `${file}.${randomBytes(8).toString('hex')}.partial`;
  try {
    const made = JSON.stringify({ secretsKey: fresh(), tokenSecret: fresh() });
    await writeFile(partial, made, { mode: 0o600, flag: 'wx', flush: true });
    await link(partial, file);
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'link' && NO_LINKS.has(code)) {
      throw new Error(
        `${dirname(file)} takes no hard links (${code}): name another folder, or set SECRETS_KEY and JWT_SECRET`,
      );
    }
    if (code !== 'EEXIST') throw error;
  } finally {
    await rm(partial, { force: true });
  }
  await flushFolder(dirname(file));
}
